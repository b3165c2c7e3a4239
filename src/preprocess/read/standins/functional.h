// Objects that hold functions, in our own words. The base class is declared nowhere: it stands for the members that are
// left out.
#pragma once

#include <type_traits>

namespace std {

template <class S>
class function;
template <class R, class... A>
class function<R(A...)> : public other_members_of_function<R(A...)> {
public:
  using result_type = R;
  function() noexcept;
  template <class F>
  function(F);
  R operator()(A...) const;
};

template <class T>
class reference_wrapper : public other_members_of_reference_wrapper<T> {
public:
  using type = T;
  constexpr T &get() const noexcept;
  constexpr operator T &() const noexcept;
};
template <class T>
constexpr reference_wrapper<T> ref(T &) noexcept;
template <class T>
constexpr reference_wrapper<const T> cref(const T &) noexcept;

}
