// Tuples, in our own words.
#pragma once

#include <array>
#include <type_traits>
#include <utility>

namespace std {

template <class... T>
class tuple {
public:
  constexpr tuple();
  constexpr tuple(const T &...);
  constexpr void swap(tuple &);
};
template <class... T>
tuple(T...) -> tuple<T...>;

template <class T>
struct tuple_size;
template <class T>
struct tuple_size<const T> : tuple_size<T> {};
template <class... T>
struct tuple_size<tuple<T...>> : integral_constant<unsigned long, sizeof...(T)> {};
template <class A, class B>
struct tuple_size<pair<A, B>> : integral_constant<unsigned long, 2> {};
template <class T, unsigned long n>
struct tuple_size<array<T, n>> : integral_constant<unsigned long, n> {};
template <class T>
inline constexpr unsigned long tuple_size_v = tuple_size<T>::value;

template <unsigned long i, class T>
struct tuple_element;
template <unsigned long i, class T>
struct tuple_element<i, const T> {
  using type = const typename tuple_element<i, T>::type;
};
template <class First, class... Rest>
struct tuple_element<0, tuple<First, Rest...>> {
  using type = First;
};
template <unsigned long i, class First, class... Rest>
struct tuple_element<i, tuple<First, Rest...>> : tuple_element<i - 1, tuple<Rest...>> {};
template <class A, class B>
struct tuple_element<0, pair<A, B>> {
  using type = A;
};
template <class A, class B>
struct tuple_element<1, pair<A, B>> {
  using type = B;
};
template <unsigned long i, class T>
using tuple_element_t = typename tuple_element<i, T>::type;

template <class... T>
constexpr tuple<decay_t<T>...> make_tuple(T &&...);
template <class... T>
constexpr tuple<T &...> tie(T &...) noexcept;
template <class... T>
constexpr tuple<T &&...> forward_as_tuple(T &&...) noexcept;

template <unsigned long i, class... T>
constexpr tuple_element_t<i, tuple<T...>> &get(tuple<T...> &) noexcept;
template <unsigned long i, class... T>
constexpr const tuple_element_t<i, tuple<T...>> &get(const tuple<T...> &) noexcept;

}
