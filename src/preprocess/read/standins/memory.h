// Smart pointers, in our own words. The base classes are declared nowhere: they stand for the members that are left out.
#pragma once

#include <type_traits>

namespace std {

template <class T>
class allocator;
template <class T>
struct default_delete;

template <class T, class D = default_delete<T>>
class unique_ptr : public other_members_of_unique_ptr<T, D> {
public:
  using element_type = T;
  using pointer = T *;
  T *get() const noexcept;
  T *release() noexcept;
  T &operator*() const;
  T *operator->() const noexcept;
};
template <class T, class D>
class unique_ptr<T[], D> : public other_members_of_unique_ptr<T, D> {
public:
  using element_type = T;
  using pointer = T *;
  T *get() const noexcept;
  T *release() noexcept;
  T &operator[](unsigned long) const;
};

template <class T>
class shared_ptr : public other_members_of_shared_ptr<T> {
public:
  using element_type = remove_extent_t<T>;
  element_type *get() const noexcept;
  element_type &operator*() const noexcept;
  element_type *operator->() const noexcept;
  element_type &operator[](long) const;
};

template <class T, class... A>
unique_ptr<T> make_unique(A &&...);
template <class T, class... A>
shared_ptr<T> make_shared(A &&...);

}
