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
struct decay_of { using type = remove_cv_t<T>; };
template <class T>
struct decay_of<T[]> { using type = T *; };
template <class T, unsigned long n>
struct decay_of<T[n]> { using type = T *; };
template <class R, class... A>
struct decay_of<R(A...)> { using type = R (*)(A...); };
template <class T>
struct decay : decay_of<remove_reference_t<T>> {};
template <class T>
using decay_t = typename decay<T>::type;

template <class T>
struct remove_extent { using type = T; };
template <class T>
struct remove_extent<T[]> { using type = T; };
template <class T, unsigned long n>
struct remove_extent<T[n]> { using type = T; };
template <class T>
using remove_extent_t = typename remove_extent<T>::type;

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

template <class T>
struct add_pointer { using type = remove_reference_t<T> *; };
template <class T>
using add_pointer_t = typename add_pointer<T>::type;
template <class T>
struct add_lvalue_reference { using type = T &; };
template <class T>
struct add_rvalue_reference { using type = T &&; };
template <>
struct add_lvalue_reference<void> { using type = void; };
template <>
struct add_rvalue_reference<void> { using type = void; };
template <class T>
using add_lvalue_reference_t = typename add_lvalue_reference<T>::type;
template <class T>
using add_rvalue_reference_t = typename add_rvalue_reference<T>::type;
template <class T>
struct add_const { using type = const T; };
template <class T>
using add_const_t = typename add_const<T>::type;

template <class T>
struct is_integral_of : false_type {};
template <>
struct is_integral_of<bool> : true_type {};
template <>
struct is_integral_of<char> : true_type {};
template <>
struct is_integral_of<signed char> : true_type {};
template <>
struct is_integral_of<unsigned char> : true_type {};
template <>
struct is_integral_of<wchar_t> : true_type {};
template <>
struct is_integral_of<char16_t> : true_type {};
template <>
struct is_integral_of<char32_t> : true_type {};
template <>
struct is_integral_of<short> : true_type {};
template <>
struct is_integral_of<unsigned short> : true_type {};
template <>
struct is_integral_of<int> : true_type {};
template <>
struct is_integral_of<unsigned int> : true_type {};
template <>
struct is_integral_of<long> : true_type {};
template <>
struct is_integral_of<unsigned long> : true_type {};
template <>
struct is_integral_of<long long> : true_type {};
template <>
struct is_integral_of<unsigned long long> : true_type {};
template <class T>
struct is_integral : is_integral_of<remove_cv_t<T>> {};
template <class T>
inline constexpr bool is_integral_v = is_integral<T>::value;

template <class T>
struct is_floating_point_of : false_type {};
template <>
struct is_floating_point_of<float> : true_type {};
template <>
struct is_floating_point_of<double> : true_type {};
template <>
struct is_floating_point_of<long double> : true_type {};
template <class T>
struct is_floating_point : is_floating_point_of<remove_cv_t<T>> {};
template <class T>
inline constexpr bool is_floating_point_v = is_floating_point<T>::value;

template <class T>
struct is_arithmetic : bool_constant<is_integral<T>::value || is_floating_point<T>::value> {};
template <class T>
inline constexpr bool is_arithmetic_v = is_arithmetic<T>::value;

template <class T, bool arithmetic>
struct is_signed_of : bool_constant<(T(-1) < T(0))> {};
template <class T>
struct is_signed_of<T, false> : false_type {};
template <class T>
struct is_signed : is_signed_of<remove_cv_t<T>, is_arithmetic<T>::value> {};
template <class T>
inline constexpr bool is_signed_v = is_signed<T>::value;
template <class T>
struct is_unsigned : bool_constant<is_arithmetic<T>::value && !is_signed<T>::value> {};
template <class T>
inline constexpr bool is_unsigned_v = is_unsigned<T>::value;

template <class T>
struct is_enum : bool_constant<__is_enum(T)> {};
template <class T>
inline constexpr bool is_enum_v = is_enum<T>::value;
template <class T>
struct is_class : bool_constant<__is_class(T)> {};
template <class T>
inline constexpr bool is_class_v = is_class<T>::value;

