// The same with a copy constructor that only device passes see.
struct Token {
    int kind;
    int value;
    Token() = default;
#ifdef __CUDA_ARCH__
    __device__ Token(const Token &other) : kind(other.kind + 1), value(other.value) {}
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
