// What data/ asks of a machine, where there is none: a page has no disk and no devices.
#include "data/catalog_reader.h"
#include "data/file_tree.h"
#include "data/formats/weight_header.h"
#include "data/load_onnx.h"
#include "data/load_rehearsal.h"
#include "data/load_requests.h"
#include "data/load_trace.h"
#include "data/local_machine.h"
#include "data/measurement_reader.h"

#include <cstdarg>
#include <cstddef>
#include <cstdio>

/// One thread lives as long as the page: what it leaves is never torn down.
extern "C" int __cxa_thread_atexit(void (*)(void*), void*,
                                   void*);  // NOLINT(bugprone-reserved-identifier)
extern "C" int __cxa_thread_atexit(void (*)(void*), void*, void*) { return 0; }

/// C's printing, which libraries keep for hexadecimal fractions and last words: nothing here asks
/// for them, and it is a hundredth of the core.
extern "C" int snprintf(char*, std::size_t, const char*, ...) { __builtin_trap(); }
extern "C" int vfprintf(FILE*, const char*, va_list) { __builtin_trap(); }

namespace ridgeline {

std::shared_ptr<const FileTree> disk() {
    static const std::shared_ptr<const FileTree> empty = bundle_of({});
    return empty;
}

std::string TreePath::folder_name() const { return path_.parent_path().filename().string(); }

LocalMachine local_machine(const LocalPlaces&) {
    LocalMachine machine;
    machine.reasons.emplace_back("a page sees no devices");
    return machine;
}

/// Calibrations of a page are the built-in ones, which no probe wrote.
std::optional<MeasuredRun> read_measurement(Reader&) { return std::nullopt; }

Result<std::optional<nlohmann::json>> weight_header_of(const std::string&) {
    return std::nullopt;  // the page itself reads headers, by slices of the dropped file
}

Result<RehearsedMemory> load_rehearsed_memory(const TreePath& file) {
    return input_error(file.string(), "a page reads no rehearsals, which are files of a disk");
}

Result<GivenShape> shape_from_text(const std::string& text) {
    return input_error(text, "a page reads no graphs of ONNX, which are files of a disk");
}

Result<Architecture> load_onnx(const TreePath& file, const std::vector<GivenShape>&) {
    return input_error(file.string(), "a page reads no graphs of ONNX, which are files of a disk");
}

Result<std::vector<TracedRequest>> load_requests(const TreePath& file) {
    return input_error(file.string(), "a page reads no records, which are files of a disk");
}

Result<void> read_price_table(std::string_view, const std::string& where, const std::string&,
                              const std::string&, Catalog&, std::vector<std::string>&) {
    return input_error(where, "a page reads no price tables, which are files of a disk");
}

Result<OperatorTrace> load_trace(const TreePath& file) {
    return input_error(file.string(), "a page reads no traces, which are files of a disk");
}

}  // namespace ridgeline
