// A header that no source of this build includes, so that it is analysed alone. The specifier of its functions is a macro that
// the project defines where nobody did before, as the builds do that give the functions to devices.
__global__ void fill(int *out) {
    *out = 1;
}
int main() {
    fill<<<1, 1>>>(nullptr);
}
