// [meta.unary.prop] the intrinsics that traits of assignment and of virtual functions are written with, one bit each
struct Plain { int a; };
struct Fixed { const int a; };
struct Referring { int &a; };
struct Assigning { Assigning &operator=(int); Assigning &operator=(const Assigning &) = default; };
struct Providing { Providing &operator=(const Providing &); };
struct Frozen { Frozen &operator=(const Frozen &) = delete; };
struct Moving { Moving(Moving &&); };
struct Movable { Movable &operator=(Movable &&); };
struct Holding { Moving inner; };
struct Convertible { operator int() const; };
struct Templated { template <class T> Templated &operator=(const T &); };
struct Constant { const Constant &operator=(int) const; };
struct FromInt { FromInt(int); };
struct Undying { ~Undying() = delete; };
struct Throwing { ~Throwing() noexcept(false); };
struct Virtual { virtual void f(); };
struct Derived : Virtual { void f() override; };
struct Gone { virtual ~Gone(); };
struct Final : Gone {};
enum Old { zero };
enum class Scoped { one };
union Either { int a; float b; };
template <int N, int Bits> __global__ void k() {}
template <bool... B> constexpr int bits() { int all = 0; ((all = all * 2 + B), ...); return all; }

template <class T, class U> constexpr bool assignable = __is_assignable(T, U);
template <class T, class U> constexpr bool trivially_assignable = __is_trivially_assignable(T, U);
template <class T> constexpr bool virtual_destructor = __has_virtual_destructor(T);
template <class T> constexpr bool polymorphic = __is_polymorphic(T);
template <class T> constexpr bool abstract_class = __is_abstract(T);

void launch() {
  k<0, bits<assignable<int &, int>, assignable<int, int>, assignable<int &&, int>, assignable<const int &, int>, assignable<int &, double>, assignable<int &, int *>, assignable<int *&, void *>, assignable<void *&, int *>, assignable<const int *&, int *>, assignable<int *&, const int *>, assignable<Old &, int>, assignable<int &, Old>, assignable<int &, Scoped>, assignable<int &, Convertible>, assignable<int &, Plain>, assignable<bool &, int *>>()><<<1, 1>>>();
  k<1, bits<assignable<Plain &, Plain>, assignable<Plain &, const Plain &>, assignable<Plain, Plain>, assignable<const Plain &, Plain>, assignable<Plain &, int>, assignable<Fixed &, Fixed>, assignable<Referring &, Referring>, assignable<Assigning &, int>, assignable<Assigning &, double>, assignable<Assigning &, Plain>, assignable<Providing &, Providing>, assignable<Frozen &, Frozen>, assignable<Moving &, Moving>, assignable<Movable &, Movable>, assignable<Movable &, Movable &>, assignable<Holding &, Holding>>()><<<1, 1>>>();
  k<2, bits<assignable<Templated &, int>, assignable<Templated &, Templated>, assignable<const Templated &, int>, assignable<const Constant &, int>, assignable<Constant &, int>, assignable<FromInt &, int>, assignable<FromInt &, Plain>, assignable<Either &, Either>, assignable<Scoped &, Scoped>, assignable<Old &, Scoped>, assignable<int (&)[2], int (&)[2]>, assignable<Plain &, void>>()><<<1, 1>>>();
  k<3, bits<trivially_assignable<int &, int>, trivially_assignable<int, int>, trivially_assignable<int &, const int &>, trivially_assignable<int &, double>, trivially_assignable<Plain &, const Plain &>, trivially_assignable<Plain, Plain>, trivially_assignable<Providing &, Providing>, trivially_assignable<Assigning &, Assigning>, trivially_assignable<Assigning &, int>, trivially_assignable<Frozen &, Frozen>, trivially_assignable<Fixed &, Fixed>, trivially_assignable<Virtual &, Virtual>, trivially_assignable<int &, Convertible>, trivially_assignable<Either &, Either>, trivially_assignable<Old &, Old>>()><<<1, 1>>>();
  k<4, bits<virtual_destructor<Plain>, virtual_destructor<Virtual>, virtual_destructor<Gone>, virtual_destructor<Final>, virtual_destructor<int>, polymorphic<Plain>, polymorphic<Virtual>, polymorphic<Derived>, polymorphic<Final>, polymorphic<Old>, abstract_class<Plain>, abstract_class<int>>()><<<1, 1>>>();
}
