// An array as a class, in our own words.
#pragma once

namespace std {

template <class T, unsigned long n>
struct array {
  using value_type = T;
  using size_type = unsigned long;
  using difference_type = long;
  using reference = T &;
  using const_reference = const T &;
  using pointer = T *;
  using const_pointer = const T *;
  using iterator = T *;
  using const_iterator = const T *;

  T elements[n];

  constexpr T *data() noexcept { return elements; }
  constexpr const T *data() const noexcept { return elements; }
  constexpr unsigned long size() const noexcept { return n; }
  constexpr unsigned long max_size() const noexcept { return n; }
  constexpr bool empty() const noexcept { return n == 0; }
  constexpr T *begin() noexcept { return elements; }
  constexpr const T *begin() const noexcept { return elements; }
  constexpr T *end() noexcept { return elements + n; }
  constexpr const T *end() const noexcept { return elements + n; }
  constexpr const T *cbegin() const noexcept { return elements; }
  constexpr const T *cend() const noexcept { return elements + n; }
  constexpr T &front() { return elements[0]; }
  constexpr const T &front() const { return elements[0]; }
  constexpr T &back() { return elements[n - 1]; }
  constexpr const T &back() const { return elements[n - 1]; }
  constexpr T &at(unsigned long i) { return elements[i]; }
  constexpr const T &at(unsigned long i) const { return elements[i]; }
  constexpr T &operator[](unsigned long i) { return elements[i]; }
  constexpr const T &operator[](unsigned long i) const { return elements[i]; }
  constexpr void fill(const T &);
  constexpr void swap(array &) noexcept;
};
template <unsigned long i, class T, unsigned long n>
constexpr T &get(array<T, n> &a) noexcept { return a.elements[i]; }
template <unsigned long i, class T, unsigned long n>
constexpr const T &get(const array<T, n> &a) noexcept { return a.elements[i]; }
template <class T, class... U>
array(T, U...) -> array<T, 1 + sizeof...(U)>;

}
