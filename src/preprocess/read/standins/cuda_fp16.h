// Half-precision numbers, in our own words.
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__

struct __half {
  __half() = default;
  __half(float);
  __half(double);
  __half(int);
  __half(unsigned int);
  __half(long long);
  __half(unsigned long long);
  operator float() const;

protected:
  unsigned short bits;
};
struct alignas(4) __half2 {
  __half x, y;
  __half2() = default;
  __half2(const __half &, const __half &);
};
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half __nv_half;
typedef __half2 nv_half2;
typedef __half2 __nv_half2;

#endif
