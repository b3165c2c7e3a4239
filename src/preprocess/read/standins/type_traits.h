// The traits that decide types in CUDA code, in our own words.
#pragma once

namespace std {

template <class T, T v>
struct integral_constant {
  static constexpr T value = v;
  using value_type = T;
  using type = integral_constant;
  constexpr operator value_type() const noexcept { return value; }
  constexpr value_type operator()() const noexcept { return value; }
};
template <bool b>
using bool_constant = integral_constant<bool, b>;
using true_type = integral_constant<bool, true>;
using false_type = integral_constant<bool, false>;

template <bool condition, class T, class F>
struct conditional { using type = T; };
template <class T, class F>
struct conditional<false, T, F> { using type = F; };
template <bool condition, class T, class F>
using conditional_t = typename conditional<condition, T, F>::type;

template <bool condition, class T = void>
struct enable_if {};
template <class T>
struct enable_if<true, T> { using type = T; };
template <bool condition, class T = void>
using enable_if_t = typename enable_if<condition, T>::type;

template <class A, class B>
struct is_same : false_type {};
template <class T>
struct is_same<T, T> : true_type {};
template <class A, class B>
inline constexpr bool is_same_v = is_same<A, B>::value;

template <class T>
struct remove_const { using type = T; };
template <class T>
struct remove_const<const T> { using type = T; };
template <class T>
using remove_const_t = typename remove_const<T>::type;

template <class T>
struct remove_volatile { using type = T; };
template <class T>
struct remove_volatile<volatile T> { using type = T; };
template <class T>
using remove_volatile_t = typename remove_volatile<T>::type;

template <class T>
struct remove_cv { using type = T; };
template <class T>
struct remove_cv<const T> { using type = T; };
template <class T>
struct remove_cv<volatile T> { using type = T; };
template <class T>
struct remove_cv<const volatile T> { using type = T; };
template <class T>
using remove_cv_t = typename remove_cv<T>::type;

template <class T>
struct remove_reference { using type = T; };
template <class T>
struct remove_reference<T &> { using type = T; };
template <class T>
struct remove_reference<T &&> { using type = T; };
template <class T>
using remove_reference_t = typename remove_reference<T>::type;

template <class T>
struct remove_pointer { using type = T; };
template <class T>
struct remove_pointer<T *> { using type = T; };
template <class T>
using remove_pointer_t = typename remove_pointer<T>::type;

template <class T>
struct decay { using type = remove_cv_t<remove_reference_t<T>>; };
template <class T>
using decay_t = typename decay<T>::type;

template <class T>
struct make_unsigned { using type = T; };
template <class T>
struct make_signed { using type = T; };
template <>
struct make_unsigned<char> { using type = unsigned char; };
template <>
struct make_unsigned<signed char> { using type = unsigned char; };
template <>
struct make_unsigned<short> { using type = unsigned short; };
template <>
struct make_unsigned<int> { using type = unsigned; };
template <>
struct make_unsigned<long> { using type = unsigned long; };
template <>
struct make_unsigned<long long> { using type = unsigned long long; };
template <>
struct make_signed<char> { using type = signed char; };
template <>
struct make_signed<unsigned char> { using type = signed char; };
template <>
struct make_signed<unsigned short> { using type = short; };
template <>
struct make_signed<unsigned> { using type = int; };
template <>
struct make_signed<unsigned long> { using type = long; };
template <>
struct make_signed<unsigned long long> { using type = long long; };
template <class T>
using make_unsigned_t = typename make_unsigned<T>::type;
template <class T>
using make_signed_t = typename make_signed<T>::type;

template <class...>
using void_t = void;

}
