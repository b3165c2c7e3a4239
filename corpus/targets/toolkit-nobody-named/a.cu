// No toolkit of today compiles for sm_52, but which one compiles this nobody says.
__global__ void run() {}
