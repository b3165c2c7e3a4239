// [temp.deduct.type] parts of patterns from which nothing is deduced have to be the argument's
namespace std_ { template <class T> struct alr { using type = T &; }; template <> struct alr<void> { using type = void; }; template <class T> using alr_t = typename alr<T>::type; }
struct use_default {};
struct tag {};
template <class T, class Tag> struct tagged_reference {};
template <class E, class Tag, class R = use_default, class D = use_default> struct pointer {};
template <typename Ptr, typename T> struct rebind_pointer;
template <typename T, typename U> struct rebind_pointer<T *, U> { using type = U *; };
template <template <typename, typename...> class Ptr, typename OldT, typename... Tail, typename T>
struct rebind_pointer<Ptr<OldT, Tail...>, T> { using type = Ptr<T, Tail...>; };
template <template <typename, typename, typename, typename...> class Ptr, typename OldT, typename Tag, template <typename...> class Ref, typename... RefTail, typename... PtrTail, typename T>
struct rebind_pointer<Ptr<OldT, Tag, Ref<OldT, RefTail...>, PtrTail...>, T> { using type = Ptr<T, Tag, Ref<T, RefTail...>, PtrTail...>; };
template <template <typename, typename, typename, typename...> class Ptr, typename OldT, typename Tag, template <typename...> class Ref, typename... RefTail, template <typename...> class DerivedPtr, typename... DerivedPtrTail, typename T>
struct rebind_pointer<Ptr<OldT, Tag, Ref<OldT, RefTail...>, DerivedPtr<OldT, DerivedPtrTail...>>, T>
{ using type = Ptr<T, Tag, Ref<T, RefTail...>, DerivedPtr<T, DerivedPtrTail...>>; };
template <template <typename, typename, typename, typename...> class Ptr, typename OldT, typename Tag, typename... PtrTail, typename T>
struct rebind_pointer<Ptr<OldT, Tag, std_::alr_t<OldT>, PtrTail...>, T> { using type = Ptr<T, Tag, std_::alr_t<T>, PtrTail...>; };
template <template <typename, typename, typename, typename...> class Ptr, typename OldT, typename Tag, template <typename...> class DerivedPtr, typename... DerivedPtrTail, typename T>
struct rebind_pointer<Ptr<OldT, Tag, std_::alr_t<OldT>, DerivedPtr<OldT, DerivedPtrTail...>>, T> { using type = Ptr<T, Tag, std_::alr_t<T>, DerivedPtr<T, DerivedPtrTail...>>; };
template <class T> struct derived {};
template <class T, class Tag, class R = tagged_reference<T, Tag>> struct ptr2 {};
template <class T> __global__ void k(T) {}
void f() {
  k<<<1, 1>>>(typename rebind_pointer<int *, float>::type{});
  k<<<1, 1>>>(typename rebind_pointer<pointer<int, tag, tagged_reference<int, tag>>, float>::type{});
  k<<<1, 1>>>(typename rebind_pointer<pointer<void, tag, tagged_reference<void, tag>>, float>::type{});
  k<<<1, 1>>>(typename rebind_pointer<pointer<int, tag, int &>, float>::type{});
  k<<<1, 1>>>(typename rebind_pointer<pointer<int, tag>, float>::type{});
  k<<<1, 1>>>(typename rebind_pointer<pointer<int, tag, tagged_reference<int, tag>, derived<int>>, float>::type{});
  k<<<1, 1>>>(typename rebind_pointer<pointer<int, tag, int &, derived<int>>, float>::type{});
  k<<<1, 1>>>(typename rebind_pointer<ptr2<int, tag>, float>::type{});
}
