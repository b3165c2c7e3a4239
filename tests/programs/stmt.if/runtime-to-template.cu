// [stmt.if] runtime values select template arguments by if and switch, nested
template <class T, int D, bool C> __global__ void k() {}
template <class T, bool C> void by_dim(int d) {
  if (d <= 32) k<T, 32, C><<<1, 1>>>();
  else if (d <= 64) k<T, 64, C><<<1, 1>>>();
  else switch (d) {
    case 96: k<T, 96, C><<<1, 1>>>(); break;
    case 128: { k<T, 128, C><<<1, 1>>>(); } break;
    default: return;
    }
}
template <class T> void by_causal(int d, bool c) { c ? by_dim<T, true>(d) : by_dim<T, false>(d); }
void entry(int d, bool c, int type) {
  if (type == 0) by_causal<float>(d, c);
  else by_causal<double>(d, c);
}
