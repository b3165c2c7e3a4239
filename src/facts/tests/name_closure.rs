//! From which names kernel templates are reached.

use std::path::Path;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::facts::index::kept::KeptIndex;
use crate::facts::index::unit::IndexedUnit;
use crate::facts::lower::memo::Memo;
use crate::preprocess::preprocess;
use crate::project::TranslationUnit;
use crate::source::{Sources, Symbol};
use crate::target::{Passes, parse_arch_list};
use crate::variance::variance;

const HEADER: &str = "
template <class T> __global__ void filled(T *out) { }
struct Grid;
template <class T> T operator+(T left, const Late &right) { filled<T><<<1, 1>>>(0); return left; }
template <class T> T operator-(T left, const Grid &right) { filled<T><<<1, 1>>>(0); return left; }
template <class T> struct Filler { void run(T *out) { filled<T><<<1, 1>>>(out); } void rest() { helper(T()); } };
struct Holder { Late member; Filler<int> own; template <class T> void go(T of) { own.run(of); } };
template <class T> void uses(T of) { Holder holder; holder.go(of); }
void Late();
template <class T> __device__ void nested(T of);
template <class T> __device__ void around(T of) { nested(of); uses(of); }
template <class T> struct Derived : Late { void all(T of) { run(of); } };
template <class T> void member(T of) { of.run(1); Derived<T>().all(of); }
";

/// The names of a closure, and the targets of the implicit edges from each.
type Closures = (FxHashSet<Symbol>, Vec<(Symbol, Vec<Symbol>)>);

/// The closure of a unit's kernel templates: computed from scratch, and from the closure over the preamble.
fn closures_of(main: &str) -> [Closures; 2] {
    let passes = Passes::new(&parse_arch_list("80").unwrap()).unwrap();
    let sources = Sources::new();
    sources.add(Path::new("h.h"), HEADER.into());
    sources.add(Path::new("a.cu"), format!("#include \"h.h\"\n{main}"));
    let unit = TranslationUnit::new(Path::new("a.cu"), passes);
    let mut pp = preprocess(&unit, &sources, &Arc::default());
    pp.keep(pp.headers());
    let all = unit.passes.all();
    let (variance, memo, left) = (variance(&pp, all), Memo::new(), KeptIndex::default());
    [None, Some(&left)].map(|last| {
        let unit = IndexedUnit::new(&pp, &variance, &memo, all, last);
        assert_eq!(unit.token_facts().preamble_end() > 0, last.is_some());
        let reached = unit.name_graph().closure(&unit.token_facts().kernels());
        let mut names: Vec<Symbol> = reached.names.iter().copied().collect();
        names.sort_unstable();
        let implicit_edges = |name: &Symbol| {
            let mut to: Vec<Symbol> = reached.implicit_edges(*name).collect();
            to.sort_unstable();
            to.dedup();
            (*name, to)
        };
        let implicit_edges = names.iter().map(implicit_edges).collect();
        (reached.names, implicit_edges)
    })
}

#[test]
fn a_closure_from_the_preamble_equals_one_from_scratch() {
    let mut sizes: Vec<usize> = Vec::new();
    for main in [
        "void launch() { filled<int><<<1, 1>>>(0); }",
        "template <class T> void helper(T of) { filled<T><<<1, 1>>>(&of); }",
        "struct Late { template <class T> void run(T of) { filled<T><<<1, 1>>>(&of); } };",
        "struct Late { };",
        "struct Grid { };",
        "template <class T> __global__ void own(T *out) { }\ntemplate <class T> void helper(T of) { own<T>(0); }",
        "template <class T> struct Grid { Holder held; }; using Late = Grid<int>;",
        "template <class T> __device__ void nested(T of) { filled<T><<<1, 1>>>(&of); }",
        "template <class T> __host__ __device__ void helper(T of) { around(of); }",
        "struct Late { template <class T> void run(T of); }; template <class T> void Late::run(T of) { filled<T><<<1, 1>>>(&of); }",
        "template <class T> void run(T of) { filled<T><<<1, 1>>>(&of); }",
    ] {
        let [from_scratch, from_preamble] = closures_of(main);
        assert_eq!(from_scratch, from_preamble, "{main}");
        sizes.push(from_scratch.0.len());
    }
    assert!(sizes.iter().any(|size| *size != sizes[0]), "{sizes:?}");
}

