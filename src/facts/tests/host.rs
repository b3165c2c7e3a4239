//! Whose code a pass loses: functions that only the host runs, and functions that an unknown macro may give to devices.

use super::{Fixture, facts};

/// The functions that are said to be the host's, of the sources' guarded code.
fn of_the_host(source: &str) -> Vec<String> {
    let fixture = Fixture::new(source, "60,90");
    let facts = facts(&fixture.unit, &fixture.pp, &fixture.variance, &fixture.memo);
    let lost = facts.host_code.iter().map(|fact| fact.function.clone());
    lost.chain(facts.host_zero.iter().map(|fact| fact.function.clone())).collect()
}

#[test]
fn a_macro_whose_header_is_missing_may_give_a_function_to_devices() {
    let lost = "{\n#if __CUDA_ARCH__ >= 900\n work();\n#endif\n}";
    let chosen = "{\n#if __CUDA_ARCH__ >= 900\n return 2;\n#else\n return 1;\n#endif\n}";
    for head in [
        "DI void f()",
        "template <class T> HDI T f(T x)",
        "hdi std::vector<int> n::A<int>::f()",
        "inline DI const int *f()",
    ] {
        assert!(of_the_host(&format!("{head} {lost}")).is_empty(), "{head}");
        assert!(of_the_host(&format!("{head} {chosen}")).is_empty(), "{head}");
    }
    for member in ["DI explicit A(int) ", "DI operator int() const ", "DI int f() "] {
        let source = format!("class A {{ int x;\n#ifdef __CUDA_ARCH__\n {member} {{ work(); }}\n#endif\n}};");
        assert!(of_the_host(&source).is_empty(), "{member}");
    }
}

#[test]
fn types_and_specifiers_are_no_macros() {
    let lost = "{\n#if __CUDA_ARCH__ >= 900\n work();\n#endif\n}";
    for head in [
        "void f()",
        "static inline unsigned long f(T x)",
        "Type f()",
        "Type const *f()",
        "std::vector<Type> n::A<int>::f()",
        "template <class T> typename A<T>::type f()",
        "__attribute__((noinline)) Type f()",
        "[[nodiscard]] Type f()",
    ] {
        assert_eq!(of_the_host(&format!("{head} {lost}")), ["f"], "{head}");
    }
    let member = "class A { int x;\n#ifdef __CUDA_ARCH__\n explicit A(int) { work(); }\n#endif\n};";
    assert_eq!(of_the_host(member), ["A"]);
}
