__global__ void cluster_max(int *out) { //~[sm_80] arch-dependent-definition "cluster_max"
    *out = 1;
}

inline void launch_cluster_max(int *out) {
    cluster_max<<<1, 1>>>(out);
}
