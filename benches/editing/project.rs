//! The project that is edited, and its texts as an editor holds them.

use std::fmt::Write;

/// A document.
#[derive(Clone)]
pub(super) struct Text {
    pub(super) name: &'static str,
    pub(super) version: i64,
    lines: Vec<String>,
}

/// An edit as the protocol has it; every text is ASCII.
pub(super) struct Change {
    pub(super) start: (usize, usize),
    pub(super) end: (usize, usize),
    pub(super) text: String,
}

impl Text {
    pub(super) fn new(name: &'static str, text: String) -> Text {
        Text { name, version: 1, lines: text.lines().map(str::to_string).collect() }
    }

    pub(super) fn text(&self) -> String {
        self.lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
    }

    pub(super) fn line(&self, index: usize) -> &str {
        &self.lines[index]
    }

    /// The lines that end in this mark, where a statement or a declaration may stand.
    pub(super) fn slots(&self, mark: &str) -> Vec<usize> {
        self.all(|line| line.ends_with(mark))
    }

    /// The lines like this.
    pub(super) fn all(&self, like: impl Fn(&str) -> bool) -> Vec<usize> {
        (0..self.lines.len()).filter(|index| like(&self.lines[*index])).collect()
    }

    /// A line like this, any of them.
    pub(super) fn find(&self, like: impl Fn(&str) -> bool) -> Option<usize> {
        fastrand::choice(self.all(like))
    }

    pub(super) fn line_count(&self) -> usize {
        self.lines.len()
    }

    /// Replaces some characters of a line.
    pub(super) fn edit(&mut self, line: usize, column: usize, removed: usize, text: &str) -> Change {
        self.version += 1;
        self.lines[line].replace_range(column..column + removed, text);
        Change { start: (line, column), end: (line, column + removed), text: text.to_string() }
    }

    /// Replaces a whole line.
    pub(super) fn replace_line(&mut self, line: usize, text: &str) -> Change {
        self.edit(line, 0, self.lines[line].len(), text)
    }

    /// Puts a line before another.
    pub(super) fn insert_line(&mut self, line: usize, text: &str) -> Change {
        self.version += 1;
        self.lines.insert(line, text.to_string());
        Change { start: (line, 0), end: (line, 0), text: format!("{text}\n") }
    }

    /// Takes a line away.
    pub(super) fn remove_line(&mut self, line: usize) -> Change {
        self.version += 1;
        self.lines.remove(line);
        Change { start: (line, 0), end: (line + 1, 0), text: String::new() }
    }
}

/// The end of a line where something may be typed.
pub(super) const SLOT: &str = "/* here */ ";

/// The same in a function that launches kernels.
pub(super) const LAUNCHER: &str = "/* here, among launches */ ";

/// The same in a function that calls CUTLASS, which launches kernels for it.
pub(super) const CALLER: &str = "/* here, before CUTLASS is called */ ";

/// The text before the last parameter of a kernel.
pub(super) const PARAMETER: &str = "/* more */ ";

/// A comment that somebody adds to.
pub(super) const COMMENT: &str = "// Staged";

/// A condition that somebody changes.
pub(super) const CONDITION: &str = "#if __CUDA_ARCH__ >= 900";

/// A macro's definition that somebody changes.
pub(super) const DEFINITION: &str = "#define HAS_ASYNC_COPY 1";

/// The project's own header: a macro derived from the architecture, and types that the source uses.
pub(super) fn header() -> String {
    format!(
        "#pragma once\n\
         #if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800\n\
         #define HAS_ASYNC_COPY 1\n\
         #else\n\
         #define HAS_ASYNC_COPY 0\n\
         #endif\n\
         #ifdef __CUDA_ARCH__\n\
         typedef float accumulator;\n\
         #else\n\
         typedef double accumulator;\n\
         #endif\n\
         struct Shape {{ int rows; int columns; }};\n\
         template <class T> struct Traits {{ using element = T; static constexpr int width = 4; }};\n\
         \n\
         __host__ __device__ inline int divided(int value, int by) {{\n\
         \x20 float const *in = nullptr; float *out = nullptr; {SLOT}\n\
         \x20 return (value + by - 1) / by;\n\
         }}\n"
    )
}

/// The lines that include CUTLASS's headers.
const CUTLASS: &str = "\
#include <cutlass/cutlass.h>
#include <cutlass/numeric_types.h>
#include <cutlass/gemm/device/gemm.h>
#include <cutlass/gemm/device/gemm_universal_adapter.h>
#include <cutlass/epilogue/thread/linear_combination.h>
#include <cute/tensor.hpp>
";

/// A source of about so many lines.
pub(super) fn source(lines: usize, cutlass: bool) -> String {
    let mut text = String::from("#include <cuda_runtime.h>\n");
    if cutlass {
        text.push_str(CUTLASS);
    }
    text.push_str("#include \"common.cuh\"\n");
    let (mut written, mut part) = (text.lines().count(), 0);
    while written < lines {
        let one = match part % 5 {
            0 if cutlass && part % 50 == 0 => gemm(part),
            0 | 1 => plain(part),
            2 => template(part),
            3 => guarded(part),
            _ => host(part),
        };
        written += one.lines().count();
        text.push_str(&one);
        part += 1;
    }
    text
}

