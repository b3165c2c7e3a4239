//! Layouts of classes.

use std::rc::Rc;

use super::{Fixture, IndexedUnit, Path, View, sizes};
use crate::facts::meaning::layout::{class_in, layout};
use crate::facts::meaning::types::Env;
use crate::facts::meaning::view::Layout;
use crate::source::Symbol;
use crate::variance::ScopeId;

#[test]
fn only_layouts_with_a_type_that_is_not_resolved_may_be_those_of_others() {
    let fixture = Fixture::new(
        "struct Open { Unknown *p; int n; }; struct Floats { float *p; int n; }; struct Shorts { short *p; int n; };
         struct More { Unknown *p; int n[4]; }; struct Base { int a; }; struct Derived : Base { Unknown *p; int n; };",
        "80",
    );
    let unit =
        IndexedUnit::new(&fixture.pp, &fixture.variance, &fixture.memo, fixture.unit.passes.all(), None);
    let view = View::new(&unit, 0, &Rc::default());
    let of = |name: &str| -> Rc<Layout> {
        let ty = view.named_type(&Path::plain(Symbol::intern(name)), &Env::namespace(ScopeId::GLOBAL));
        layout(&view, class_in(&ty).expect("it is a class"))
    };
    let open = of("Open");
    assert!(open.may_agree(&of("Floats")) && of("Shorts").may_agree(&open));
    for [one, other] in [["Floats", "Shorts"], ["Open", "More"], ["Open", "Derived"]] {
        assert!(!of(one).may_agree(&of(other)), "{one} {other}");
    }
}

#[test]
fn layouts_of_classes() {
    sizes(
        "struct Pad { char a; int b; char c; }; struct Nest { char x; Pad p; short y[3]; }; union U { char a[5]; int b; double *p; };
         struct alignas(16) Al { int x; }; struct HasAl { char c; Al a; }; struct alignas(Pad) AlT { char c; }; struct Member { alignas(8) char a; char b; }; struct __align__(8) Al8 { char c; __align__(4) char d; };
         struct Static { static int s; static constexpr int n = 3; int x; void f(); using T = int; enum { K }; }; struct Ref { int &r; char c; }; struct FP { void (*f)(int); char c; }; struct Arr { char a[2][3]; int n; };
         template <class T, int N> struct TA { T t[N]; char c; }; using TAi = TA<int, 3>; enum E : char { e }; enum class F { f }; struct En { E a; F b; };
         struct Fwd; struct HasFwd { Fwd *p; }; struct Bad { Unknown u; }; struct Anon { int a; union { char b; double c; }; struct { short d; } e; enum { X } f; };
         struct Aligned { char c; } __attribute__((aligned(4))); struct __attribute__((packed)) Packed { char c; int i; }; struct Vec { float4 a; char b; }; struct Unk { Fwd f; };",
        "Pad = 12/4
         Nest = 24/4
         U = 8/8
         Al = 16/16
         HasAl = 32/16
         AlT = 4/4
         Member = 8/8
         Al8 = 8/8
         Static = 4/4
         Ref = 16/8
         FP = 16/8
         Arr = 12/4
         TAi = 16/4
         En = 8/4
         Fwd = unknown
         HasFwd = 8/8
         Bad = unknown
         Anon = 24/8
         Aligned = 4/4
         Packed = 5/1
         Vec = 32/16
         Unk = unknown",
    );
}

#[test]
fn layouts_of_derived_classes() {
    sizes(
        "struct Empty { }; struct FromEmpty : Empty { int x; }; struct Pod { int a; char b; }; struct Derived : Pod { char c; }; struct Again : Derived { char d; };
         struct Virtual { virtual void f(); int x; }; struct Overrides : Virtual { void f() override; int y; }; struct Both : Pod, Empty { double d; }; struct Later : Pod, Virtual { char c; };
         struct Ctor { Ctor(); int a; char b; }; struct AfterCtor : Ctor { char c; }; class Private { int a; char b; }; struct AfterPrivate : Private { char c; }; struct Holds { Ctor c; char d; }; struct AfterHolds : Holds { char e; };
         struct Same : Empty { Empty e; }; struct VirtualBase : virtual Pod { int z; }; struct Bits : Pod { char q : 3; }; template <class T> struct Of : T { char c; }; using OfPod = Of<Pod>; struct OnlyFunctions : Empty { void f(); static int s; };",
        "Empty = 1/1
         FromEmpty = 4/4
         Pod = 8/4
         Derived = 12/4
         Again = 12/4
         Virtual = 16/8
         Overrides = 16/8
         Both = 16/8
         Later = 24/8
         Ctor = 8/4
         AfterCtor = 8/4
         AfterPrivate = 8/4
         AfterHolds = 12/4
         Same = unknown
         VirtualBase = unknown
         Bits = 12/4
         OfPod = 12/4
         OnlyFunctions = 1/1",
    );
}

#[test]
fn bit_fields() {
    sizes(
        "struct A { int a : 3; int b : 5; }; struct B { int a : 30; int b : 5; }; struct C { char c; int a : 9; }; struct D { int a : 3; int : 0; int b : 3; }; struct E { unsigned char a : 4, b : 4; short c : 9; };
         struct F { int a : 3; char c; }; struct G { char a; int : 0; char b; }; struct H { bool a : 1; long b : 40; long c : 30; }; struct I { int a : 3; int : 5; char c; }; union J { int a : 3; char b; }; struct K { char c; int : 4; };
         constexpr int width = 12; struct L { unsigned x : width, y : 32 - width; }; struct M { int x : unknown; };",
        "A = 4/4
         B = 8/4
         C = 4/4
         D = 8/4
         E = 4/2
         F = 4/4
         G = 5/1
         H = 16/8
         I = 4/4
         J = 4/4
         K = 2/1
         L = 4/4
         M = unknown",
    );
}
