// The class has a virtual table in every pass; that the host's has an entry more moves no member.
class Shape {
public:
    virtual float area() const = 0;
#ifndef __CUDA_ARCH__
    virtual const char *name() const { return "shape"; }
#endif
    float scale = 1;
};

__global__ void grow(Shape *shape) {
    shape->scale *= 2;
}

void run(Shape *shape) {
    grow<<<1, 1>>>(shape);
}
