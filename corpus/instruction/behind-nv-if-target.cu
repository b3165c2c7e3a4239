// libcu++'s macro chooses by pass just as a directive does: 9.0 and later are let in, and the family's targets alone
// have the instruction.
//@ targets: 80,90,100,100a
#include <nv/target>

__global__ void run(unsigned address) {
    NV_IF_TARGET(NV_PROVIDES_SM_90, (asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 32;" :: "r"(address));)) //~[sm_90,sm_100] unsupported-instruction "tcgen05.dealloc"
}
