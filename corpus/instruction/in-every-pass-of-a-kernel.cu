// Nothing keeps sm_75 from the kernel's copy, which sm_80 was the first to have.
//@ targets: 75,80
//@ nvcc: agrees because it makes PTX for sm_75 and does not assemble it
__global__ void run(unsigned to, const void *from) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" :: "r"(to), "l"(from)); //~[sm_75] unsupported-instruction "sm_80 and later have it"
}
