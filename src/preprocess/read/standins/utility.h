// Integer sequences, pairs and casts, in our own words.
#pragma once

#include <type_traits>

namespace std {

template <class _T, _T... __values>
struct integer_sequence {
  using value_type = _T;
  static constexpr unsigned long size() noexcept { return sizeof...(__values); }
};
template <class _T, _T __count>
using make_integer_sequence = integer_sequence<_T, __integer_pack(__count)...>;
template <unsigned long... __values>
using index_sequence = integer_sequence<unsigned long, __values...>;
template <unsigned long __count>
using make_index_sequence = make_integer_sequence<unsigned long, __count>;
template <class... _T>
using index_sequence_for = make_index_sequence<sizeof...(_T)>;

template <class _A, class _B>
struct pair {
  using first_type = _A;
  using second_type = _B;
  _A first;
  _B second;
};
template <class _A, class _B>
constexpr pair<_A, _B> make_pair(_A, _B);

template <class _T>
constexpr _T &&forward(remove_reference_t<_T> &) noexcept;
template <class _T>
constexpr _T &&forward(remove_reference_t<_T> &&) noexcept;
template <class _T>
constexpr remove_reference_t<_T> &&move(_T &&) noexcept;
template <class _T>
constexpr const _T &as_const(_T &) noexcept;

}