template <class T>
struct is_union : bool_constant<__is_union(T)> {};
template <class T>
inline constexpr bool is_union_v = is_union<T>::value;
template <class T>
struct is_empty : bool_constant<__is_empty(T)> {};
template <class T>
inline constexpr bool is_empty_v = is_empty<T>::value;
template <class T>
struct is_final : bool_constant<__is_final(T)> {};
template <class T>
inline constexpr bool is_final_v = is_final<T>::value;
template <class A, class B>
struct is_base_of : bool_constant<__is_base_of(A, B)> {};
template <class A, class B>
inline constexpr bool is_base_of_v = is_base_of<A, B>::value;
template <class A, class B>
struct is_convertible : bool_constant<__is_convertible(A, B)> {};
template <class A, class B>
inline constexpr bool is_convertible_v = is_convertible<A, B>::value;
template <class T, class... A>
struct is_constructible : bool_constant<__is_constructible(T, A...)> {};
template <class T, class... A>
inline constexpr bool is_constructible_v = is_constructible<T, A...>::value;
template <class T>
struct is_default_constructible : bool_constant<__is_constructible(T)> {};
template <class T>
inline constexpr bool is_default_constructible_v = is_default_constructible<T>::value;
template <class T>
struct is_copy_constructible : bool_constant<__is_constructible(T, add_lvalue_reference_t<add_const_t<T>>)> {};
template <class T>
inline constexpr bool is_copy_constructible_v = is_copy_constructible<T>::value;
template <class T>
struct is_move_constructible : bool_constant<__is_constructible(T, add_rvalue_reference_t<T>)> {};
template <class T>
inline constexpr bool is_move_constructible_v = is_move_constructible<T>::value;
template <class T>
struct is_trivially_copyable : bool_constant<__is_trivially_copyable(T)> {};
template <class T>
inline constexpr bool is_trivially_copyable_v = is_trivially_copyable<T>::value;

template <class T>
struct underlying_type { using type = __underlying_type(T); };
template <class T>
using underlying_type_t = typename underlying_type<T>::type;

template <class T>
struct is_void : is_same<void, remove_cv_t<T>> {};
template <class T>
inline constexpr bool is_void_v = is_void<T>::value;

template <class T>
struct is_lvalue_reference : false_type {};
template <class T>
struct is_lvalue_reference<T &> : true_type {};
template <class T>
inline constexpr bool is_lvalue_reference_v = is_lvalue_reference<T>::value;
template <class T>
struct is_rvalue_reference : false_type {};
template <class T>
struct is_rvalue_reference<T &&> : true_type {};
template <class T>
inline constexpr bool is_rvalue_reference_v = is_rvalue_reference<T>::value;

template <class T>
struct remove_cvref { using type = remove_cv_t<remove_reference_t<T>>; };
template <class T>
using remove_cvref_t = typename remove_cvref<T>::type;

template <class T>
struct is_const : false_type {};
template <class T>
struct is_const<const T> : true_type {};
template <class T>
inline constexpr bool is_const_v = is_const<T>::value;

template <class T>
struct is_volatile : false_type {};
template <class T>
struct is_volatile<volatile T> : true_type {};
template <class T>
inline constexpr bool is_volatile_v = is_volatile<T>::value;
template <class T>
struct is_array : false_type {};
template <class T>
struct is_array<T[]> : true_type {};
template <class T, unsigned long n>
struct is_array<T[n]> : true_type {};
template <class T>
inline constexpr bool is_array_v = is_array<T>::value;

template <class T>
struct is_pointer_to : false_type {};
template <class T>
struct is_pointer_to<T *> : true_type {};
template <class T>
struct is_pointer : is_pointer_to<remove_cv_t<T>> {};
template <class T>
inline constexpr bool is_pointer_v = is_pointer<T>::value;

template <class T>
struct is_reference : false_type {};
template <class T>
struct is_reference<T &> : true_type {};
template <class T>
struct is_reference<T &&> : true_type {};
template <class T>
inline constexpr bool is_reference_v = is_reference<T>::value;

template <class T>
struct negation : bool_constant<!T::value> {};
template <class T>
inline constexpr bool negation_v = negation<T>::value;
template <class... T>
struct conjunction : bool_constant<(T::value && ...)> {};
template <class... T>
inline constexpr bool conjunction_v = conjunction<T...>::value;
template <class... T>
struct disjunction : bool_constant<(T::value || ...)> {};
template <class... T>
inline constexpr bool disjunction_v = disjunction<T...>::value;

template <class...>
using void_t = void;

template <class T>
add_rvalue_reference_t<T> declval() noexcept;

}
