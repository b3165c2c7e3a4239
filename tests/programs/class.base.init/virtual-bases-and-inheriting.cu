// [class.base.init] virtual bases are constructed by the most derived class
template <class T, int N> __global__ void k() {}
struct Top { Top(int) { k<int, 1><<<1, 1>>>(); } Top() { k<int, 0><<<1, 1>>>(); } };
struct Left : virtual Top { Left() : Top(1) { k<float, 2><<<1, 1>>>(); } };
struct Right : virtual Top { Right() {} };
struct Bottom : Left, Right { Bottom() : Top() { k<char, 3><<<1, 1>>>(); } };
struct Derived : Bottom { using Bottom::Bottom; };
int main() { Derived d; }
