// The algorithms that constants are computed with, in our own words.
#pragma once

#include <initializer_list>
#include <iterator>

namespace std {

template <class T>
constexpr const T &max(const T &a, const T &b) { return a < b ? b : a; }
template <class T>
constexpr const T &min(const T &a, const T &b) { return b < a ? b : a; }
template <class T, class Less>
constexpr const T &max(const T &a, const T &b, Less less) { return less(a, b) ? b : a; }
template <class T, class Less>
constexpr const T &min(const T &a, const T &b, Less less) { return less(b, a) ? b : a; }
template <class T>
constexpr T max(initializer_list<T> values) {
  const T *best = values.begin();
  for (const T *one = values.begin(); one != values.end(); ++one)
    if (*best < *one) best = one;
  return *best;
}
template <class T>
constexpr T min(initializer_list<T> values) {
  const T *best = values.begin();
  for (const T *one = values.begin(); one != values.end(); ++one)
    if (*one < *best) best = one;
  return *best;
}
template <class T>
constexpr const T &clamp(const T &value, const T &low, const T &high) {
  return value < low ? low : high < value ? high : value;
}
template <class I>
constexpr I max_element(I first, I last) {
  I best = first;
  for (; first != last; ++first)
    if (*best < *first) best = first;
  return best;
}
template <class I>
constexpr I min_element(I first, I last) {
  I best = first;
  for (; first != last; ++first)
    if (*first < *best) best = first;
  return best;
}
template <class I, class T>
constexpr long count(I first, I last, const T &value) {
  long number = 0;
  for (; first != last; ++first)
    if (*first == value) ++number;
  return number;
}
template <class I, class P>
constexpr long count_if(I first, I last, P holds) {
  long number = 0;
  for (; first != last; ++first)
    if (holds(*first)) ++number;
  return number;
}
template <class I, class T>
constexpr I find(I first, I last, const T &value) {
  for (; first != last; ++first)
    if (*first == value) break;
  return first;
}
template <class I, class P>
constexpr bool any_of(I first, I last, P holds) {
  for (; first != last; ++first)
    if (holds(*first)) return true;
  return false;
}
template <class I, class P>
constexpr bool all_of(I first, I last, P holds) {
  for (; first != last; ++first)
    if (!holds(*first)) return false;
  return true;
}
template <class I>
constexpr void sort(I first, I last) {
  for (I end = last; end != first; --end)
    for (I one = first; one + 1 != end; ++one)
      if (*(one + 1) < *one) {
        auto held = *one;
        *one = *(one + 1);
        *(one + 1) = held;
      }
}

}
