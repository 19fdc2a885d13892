// Every reader of foreign bytes on its seeds, on what was once found to break it, and on mutations.
//   mutations [--target NAME] [--count N] [--seed N] [--only FILE] [--corpus FOLDER: seeds as
//   files]
// The text that is being read lies in mutations.<pid>.input, so that a crash leaves it behind.
#include "fuzz/mutate.h"
#include "fuzz/targets.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using ridgeline::fuzz::Target;

constexpr std::uintmax_t most_seed_bytes = 64 << 10;

std::string text_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Questions of a file of expected readings, each a seed of its own.
void add_questions(const fs::path& file, std::vector<std::string>& texts) {
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) {
        texts.push_back(nlohmann::json::parse(line).value("q", ""));
    }
}

void add_files(const fs::path& place, std::vector<std::string>& texts) {
    if (place.extension() == ".jsonl") {
        add_questions(place, texts);
    } else if (fs::is_regular_file(place)) {
        texts.push_back(text_of(place).substr(0, most_seed_bytes));
    } else if (fs::is_directory(place)) {
        std::vector<fs::path> files;
        for (const auto& entry : fs::recursive_directory_iterator(place)) {
            if (entry.is_regular_file() &&
                (entry.file_size() <= most_seed_bytes || entry.path().extension() == ".jsonl")) {
                files.push_back(entry.path());
            }
        }
        std::sort(files.begin(), files.end());
        for (const fs::path& file : files) {
            add_files(file, texts);
        }
    }
}

std::vector<std::string> seeds_of(const Target& target) {
    std::vector<std::string> texts(target.texts.begin(), target.texts.end());
    const fs::path root = RIDGELINE_SOURCE_DIR;
    for (const std::string_view place : target.seeds) {
        add_files(root / place, texts);
    }
    texts.emplace_back();
    return texts;
}

/// Those that libFuzzer begins with. It reads all before it mutates one: thousands of questions
/// would take up the minute that a target is given.
void write_seeds(const Target& target, const fs::path& folder) {
    const std::vector<std::string> seeds = seeds_of(target);
    const std::size_t most = target.slow ? 100 : 400;
    fs::create_directories(folder);
    for (std::size_t i = 0; i < seeds.size(); i += 1 + seeds.size() / most) {
        std::ofstream(folder / ("seed" + std::to_string(i)), std::ios::binary) << seeds[i];
    }
}

/// Reads one text; one that breaks the reader stays behind as a file.
class Run {
public:
    explicit Run(const Target& target)
        : target_(target),
          kept_(fs::temp_directory_path() / ("mutations." + std::to_string(getpid()) + ".input")) {}

    void read(const std::string& text) {
        std::ofstream(kept_, std::ios::binary) << text;
        const std::clock_t start = std::clock();  // others may share the processor
        try {
            target_.read(text);
        } catch (const std::exception& error) {
            std::fprintf(stderr, "%s threw %s on %s\n", name().c_str(), error.what(),
                         kept_.c_str());
            std::abort();
        }
        const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        if (seconds > slowest_) {
            slowest_ = seconds;
            slowest_text_ = text;
        }
        ++count_;
    }

    ~Run() {
        std::printf("%-14s %7ld texts, slowest %.3f s\n", name().c_str(), count_, slowest_);
        if (slowest_ > 1) {
            const fs::path slow = kept_.string() + ".slow";
            std::ofstream(slow, std::ios::binary) << slowest_text_;
            std::printf("               that one is %s\n", slow.c_str());
        }
        std::error_code ignored;
        fs::remove(kept_, ignored);
    }

private:
    [[nodiscard]] std::string name() const { return std::string(target_.name); }

    const Target& target_;
    fs::path kept_;
    long count_ = 0;
    double slowest_ = 0;
    std::string slowest_text_;
};

void run(const Target& target, long count, std::uint64_t seed) {
    std::vector<std::string> found;
    add_files(fs::path(RIDGELINE_SOURCE_DIR) / "tests/fuzz/found" / target.name, found);
    const std::vector<std::string> seeds = seeds_of(target);
    Run reading(target);
    for (const std::string& text : found) {
        reading.read(text);
    }
    const std::size_t step = std::max<std::size_t>(1, seeds.size() / 50);
    for (std::size_t i = 0; i < seeds.size(); i += step) {
        reading.read(seeds[i]);
    }
    std::mt19937_64 dice(seed);
    for (long i = 0; i < (target.slow ? count / 10 : count); ++i) {
        reading.read(ridgeline::fuzz::mutated(seeds[dice() % seeds.size()], seeds, dice));
    }
}

}  // namespace

int main(int count, char** arguments) {
    std::map<std::string, std::string> options{{"--count", "200"}, {"--seed", "1"}};
    for (int i = 1; i + 1 < count; i += 2) {
        options[arguments[i]] = arguments[i + 1];
    }
    for (const Target& target : ridgeline::fuzz::targets()) {
        if (options.count("--target") != 0 && options["--target"] != target.name) {
            continue;
        }
        if (options.count("--only") != 0) {
            target.read(text_of(options["--only"]));
            continue;
        }
        if (options.count("--corpus") != 0) {
            write_seeds(target, options["--corpus"]);
            continue;
        }
        run(target, std::atol(options["--count"].c_str()),
            std::strtoull(options["--seed"].c_str(), nullptr, 10));
    }
    return 0;
}
