#include "data/workload_fields_reader.h"

#include "base/lists.h"
#include "base/text.h"
#include "data/import_huggingface.h"
#include "data/reader_errors.h"
#include "spec/words.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace ridgeline {
namespace {

/// The names of a LoRA adapter's targets: a list, or the word for all of them.
std::optional<std::vector<std::string>> read_names(Reader& section, std::string_view key) {
    if (section.is_text(key)) {
        const std::string names = section.text(key);
        if (names == "all-linear") {
            return std::vector<std::string>{names};
        }
        section.fail(key,
                     fmt::format("found \"{}\", expected \"all-linear\" or a list of names",
                                 printable(names)),
                     did_you_mean(names, std::vector<std::string>{"all-linear"}));
        return std::nullopt;
    }
    if (!section.has(key)) {
        return std::nullopt;
    }
    if (section.is_array(key) && section.node(key).elements().empty()) {
        section.fail(key, "is an empty list, expected at least one name");
    }
    return section.texts(key);
}

/// A kernel that is one layer of a network (a convolution, a recurrent layer, a look-up) is a
/// network of one operator, which runs once.
bool read_layer_kernel(Reader& top, WorkloadDocument& document, const std::string& where) {
    if (!top.is_object("kernel")) {
        return false;
    }
    const nlohmann::json kernel = top.raw("kernel");
    constexpr std::array layers = {"conv2d", "recurrent", "hash_embedding"};
    const auto operation = kernel.find("operation");
    if (operation == kernel.end() || !operation->is_string() ||
        !is_among(operation->get<std::string>(), layers)) {
        return false;
    }
    nlohmann::json network = kernel;
    network["model_type"] = operation->get<std::string>() + "_kernel";
    network["name"] = operation->get<std::string>();
    network.erase("operation");
    auto architecture = architecture_from_json(network, where);
    if (!architecture) {
        top.fail("kernel", architecture.error().text());
        return true;
    }
    document.architecture = *architecture;
    document.task = Task::inference;
    document.micro_batch = static_cast<int>(std::clamp(
        architecture->network->number("batch", architecture->network->number("n", 1)), 1.0, 1e9));
    if (const auto type = compute_type_named(architecture->network->word("compute"))) {
        document.compute = type;
    }
    return true;
}

/// Sides as a number, a list of numbers or a text ("512x512x512", 8k is 8192).
std::vector<double> read_sides(Reader& kernel, const char* key) {
    constexpr Range side{1, 1e15};
    if (kernel.is_array(key)) {
        return kernel.numbers(key, side);
    }
    if (!kernel.is_text(key)) {
        const auto one = kernel.optional_number(key, side);
        return one ? std::vector<double>{*one} : std::vector<double>{};
    }
    const std::string text = kernel.text(key);
    std::vector<double> sides;
    for (const std::string& piece : split(text, 'x')) {
        const auto number = length_with_suffix(piece);
        if (!number || !(*number >= side.least) || *number > side.most) {
            kernel.fail(key, fmt::format("found \"{}\", expected sides such as 4096 or 512x512x256",
                                         printable(text)));
            return {};
        }
        sides.push_back(*number);
    }
    return sides;
}

/// The kind of kernel; "dgemm" also says the number type.
void read_operation(Reader& kernel, Kernel& values, WorkloadDocument& document) {
    TypedKernel typed;
    if (kernel.is_text("operation") && read_typed_kernel(kernel.text("operation"), typed)) {
        values.operation = typed.kind;
        document.compute = typed.type;
        return;
    }
    // A scale kernel that is launched again and again, as a benchmark calls it.
    if (kernel.is_text("operation") && kernel.text("operation") == "repeated_scale") {
        values.operation = "scale";
        return;
    }
    const auto known = kernel_words();
    const std::vector<std::string> operations(known.begin(), known.end());
    if (const auto index = kernel.choice_index("operation", operations)) {
        values.operation = operations[*index];
    }
}

/// Forces by their word, or by the name that a benchmark gives them (OpenMM: "LJPME",
/// "Explicit-RF", with "pme" for the polarisable AMOEBA as well); empty: neither.
std::string_view forces_of(const std::string& method, const std::string& system) {
    using Named = std::pair<std::string_view, std::string_view>;
    static constexpr Named of_benchmarks[] = {
        {"ljpme", "lj-pme"}, {"explicit-pme", "pme"}, {"explicit-rf", "rf"}, {"gbsa", "implicit"}};
    if (system.starts_with("amoeba")) {
        return "amoeba";
    }
    const std::string name = lower(method);
    for (const std::string_view word : force_words()) {
        if (name == word) {
            return word;
        }
    }
    for (const auto& [said, word] : of_benchmarks) {
        if (name == said) {
            return word;
        }
    }
    return {};
}

void read_forces(Reader& kernel, Kernel& values, const std::string& system) {
    const auto method = kernel.optional_text("method");
    if (!method) {
        return;
    }
    values.method = forces_of(*method, system);
    if (values.method.empty()) {
        const std::vector<std::string> words(force_words().begin(), force_words().end());
        kernel.fail("method",
                    fmt::format("found \"{}\", expected one of: {}", printable(*method),
                                joined(words, ", ")),
                    did_you_mean(*method, words));
    }
}

/// Sizes that only a document states.
void read_kernel_numbers(Reader& kernel, Kernel& values) {
    struct Named {
        const char* key;
        Range range;
        double Kernel::*field;
    };
    constexpr Range count{0, 1e15};
    for (const auto& [key, range, field] :
         {Named{"m", {1, 1e9}, &Kernel::m}, Named{"n", {1, 1e9}, &Kernel::n},
          Named{"k", {1, 1e9}, &Kernel::k}, Named{"bytes", count, &Kernel::bytes},
          Named{"row_max", count, &Kernel::row_max},
          Named{"row_variance", {0, 1e24}, &Kernel::row_variance},
          Named{"index_bytes", {1, 8}, &Kernel::index_bytes}}) {
        if (const auto stated = kernel.optional_number(key, range)) {
            values.*field = *stated;
        }
    }
    values.ranks = kernel.integer_or("ranks", values.ranks, {1, 1e6});
    const std::vector<std::string> stored = {"fp32", "fp16s", "fp16c"};
    if (const auto index = kernel.choice_index("storage", stored)) {
        values.storage = stored[*index];
    }
}

/// Keys of measured rows that say the same in other words.
void read_other_kernel_words(Reader& kernel, Kernel& values, WorkloadDocument& document) {
    constexpr Range count{1, 1e15};
    for (const char* elements : {"cells", "atoms", "bodies"}) {
        if (const auto stated = kernel.optional_number(elements, count)) {
            values.elements = *stated;
        }
    }
    if (kernel.has("dims")) {
        values.size = read_sides(kernel, "dims");
    }
    const auto rows = kernel.optional_number("rows", count);
    const auto columns = kernel.optional_number("columns", count);
    if (rows) {
        values.size = {*rows, columns.value_or(*rows)};
    }
    if (const auto transformed = kernel.optional_text("kind")) {
        if (*transformed != "c2c" && *transformed != "r2c") {
            kernel.fail("kind", "found \"" + printable(*transformed) + "\", expected c2c or r2c");
        }
        values.real = *transformed == "r2c";
    }
    values.graph = kernel.text_or("launch_mode", "stream") == "graph";
    if (const auto type = kernel.optional_text("compute")) {
        // Of molecular dynamics: forces in fp32, sums in fp64.
        document.compute = *type == "mixed" ? ComputeType::fp32 : compute_type_named(*type);
        if (!document.compute) {
            kernel.fail("compute",
                        "found \"" + printable(*type) + "\", expected a type such as fp64 or bf16");
        }
    }
    const std::string system = kernel.text_or("system", "");
    read_forces(kernel, values, system);
    for (const char* said : {"code", "in_place", "row_mean", "bytes_per_cell"}) {
        kernel.ignore(said);
    }
}

/// A number is 0, where that is allowed, or at least this: no token is parted, and of what is below
/// a millionth of its unit nothing is left in any answer.
double least_above_zero(const WorkloadField& field) {
    return field.least > 0 ? field.least : field.unit == "tokens" ? 1 : 1e-6;
}

}  // namespace

