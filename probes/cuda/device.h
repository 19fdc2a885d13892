#pragma once

#include "probes/sampling.h"

#include <cstddef>
#include <cuda_runtime_api.h>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace probes {

/// A failed call of the CUDA runtime; one failing point never ends the run.
class CudaError : public std::runtime_error {
public:
    CudaError(const std::string& what, cudaError_t code)
        : std::runtime_error(what + ": " + cudaGetErrorString(code)) {}
};
inline void check(cudaError_t code, const char* what) {
    if (code != cudaSuccess) {
        throw CudaError(what, code);
    }
}

/// Device memory that is freed with it.
class Buffer {
public:
    explicit Buffer(std::size_t bytes) : bytes_(bytes) {
        check(cudaMalloc(&memory_, bytes), "cudaMalloc");
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() { cudaFree(memory_); }
    [[nodiscard]] char* at(std::size_t offset = 0) const {
        return static_cast<char*>(memory_) + offset;
    }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

private:
    void* memory_ = nullptr;
    std::size_t bytes_;
};

class Stream {
public:
    Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "stream"); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    ~Stream() { cudaStreamDestroy(stream_); }
    [[nodiscard]] cudaStream_t get() const { return stream_; }
    void wait() const { check(cudaStreamSynchronize(stream_), "synchronize"); }

private:
    cudaStream_t stream_ = nullptr;
};

/// Seconds between two events around what is queued into a stream.
class EventTimer {
public:
    EventTimer() {
        check(cudaEventCreate(&begin_), "event");
        check(cudaEventCreate(&end_), "event");
    }
    EventTimer(const EventTimer&) = delete;
    EventTimer& operator=(const EventTimer&) = delete;
    ~EventTimer() {
        cudaEventDestroy(begin_);
        cudaEventDestroy(end_);
    }
    double seconds(cudaStream_t stream, const std::function<void()>& queue) const {
        check(cudaEventRecord(begin_, stream), "event");
        queue();
        check(cudaEventRecord(end_, stream), "event");
        check(cudaEventSynchronize(end_), "event");
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, begin_, end_), "event");
        return 1e-3 * static_cast<double>(milliseconds);
    }

private:
    cudaEvent_t begin_ = nullptr;
    cudaEvent_t end_ = nullptr;
};

/// Launches kept in a graph: the host queues all of them at once, so that short kernels follow each
/// other as closely as the device lets them.
class Graph {
public:
    Graph(cudaStream_t stream, const std::function<void()>& queue) {
        cudaGraph_t graph = nullptr;
        check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capture");
        queue();
        check(cudaStreamEndCapture(stream, &graph), "capture");
        const cudaError_t made = cudaGraphInstantiate(&graph_, graph, 0);
        cudaGraphDestroy(graph);
        check(made, "graph");
    }
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;
    ~Graph() { cudaGraphExecDestroy(graph_); }
    void launch(cudaStream_t stream) const { check(cudaGraphLaunch(graph_, stream), "graph"); }

private:
    cudaGraphExec_t graph_ = nullptr;
};

/// Time of one of the launches that `queue(turn)` makes: pilot, graph of as many as span a
/// millisecond, then repetitions until they settle or `budget_s` is over.
inline Summary time_launches(cudaStream_t stream,
                             const EventTimer& timer,
                             double budget_s,
                             const std::function<bool()>& cancelled,
                             const std::function<void(int turn)>& queue) {
    queue(0);
    check(cudaStreamSynchronize(stream), "synchronize");
    const double pilot = timer.seconds(stream, [&] { queue(0); });
    const int launches = launches_for(pilot, 1e-3, 64);
    const Graph graph(stream, [&] {
        for (int i = 0; i < launches; ++i) {
            queue(i);
        }
    });
    const int warm = launches_for(pilot * launches, std::min(0.05, budget_s / 4), 50);
    for (int i = 0; i < warm; ++i) {
        graph.launch(stream);
    }
    std::vector<double> seconds;
    double spent = 0;
    do {
        const double span = timer.seconds(stream, [&] { graph.launch(stream); });
        spent += span;
        seconds.push_back(span / launches);
    } while (!settled(seconds, 20) && spent < budget_s && seconds.size() < 400 && !cancelled());
    return summary_of(seconds);
}

}  // namespace probes
