#pragma once

#include <utility>

#ifndef __wasm__
#include <future>
#endif

namespace ridgeline {

/// Does `work` beside what its maker goes on to do, on a thread of its own. In WebAssembly, which
/// has one thread, it is done when its result is asked for.
///
/// work  reads nothing that is changed meanwhile
template <typename Work>
class Beside {
public:
    using Value = decltype(std::declval<Work&>()());

#ifdef __wasm__
    explicit Beside(Work work) : work_(std::move(work)) {}
    /// What the work returned. Once.
    Value get() { return work_(); }

private:
    Work work_;
#else
    explicit Beside(Work work) : value_(std::async(std::launch::async, std::move(work))) {}
    /// What the work returned, or threw; waits for its end. Once.
    Value get() { return value_.get(); }

private:
    std::future<Value> value_;
#endif
};

}  // namespace ridgeline
