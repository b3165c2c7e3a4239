// [over.match.oper] shift and compound assignment of objects that variables, members and results give
template <class T> __global__ void k(T) {}
struct F {};
template <class T> int operator<<(F, T t) { k<T><<<1, 1>>>(t); return 0; }
template <class T> F &operator+=(F &f, T t) { k<T *><<<1, 1>>>(&t); return f; }
struct Log { F out; template <class T> void put(T t) { out << t; } };
template <class S> void fill(S &s) { s += 1.0f; }
template <class S, class T> void both(S s, T t) { auto own = s; fill(own); own << t; }
F global;
F &stream() { return global; }
void host() {
    Log log;
    log.put(1);
    fill(global);
    both(stream(), 'c');
    both(global, 2.0);
}
