// Maps, in our own words. The base class is declared nowhere: it stands for the members that are left out.
#pragma once

#include <utility>

namespace std {

template <class K, class V, class... Others>
class map : public other_members_of_map<K, V, Others...> {
public:
  using key_type = K;
  using mapped_type = V;
  using value_type = pair<const K, V>;
  map();
  value_type *begin();
  const value_type *begin() const;
  value_type *end();
  const value_type *end() const;
  V &operator[](const K &);
  V &at(const K &);
  const V &at(const K &) const;
};
template <class K, class V, class... Others>
class unordered_map : public other_members_of_map<K, V, Others...> {
public:
  using key_type = K;
  using mapped_type = V;
  using value_type = pair<const K, V>;
  unordered_map();
  value_type *begin();
  const value_type *begin() const;
  value_type *end();
  const value_type *end() const;
  V &operator[](const K &);
  V &at(const K &);
  const V &at(const K &) const;
};

}
