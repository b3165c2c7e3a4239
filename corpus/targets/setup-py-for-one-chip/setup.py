from setuptools import setup
from torch.utils.cpp_extension import CUDAExtension

setup(
    ext_modules=[
        CUDAExtension(
            "kernels",
            ["csrc/a.cu"],
            extra_compile_args={
                "nvcc": [
                    "-O3",
                    "-gencode=arch=compute_90a,code=sm_90a",  # //~ suffixed-targets-only "nothing but sm_90a"
                ]
            },
        )
    ]
)