/// Which of some names lead to the kernel template `filled`.
fn leading(text: &str, names: &str) -> String {
    let [(all, _), _] = closures_of(text);
    let lead = |name: &&str| all.contains(&Symbol::intern(name));
    names.split(' ').filter(lead).collect::<Vec<_>>().join(" ")
}

#[test]
fn functions_of_devices_alone_lead_by_those_that_devices_run() {
    let text = "
        template <class T> void launch(T of) { filled<T><<<1, 1>>>(&of); }
        template <class T> __device__ void calls_one_of_hosts(T of) { launch(of); }
        template <class T> __host__ __device__ void calls_it_on_hosts(T of) { launch(of); }
        template <class T> __device__ void calls_one_of_both(T of) { calls_it_on_hosts(of); }
        template <class T> __host__ __device__ void both(T of) { filled<T><<<1, 1>>>(&of); }
        template <class T> __device__ void nests(T of) { both(of); }
        template <class T> __device__ void declared(T of);
        template <class T> void declared(T of) { both(of); }
        template <class T> __device__ void calls_declared(T of) { declared(of); }
        template <class T> struct Both {
            void host(T of) { filled<T><<<1, 1>>>(&of); }
            __device__ void device(T of) { launch(of); }
            __device__ void own(T of) { both(of); }
        };";
    assert_eq!(
        leading(text, "launch calls_one_of_hosts calls_it_on_hosts calls_one_of_both both nests"),
        "launch calls_it_on_hosts both nests"
    );
    assert_eq!(
        leading(text, "declared calls_declared Both host device own"),
        "declared calls_declared Both host own"
    );
}

#[test]
fn a_namespace_leads_nowhere_by_a_class_in_it() {
    let text = "
        namespace library { template <class T> struct size; }
        template <class T> struct Outer { struct Inner; };
        template <class T> struct library::size<T &> { };
        template <class T> struct library::size<T *> { void go(T of) { filled<T><<<1, 1>>>(&of); } };
        template <class T> struct Outer<T>::Inner { Inner() { filled<T><<<1, 1>>>(0); } };
        template <class T> int counted(T) { return library::other; }
        template <class T> void of_outer(T) { typename Outer<T>::Inner(); }";
    assert_eq!(leading(text, "size library counted Outer Inner of_outer"), "size Outer Inner of_outer");
}

#[test]
fn what_function_bodies_declare_is_no_member_of_the_class() {
    let text = "
        template <class T> struct Driver {
            void run(T of) {
                call_later(of, [&] { auto stream = 0; filled<T><<<1, 1>>>(&of); });
                auto queued = [](auto one) { filled<T><<<1, 1>>>(&one); };
            }
        };
        template <class T> void other(T of) { of.call_later(1); of.queued(2); }";
    assert_eq!(leading(text, "run other call_later queued"), "run");
}

#[test]
fn an_alias_of_a_fundamental_type_is_no_operand_of_an_operator() {
    let text = "
        typedef unsigned long word; using count_t = word;
        template <class T> struct Bits { }; using Flags = Bits<int>;
        template <class T> T operator<<(Flags left, count_t right) { filled<T><<<1, 1>>>(0); return T(); }
        template <class T> T shifts(Bits<T> bits) { return bits; }
        template <class T> count_t counts(T of) { word all = of; return all; }";
    assert_eq!(leading(text, "Flags Bits count_t word shifts counts"), "Flags");
}

