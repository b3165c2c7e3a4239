// The traits that decide types in CUDA code, in our own words.
#pragma once

namespace std {

template <class _T, _T __v>
struct integral_constant {
  static constexpr _T value = __v;
  using value_type = _T;
  using type = integral_constant;
  constexpr operator value_type() const noexcept { return value; }
  constexpr value_type operator()() const noexcept { return value; }
};
template <bool __b>
using bool_constant = integral_constant<bool, __b>;
using true_type = integral_constant<bool, true>;
using false_type = integral_constant<bool, false>;

template <bool __condition, class _T, class _F>
struct conditional { using type = _T; };
template <class _T, class _F>
struct conditional<false, _T, _F> { using type = _F; };
template <bool __condition, class _T, class _F>
using conditional_t = typename conditional<__condition, _T, _F>::type;

template <bool __condition, class _T = void>
struct enable_if {};
template <class _T>
struct enable_if<true, _T> { using type = _T; };
template <bool __condition, class _T = void>
using enable_if_t = typename enable_if<__condition, _T>::type;

template <class _A, class _B>
struct is_same : false_type {};
template <class _T>
struct is_same<_T, _T> : true_type {};
template <class _A, class _B>
inline constexpr bool is_same_v = is_same<_A, _B>::value;

template <class _T>
struct remove_const { using type = _T; };
template <class _T>
struct remove_const<const _T> { using type = _T; };
template <class _T>
using remove_const_t = typename remove_const<_T>::type;

template <class _T>
struct remove_volatile { using type = _T; };
template <class _T>
struct remove_volatile<volatile _T> { using type = _T; };
template <class _T>
using remove_volatile_t = typename remove_volatile<_T>::type;

template <class _T>
struct remove_cv { using type = _T; };
template <class _T>
struct remove_cv<const _T> { using type = _T; };
template <class _T>
struct remove_cv<volatile _T> { using type = _T; };
template <class _T>
struct remove_cv<const volatile _T> { using type = _T; };
template <class _T>
using remove_cv_t = typename remove_cv<_T>::type;

template <class _T>
struct remove_reference { using type = _T; };
template <class _T>
struct remove_reference<_T &> { using type = _T; };
template <class _T>
struct remove_reference<_T &&> { using type = _T; };
template <class _T>
using remove_reference_t = typename remove_reference<_T>::type;

template <class _T>
struct remove_pointer { using type = _T; };
template <class _T>
struct remove_pointer<_T *> { using type = _T; };
template <class _T>
using remove_pointer_t = typename remove_pointer<_T>::type;

template <class _T>
struct __decay_of { using type = remove_cv_t<_T>; };
template <class _T>
struct __decay_of<_T[]> { using type = _T *; };
template <class _T, unsigned long __n>
struct __decay_of<_T[__n]> { using type = _T *; };
template <class _R, class... _A>
struct __decay_of<_R(_A...)> { using type = _R (*)(_A...); };
template <class _T>
struct decay : __decay_of<remove_reference_t<_T>> {};
template <class _T>
using decay_t = typename decay<_T>::type;

template <class _T>
struct remove_extent { using type = _T; };
template <class _T>
struct remove_extent<_T[]> { using type = _T; };
template <class _T, unsigned long __n>
struct remove_extent<_T[__n]> { using type = _T; };
template <class _T>
using remove_extent_t = typename remove_extent<_T>::type;

template <class _T>
struct make_unsigned { using type = _T; };
template <class _T>
struct make_signed { using type = _T; };
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
template <class _T>
using make_unsigned_t = typename make_unsigned<_T>::type;
template <class _T>
using make_signed_t = typename make_signed<_T>::type;

template <class _T>
struct add_pointer { using type = remove_reference_t<_T> *; };
template <class _T>
using add_pointer_t = typename add_pointer<_T>::type;
template <class _T>
struct add_lvalue_reference { using type = _T &; };
template <class _T>
struct add_rvalue_reference { using type = _T &&; };
template <>
struct add_lvalue_reference<void> { using type = void; };
template <>
struct add_rvalue_reference<void> { using type = void; };
template <class _T>
using add_lvalue_reference_t = typename add_lvalue_reference<_T>::type;
template <class _T>
using add_rvalue_reference_t = typename add_rvalue_reference<_T>::type;
template <class _T>
struct add_const { using type = const _T; };
template <class _T>
using add_const_t = typename add_const<_T>::type;

template <class _T>
struct __is_integral_of : false_type {};
template <>
struct __is_integral_of<bool> : true_type {};
template <>
struct __is_integral_of<char> : true_type {};
template <>
struct __is_integral_of<signed char> : true_type {};
template <>
struct __is_integral_of<unsigned char> : true_type {};
template <>
struct __is_integral_of<wchar_t> : true_type {};
template <>
struct __is_integral_of<char16_t> : true_type {};
template <>
struct __is_integral_of<char32_t> : true_type {};
template <>
struct __is_integral_of<short> : true_type {};
template <>
struct __is_integral_of<unsigned short> : true_type {};
template <>
struct __is_integral_of<int> : true_type {};
template <>
struct __is_integral_of<unsigned int> : true_type {};
template <>
struct __is_integral_of<long> : true_type {};
template <>
struct __is_integral_of<unsigned long> : true_type {};
template <>
struct __is_integral_of<long long> : true_type {};
template <>
struct __is_integral_of<unsigned long long> : true_type {};
template <class _T>
struct is_integral : __is_integral_of<remove_cv_t<_T>> {};
template <class _T>
inline constexpr bool is_integral_v = is_integral<_T>::value;

template <class _T>
struct __is_floating_point_of : false_type {};
template <>
struct __is_floating_point_of<float> : true_type {};
template <>
struct __is_floating_point_of<double> : true_type {};
template <>
struct __is_floating_point_of<long double> : true_type {};
template <class _T>
struct is_floating_point : __is_floating_point_of<remove_cv_t<_T>> {};
template <class _T>
inline constexpr bool is_floating_point_v = is_floating_point<_T>::value;

template <class _T>
struct is_arithmetic : bool_constant<is_integral<_T>::value || is_floating_point<_T>::value> {};
template <class _T>
inline constexpr bool is_arithmetic_v = is_arithmetic<_T>::value;

template <class _T, bool __arithmetic>
struct __is_signed_of : bool_constant<(_T(-1) < _T(0))> {};
template <class _T>
struct __is_signed_of<_T, false> : false_type {};
template <class _T>
struct is_signed : __is_signed_of<remove_cv_t<_T>, is_arithmetic<_T>::value> {};
template <class _T>
inline constexpr bool is_signed_v = is_signed<_T>::value;
template <class _T>
struct is_unsigned : bool_constant<is_arithmetic<_T>::value && !is_signed<_T>::value> {};
template <class _T>
inline constexpr bool is_unsigned_v = is_unsigned<_T>::value;

template <class _T>
struct is_enum : bool_constant<__is_enum(_T)> {};
template <class _T>
inline constexpr bool is_enum_v = is_enum<_T>::value;
template <class _T>
struct is_class : bool_constant<__is_class(_T)> {};
template <class _T>
inline constexpr bool is_class_v = is_class<_T>::value;

template <class _T>
struct is_union : bool_constant<__is_union(_T)> {};
template <class _T>
inline constexpr bool is_union_v = is_union<_T>::value;
template <class _T>
struct is_empty : bool_constant<__is_empty(_T)> {};
template <class _T>
inline constexpr bool is_empty_v = is_empty<_T>::value;
template <class _T>
struct is_final : bool_constant<__is_final(_T)> {};
template <class _T>
inline constexpr bool is_final_v = is_final<_T>::value;
template <class _A, class _B>
struct is_base_of : bool_constant<__is_base_of(_A, _B)> {};
template <class _A, class _B>
inline constexpr bool is_base_of_v = is_base_of<_A, _B>::value;
template <class _A, class _B>
struct is_convertible : bool_constant<__is_convertible(_A, _B)> {};
template <class _A, class _B>
inline constexpr bool is_convertible_v = is_convertible<_A, _B>::value;
template <class _T, class... _A>
struct is_constructible : bool_constant<__is_constructible(_T, _A...)> {};
template <class _T, class... _A>
inline constexpr bool is_constructible_v = is_constructible<_T, _A...>::value;
template <class _T>
struct is_default_constructible : bool_constant<__is_constructible(_T)> {};
template <class _T>
inline constexpr bool is_default_constructible_v = is_default_constructible<_T>::value;
template <class _T>
struct is_copy_constructible : bool_constant<__is_constructible(_T, add_lvalue_reference_t<add_const_t<_T>>)> {};
template <class _T>
inline constexpr bool is_copy_constructible_v = is_copy_constructible<_T>::value;
template <class _T>
struct is_move_constructible : bool_constant<__is_constructible(_T, add_rvalue_reference_t<_T>)> {};
template <class _T>
inline constexpr bool is_move_constructible_v = is_move_constructible<_T>::value;
template <class _T>
struct is_trivially_copyable : bool_constant<__is_trivially_copyable(_T)> {};
template <class _T>
inline constexpr bool is_trivially_copyable_v = is_trivially_copyable<_T>::value;

template <class _T>
struct underlying_type { using type = __underlying_type(_T); };
template <class _T>
using underlying_type_t = typename underlying_type<_T>::type;

template <class _T>
struct is_void : is_same<void, remove_cv_t<_T>> {};
template <class _T>
inline constexpr bool is_void_v = is_void<_T>::value;

template <class _T>
struct is_lvalue_reference : false_type {};
template <class _T>
struct is_lvalue_reference<_T &> : true_type {};
template <class _T>
inline constexpr bool is_lvalue_reference_v = is_lvalue_reference<_T>::value;
template <class _T>
struct is_rvalue_reference : false_type {};
template <class _T>
struct is_rvalue_reference<_T &&> : true_type {};
template <class _T>
inline constexpr bool is_rvalue_reference_v = is_rvalue_reference<_T>::value;

template <class _T>
struct remove_cvref { using type = remove_cv_t<remove_reference_t<_T>>; };
template <class _T>
using remove_cvref_t = typename remove_cvref<_T>::type;

template <class _T>
struct is_const : false_type {};
template <class _T>
struct is_const<const _T> : true_type {};
template <class _T>
inline constexpr bool is_const_v = is_const<_T>::value;

template <class _T>
struct is_volatile : false_type {};
template <class _T>
struct is_volatile<volatile _T> : true_type {};
template <class _T>
inline constexpr bool is_volatile_v = is_volatile<_T>::value;
template <class _T>
struct is_array : false_type {};
template <class _T>
struct is_array<_T[]> : true_type {};
template <class _T, unsigned long __n>
struct is_array<_T[__n]> : true_type {};
template <class _T>
inline constexpr bool is_array_v = is_array<_T>::value;

template <class _T>
struct __is_pointer_to : false_type {};
template <class _T>
struct __is_pointer_to<_T *> : true_type {};
template <class _T>
struct is_pointer : __is_pointer_to<remove_cv_t<_T>> {};
template <class _T>
inline constexpr bool is_pointer_v = is_pointer<_T>::value;

template <class _T>
struct is_reference : false_type {};
template <class _T>
struct is_reference<_T &> : true_type {};
template <class _T>
struct is_reference<_T &&> : true_type {};
template <class _T>
inline constexpr bool is_reference_v = is_reference<_T>::value;

template <class _T>
struct negation : bool_constant<!_T::value> {};
template <class _T>
inline constexpr bool negation_v = negation<_T>::value;
template <class... _T>
struct conjunction : bool_constant<(_T::value && ...)> {};
template <class... _T>
inline constexpr bool conjunction_v = conjunction<_T...>::value;
template <class... _T>
struct disjunction : bool_constant<(_T::value || ...)> {};
template <class... _T>
inline constexpr bool disjunction_v = disjunction<_T...>::value;

template <class...>
using void_t = void;

template <class _T>
add_rvalue_reference_t<_T> declval() noexcept;

}
