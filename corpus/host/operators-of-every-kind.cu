// Operators and conversions of host classes, defined outside of these, that lose code or are lost as a whole. Another class has
// a member of the same name in every pass, which is not the one that is lost.
//@ targets: 80,90
struct Line {
    operator int() const;
    operator float *();
    bool operator<(const Line &other) const;
    bool operator>>(int shift) const;
    int size() const;
    int length;
};

struct Page {
    int size() const;
    Page operator+(const Page &other) const;
    int length;
};

Line::operator int() const {
#ifdef __CUDA_ARCH__
    if (length > 1) return 1; //~[host] host-code-behind-device-guard "host function `operator int` has statements"
#endif
    return length;
}

#if __CUDA_ARCH__ >= 900
Line::operator float *() { //~[host] host-code-behind-device-guard "host function `operator float*` has a definition"
    return nullptr;
}
#endif

#ifdef __CUDA_ARCH__
bool Line::operator<(const Line &other) const { //~[host] host-code-behind-device-guard "host function `operator<` has a definition"
    return length < other.length;
}
#endif

bool Line::operator>>(int shift) const {
#if __CUDA_ARCH__ >= 800
    shift += 1; //~[host] host-code-behind-device-guard "host function `operator>>` has statements"
#endif
    return length >> shift;
}

#ifdef __CUDA_ARCH__
int Line::size() const { //~[host] host-code-behind-device-guard "host function `size` has a definition"
    return length;
}
#endif

int Page::size() const {
    return 2 * length;
}

Page Page::operator+(const Page &other) const {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    if (other.length > 1) return other; //~[host] host-code-behind-device-guard "host function `operator+` has statements"
#endif
    return {length + other.length};
}

bool operator==(const Page &one, const Page &other) {
#ifdef __CUDA_ARCH__
    if (one.length < 0) return false; //~[host] host-code-behind-device-guard "host function `operator==` has statements"
#endif
    return one.length == other.length;
}

__global__ void fill(int *out) {
    *out = 1;
}

int main() {
    fill<<<1, 1>>>(nullptr);
    Page page = {1};
    return int(Line{1}) + page.size() + (page == page + page);
}