#[test]
fn a_kernel_is_named_behind_its_declaration_where_no_type_is() {
    let text = "
        template <class T> struct Scale { void run(T of) { helper(Scale<T>()); } };
        template <class T> void before(T of) { Scale<T> scale; }
        template <class T> void launches(T of) { Scale<T><<<1, 1>>>(of); }
        template <class T> __global__ void Scale(T of) { }
        template <class T> void of_type(T of) { typename Scale<T>::type x; }
        template <class T> void of_function(T of) { take(Scale<T>); }";
    assert_eq!(leading(text, "before launches of_type of_function"), "launches of_function");
}

#[test]
fn the_declared_names_of_members_mention_nothing() {
    let text = "
        template <class T> void copy(T of) { filled<T><<<1, 1>>>(&of); }
        template <class T> struct Traits { void run(T of) { copy(of); } Traits() { copy(T()); } };
        template <class T> struct Atom { static void copy(T of) { } };
        template <class T> struct Calls { static void copy(T of) { copy(of); } };
        template <class T> struct Traits<T *> { void run(T of) { } };
        template <class T> void of_atom(T of) { Atom<T>::length(of); }
        template <class T> void of_traits(T of) { Traits<T>::run(of); }
        template <class T> struct Converts { operator Traits<T>() { return {}; } };
        template <class T> struct Friendly { friend Traits<T> traits(T of) { return {}; } };
        template <class T> struct Derived : Traits<T> { Derived(T of) : Traits<T>() { } };";
    assert_eq!(
        leading(text, "copy Traits Atom Calls of_atom of_traits Converts Friendly Derived"),
        "copy Traits of_traits Converts Friendly Derived"
    );
}

#[test]
fn a_loop_over_a_range_and_a_structured_binding_call_functions_that_they_do_not_name() {
    let text = "
        template <class T> struct All {
            T *begin() { filled<T><<<1, 1>>>(0); return 0; }
            template <int N> T get() { filled<T><<<1, 1>>>(0); return 0; }
        };
        template <class R> void loops(R &range) { for (const auto &one : range) { } }
        template <class R> void loops_after_another(R &range) { for (int n = 0; auto one : range) { } }
        template <class R> void counts(R &range) { for (int n = range ? 1 : 2; n < 3; ++n) { } }
        template <class P> void binds(P pair) { const auto &[first, second] = pair; }
        template <class P> void of_one(P pair) { auto first = [] { return 1; }; auto second[1] = {1}; }";
    assert_eq!(
        leading(text, "begin get loops loops_after_another counts binds of_one"),
        "begin get loops loops_after_another binds"
    );
}

#[test]
fn a_constant_that_calls_nothing_reads_no_more_than_constants() {
    let text = "
        template <class T> struct Driver { Driver() { filled<T><<<1, 1>>>(0); } static constexpr int size = 1; };
        template <class T> struct Reads {
            static constexpr int bytes = Driver<T>::size * sizeof(T);
            static constexpr int given = Given<Driver<T>>::size;
            static constexpr int counted = Driver<T>::count();
            static constexpr auto braced = Driver<T>{}.size;
            static inline auto added = Driver<T>::object + 1;
            static const int old = Driver<T>::size;
        };
        template <class T> int of_bytes(T of) { return Other<T>::bytes; }
        template <class T> int of_given(T of) { return Other<T>::given; }
        template <class T> int of_counted(T of) { return Other<T>::counted; }";
    assert_eq!(
        leading(text, "bytes given counted braced added old of_bytes of_given of_counted Driver"),
        "given counted braced added of_given of_counted Driver"
    );
}

