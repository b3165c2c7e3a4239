; Declared entities. Queries find candidates, Rust decides.
;
; @function          a function definition
; @function.declarator  its declarator, pointers and references included
; @function.body     its body
; @declaration       a declaration of functions or variables, or a forward declaration
; @declaration.type  its type
; @declaration.declarator  each of its declarators
; @field             a declaration in a class
; @field.declarator  each of its declarators
; @class             a class, struct or union; also where it is only named
; @class.name        its name
; @class.body        its members
; @enum              an enumeration
; @enum.name         its name
; @enumerator        an enumerator
; @enumerator.name   its name
; @enumerator.value  its value
; @alias             an alias declaration
; @alias.name        the new name
; @alias.type        what it stands for
; @typedef           a typedef
; @typedef.type      what it stands for
; @typedef.declarator  each of its declarators
; @template          a template head with what it is the head of
; @template.parameters  its parameters
; @instantiation     an explicit instantiation of a function or variable
; @instantiation.declarator  its declarator
; @concept           a concept
; @concept.name      its name
; @namespace_alias   a namespace alias
; @namespace_alias.name  the new name
; @using             a using-declaration or using-directive
; @linkage           a declaration or block with `extern "C"` in front

; __global__ void kernel(float *x) { }
(function_definition
  declarator: (_) @function.declarator
  body: (_) @function.body) @function

; S::S() = default;
(function_definition
  declarator: (_) @function.declarator
  (default_method_clause)) @function

; __device__ int a, *b = nullptr, f(int);
(declaration
  type: (_) @declaration.type
  declarator: (_) @declaration.declarator) @declaration

; struct S { int member; void f(); };
(field_declaration
  declarator: (_) @field.declarator) @field

; struct __align__(16) S { int member; };
(struct_specifier
  name: (_) @class.name
  body: (field_declaration_list)? @class.body) @class

; template <class T> class C : public B<T> { };
(class_specifier
  name: (_) @class.name
  body: (field_declaration_list)? @class.body) @class

; union U { int i; float f; };
(union_specifier
  name: (_) @class.name
  body: (field_declaration_list)? @class.body) @class

; enum class E : int { first, second = 3 };
(enum_specifier
  name: (_)? @enum.name) @enum

; enum { first = 1, second };
(enumerator
  name: (_) @enumerator.name
  value: (_)? @enumerator.value) @enumerator

; using real = double;
(alias_declaration
  name: (_) @alias.name
  type: (_) @alias.type) @alias

; typedef void (*callback)(int), *pointer;
(type_definition
  type: (_) @typedef.type
  declarator: (_) @typedef.declarator) @typedef

; template <typename T, int N = 3> __global__ void kernel(T *x);
(template_declaration
  parameters: (template_parameter_list) @template.parameters) @template

; template __global__ void kernel<float>(float *x);
(template_instantiation
  declarator: (_) @instantiation.declarator) @instantiation

; template <class T> concept Small = sizeof(T) < 8;
(concept_definition
  name: (_) @concept.name) @concept

; namespace short_name = some::long_name;
(namespace_alias_definition
  name: (_) @namespace_alias.name) @namespace_alias

; using some::name;
(using_declaration) @using

; extern "C" __global__ void kernel(float *x);
(linkage_specification) @linkage
