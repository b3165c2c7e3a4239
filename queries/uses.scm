; Uses in bodies, initializers and types. Queries find candidates, Rust decides.
;
; @call              a call; one written as a launch is the call of a call that the chevrons became
; @call.function     what it calls
; @call.arguments    its arguments
; @launch            a call whose function is itself a call, as a launch is after the rewrite
; @launch.kernel     what is launched: a name or a template-id
; @launch.configuration  the arguments that stood between the chevrons
; @template          a template-id
; @template.name     its name
; @template.arguments  its arguments
; @address           `&name`: the address of a function or variable is taken
; @address.of        what it is taken of
; @new               an object made with `new`
; @new.type          its type
; @literal           an object made with braces
; @literal.type      its type
; @delete            a `delete`
; @branch            an `if constexpr`, or any other `if`
; @branch.condition  its condition
; @lambda            a lambda
; @local             a local declaration
; @local.type        its type
; @local.declarator  each of its declarators
; @local.type.name   the name of a local alias, typedef or class
; @return            a `return`, for the values of constexpr functions

; void f() { g(1, x); }
(call_expression
  function: (_) @call.function
  arguments: (argument_list) @call.arguments) @call

; void f() { kernel<float><<<grid, block>>>(x); }
(call_expression
  function: (call_expression
    function: (_) @launch.kernel
    arguments: (argument_list) @launch.configuration)) @launch

; void f() { g<float, 3>(x); }
(template_function
  name: (_) @template.name
  arguments: (template_argument_list) @template.arguments) @template

; void f(vector<int> x);
(template_type
  name: (_) @template.name
  arguments: (template_argument_list) @template.arguments) @template

; void f() { x.template g<float>(1); }
(template_method
  name: (_) @template.name
  arguments: (template_argument_list) @template.arguments) @template

; void f() { cudaFuncSetAttribute(&kernel<float>, a, 1); }
(pointer_expression
  operator: "&"
  argument: [(identifier) (qualified_identifier) (template_function)] @address.of) @address

; void f() { auto *b = new Buffer(3); }
(new_expression
  type: (_) @new.type) @new

; void f() { Buffer b = {Size{3}}; }
(compound_literal_expression
  type: (_) @literal.type) @literal

; void f() { delete p; }
(delete_expression) @delete

; void f() { if constexpr (N > 3) { g(); } }
(if_statement
  condition: (_) @branch.condition) @branch

; void f() { auto l = [=] __device__(int x) { return x; }; }
(lambda_expression) @lambda

; void f() { __shared__ float tile[32]; }
(declaration
  type: (_) @local.type
  declarator: (_) @local.declarator) @local

; void f() { using element = float; }
(alias_declaration
  name: (_) @local.type.name) @local

; void f() { using namespace lib; }
(using_declaration) @local

; void f() { namespace short_name = lib::detail; }
(namespace_alias_definition) @local

; void f() { typedef float element; }
(type_definition
  declarator: (_) @local.type.name) @local

; void f() { struct local { int member; }; }
(struct_specifier
  name: (_) @local.type.name
  body: (_)) @local

; void f() { enum { width = 4 }; }
(enum_specifier
  body: (_)) @local

; constexpr int f() { return 4; }
(return_statement) @return