#[test]
fn what_is_no_function_leads_behind_its_first_declaration() {
    let text = "
        template <class T> struct Later;
        template <class T> constexpr int length = 1;
        template <class T> void before(T of) { Runner<T> runner; }
        template <class T> void found_by_arguments(T of) { launch(of); }
        template <class T> void of_later(T of) { Later<T> later; }
        template <class T> int of_length(T of) { return length<T>; }
        typedef struct Elaborated Named;
        template <class T> void of_elaborated(T of) { Elaborated one(of); }
        struct Elaborated { template <class T> Elaborated(T of) { filled<T><<<1, 1>>>(&of); } };
        template <class T> int of_member(T of) { typename T::Runner runner; }
        template <class T> void launch(T of) { filled<T><<<1, 1>>>(&of); }
        template <class T> struct Later { Later(T of) { launch(of); } };
        template <class T> constexpr int length<T *> = launched(Later<T>());
        template <class T> using Runner = Later<T>;
        template <class T> void behind(T of) { Runner<T> runner; }";
    assert_eq!(
        leading(text, "before found_by_arguments of_later of_length of_elaborated of_member behind"),
        "found_by_arguments of_later of_length of_elaborated behind"
    );
}

#[test]
fn where_a_call_operator_leads_so_does_what_gives_objects_to_call() {
    let calls = "
        struct Launch { template <class T> void NAME(T of) const { filled<T><<<1, 1>>>(&of); } };
        const Launch launcher{};
        Launch made();
        struct Giver { Launch give() { return {}; } };
        extern Giver giver;
        int unrelated();
        template <class T> void by_variable(T of) { launcher(of); }
        template <class T> void by_function(T of) { auto made_one = made(); made_one(of); }
        template <class T> void by_another(T of) { giver.give()(of); }
        template <class T> void by_none(T of) { unrelated(); }";
    let names = "launcher made Giver giver unrelated by_variable by_function by_another by_none";
    assert_eq!(
        leading(&calls.replace("NAME", "operator()"), names),
        "launcher made Giver giver by_variable by_function by_another"
    );
    assert_eq!(leading(&calls.replace("NAME", "run"), names), "");
}

