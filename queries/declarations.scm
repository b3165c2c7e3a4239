; Declared entities. Queries find candidates, Rust decides, and looks for their parts by field: patterns that name parts take
; longer to match, and to compile, which each run would pay for.
;
; @function          a function definition
; @declaration       a declaration of functions or variables, or a forward declaration
; @field             a declaration in a class
; @class             a class, struct or union with a name; also where it is only named
; @enum              an enumeration
; @enumerator        an enumerator
; @alias             an alias declaration
; @typedef           a typedef
; @template          a template head with what it is the head of
; @instantiation     an explicit instantiation of a function or variable
; @concept           a concept
; @namespace_alias   a namespace alias
; @using             a using-declaration or using-directive
; @linkage           a declaration or block with `extern "C"` in front

; __global__ void kernel(float *x) { }
(function_definition) @function

; __device__ int a, *b = nullptr, f(int);
(declaration) @declaration

; struct S { int member; void f(); };
(field_declaration) @field

; struct __align__(16) S { int member; };
(struct_specifier
  name: (_)) @class

; template <class T> class C : public B<T> { };
(class_specifier
  name: (_)) @class

; union U { int i; float f; };
(union_specifier
  name: (_)) @class

; enum class E : int { first, second = 3 };
(enum_specifier) @enum

; enum { first = 1, second };
(enumerator) @enumerator

; using real = double;
(alias_declaration) @alias

; typedef void (*callback)(int), *pointer;
(type_definition) @typedef

; template <typename T, int N = 3> __global__ void kernel(T *x);
(template_declaration) @template

; template __global__ void kernel<float>(float *x);
(template_instantiation) @instantiation

; template <class T> concept Small = sizeof(T) < 8;
(concept_definition) @concept

; namespace short_name = some::long_name;
(namespace_alias_definition) @namespace_alias

; using some::name;
(using_declaration) @using

; extern "C" __global__ void kernel(float *x);
(linkage_specification) @linkage
