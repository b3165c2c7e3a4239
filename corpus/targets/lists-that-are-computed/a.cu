// Which targets there are depends on how CMake is called, so nothing is said about the list, and every target is looked at.
__global__ void run() {}
