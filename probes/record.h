#pragma once

// What a probe and its host say to each other: plain structs and callbacks of C, so that a plug-in
// built by another compiler can be opened. A plug-in exports `ridgeline_probe` alone.

#ifdef __cplusplus
extern "C" {
#endif

/// Changes when a struct below changes; host and plug-in must agree.
#define RIDGELINE_PROBE_INTERFACE 1

enum RidgelineProbeKinds {
    RIDGELINE_PROBE_GEMM = 1,
    RIDGELINE_PROBE_COPY = 2,  ///< memory streams, and the sustained run
    RIDGELINE_PROBE_LINK = 4,  ///< host and peer links
    RIDGELINE_PROBE_LAUNCH = 8,
    RIDGELINE_PROBE_STORAGE = 16,
    RIDGELINE_PROBE_ALL = 31
};

/// One measured time (spec/measurement.h MeasuredPoint). Unknown numbers are 0, flags are separated
/// by commas. Texts need to live during the call alone.
typedef struct RidgelinePoint {
    const char* kind;
    const char* name;
    double m, n, k;
    double bytes;
    double work_flop;
    int threads;
    double median_us, p10_us, p90_us, least_us;
    int samples;
    int checked;  ///< compared with a reference
    int correct;
    double error;  ///< of what the comparison tolerates
    double clock_mhz;
    double power_w;
    const char* flags;
} RidgelinePoint;

/// A fact about device or software, as text: "name", "blas", "pci_address", "memory_bytes", ...
typedef struct RidgelineFact {
    const char* key;
    const char* value;
} RidgelineFact;

typedef struct RidgelineProbeHost {
    int interface_version;
    void* context;
    void (*point)(void* context, const RidgelinePoint* point);
    void (*fact)(void* context, const RidgelineFact* fact);
    void (*warning)(void* context, const char* text);
    /// What runs now, the share that is done (0 to 1) and seconds that are left.
    void (*progress)(void* context, const char* what, double done, double left_s);
    /// Not 0 when the probe shall end after the point that it measures.
    int (*cancelled)(void* context);
} RidgelineProbeHost;

typedef struct RidgelineProbeRequest {
    int kinds;        ///< RidgelineProbeKinds
    double budget_s;  ///< of time; a probe plans its repetitions so that it keeps to it
    int device;       ///< ordinal
    unsigned long long seed;
    const char* folder;  ///< where a file for the storage probe may be made
} RidgelineProbeRequest;

enum RidgelineProbeStatus {
    RIDGELINE_PROBE_OK = 0,
    RIDGELINE_PROBE_ABSENT = 5,  ///< no such device or library; `message` says which
    RIDGELINE_PROBE_FAILED = 1
};

/// Exported as `ridgeline_probe`. `message` takes up to `size` bytes of why it is not OK.
typedef int (*RidgelineProbeEntry)(const struct RidgelineProbeRequest* request,
                                   const struct RidgelineProbeHost* host,
                                   char* message,
                                   unsigned long size);

#ifdef __cplusplus
}  // extern "C"
#endif