fn plain(number: usize) -> String {
    format!(
        "
struct Parameters{number} {{
  float const *in;
  float *out;
  Shape shape;
  float scale;
}};

__global__ void scale{number}({PARAMETER}Parameters{number} parameters) {{
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  float value = 0.0f; float *out = parameters.out; {SLOT}
  if (index < parameters.shape.rows * parameters.shape.columns) {{
    value = parameters.in[index] * parameters.scale;
    for (int step = 0; step < {number} % 7 + 1; ++step) {{
      value = value * value + 0.5f;
    }}
    out[index] = value; {SLOT}
  }}
}}
"
    )
}

fn template(number: usize) -> String {
    format!(
        "
template <class T, int Width = Traits<T>::width>
__global__ void reduce{number}(T const *in, T *out, int count) {{
  __shared__ T partial[Width * 32];
  T value = T(0);
  for (int index = threadIdx.x; index < count; index += blockDim.x) {{
    value += in[index];
  }}
  partial[threadIdx.x % (Width * 32)] = value; {SLOT}
  __syncthreads();
  if (threadIdx.x == 0) {{
    for (int index = 0; index < Width * 32; ++index) {{
      out[blockIdx.x] += partial[index];
    }}
  }}
}}

template __global__ void reduce{number}<float, 4>(float const *, float *, int);
"
    )
}

fn guarded(number: usize) -> String {
    let type_name = if number % 45 == 3 { "accumulator" } else { "float" };
    format!(
        "
template <class T>
__device__ void load{number}(T *to, T const *from) {{
#if HAS_ASYNC_COPY
  asm volatile(\"cp.async.wait_all;\" ::: \"memory\");
  *to = *from;
#else
  *to = *from;
#endif
}}

// Staged
__global__ void staged{number}({PARAMETER}{type_name} *out, float const *in, int count) {{
  __shared__ float stage[256];
  float value = in[0]; {SLOT}
  load{number}(&stage[threadIdx.x % 256], &in[threadIdx.x]);
  __syncthreads();
#if __CUDA_ARCH__ >= 900
  value += 1.0f;
#endif
  if (threadIdx.x < count) {{
    out[threadIdx.x] = stage[threadIdx.x % 256] + value;
  }}
}}
"
    )
}

fn host(number: usize) -> String {
    let (scale, reduce, staged) = (number - 3, number - 2, number - 1);
    let mut text =
        format!("\nvoid run{number}(float *out, float const *in, int count, cudaStream_t stream) {{\n");
    let mut line = |text_of: String| writeln!(text, "  {text_of}").expect("a string grows");
    line(format!("Parameters{scale} parameters{{in, out, Shape{{count, 1}}, 2.0f}};"));
    line("dim3 grid(divided(count, 256)), block(256);".into());
    line(format!("scale{scale}<<<grid, block, 0, stream>>>(parameters); {LAUNCHER}"));
    line("float value = 0.0f;".into());
    line(format!("reduce{reduce}<float><<<grid, block, 0, stream>>>(in, out, count);"));
    line(format!("reduce{reduce}<double, 2><<<grid, block, 0, stream>>>(nullptr, nullptr, count);"));
    line(format!("staged{staged}<<<grid, block, 0, stream>>>(nullptr, in, count);"));
    line("if (cudaGetLastError() != cudaSuccess) {".into());
    line("  return;".into());
    line("}".into());
    text.push_str("}\n");
    text
}

fn gemm(number: usize) -> String {
    format!(
        "
using Gemm{number} = cutlass::gemm::device::Gemm<
    cutlass::half_t, cutlass::layout::RowMajor, cutlass::half_t, cutlass::layout::ColumnMajor,
    float, cutlass::layout::RowMajor, float, cutlass::arch::OpClassTensorOp, cutlass::arch::Sm80,
    cutlass::gemm::GemmShape<128, 128, 32>, cutlass::gemm::GemmShape<64, 64, 32>,
    cutlass::gemm::GemmShape<16, 8, 16>>;

cutlass::Status multiply{number}(int m, int n, int k, cutlass::half_t const *a, cutlass::half_t const *b, float *c) {{
  Gemm{number} gemm;
  typename Gemm{number}::Arguments arguments({{m, n, k}}, {{a, k}}, {{b, k}}, {{c, n}}, {{c, n}}, {{1.0f, 0.0f}});
  float value = 0.0f; float *out = &value; {CALLER}
  return gemm(arguments);
}}

__global__ void fill{number}(cutlass::half_t *out, cute::Layout<cute::Shape<cute::_8, cute::_16>> layout) {{
  auto tensor = cute::make_tensor(cute::make_gmem_ptr(out), layout);
  tensor(threadIdx.x % 8, threadIdx.x / 8) = cutlass::half_t(1.0f);
}}
"
    )
}