#[test]
fn members_lead_where_a_member_can_be_meant() {
    let text = "
        struct Part { template <class T> void start(T of) { filled<T><<<1, 1>>>(&of); } };
        template <class T> void start(const char *, T) {}
        template <class T> void calls_the_free_one(T of) { start(\"\", of); }
        template <class T> void of_an_object(T of) { of.start(1); }
        template <class T> void qualified(T of) { (of.*(&Part::start<T>))(of); }
        template <class T> struct Mine : Part { void inherited(T of) { start(of); } };
        template <class P> struct Open : P { void dependent(P of) { start(of); } };
        template <class T> struct Unrelated { void unrelated(T of) { start(\"\", of); } };";
    assert_eq!(
        leading(text, "start calls_the_free_one of_an_object qualified inherited dependent unrelated"),
        "start of_an_object qualified inherited dependent"
    );
}

#[test]
fn qualified_names_lead_where_their_namespaces_have_what_leads() {
    let text = "
        namespace lib { namespace v1 { template <class T> void fill(T of) { filled<T><<<1, 1>>>(&of); } } using v1::fill; }
        namespace other { template <class T> void fill(T of, int) { } namespace std { template <class T> void copy(T of) { } } }
        namespace std { template <class T> void copy(T of) { lib::fill(of); } }
        namespace alias = lib;
        namespace opened { using namespace lib; }
        template <class T> void of_lib(T of) { lib::fill(of); }
        template <class T> void of_other(T of) { other::fill(of, 1); }
        template <class T> void of_alias(T of) { alias::fill(of); }
        template <class T> void of_opened(T of) { opened::fill(of); }
        template <class T> void of_class(T of) { T::fill(of); }
        template <class T> void by_arguments(T of) { fill(of); }
        template <class T> void as_value(T of) { take(&fill); }
        template <class T> void as_type(T of) { typename fill::type x; }
        template <class T> void of_std(T of) { std::copy(of); }
        namespace other { template <class T> void of_inner_std(T of) { std::copy(of); } }
        template <class T> void in_block(T of) { namespace short_name = lib; short_name::fill(of); }";
    assert_eq!(
        leading(
            text,
            "of_lib of_other of_alias of_opened of_class by_arguments as_value as_type of_std of_inner_std in_block"
        ),
        "of_lib of_alias of_opened by_arguments of_std of_inner_std in_block"
    );
}

#[test]
fn functions_lead_where_they_are_called_with_as_many_arguments_as_they_take() {
    let text = "
        template <class T> struct Driver { void run(T of, int n = 1) { filled<T><<<n, 1>>>(&of); } };
        template <class T> void fill(T of) { filled<T><<<1, 1>>>(&of); }
        template <class... T> void fill_all(int n, T... all) { (fill(all), ...); }
        template <class D> void with_none(D &driver) { driver.run(); }
        template <class D> void with_one(D &driver) { driver.run(1); }
        template <class D> void with_three(D &driver) { driver.run(1, 2, 3); }
        template <class D, class... A> void with_any(D &driver, A... all) { driver.run(all...); }
        template <class D> void named(D &driver) { auto run = &D::run; }
        template <class T> void with_two(T of) { fill(of, 1); }
        template <class T> void with_less(T a, T b) { fill(a < b, b > (a)); }
        template <class T> void with_many(T of) { fill_all(1, of, of, of); }";
    let names = "with_none with_one with_three with_any named with_two with_less with_many";
    assert_eq!(leading(text, names), "with_one with_any named with_less with_many");
}

#[test]
fn what_a_declaration_names_itself_hides_what_leads() {
    let text = "
        template <class T> struct Made { Made() { filled<T><<<1, 1>>>(0); } };
        template <class T> void merge(T of) { filled<T><<<1, 1>>>(&of); }
        template <class Made> void of_parameter(Made of) { Made x; }
        template <class T, class U = Made<T>, class Made = int> void of_default(T of) { }
        template <class T> struct Hides { using Made = T; void hidden() { Made x; } void merge(T of); void calls(T of) { merge(of); } };
        template <class T> struct Nests { struct Made { T value; }; void nested() { Made x; } };
        template <class T> struct Renames { using Made = ::Made<T>; void renamed() { Made x; } };
        template <class T> struct Aliases { using Own = Made<T>; using Other = Own; void aliased() { Other x; } };
        template <class T> void of_block(T of) { using Made = T; Made x; }
        template <class T> void before_block(T of) { Made<T> x; { using Made = T; Made y; } }";
    assert_eq!(
        leading(
            text,
            "of_parameter of_default hidden calls nested renamed aliased of_block before_block Hides Nests Renames"
        ),
        "of_default renamed aliased before_block Renames"
    );
}

#[test]
fn a_class_leads_by_its_objects_and_where_it_is_instantiated_explicitly() {
    let text = "
        template <class T> struct Named { void run(T of) { filled<T><<<1, 1>>>(&of); } };
        template <class T> struct Base { virtual void go(T of) { } };
        template <class T> struct Overrides : Base<T> { void go(T of) { filled<T><<<1, 1>>>(&of); } };
        template <class T> struct Destroyed { ~Destroyed() { filled<T><<<1, 1>>>(0); } };
        template <class T> struct Holds { Destroyed<T> held; };
        template <class T> void of_named(T of) { Named<T> x; }
        template <class T> void runs(T of) { Named<T>().run(of); }
        template <class T> void of_overrides(T of) { Overrides<T> x; }
        template <class T> void of_holds(T of) { Holds<T> x; }";
    assert_eq!(
        leading(text, "Named Overrides Destroyed Holds of_named runs of_overrides of_holds"),
        "Named Overrides Destroyed Holds runs of_overrides of_holds"
    );
}

#[test]
fn a_function_s_own_name_where_it_is_declared_mentions_nothing() {
    let text = "
        template <class T> void launch(T of) { filled<T><<<1, 1>>>(&of); }
        namespace other { template <class T> void launch(T of) { } template <class T> auto called(T of) -> decltype(called(0)); }
        template <class T> void called(T of) { launch(of); }
        template <class T> void of_other(T of) { other::launch(of); }
        template <class T> void of_declared(T of) { other::called(of); }";
    assert_eq!(leading(text, "launch called of_other of_declared"), "launch called of_declared");
}

#[test]
fn a_member_behind_the_name_of_a_class_is_of_that_class() {
    let text = "
        template <class T> struct Runs { static void run() { filled<T><<<1, 1>>>(0); } };
        template <class T> struct Rests { static void run() { } };
        template <class T> struct From : Runs<T> { };
        template <class T> struct Late { static void run() { } };
        template <class T> using Alias = Runs<T>;
        namespace library { using ::Rests; }
        template <class T> void of_runs() { Runs<T>::run(); }
        template <class T> void of_rests() { Rests<T>::run(); }
        template <class T> void of_library() { ::library::Rests<Rests<T>>::run(); }
        template <class T> void of_plain() { std::Rests::run(); }
        template <class T> void of_from() { From<T>::run(); }
        template <class T> void of_alias() { Alias<T>::run(); }
        template <class T> void of_any() { T::run(); }
        template <class T> void of_nested() { T::template Rests<T>::run(); }
        template <class T> void of_member() { Runs<T>::Rests<T>::run(); }
        template <class T> void of_late() { Late<T>::run(); }
        template <class T> struct Late<T *> : Runs<T> { };";
    assert_eq!(
        leading(text, "of_runs of_rests of_library of_from of_alias of_any of_nested of_member of_late"),
        "of_runs of_from of_alias of_any of_nested of_member of_late"
    );
}

#[test]
fn a_member_of_this_is_of_the_class_or_a_base() {
    let text = "
        template <class T> struct Own { void run(T of) { filled<T><<<1, 1>>>(&of); } void all(T of) { this->run(of); } };
        template <class T> struct Else { void run(T) { } void other(T of) { this->run(of); } };
        template <class T> struct Of : T { void param(T of) { this->run(of); } };
        template <class T> struct From : Own<T> { void base(T of) { this->template run<T>(of); } };
        template <class T> void object(T of) { of.run(of); }
        template <class T> struct Points { void pointed(T *of) { of->run(*of); } };";
    assert_eq!(leading(text, "run all other param base object pointed"), "run all param base object pointed");
}

#[test]
fn a_friend_that_a_class_defines_is_no_member() {
    let text = "
        namespace library { template <class T> struct Friendly {
            friend void shown(Friendly of, T) { filled<T><<<1, 1>>>(0); }
            friend T operator*(Friendly of, T by) { filled<T><<<1, 1>>>(0); return by; }
        }; }
        template <class T> void by_call(T of) { shown(of, 1); }
        template <class T> void by_less(T of) { shown(of); }
        template <class T> void by_object(T of) { of.shown(1, 2); }
        template <class T> void by_namespace(T of) { library::shown(of, 1); }
        template <class T> void by_class(T of) { Friendly<T>::shown(of, 1); }";
    assert_eq!(
        leading(text, "Friendly shown operator* by_call by_less by_object by_namespace by_class"),
        "Friendly shown operator* by_call by_namespace"
    );
}

#[test]
fn the_names_of_parameters_are_no_operands() {
    let text = "
        struct left { }; struct right { }; struct other { }; struct third { };
        template <class T> struct Shape { };
        template <class T> bool operator==(const Shape<T> &left, Shape<T> right) { filled<T><<<1, 1>>>(0); return true; }
        template <class T> bool operator<(third, const Shape<T> *left) { filled<T><<<1, 1>>>(0); return true; }
        template <class T> bool operator>(struct other, const Shape<T> left[2]) { filled<T><<<1, 1>>>(0); return true; }";
    assert_eq!(leading(text, "left right other third Shape"), "other third Shape");
}
