; Uses in bodies, initializers and types. Queries find candidates, Rust decides: see `declarations.scm`.
;
; @call              a call; one written as a launch is the call of a call that the chevrons became
; @template          a template-id
; @address           `&name`: the address of a function or variable is taken
; @new               an object made with `new`
; @literal           an object made with braces
; @delete            a `delete`
; @branch            an `if constexpr`, or any other `if`
; @range             a range-based `for`, which calls `begin` and `end`
; @lambda            a lambda
; @local             a local declaration
; @return            a `return`, for the values of constexpr functions

; void f() { kernel<float><<<grid, block>>>(x); }
(call_expression) @call

; void f() { g<float, 3>(x); }
(template_function) @template

; void f(vector<int> x);
(template_type) @template

; void f() { x.template g<float>(1); }
(template_method) @template

; void f() { cudaFuncSetAttribute(&kernel<float>, a, 1); }
(pointer_expression
  operator: "&"
  argument: [(identifier) (qualified_identifier) (template_function)]) @address

; void f() { auto *b = new Buffer(3); }
(new_expression) @new

; void f() { Buffer b = {Size{3}}; }
(compound_literal_expression) @literal

; void f() { delete p; }
(delete_expression) @delete

; void f() { if constexpr (N > 3) { g(); } }
(if_statement) @branch

; void f() { for (auto &x : all) { } }
(for_range_loop) @range

; void f() { auto l = [=] __device__(int x) { return x; }; }
(lambda_expression) @lambda

; void f() { __shared__ float tile[32]; }
(declaration) @local

; void f() { using element = float; }
(alias_declaration) @local

; void f() { using namespace lib; }
(using_declaration) @local

; void f() { namespace short_name = lib::detail; }
(namespace_alias_definition) @local

; void f() { typedef float element; }
(type_definition) @local

; void f() { struct local { int member; }; }
(struct_specifier
  name: (_)
  body: (_)) @local

; void f() { enum { width = 4 }; }
(enum_specifier
  body: (_)) @local

; constexpr int f() { return 4; }
(return_statement) @return
