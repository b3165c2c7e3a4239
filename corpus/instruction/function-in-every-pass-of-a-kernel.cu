// Nothing keeps sm_80 from the cluster's barrier, which sm_90 was the first to have.
//@ targets: 80,90
__global__ void run() {
    __cluster_barrier_arrive(); //~[sm_80] unsupported-instruction "`__cluster_barrier_arrive` is reached on sm_80"
    __cluster_barrier_wait(); //~[sm_80] unsupported-instruction "`__cluster_barrier_wait` is reached on sm_80"
}
