// Variants, in our own words. The base class is declared nowhere: it stands for the members that are left out. Calls of
// `visit` are read as calls of the visitor, so its result is left out too.
#pragma once

#include <type_traits>
#include <utility>

namespace std {

struct monostate {};

template <class... T>
class variant : public other_members_of_variant<T...> {
public:
  constexpr variant();
  template <class U>
  constexpr variant(U &&);
  constexpr unsigned long index() const noexcept;
};

template <class T, class... U>
constexpr T &get(variant<U...> &);
template <class T, class... U>
constexpr const T &get(const variant<U...> &);
template <class T, class... U>
constexpr T *get_if(variant<U...> *) noexcept;
template <class T, class... U>
constexpr const T *get_if(const variant<U...> *) noexcept;
template <class T, class... U>
constexpr bool holds_alternative(const variant<U...> &) noexcept;

}
