#pragma once

struct Channel {
    int *memory;
    void connect(int *other) { memory = other; }
    __device__ void put(int value) { *memory = value; }
};

inline Channel connected(int *memory) {
    Channel made;
    made.connect(memory);
    return made;
}
