// An optional value, in our own words. The base class is declared nowhere: it stands for the members that are left out.
#pragma once

#include <type_traits>

namespace std {

struct nullopt_t {
  explicit constexpr nullopt_t(int);
};
inline constexpr nullopt_t nullopt{0};

template <class T>
class optional : public other_members_of_optional<T> {
public:
  using value_type = T;
  constexpr optional() noexcept;
  constexpr optional(nullopt_t) noexcept;
  template <class U = T>
  constexpr optional(U &&);
  constexpr T *operator->() noexcept;
  constexpr const T *operator->() const noexcept;
  constexpr T &operator*() noexcept;
  constexpr const T &operator*() const noexcept;
  constexpr explicit operator bool() const noexcept;
  constexpr bool has_value() const noexcept;
  constexpr T &value();
  constexpr const T &value() const;
  template <class U>
  constexpr T value_or(U &&) const;
};
template <class T>
optional(T) -> optional<T>;

}
