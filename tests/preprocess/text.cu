// White space and escapes in stringized arguments; pasting; splices inside tokens.
#define str(...) #__VA_ARGS__
#define xstr(...) str(__VA_ARGS__)
#define EMPTY
#define NOTHING()
#define ID(x) x
#define PAIR(a, b) a b
#define SPACED(a, b)  a  b
str(  a   b  ) str(a/* comment */b) str("q\"\\" '\'' '"' L"x" u8R"(raw "\n)")
xstr(a EMPTY b) xstr(aEMPTY) xstr(a NOTHING() b) xstr(a NOTHING()b) xstr(NOTHING() b)
xstr(ID(a)ID(b)) xstr(ID(a) ID( b )) xstr(PAIR(,)x) xstr(PAIR(a,)x) xstr(PAIR(,b)x) xstr([ID()])
xstr(SPACED(1,2)) xstr(-ID(-)) xstr(ID()-ID()x) xstr(ID( )x) xstr(x ID()) xstr(PAIR(ID(a),ID(b)))
xstr(
  a
  b
)
#define cat(a, b) a##b
#define xcat(a, b) cat(a, b)
cat(a, 1) cat(1, a) cat(1, .5e3) cat(<, <) cat(<<, =) cat(-, >) cat(L, 'c') cat(u8, "s") cat(, x) cat(y, ) cat(.1e, +)
xcat(xcat(a, b), xcat(c, d)) cat(cat(a, b), c) cat(%:, %:)
str(x) str(a##b) str(@) str(\) str(a,b , c)
in\
t sp\
li\
ced = 1'0\
00; // a comment \
   that goes on
#define LONG(a, \
             b) \
  a + b
LONG(1,
  2)
"unsuffixed"_suffix 1.5e-3_km 0x1p+3 'a'_c
#define PRId "d"
"%"PRId "%" PRId
'\n' u'x' R"delim(
)" )delim"
auto c = 3 <=> 4; a->*b; a.*b; a...; <% %> a<::b>
#define é an_e
#define caf\u00e9 coffee
é \u00e9 \U000000e9 caf\u00e9 café x\u00e9y 1\u00e9
str(\u00ff é a\u00e9) xstr(\u00ff) cat(x, \u00ff) cat(\u00ff, x)
#ifdef \u00e9
#undef \u00e9
é
#endif
