#include <cstdio>

int main() {
    std::puts("ridgeline " RIDGELINE_VERSION);
    return 0;
}
