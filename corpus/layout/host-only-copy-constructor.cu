// A launch copies arguments byte by byte whatever constructors there are; the bytes lie alike in all passes.
struct Token {
    int kind;
    int value;
    Token() = default;
#ifndef __CUDA_ARCH__
    Token(const Token &other) : kind(other.kind + 1), value(other.value) {}
#endif
};

__global__ void lex(Token token, int *out) {
    *out = token.kind;
}

int main() {
    Token token;
    lex<<<1, 1>>>(token, nullptr);
    return 0;
}