std::optional<FieldValue> read_field(Reader& section, const WorkloadField& field) {
    const auto value_of = [](const auto& read) {
        return read ? std::optional<FieldValue>(*read) : std::nullopt;
    };
    const Range range{field.least, field.most};
    switch (field.type) {
        case FieldType::whole: {
            const auto whole = section.optional_integer(field.key(), range);
            return whole ? std::optional<FieldValue>(static_cast<double>(*whole)) : std::nullopt;
        }
        case FieldType::number: {
            const auto number = section.optional_number(field.key(), range);
            const double least = least_above_zero(field);
            if (number && *number > 0 && *number < least) {
                section.fail(field.key(),
                             fmt::format("found {}, expected 0, or a number from {} to {}", *number,
                                         least, field.most));
                return std::nullopt;
            }
            return value_of(number);
        }
        case FieldType::boolean:
            return value_of(section.optional_boolean(field.key()));
        case FieldType::text:
            return value_of(section.optional_text(field.key()));
        case FieldType::names:
            return value_of(read_names(section, field.key()));
        case FieldType::word: {
            if (!section.has(field.key())) {
                return std::nullopt;
            }
            const auto words = field.words();
            const std::vector<std::string> names(words.begin(), words.end());
            const auto index = section.choice_index(field.key(), names);
            return index ? std::optional<FieldValue>(names[*index]) : std::nullopt;
        }
    }
    return std::nullopt;
}

