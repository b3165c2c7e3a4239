// Numbers with the exponents of `float` and short mantissas, in our own words.
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__

struct __nv_bfloat16 {
  __nv_bfloat16() = default;
  __nv_bfloat16(float);
  __nv_bfloat16(double);
  __nv_bfloat16(int);
  __nv_bfloat16(unsigned int);
  __nv_bfloat16(long long);
  __nv_bfloat16(unsigned long long);
  operator float() const;

protected:
  unsigned short bits;
};
struct alignas(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  __nv_bfloat162(const __nv_bfloat16 &, const __nv_bfloat16 &);
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#endif
