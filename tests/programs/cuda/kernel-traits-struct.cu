// [cuda] a traits class carries types, sizes and the kernel's own pointer, as attention libraries do
template <class Traits, bool Causal, bool Even> __global__ void fwd(void *p) {}
template <int HeadDim_, int BlockM_, int BlockN_, class Elem_ = float> struct Kernel_traits {
  using Elem = Elem_;
  static constexpr int HeadDim = HeadDim_, BlockM = BlockM_, BlockN = BlockN_;
  static constexpr int Threads = BlockM * HeadDim > 8192 ? 256 : 128;
};
#define BOOL_SWITCH(COND, NAME, ...) \
  [&] { if (COND) { constexpr static bool NAME = true; return __VA_ARGS__(); } \
        else { constexpr static bool NAME = false; return __VA_ARGS__(); } }()
template <class Traits, bool Dropout> void run_fwd(int seqlen, bool causal) {
  const bool even = seqlen % Traits::BlockN == 0;
  BOOL_SWITCH(causal, Causal, [&] {
    BOOL_SWITCH(even, Even, [&] {
      auto kernel = &fwd<Traits, Causal, Even && Traits::HeadDim <= 64 && !Dropout>;
      kernel<<<1, Traits::Threads>>>(nullptr);
    });
  });
}
template <class T, int D> void run_mha(int n, bool c);
template <> void run_mha<float, 64>(int n, bool c) { run_fwd<Kernel_traits<64, 128, 64>, false>(n, c); }
template <> void run_mha<double, 128>(int n, bool c) { run_fwd<Kernel_traits<128, 64, 32, double>, true>(n, c); }
