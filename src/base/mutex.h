#pragma once

#ifndef __wasm__
#include <shared_mutex>
#endif

namespace ridgeline {

#ifdef __wasm__
/// WebAssembly has one thread, and its library no mutex.
struct SharedMutex {
    void lock() {}
    void unlock() {}
    void lock_shared() {}
    void unlock_shared() {}
};
#else
using SharedMutex = std::shared_mutex;
#endif

/// Holds a mutex as one of several readers; alone: std::lock_guard. (WebAssembly has no
/// std::shared_lock.)
class ReadGuard {
public:
    explicit ReadGuard(SharedMutex& mutex) : mutex_(mutex) { mutex_.lock_shared(); }
    ~ReadGuard() { mutex_.unlock_shared(); }
    ReadGuard(const ReadGuard&) = delete;
    ReadGuard& operator=(const ReadGuard&) = delete;

private:
    SharedMutex& mutex_;
};

}  // namespace ridgeline
