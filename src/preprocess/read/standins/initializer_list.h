// The class of braced lists, in our own words.
#pragma once

namespace std {

template <class T>
class initializer_list {
public:
  using value_type = T;
  using size_type = unsigned long;
  using const_iterator = const T *;
  constexpr initializer_list() noexcept;
  constexpr size_type size() const noexcept;
  constexpr const T *begin() const noexcept;
  constexpr const T *end() const noexcept;
};

}