void read_kernel(Reader& top, WorkloadDocument& document, const std::string& where) {
    if (read_layer_kernel(top, document, where)) {
        return;
    }
    auto kernel = top.optional_object("kernel");
    if (!kernel) {
        if (document.task == Task::kernel && !document.kernel) {
            top.fail("kernel", "missing, expected an object with the operation of task \"kernel\"");
        }
        return;
    }
    Kernel values = document.kernel.value_or(Kernel{});
    if (kernel->has("operation")) {
        read_operation(*kernel, values, document);
    } else if (values.operation.empty()) {
        kernel->fail("operation", "missing, expected a kernel such as \"gemm\" or \"fft3d\"");
    }
    document.kernel = values;
    for (const WorkloadField& field : workload_fields()) {
        const std::string_view key = field.key();
        const bool apart =
            key == "operation" || key == "size" || key == "compute" || key == "method";
        if (field.section() != "kernel" || apart) {
            continue;
        }
        if (const auto value = read_field(*kernel, field)) {
            field.set(document, *value);
        }
    }
    if (kernel->has("size")) {
        document.kernel->size = read_sides(*kernel, "size");
    }
    read_kernel_numbers(*kernel, *document.kernel);
    read_other_kernel_words(*kernel, *document.kernel, document);
    const Kernel& read = *document.kernel;
    const bool sized = read.m > 0 || read.n > 0 || read.k > 0;
    if (read.operation == "gemm" && read.size.empty() && !sized) {
        kernel->fail("size", "missing, expected the sides of the product, such as 4096x4096x4096");
    } else if (read.operation == "gemm" && read.size.empty()) {
        for (const auto& [key, value] : {std::pair{"m", read.m}, {"n", read.n}, {"k", read.k}}) {
            if (!(value > 0) && !kernel->has(key)) {
                kernel->fail(key, "missing, expected the size of the product");
            }
        }
    }
    kernel->reject_unknown();
}

}  // namespace ridgeline
