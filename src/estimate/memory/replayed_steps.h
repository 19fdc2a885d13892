#pragma once

#include "base/mutex.h"
#include "estimate/allocator/reserved.h"
#include "estimate/results.h"
#include "estimate/work/program.h"
#include "spec/architecture.h"
#include "spec/software_profile.h"
#include "spec/workload.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace ridgeline {

/// All that a step's script of one architecture depends on beside the workload.
struct ReplayedOn {
    const SoftwareProfile* software = nullptr;
    int stage = 0;
    double workspace = 0;  ///< of the BLAS library, bytes
    double library = 0;    ///< taken at the start, bytes
    bool expandable = false;
    double limit = std::numeric_limits<double>::infinity();  ///< of the computing pool, bytes
    bool tiles = false;   ///< convolutions take the workspaces of winograd_workspace
    bool hopper = false;  ///< Hopper or later: larger workspaces of Transformer Engine
    friend bool operator==(const ReplayedOn&, const ReplayedOn&) = default;
};

/// The steps that were replayed last, of all architectures, for estimates that follow each other:
/// cards and prices change more often than the step. Shared between threads. A copy begins empty:
/// what is kept refers to software profiles of one world.
class KeptReplays {
public:
    KeptReplays() = default;
    KeptReplays(const KeptReplays& /*other*/) {}
    KeptReplays& operator=(const KeptReplays& /*other*/) { return *this; }

    [[nodiscard]] std::optional<PoolBytes> find(const Architecture& architecture,
                                                const Workload& workload,
                                                const ReplayedOn& on) const;
    void keep(const Architecture& architecture, const Workload& workload, const ReplayedOn& on,
              const PoolBytes& pools) const;

private:
    static constexpr std::size_t most = 256;
    struct Step {
        Architecture architecture;
        Workload workload;
        ReplayedOn on;
        PoolBytes pools{};
    };
    mutable SharedMutex mutex_;
    mutable std::vector<Step> steps_;
    mutable std::size_t oldest_ = 0;
};

/// Tensors of a program's last step and of its loading, and what decides how they are counted.
struct ProgramTensors {
    MemoryEstimate alive;          ///< its instants, what is allocated at most, and when
    Bytes states{};                ///< of the optimizer, of one rank
    bool exchanges_whole = false;  ///< what ranks exchange is written
};

PoolBytes pools_of(const Reserved& reserved);

/// What is alive, and what the caching allocator holds, in steps of one architecture on a card
/// without end. A search asks for the same step on a hundred parts. Not shared between threads.
class ReplayedSteps {
public:
    ReplayedSteps() = default;
    /// Looks among those that were kept, too, for software that lives as long as they.
    ReplayedSteps(const KeptReplays* kept, const Architecture& architecture,
                  const std::vector<SoftwareProfile>& software)
        : kept_(kept), architecture_(&architecture), software_(&software) {}

    /// The pools of the step, replayed by `replay` when they are not known yet.
    const PoolBytes& pools(const Workload& workload, const ReplayedOn& on,
                           const std::function<PoolBytes()>& replay);

    /// The program of a workload (listed_workload) under a stack, listed by `list` when it is not
    /// among those kept.
    std::shared_ptr<const Program> program(const Workload& workload,
                                           const SoftwareProfile& software,
                                           const std::function<Program()>& list);

    /// What the pools of a script hold, played by `play` when none of its key (replay_key) was:
    /// steps on other cards and counts often allocate the same.
    PoolBytes played(std::uint64_t key, const std::function<Reserved()>& play);

    /// The tensors of the step, listed by `list` when they are not known yet.
    const ProgramTensors& tensors(const Workload& workload, const ReplayedOn& on,
                                  const std::function<ProgramTensors()>& list);

private:
    struct Step {
        Workload workload;
        ReplayedOn on;
        std::optional<PoolBytes> pools;
        std::optional<ProgramTensors> tensors;
    };
    Step& step_of(const Workload& workload, const ReplayedOn& on);
    [[nodiscard]] bool keeps(const ReplayedOn& on) const;
    [[nodiscard]] PoolBytes pools_of(const Workload& workload, const ReplayedOn& on,
                                     const std::function<PoolBytes()>& replay) const;

    struct Listed {
        Workload workload;
        const SoftwareProfile* software = nullptr;
        std::shared_ptr<const Program> program;
    };
    static constexpr std::size_t most_programs = 32;  ///< of up to a megabyte each

    std::deque<Step> steps_;                     // none moves when another comes
    std::deque<Listed> programs_;                ///< the oldest first
    std::map<std::uint64_t, PoolBytes> played_;  ///< by replay_key
    const KeptReplays* kept_ = nullptr;
    const Architecture* architecture_ = nullptr;
    const std::vector<SoftwareProfile>* software_ = nullptr;
};

}  // namespace ridgeline
