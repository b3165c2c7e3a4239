// The concepts that constrain CUDA code, in our own words.
#pragma once

#include <type_traits>
#include <utility>

namespace std {

template <class A, class B>
concept same_as = is_same_v<A, B> && is_same_v<B, A>;
template <class D, class B>
concept derived_from = is_base_of_v<B, D>;
template <class From, class To>
concept convertible_to = is_convertible_v<From, To>;
template <class T>
concept integral = is_integral_v<T>;
template <class T>
concept signed_integral = integral<T> && is_signed_v<T>;
template <class T>
concept unsigned_integral = integral<T> && !signed_integral<T>;
template <class T>
concept floating_point = is_floating_point_v<T>;
template <class T, class... A>
concept constructible_from = is_constructible_v<T, A...>;
template <class T>
concept default_initializable = constructible_from<T>;
template <class T>
concept move_constructible = is_move_constructible_v<T>;
template <class T>
concept copy_constructible = is_copy_constructible_v<T>;
template <class F, class... A>
concept invocable = requires(F f, A... a) { f(a...); };
template <class F, class... A>
concept regular_invocable = invocable<F, A...>;
template <class F, class... A>
concept predicate = invocable<F, A...>;
template <class T>
concept equality_comparable = requires(T a, T b) { a == b; };

}
