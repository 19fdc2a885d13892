#include "probes/sampling.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <mpi.h>
#include <string>
#include <vector>

// Collectives between the ranks of an MPI job, of buffers in host memory. Started by the engine
// that starts the user's own jobs:
//   mpirun -np 8 ridgeline-fabric --out fabric.json
//   srun -N 4 ridgeline-fabric --out fabric.json
// Rank 0 writes one calibration file, which `ridgeline calibrate fit` takes.

namespace probes {
namespace {

constexpr double mebibyte = 1024.0 * 1024.0;

struct Options {
    std::string out = "fabric.json";
    std::string accelerator;
    bool quick = false;
};

struct Ring {
    int rank = 0;
    int ranks = 1;
    int nodes = 1;
};

/// A collective over a buffer of floats, counted as nccl-tests counts it.
struct Operation {
    const char* name;
    std::function<void(std::size_t count)> run;
    /// Every element of the result is what it should be.
    std::function<bool(std::size_t count)> correct;
};

struct Buffers {
    std::vector<float> send;
    std::vector<float> receive;
};

float share_of(int rank) {
    return static_cast<float>(rank + 1);
}

bool all_equal(const std::vector<float>& values,
               std::size_t from,
               std::size_t count,
               float wanted) {
    return std::all_of(values.begin() + static_cast<std::ptrdiff_t>(from),
                       values.begin() + static_cast<std::ptrdiff_t>(from + count),
                       [=](float value) { return value == wanted; });
}

/// Piece p of the result came from rank p.
bool pieces_by_rank(const Buffers& buffers, std::size_t count, const Ring& ring) {
    const std::size_t piece = count / static_cast<std::size_t>(ring.ranks);
    for (int p = 0; p < ring.ranks; ++p) {
        if (!all_equal(buffers.receive, static_cast<std::size_t>(p) * piece, piece, share_of(p))) {
            return false;
        }
    }
    return true;
}

std::vector<Operation> operations(Buffers& buffers, const Ring& ring) {
    const auto n = static_cast<std::size_t>(ring.ranks);
    const float sum = static_cast<float>(ring.ranks * (ring.ranks + 1)) / 2;
    float* const send = buffers.send.data();
    float* const receive = buffers.receive.data();
    const int peer = ring.rank % 2 == 0 ? ring.rank + 1 : ring.rank - 1;
    const auto piece = [n](std::size_t count) { return static_cast<int>(count / n); };
    return {
        {"all_reduce",
         [=](std::size_t count) {
             MPI_Allreduce(
                 send, receive, static_cast<int>(count), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
         },
         [&buffers, sum](std::size_t count) { return all_equal(buffers.receive, 0, count, sum); }},
        {"all_gather",
         [=](std::size_t count) {
             MPI_Allgather(
                 send, piece(count), MPI_FLOAT, receive, piece(count), MPI_FLOAT, MPI_COMM_WORLD);
         },
         [&buffers, ring](std::size_t count) { return pieces_by_rank(buffers, count, ring); }},
        {"reduce_scatter",
         [=](std::size_t count) {
             MPI_Reduce_scatter_block(
                 send, receive, piece(count), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
         },
         [&buffers, sum, n](std::size_t count) {
             return all_equal(buffers.receive, 0, count / n, sum);
         }},
        {"all_to_all",
         [=](std::size_t count) {
             MPI_Alltoall(
                 send, piece(count), MPI_FLOAT, receive, piece(count), MPI_FLOAT, MPI_COMM_WORLD);
         },
         [&buffers, ring](std::size_t count) { return pieces_by_rank(buffers, count, ring); }},
        {"point_to_point",  // there and back between neighbours: the time is halved
         [=](std::size_t count) {
             if (peer >= ring.ranks) {
                 return;
             }
             const int length = static_cast<int>(count);
             if (ring.rank % 2 == 0) {
                 MPI_Send(send, length, MPI_FLOAT, peer, 0, MPI_COMM_WORLD);
                 MPI_Recv(receive, length, MPI_FLOAT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
             } else {
                 MPI_Recv(receive, length, MPI_FLOAT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                 MPI_Send(send, length, MPI_FLOAT, peer, 0, MPI_COMM_WORLD);
             }
         },
         [&buffers, peer, ring](std::size_t count) {
             return peer >= ring.ranks || all_equal(buffers.receive, 0, count, share_of(peer));
         }}};
}

int nodes_of(const Ring& ring) {
    MPI_Comm node = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, ring.rank, MPI_INFO_NULL, &node);
    int rank_on_node = 0;
    MPI_Comm_rank(node, &rank_on_node);
    const int first = rank_on_node == 0 ? 1 : 0;
    int nodes = 1;
    MPI_Allreduce(&first, &nodes, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Comm_free(&node);
    return nodes;
}

struct Timing {
    Summary slowest;     ///< of the slowest rank in each repetition
    double median_rank;  ///< median of the ranks' medians
    bool correct = false;
};

Timing time_operation(const Operation& operation,
                      std::size_t count,
                      const Ring& ring,
                      double budget_s) {
    std::vector<double> own;
    const double halves = std::strcmp(operation.name, "point_to_point") == 0 ? 0.5 : 1;
    for (int warm = 0; warm < 3; ++warm) {
        operation.run(count);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    int more = 1;
    while (more != 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double start = MPI_Wtime();
        operation.run(count);
        own.push_back(halves * (MPI_Wtime() - start));
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
    const int right = operation.correct(count) ? 1 : 0;
    int all_right = 0;
    MPI_Allreduce(&right, &all_right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return {summary_of(slowest), summary_of(medians).median, all_right != 0};
}

std::string point_json(const Operation& operation,
                       std::size_t count,
                       const Ring& ring,
                       const Timing& timing) {
    char text[512];
    std::snprintf(text,
                  sizeof(text),
                  "    {\"kind\": \"collective\", \"name\": \"%s\", \"bytes\": %zu, \"ranks\": %d, "
                  "\"nodes\": %d, \"time_us\": {\"median\": %.3f, \"p10\": %.3f, \"p90\": %.3f, "
                  "\"least\": %.3f, \"samples\": %d}, \"slowest_rank_us\": %.3f, \"correct\": %s}",
                  operation.name,
                  count * sizeof(float),
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
                const std::vector<std::string>& points,
                double duration_s) {
    char library[MPI_MAX_LIBRARY_VERSION_STRING] = {};
    int length = 0;
    MPI_Get_library_version(library, &length);
    const std::string version(library);
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
                 "    \"backend\": \"mpi\", \"device_count\": %d,\n"
                 "    \"reference\": {\"accelerator\": \"%s\"},\n"
                 "    \"software\": {\"collectives\": \"%s\"},\n"
                 "    \"conditions\": {\"data\": \"host buffers, one number a rank\"},\n"
                 "    \"warnings\": []\n  },\n  \"points\": [\n",
                 RIDGELINE_VERSION,
                 created,
                 duration_s,
                 ring.ranks,
                 plain(options.accelerator).c_str(),
                 plain(version.substr(0, version.find(','))).c_str());
    for (std::size_t p = 0; p < points.size(); ++p) {
        std::fprintf(file, "%s%s\n", points[p].c_str(), p + 1 < points.size() ? "," : "");
    }
    std::fprintf(file, "  ]\n}\n");
    return std::fclose(file) == 0;
}

int run(const Options& options) {
    Ring ring;
    MPI_Comm_rank(MPI_COMM_WORLD, &ring.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ring.ranks);
    ring.nodes = nodes_of(ring);
    if (ring.ranks < 2) {
        std::fprintf(stderr,
                     "error: found one rank, expected at least two. Example: mpirun -np 4 "
                     "ridgeline-fabric\n");
        return 2;
    }
    const double begin = MPI_Wtime();
    const double most = (options.quick ? 4 : 64) * mebibyte;
    const auto largest = static_cast<std::size_t>(most) / sizeof(float);
    Buffers buffers{std::vector<float>(largest, share_of(ring.rank)), std::vector<float>(largest)};
    std::vector<std::string> points;
    bool correct = true;
    const auto list = operations(buffers, ring);
    for (const Operation& operation : list) {
        for (double bytes = 1024; bytes <= most; bytes *= 4) {
            // A multiple of the ranks, so that every piece is as long.
            const auto n = static_cast<std::size_t>(ring.ranks);
            const std::size_t count =
                std::max(n, static_cast<std::size_t>(bytes) / sizeof(float) / n * n);
            const Timing timing =
                time_operation(operation, count, ring, options.quick ? 0.05 : 0.3);
            correct = correct && timing.correct;
            points.push_back(point_json(operation, count, ring, timing));
        }
        if (ring.rank == 0) {
            std::fprintf(stderr, "%s done after %.1f s\n", operation.name, MPI_Wtime() - begin);
        }
    }
    if (ring.rank != 0) {
        return 0;
    }
    if (!write_file(options, ring, points, MPI_Wtime() - begin)) {
        std::fprintf(stderr, "error: %s: cannot be written\n", options.out.c_str());
        return 1;
    }
    std::fprintf(stderr,
                 "%zu points of %d ranks on %d nodes written to %s%s\n",
                 points.size(),
                 ring.ranks,
                 ring.nodes,
                 options.out.c_str(),
                 correct ? "" : "; some results were WRONG");
    return correct ? 0 : 1;
}

}  // namespace
}  // namespace probes

int main(int count, char** arguments) {
    MPI_Init(&count, &arguments);
    probes::Options options;
    int status = 0;
    for (int i = 1; i < count; ++i) {
        const std::string word = arguments[i];
        if (word == "--quick") {
            options.quick = true;
        } else if (word == "--out" && i + 1 < count) {
            options.out = arguments[++i];
        } else if (word == "--accelerator" && i + 1 < count) {
            options.accelerator = arguments[++i];
        } else {
            std::fprintf(stderr,
                         "usage: mpirun -np N ridgeline-fabric [--out FILE] [--quick] "
                         "[--accelerator ID]\n");
            status = 2;
            break;
        }
    }
    status = status == 0 ? probes::run(options) : status;
    MPI_Finalize();
    return status;
}
