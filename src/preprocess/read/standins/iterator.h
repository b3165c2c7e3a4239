// Iterators' traits and categories, in our own words.
#pragma once

#include <type_traits>

namespace std {

struct input_iterator_tag {};
struct output_iterator_tag {};
struct forward_iterator_tag : input_iterator_tag {};
struct bidirectional_iterator_tag : forward_iterator_tag {};
struct random_access_iterator_tag : bidirectional_iterator_tag {};
struct contiguous_iterator_tag : random_access_iterator_tag {};

template <class I>
struct iterator_traits {
  using difference_type = typename I::difference_type;
  using value_type = typename I::value_type;
  using pointer = typename I::pointer;
  using reference = typename I::reference;
  using iterator_category = typename I::iterator_category;
};
template <class T>
struct iterator_traits<T *> {
  using difference_type = long;
  using value_type = remove_cv_t<T>;
  using pointer = T *;
  using reference = T &;
  using iterator_category = random_access_iterator_tag;
};

template <class T, unsigned long n>
constexpr T *begin(T (&)[n]) noexcept;
template <class T, unsigned long n>
constexpr T *end(T (&)[n]) noexcept;
template <class T, unsigned long n>
constexpr unsigned long size(const T (&)[n]) noexcept;
template <class I>
typename iterator_traits<I>::difference_type distance(I, I);

}
