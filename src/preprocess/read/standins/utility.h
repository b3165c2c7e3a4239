// Integer sequences, pairs and casts, in our own words.
#pragma once

#include <type_traits>

namespace std {

template <class T, T... values>
struct integer_sequence {
  using value_type = T;
  static constexpr unsigned long size() noexcept { return sizeof...(values); }
};
template <class T, T count>
using make_integer_sequence = integer_sequence<T, __integer_pack(count)...>;
template <unsigned long... values>
using index_sequence = integer_sequence<unsigned long, values...>;
template <unsigned long count>
using make_index_sequence = make_integer_sequence<unsigned long, count>;
template <class... T>
using index_sequence_for = make_index_sequence<sizeof...(T)>;

template <class A, class B>
struct pair {
  using first_type = A;
  using second_type = B;
  A first;
  B second;
};
template <class A, class B>
constexpr pair<A, B> make_pair(A, B);

template <class T>
constexpr T &&forward(remove_reference_t<T> &) noexcept;
template <class T>
constexpr T &&forward(remove_reference_t<T> &&) noexcept;
template <class T>
constexpr remove_reference_t<T> &&move(T &&) noexcept;
template <class T>
constexpr const T &as_const(T &) noexcept;

}
