// Functions whose tables of the C library no compressor shortens (some 13 kB) are those of the
// page's own Math.
#include <cmath>

#define RIDGELINE_OF_HOST(name)                                     \
    extern "C" double host_##name(double)                           \
        __attribute__((import_module("math"), import_name(#name))); \
    extern "C" double name(double value) { return host_##name(value); }

RIDGELINE_OF_HOST(cbrt)
RIDGELINE_OF_HOST(exp)
RIDGELINE_OF_HOST(expm1)
RIDGELINE_OF_HOST(log)
RIDGELINE_OF_HOST(log10)
RIDGELINE_OF_HOST(log1p)
RIDGELINE_OF_HOST(log2)

extern "C" double host_pow(double, double)
    __attribute__((import_module("math"), import_name("pow")));
extern "C" double pow(double base, double exponent) { return host_pow(base, exponent); }
extern "C" double exp2(double exponent) { return host_pow(2, exponent); }
