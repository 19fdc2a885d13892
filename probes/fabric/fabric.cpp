#include "probes/fabric/transport.h"
#include "probes/sampling.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <exception>
#include <mpi.h>
#include <string>
#include <vector>

// Collectives between the ranks of an MPI job, of buffers in host memory (MPI) or on GPUs (NCCL).
// Started by the engine that starts the user's own jobs:
//   mpirun -np 8 ridgeline-fabric --out fabric.json
//   srun -N 4 --ntasks-per-node 8 ridgeline-fabric --buffers gpu --out fabric.json
// Rank 0 writes one calibration file, which `ridgeline calibrate fit` takes.

namespace probes {
namespace {

constexpr double mebibyte = 1024.0 * 1024.0;
constexpr int absent = 5;  // the exit code of a device or library that is not there

struct Options {
    std::string out = "fabric.json";
    std::string accelerator;
    bool quick = false;
    bool gpu = false;
};

bool all_equal(const std::vector<float>& values,
               std::size_t from,
               std::size_t count,
               float wanted) {
    return std::all_of(values.begin() + static_cast<std::ptrdiff_t>(from),
                       values.begin() + static_cast<std::ptrdiff_t>(from + count),
                       [=](float value) { return value == wanted; });
}

/// Every element of the result is what it should be.
bool correct(Transport& transport, Operation operation, std::size_t count, const Ring& ring) {
    const auto n = static_cast<std::size_t>(ring.ranks);
    const float sum = static_cast<float>(ring.ranks * (ring.ranks + 1)) / 2;
    const std::vector<float> values = transport.received(count);
    switch (operation) {
        case Operation::all_reduce:
            return all_equal(values, 0, count, sum);
        case Operation::reduce_scatter:
            return all_equal(values, 0, count / n, sum);
        case Operation::point_to_point:
            return peer_of(ring) < 0 || all_equal(values, 0, count, share_of(peer_of(ring)));
        default:
            break;
    }
    // Piece p of the result came from rank p.
    for (std::size_t p = 0; p < n; ++p) {
        if (!all_equal(values, p * (count / n), count / n, share_of(static_cast<int>(p)))) {
            return false;
        }
    }
    return true;
}

void find_nodes(Ring& ring) {
    MPI_Comm node = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, ring.rank, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &ring.rank_on_node);
    const int first = ring.rank_on_node == 0 ? 1 : 0;
    MPI_Allreduce(&first, &ring.nodes, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Comm_free(&node);
}

/// Every rank says yes.
bool agreed(bool mine) {
    const int yes = mine ? 1 : 0;
    int all = 0;
    MPI_Allreduce(&yes, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all != 0;
}

struct Timing {
    Summary slowest;     ///< of the slowest rank in each repetition
    double median_rank;  ///< median of the ranks' medians
    bool correct = true;
};

/// Repeats `work` on all ranks together until the time is over; `share` of each time counts.
template <typename Work>
Timing repeated(const Ring& ring, double budget_s, double share, const Work& work) {
    for (int warm = 0; warm < 3; ++warm) {
        work();
    }
    std::vector<double> own;
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    int more = 1;
    while (more != 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double start = MPI_Wtime();
        work();
        own.push_back(share * (MPI_Wtime() - start));
        // Rank 0 decides for all, so that every rank runs as often.
        more = own.size() < 10 || (MPI_Wtime() - begin < budget_s && own.size() < 200) ? 1 : 0;
        MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    std::vector<double> slowest(own.size());
    MPI_Allreduce(own.data(),
                  slowest.data(),
                  static_cast<int>(own.size()),
                  MPI_DOUBLE,
                  MPI_MAX,
                  MPI_COMM_WORLD);
    const double median = summary_of(own).median;
    std::vector<double> medians(static_cast<std::size_t>(ring.ranks));
    MPI_Allgather(&median, 1, MPI_DOUBLE, medians.data(), 1, MPI_DOUBLE, MPI_COMM_WORLD);
    return {summary_of(slowest), summary_of(medians).median};
}

Timing time_operation(Transport& transport,
                      Operation operation,
                      std::size_t count,
                      const Ring& ring,
                      double budget_s) {
    // There and back between neighbours: half of it is one way.
    const double share = operation == Operation::point_to_point ? 0.5 : 1;
    Timing timing = repeated(ring, budget_s, share, [&] {
        transport.start(operation, count);
        transport.finish();
    });
    timing.correct = agreed(correct(transport, operation, count, ring));
    return timing;
}

/// What a point says beside its times: kind, name and what was moved or multiplied.
std::string point_json(const std::string& what, const Ring& ring, const Timing& timing) {
    char text[512];
    std::snprintf(text,
                  sizeof(text),
                  "    {%s, \"ranks\": %d, "
                  "\"nodes\": %d, \"time_us\": {\"median\": %.3f, \"p10\": %.3f, \"p90\": %.3f, "
                  "\"least\": %.3f, \"samples\": %d}, \"slowest_rank_us\": %.3f, \"correct\": %s}",
                  what.c_str(),
                  ring.ranks,
                  ring.nodes,
                  1e6 * timing.median_rank,
                  1e6 * timing.slowest.p10,
                  1e6 * timing.slowest.p90,
                  1e6 * timing.slowest.least,
                  timing.slowest.samples,
                  1e6 * timing.slowest.median,
                  timing.correct ? "true" : "false");
    return text;
}

/// A word that may stand in a JSON text as it is.
std::string plain(std::string word) {
    word.erase(std::remove_if(word.begin(),
                              word.end(),
                              [](unsigned char c) { return c < 0x20 || c == '"' || c == '\\'; }),
               word.end());
    return word;
}

bool write_file(const Options& options,
                const Ring& ring,
                const Transport& transport,
                const std::vector<std::string>& points,
                double duration_s) {
    const std::time_t now = std::time(nullptr);
    char created[32] = {};
    std::strftime(created, sizeof(created), "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
    std::FILE* file = std::fopen(options.out.c_str(), "w");
    if (file == nullptr) {
        return false;
    }
    std::fprintf(file,
                 "{\n  \"schema\": \"ridgeline/calibration/1\",\n  \"measurement\": {\n"
                 "    \"tool\": \"%s\", \"method\": 1, \"created\": \"%s\", \"duration_s\": %.1f,\n"
                 "    \"backend\": \"%s\", \"device_count\": %d,\n"
                 "    \"reference\": {\"accelerator\": \"%s\"},\n"
                 "    \"software\": {\"collectives\": \"%s\"},\n"
                 "    \"conditions\": {\"data\": \"%s buffers, one number a rank\"},\n"
                 "    \"warnings\": []\n  },\n  \"points\": [\n",
                 RIDGELINE_VERSION,
                 created,
                 duration_s,
                 options.gpu ? "nccl" : "mpi",
                 ring.ranks,
                 plain(options.accelerator).c_str(),
                 plain(transport.library()).c_str(),
                 transport.place());
    for (std::size_t p = 0; p < points.size(); ++p) {
        std::fprintf(file, "%s%s\n", points[p].c_str(), p + 1 < points.size() ? "," : "");
    }
    std::fprintf(file, "  ]\n}\n");
    return std::fclose(file) == 0;
}

/// All operations over all sizes; false when a result was wrong.
bool measure_operations(Transport& transport,
                        const Options& options,
                        const Ring& ring,
                        std::vector<std::string>& points) {
    // GPUs reach the rates of their links above the sizes at which hosts do.
    const double most = (options.quick ? 4 : options.gpu ? 512 : 64) * mebibyte;
    transport.allocate(static_cast<std::size_t>(most) / sizeof(float));
    const auto n = static_cast<std::size_t>(ring.ranks);
    bool all_correct = true;
    const double begin = MPI_Wtime();
    for (const Operation operation : operations) {
        for (double bytes = 1024; bytes <= most; bytes *= 4) {
            // A multiple of the ranks, so that every piece is as long.
            const std::size_t count =
                std::max(n, static_cast<std::size_t>(bytes) / sizeof(float) / n * n);
            const Timing timing =
                time_operation(transport, operation, count, ring, options.quick ? 0.05 : 0.3);
            all_correct = all_correct && timing.correct;
            points.push_back(point_json(
                "\"kind\": \"collective\", \"name\": \"" + std::string(name_of(operation)) +
                    "\", \"bytes\": " + std::to_string(count * sizeof(float)),
                ring,
                timing));
        }
        if (ring.rank == 0) {
            std::fprintf(stderr, "%s done after %.1f s\n", name_of(operation), MPI_Wtime() - begin);
        }
    }
    return all_correct;
}

/// A matrix product and an all-reduce, each alone and both at once: what a product loses beside a
/// collective, and how much of the collective it hides.
void measure_overlap(Transport& transport,
                     const Options& options,
                     const Ring& ring,
                     std::vector<std::string>& points) {
    const int edge = options.gpu ? (options.quick ? 4096 : 8192) : (options.quick ? 512 : 1024);
    const double budget_s = options.quick ? 0.2 : 1;
    bool ready = true;
    std::string problem;
    try {
        transport.set_product(edge);
    } catch (const std::exception& missing) {
        ready = false;
        problem = missing.what();
    }
    if (!agreed(ready)) {
        if (ring.rank == 0) {
            std::fprintf(stderr, "no overlap was measured: %s\n", problem.c_str());
        }
        return;
    }
    const auto product = [&] {
        transport.start_product();
        transport.finish_product();
    };
    const Timing alone = repeated(ring, budget_s, 1, product);
    // The largest buffer whose all-reduce takes less than the product, so that it could be hidden.
    const auto n = static_cast<std::size_t>(ring.ranks);
    std::size_t count = 0;
    Timing collective{};
    for (double bytes = 1024; bytes <= (options.quick ? 4 : 64) * mebibyte; bytes *= 2) {
        const std::size_t tried =
            std::max(n, static_cast<std::size_t>(bytes) / sizeof(float) / n * n);
        const Timing timing =
            time_operation(transport, Operation::all_reduce, tried, ring, budget_s / 10);
        // Rank 0's figures decide, so that all ranks go on together.
        int shorter = timing.slowest.median < 0.7 * alone.slowest.median ? 1 : 0;
        MPI_Bcast(&shorter, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (shorter == 0 && count > 0) {
            break;
        }
        count = tried;
        collective = timing;
    }
    if (count == 0) {
        return;
    }
    const Timing both = repeated(ring, budget_s, 1, [&] {
        transport.start_product();
        transport.start(Operation::all_reduce, count);
        transport.finish();
        transport.finish_product();
    });
    const auto add = [&](const char* name, const Timing& timing) {
        const std::string edge_text = std::to_string(edge);
        points.push_back(point_json("\"kind\": \"overlap\", \"name\": \"" + std::string(name) +
                                        "\", \"m\": " + edge_text + ", \"n\": " + edge_text +
                                        ", \"k\": " + edge_text +
                                        ", \"bytes\": " + std::to_string(count * sizeof(float)),
                                    ring,
                                    timing));
    };
    add("product", alone);
    add("collective", collective);
    add("both", both);
}

std::unique_ptr<Transport> chosen_transport(const Options& options, const Ring& ring) {
    if (!options.gpu) {
        return mpi_transport(ring);
    }
    std::string why;
    auto transport = nccl_transport(ring, why);
    if (!transport) {
        std::fprintf(stderr, "error: rank %d: %s\n", ring.rank, why.c_str());
    }
    return transport;
}

int run(const Options& options) {
    Ring ring;
    MPI_Comm_rank(MPI_COMM_WORLD, &ring.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ring.ranks);
    find_nodes(ring);
    if (ring.ranks < 2) {
        std::fprintf(stderr,
                     "error: found one rank, expected at least two. Example: mpirun -np 4 "
                     "ridgeline-fabric\n");
        return 2;
    }
    const double begin = MPI_Wtime();
    const auto transport = chosen_transport(options, ring);
    if (!agreed(transport != nullptr)) {
        return absent;
    }
    std::vector<std::string> points;
    const bool all_correct = measure_operations(*transport, options, ring, points);
    measure_overlap(*transport, options, ring, points);
    if (ring.rank != 0) {
        return 0;
    }
    if (!write_file(options, ring, *transport, points, MPI_Wtime() - begin)) {
        std::fprintf(stderr, "error: %s: cannot be written\n", options.out.c_str());
        return 1;
    }
    std::fprintf(stderr,
                 "%zu points of %d ranks on %d nodes written to %s%s\n",
                 points.size(),
                 ring.ranks,
                 ring.nodes,
                 options.out.c_str(),
                 all_correct ? "" : "; some results were WRONG");
    return all_correct ? 0 : 1;
}

}  // namespace
}  // namespace probes

namespace {

bool read_options(int count, char** arguments, probes::Options& options) {
    for (int i = 1; i < count; ++i) {
        const std::string word = arguments[i];
        const std::string next = i + 1 < count ? arguments[i + 1] : "";
        if (word == "--quick") {
            options.quick = true;
        } else if (word == "--out" && !next.empty()) {
            options.out = arguments[++i];
        } else if (word == "--accelerator" && !next.empty()) {
            options.accelerator = arguments[++i];
        } else if (word == "--buffers" && (next == "gpu" || next == "host")) {
            options.gpu = std::strcmp(arguments[++i], "gpu") == 0;
        } else {
            return false;
        }
    }
    return true;
}

}  // namespace

int main(int count, char** arguments) {
    int threads = 0;
    MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &threads);
    probes::Options options;
    int status = 2;
    if (!read_options(count, arguments, options)) {
        std::fprintf(stderr,
                     "usage: mpirun -np N ridgeline-fabric [--out FILE] [--quick] "
                     "[--buffers host|gpu] [--accelerator ID]\n");
    } else {
        try {
            status = probes::run(options);
        } catch (const std::exception& problem) {
            // The others wait for this rank: end all.
            std::fprintf(stderr, "error: %s\n", problem.what());
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    MPI_Finalize();
    return status;
}
