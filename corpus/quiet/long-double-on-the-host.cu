// `long double` in host code: functions take and return it, a class that never crosses holds it, and the class that
// does cross only mentions it in a static member and in functions.
#include <cmath>

struct Accumulator {
    long double sum = 0;
    void add(long double value) { sum += value; }
};

struct Window {
    float low, high;
    static long double ratio(const Window &window) {
        return static_cast<long double>(window.high) / window.low;
    }
    long double width() const;
};

long double Window::width() const {
    long double difference = high - low;
    return std::fabs(difference);
}

__global__ void clip(Window window, float *data) {
    float value = data[threadIdx.x];
    data[threadIdx.x] = value < window.low ? window.low : value > window.high ? window.high : value;
}

long double run(const Window &window, float *data) {
    Accumulator accumulator;
    accumulator.add(window.width() + Window::ratio(window));
    clip<<<1, 32>>>(window, data);
    return accumulator.sum;
}
