// The members of a vector that give it and its elements their types, in our own words. The base class is declared
// nowhere: it stands for the members that are left out.
#pragma once

#include <initializer_list>
#include <iterator>

namespace std {

template <class T>
class allocator;

template <class T, class A = allocator<T>>
class vector : public other_members_of_vector<T, A> {
public:
  using value_type = T;
  using size_type = unsigned long;
  using difference_type = long;
  using reference = T &;
  using const_reference = const T &;
  using pointer = T *;
  using const_pointer = const T *;
  using iterator = T *;
  using const_iterator = const T *;

  vector() noexcept;
  explicit vector(unsigned long);
  vector(unsigned long, const T &);
  template <class I, class = typename iterator_traits<I>::iterator_category>
  vector(I, I);
  vector(initializer_list<T>);

  T *data() noexcept;
  const T *data() const noexcept;
  unsigned long size() const noexcept;
  bool empty() const noexcept;
  T *begin() noexcept;
  const T *begin() const noexcept;
  T *end() noexcept;
  const T *end() const noexcept;
  T &front();
  const T &front() const;
  T &back();
  const T &back() const;
  T &at(unsigned long);
  const T &at(unsigned long) const;
  T &operator[](unsigned long);
  const T &operator[](unsigned long) const;
};

}
