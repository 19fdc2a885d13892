// The stand-in card without PyTorch: what its functions answer, refuse, and say of themselves.
#include <boost/test/unit_test.hpp>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

constexpr std::size_t mib = 1 << 20;
constexpr int out_of_memory = 2;
constexpr int unknown_exit = 86;

/// A card of one CUDA release, opened in this process.
struct Card {
    void* library;
    explicit Card(const char* path = RIDGELINE_CARD_13)
        : library(dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
        BOOST_REQUIRE_MESSAGE(library != nullptr, dlerror());
    }
    template <typename... Arguments>
    int operator()(const char* name, Arguments... arguments) const {
        auto* function = reinterpret_cast<int (*)(Arguments...)>(dlsym(library, name));
        BOOST_REQUIRE_MESSAGE(function != nullptr, name);
        return function(arguments...);
    }
};

/// A communicator lives until the process ends.
void* volatile kept_communicator = nullptr;

void set(const char* name, const std::string& value) { setenv(name, value.c_str(), 1); }

/// Exit code of a child that runs `action`.
template <typename Action>
int exit_code_of(Action action) {
    const pid_t child = fork();
    if (child == 0) {
        action();
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string folder() {
    const auto path = std::filesystem::temp_directory_path() /
                      ("ridgeline-card-test-" + std::to_string(getpid()));
    std::filesystem::create_directories(path);
    return path.string();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(stand_in_card)

BOOST_AUTO_TEST_CASE(memory_is_refused_beyond_the_card_less_its_context) {
    const int code = exit_code_of([] {
        set("RIDGELINE_CARD_MEMORY", std::to_string(100 * mib));
        set("RIDGELINE_CARD_CONTEXT", std::to_string(20 * mib));
        const Card card;
        std::size_t left = 0, total = 0;
        card("cudaMemGetInfo", &left, &total);
        bool right = total == 100 * mib && left == 80 * mib;
        void* first = nullptr;
        void* second = nullptr;
        // Memory comes in pages of 2 MiB: 1 byte takes one, and 79 MiB no longer fit.
        right = right && card("cudaMalloc", &first, std::size_t{1}) == 0;
        right =
            right && card("cudaMalloc", &second, 79 * mib) == out_of_memory && second == nullptr;
        right = right && card("cudaMalloc", &second, 78 * mib) == 0;
        card("cudaMemGetInfo", &left, &total);
        right = right && left == 0;
        card("cudaFree", second);
        card("cudaMemGetInfo", &left, &total);
        _exit(right && left == 78 * mib ? 0 : 1);
    });
    BOOST_TEST(code == 0);
}

BOOST_AUTO_TEST_CASE(a_process_sees_the_cards_that_it_names) {
    constexpr int no_device = 100;
    struct Row {
        const char* list;
        int code, count;
    };
    for (const Row row : {Row{"0,2", 0, 2}, Row{"3", 0, 1}, Row{"1,9,2", 0, 1},
                          Row{"GPU-12,GPU-34", 0, 2}, Row{"0,1,2,3,0", 0, 4},
                          Row{"-1", no_device, 0}, Row{"9", no_device, 0}, Row{"", no_device, 0}}) {
        const int code = exit_code_of([row] {
            set("RIDGELINE_CARD_COUNT", "4");
            set("CUDA_VISIBLE_DEVICES", row.list);
            const Card card;
            int count = -1;
            const int answer = card("cudaGetDeviceCount", &count);
            const int beyond = card("cudaSetDevice", row.count);
            _exit(answer == row.code && count == row.count && beyond != 0 ? 0 : 1);
        });
        BOOST_TEST(code == 0, row.list);
    }
}

BOOST_AUTO_TEST_CASE(pinned_memory_of_the_host_is_told_from_other) {
    enum { unregistered, host, device };
    const Card card;
    const auto kind_of = [&](void* at) {
        struct {
            int type, device;
            void *on_card, *on_host;
        } found{};
        BOOST_TEST(card("cudaPointerGetAttributes", static_cast<void*>(&found), at) == 0);
        return found.type;
    };
    void* pinned = nullptr;
    BOOST_TEST(card("cudaHostAlloc", &pinned, std::size_t{5000}, 0U) == 0);
    std::vector<char> plain(5000);
    BOOST_TEST(kind_of(static_cast<char*>(pinned) + 4999) == host);
    BOOST_TEST(kind_of(plain.data()) == unregistered);
    BOOST_TEST(card("cudaHostRegister", static_cast<void*>(plain.data()), plain.size(), 0U) == 0);
    BOOST_TEST(kind_of(plain.data() + 10) == host);
    BOOST_TEST(card("cudaHostUnregister", static_cast<void*>(plain.data())) == 0);
    BOOST_TEST(card("cudaFreeHost", pinned) == 0);
    BOOST_TEST(kind_of(plain.data()) == unregistered);
    BOOST_TEST(kind_of(pinned) == unregistered);
}

BOOST_AUTO_TEST_CASE(a_handle_of_virtual_memory_counts_and_a_reservation_does_not) {
    const int code = exit_code_of([] {
        set("RIDGELINE_CARD_MEMORY", std::to_string(64 * mib));
        const Card card;
        unsigned long long at = 0, handle = 0, none = 0;
        const std::array<int, 8> place{1, 0, 1, 0, 0, 0, 0, 0};  // pinned memory of device 0
        bool right =
            card("cuMemAddressReserve", &at, std::size_t{1} << 36, std::size_t{0}, none, none) == 0;
        right = right && card("cuMemCreate", &handle, 60 * mib, place.data(), none) == 0;
        unsigned long long second = 0;
        right = right && card("cuMemCreate", &second, 6 * mib, place.data(), none) == out_of_memory;
        right = right && card("cuMemRelease", handle) == 0;
        right = right && card("cuMemCreate", &second, 6 * mib, place.data(), none) == 0;
        _exit(right ? 0 : 1);
    });
    BOOST_TEST(code == 0);
}

BOOST_AUTO_TEST_CASE(memory_of_another_process_is_refused) {
    std::uint64_t at = 0;
    const std::array<char, 64> handle{};
    BOOST_TEST(Card()("cuIpcOpenMemHandle", &at, handle.data(), 1U) == 801);
}

BOOST_AUTO_TEST_CASE(properties_lie_where_each_release_of_cuda_has_them) {
    // Offsets of struct cudaDeviceProp: major and minor at 360 and 364 in both, multiProcessorCount
    // at 388 in CUDA 12 and 384 in CUDA 13.
    const auto units_at = [](const char* library, int offset) {
        return exit_code_of([=] {
            set("RIDGELINE_CARD_CAPABILITY", "86");
            set("RIDGELINE_CARD_SMS", "84");
            set("RIDGELINE_CARD_NAME", "NVIDIA A40");
            const Card card(library);
            std::array<char, 2048> properties{};
            card("cudaGetDeviceProperties", properties.data(), 0);
            int major = 0, minor = 0, units = 0;
            std::memcpy(&major, properties.data() + 360, 4);
            std::memcpy(&minor, properties.data() + 364, 4);
            std::memcpy(&units, properties.data() + offset, 4);
            _exit(major == 8 && minor == 6 && units == 84 &&
                          std::strcmp(properties.data(), "NVIDIA A40") == 0
                      ? 0
                      : 1);
        });
    };
    BOOST_TEST(units_at(RIDGELINE_CARD_12, 388) == 0);
    BOOST_TEST(units_at(RIDGELINE_CARD_13, 384) == 0);
}

BOOST_AUTO_TEST_CASE(an_unknown_function_ends_the_process_with_its_name) {
    const std::string notes = folder() + "/notes";
    const int code = exit_code_of([&] {
        set("RIDGELINE_CARD_NOTES", notes);
        freopen("/dev/null", "w", stderr);
        const Card card;
        void* function = nullptr;
        int status = 1;
        card("cudaGetDriverEntryPoint", "cuSomethingNew", &function, 0ULL, &status);
        reinterpret_cast<int (*)(int)>(function)(1);
    });
    BOOST_TEST(code == unknown_exit);
    std::string line;
    std::getline(std::ifstream(notes) >> std::ws, line);
    BOOST_TEST(line == "unknown\tcuSomethingNew\t0");
    std::filesystem::remove_all(folder());
}

BOOST_AUTO_TEST_CASE(reads_are_recorded_and_answered_in_order) {
    const std::string file = folder() + "/reads.bin";
    const int recorded = exit_code_of([&] {
        set("RIDGELINE_CARD_READS", "record:" + file);
        const Card card;
        int* memory = nullptr;
        card("cudaMalloc", reinterpret_cast<void**>(&memory), std::size_t{64});
        for (const int value : {7, 11, 13}) {
            *memory = value;
            int read = 0;
            card("cudaMemcpy", static_cast<void*>(&read), static_cast<const void*>(memory),
                 sizeof read, 2);
        }
    });
    BOOST_TEST(recorded == 0);
    const int answered = exit_code_of([&] {
        set("RIDGELINE_CARD_READS", "answer:" + file);
        const Card card;
        int* memory = nullptr;
        card("cudaMalloc", reinterpret_cast<void**>(&memory), std::size_t{64});
        bool right = true;
        for (const int value : {7, 11, 13}) {  // the memory itself holds nothing now
            int read = 0;
            card("cudaMemcpy", static_cast<void*>(&read), static_cast<const void*>(memory),
                 sizeof read, 2);
            right = right && read == value;
        }
        double another = 1;  // a read that the first pass did not make
        card("cudaMemcpy", static_cast<void*>(&another), static_cast<const void*>(memory),
             sizeof another, 2);
        long all = 0, unlike = 0, large = 0;
        card("ridgeline_card_reads", &all, &unlike, &large);
        _exit(right && all == 4 && unlike == 1 ? 0 : 1);
    });
    BOOST_TEST(answered == 0);
    std::filesystem::remove_all(folder());
}

// Two lines read in turn; the second pass does not come by the first of them.
BOOST_AUTO_TEST_CASE(reads_are_told_apart_by_the_lines_that_ask) {
    static unsigned line;
    const std::string file = folder() + "/reads.bin";
    const auto lines = +[]() -> unsigned { return line; };
    const auto read = [](const Card& card, int* memory) {
        int found = 0;
        card("cudaMemcpy", static_cast<void*>(&found), static_cast<const void*>(memory),
             sizeof found, 2);
        return found;
    };
    const int recorded = exit_code_of([&] {
        set("RIDGELINE_CARD_READS", "record:" + file);
        const Card card;
        int* memory = nullptr;
        card("cudaMalloc", reinterpret_cast<void**>(&memory), std::size_t{64});
        card("ridgeline_card_lines", lines);
        for (const int value : {1, 2, 3, 4}) {
            line = value % 2 == 1 ? 10 : 20;
            *memory = value;
            read(card, memory);
        }
    });
    BOOST_TEST(recorded == 0);
    const int answered = exit_code_of([&] {
        set("RIDGELINE_CARD_READS", "answer:" + file);
        const Card card;
        int* memory = nullptr;
        card("cudaMalloc", reinterpret_cast<void**>(&memory), std::size_t{64});
        card("ridgeline_card_lines", lines);
        line = 20;
        bool right = read(card, memory) == 2 && read(card, memory) == 4;
        long all = 0, unlike = 0, large = 0;
        card("ridgeline_card_reads", &all, &unlike, &large);
        right = right && unlike == 0;
        right = right && read(card, memory) == 4;  // once more: what it found last
        card("ridgeline_card_reads", &all, &unlike, &large);
        _exit(right && all == 3 && unlike == 1 ? 0 : 1);
    });
    BOOST_TEST(answered == 0);
    std::filesystem::remove_all(folder());
}

// What a card never wrote is noughts on the host, and takes no memory there.
BOOST_AUTO_TEST_CASE(a_large_copy_to_the_host_holds_what_was_written_alone) {
    const int code = exit_code_of([] {
        set("RIDGELINE_CARD_MEMORY", std::to_string(1024 * mib));
        const Card card;
        constexpr std::size_t size = 256 * mib;
        void* memory = nullptr;
        card("cudaMalloc", &memory, size);
        auto* const on_card = static_cast<char*>(memory);
        on_card[0] = 1, on_card[100 * mib + 5] = 2, on_card[size - 3] = 3;
        std::vector<char> stale(17 * mib, 7);  // 16 of them from the middle of the card on
        card("cudaMemcpy", static_cast<void*>(stale.data() + 11),
             static_cast<const void*>(on_card + 90 * mib), 16 * mib, 2);
        bool right = stale[10] == 7 && stale[11] == 0 && stale[11 + 16 * mib] == 7 &&
                     stale[11 + 10 * mib + 5] == 2 && stale[9 * mib] == 0;

        const auto resident = [] {
            std::size_t pages = 0;
            std::ifstream("/proc/self/statm") >> pages >> pages;
            return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        };
        const std::size_t before = resident();
        auto* const fresh = static_cast<char*>(std::malloc(size));
        card("cudaMemcpy", static_cast<void*>(fresh), static_cast<const void*>(on_card), size, 2);
        right = right && resident() - before < 16 * mib && fresh[0] == 1 && fresh[1] == 0 &&
                fresh[100 * mib + 5] == 2 && fresh[size - 3] == 3;
        std::free(fresh);
        _exit(right ? 0 : 1);
    });
    BOOST_TEST(code == 0);
}

BOOST_AUTO_TEST_CASE(an_event_is_done_when_the_card_has_caught_up) {
    const int code = exit_code_of([] {
        set("RIDGELINE_CARD_LAG", "3");
        const Card card;
        void* event = nullptr;
        card("cudaEventCreate", &event);
        card("cudaLaunchKernel");
        card("cudaEventRecord", event, static_cast<void*>(nullptr));
        bool right = card("cudaEventQuery", event) == 600;
        for (int i = 0; i < 3; ++i) {
            card("cudaLaunchKernel");
        }
        right = right && card("cudaEventQuery", event) == 0;
        card("cudaEventRecord", event, static_cast<void*>(nullptr));
        right = right && card("cudaEventQuery", event) == 600;
        card("cudaDeviceSynchronize");
        _exit(right && card("cudaEventQuery", event) == 0 ? 0 : 1);
    });
    BOOST_TEST(code == 0);
}

BOOST_AUTO_TEST_CASE(a_capture_is_told_and_ends) {
    const Card card;
    void* stream = nullptr;
    void* graph = nullptr;
    int status = 7;
    card("cudaStreamCreate", &stream);
    card("cudaStreamIsCapturing", stream, &status);
    BOOST_TEST(status == 0);
    BOOST_TEST(card("cudaStreamBeginCapture", stream, 0) == 0);
    card("cudaStreamIsCapturing", stream, &status);
    BOOST_TEST(status == 1);
    BOOST_TEST(card("cudaStreamEndCapture", stream, &graph) == 0);
    card("cudaStreamIsCapturing", stream, &status);
    BOOST_TEST(status == 0);
    BOOST_TEST(card("cudaGraphDestroy", graph) == 0);
    BOOST_TEST(card("cudaStreamDestroy", stream) == 0);
}

BOOST_AUTO_TEST_CASE(weights_of_an_lstm_are_those_of_its_formula) {
    const Card card;
    void* recurrent = nullptr;
    card("cudnnCreateRNNDescriptor", &recurrent);
    // Two layers, one direction, input 10, hidden 20, fp32, two sets of biases:
    // 4 x 20 x (10 + 20) + 4 x 20 x (20 + 20) matrices and 2 x 2 x 4 x 20 biases.
    card("cudnnSetRNNDescriptor_v8", recurrent, 0, 2, 2, 0, 0, 0, 0, 0, 10, 20, 20, 2,
         static_cast<void*>(nullptr), 0U);
    std::size_t size = 0;
    card("cudnnGetRNNWeightSpaceSize", static_cast<void*>(nullptr), recurrent, &size);
    BOOST_TEST(size == (2400 + 3200 + 320) * 4);
    card("cudnnDestroyRNNDescriptor", recurrent);
}

BOOST_AUTO_TEST_CASE(two_ranks_exchange_small_messages) {
    struct Identity {
        char text[128];
    };
    const Card card;
    Identity identity{};
    set("RIDGELINE_CARD_RUN", std::to_string(getpid()));
    card("ncclGetUniqueId", &identity);
    const auto rank = [&](int mine) {
        void* communicator = nullptr;
        card("ncclCommInitRank", &communicator, 2, identity, mine);
        const float value = mine == 0 ? 1.5F : 2.25F;
        float sum = 0;
        card("ncclAllReduce", static_cast<const void*>(&value), static_cast<void*>(&sum),
             std::size_t{1}, 7, 0, communicator, static_cast<void*>(nullptr));
        const std::int64_t own = 40 + mine;
        std::array<std::int64_t, 2> all{};
        card("ncclAllGather", static_cast<const void*>(&own), static_cast<void*>(all.data()),
             std::size_t{1}, 4, communicator, static_cast<void*>(nullptr));
        int word = mine == 1 ? 99 : 0;
        if (mine == 1) {
            card("ncclSend", static_cast<const void*>(&word), std::size_t{1}, 2, 0, communicator,
                 static_cast<void*>(nullptr));
        } else {
            card("ncclRecv", static_cast<void*>(&word), std::size_t{1}, 2, 1, communicator,
                 static_cast<void*>(nullptr));
        }
        // A destroyed one stays: a watchdog may still ask it.
        kept_communicator = communicator;
        card("ncclCommDestroy", communicator);
        return sum == 3.75F && all[0] == 40 && all[1] == 41 && word == 99;
    };
    const pid_t child = fork();
    if (child == 0) {
        _exit(rank(1) ? 0 : 1);
    }
    // A rank that lives on without waiting would be one that others may wait for.
    BOOST_TEST(exit_code_of([&] { _exit(rank(0) ? 0 : 1); }) == 0);
    int status = 0;
    waitpid(child, &status, 0);
    BOOST_TEST(WEXITSTATUS(status) == 0);
    for (const char* end : {"", "-0-1", "-1-0"}) {
        std::filesystem::remove("/dev/shm" + std::string(identity.text) + end);
    }
    std::filesystem::remove("/dev/shm/ridgeline-" + std::to_string(getpid()) + "-table");
    unsetenv("RIDGELINE_CARD_RUN");
}

BOOST_AUTO_TEST_CASE(a_rank_does_not_wait_for_what_cannot_come) {
    struct Identity {
        char text[128];
    };
    const std::string notes = folder() + "/notes", for_ever = "1000000";
    set("RIDGELINE_CARD_RUN", std::to_string(getpid()));
    set("RIDGELINE_CARD_PATIENCE", for_ever);
    set("RIDGELINE_CARD_NOTES", notes);
    const auto note_of_a_rank = [&](const std::string& seconds_still, auto other_does) {
        set("RIDGELINE_CARD_STILL", seconds_still);
        std::filesystem::remove(notes);
        const Card card;
        Identity identity{};
        card("ncclGetUniqueId", &identity);
        const auto join = [&](int mine) {
            void* communicator = nullptr;
            card("ncclCommInitRank", &communicator, 2, identity, mine);
            kept_communicator = communicator;
            return communicator;
        };
        int word = 0;
        const auto receive = [&](int peer, void* communicator) {
            card("ncclRecv", static_cast<void*>(&word), std::size_t{1}, 2, peer, communicator,
                 static_cast<void*>(nullptr));
        };
        const pid_t child = fork();
        if (child == 0) {
            other_does(receive, join(1));
            _exit(0);
        }
        BOOST_TEST(exit_code_of([&] { receive(1, join(0)); }) == unknown_exit);
        waitpid(child, nullptr, 0);
        std::filesystem::remove("/dev/shm" + std::string(identity.text));
        std::filesystem::remove("/dev/shm/ridgeline-" + std::to_string(getpid()) + "-table");
        std::string line;
        std::getline(std::ifstream(notes), line);
        return line;
    };
    // The other has ended, which is told of it alone; else each waits for the other until nothing
    // moves.
    BOOST_TEST(note_of_a_rank(for_ever, [](auto, void*) {}).empty());
    BOOST_TEST(!note_of_a_rank("1", [](auto wait, void* group) { wait(0, group); }).empty());
    for (const char* name : {"RUN", "STILL", "PATIENCE", "NOTES"}) {
        unsetenv(("RIDGELINE_CARD_" + std::string(name)).c_str());
    }
}

BOOST_AUTO_TEST_SUITE_END()
