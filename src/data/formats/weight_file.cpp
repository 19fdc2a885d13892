#include "base/text.h"
#include "data/formats/weight_header.h"
#include "data/reader.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <system_error>

namespace ridgeline {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t largest_header = std::uint64_t{64} << 20;
constexpr std::uint64_t longest_word = std::uint64_t{1} << 20;
constexpr std::uint64_t most_entries = std::uint64_t{1} << 20;

/// Reads forward through the header of a file, little-endian.
class HeaderStream {
public:
    explicit HeaderStream(const std::string& path) : stream_(path, std::ios::binary) {}

    template <typename Number>
    Number number() {
        Number value{};
        take(reinterpret_cast<char*>(&value), sizeof value);
        return value;
    }
    std::string text(std::uint64_t length) {
        if (length > longest_word && length > largest_header - read_) {
            fail(fmt::format("claims a text of {} bytes", length));
        }
        std::string out(problem_.empty() ? length : 0, '\0');
        take(out.data(), out.size());
        return out;
    }
    std::string word() {
        const auto length = number<std::uint64_t>();
        if (length > longest_word) {
            fail(fmt::format("claims a word of {} bytes", length));
        }
        return good() ? text(length) : "";
    }
    void pass(std::uint64_t length) {
        if (length > largest_header) {
            return fail("claims a header of more than 64 MiB");
        }
        read_ += length;
        stream_.seekg(static_cast<std::streamoff>(length), std::ios::cur);
    }
    void fail(std::string problem) { problem_ = problem_.empty() ? std::move(problem) : problem_; }
    [[nodiscard]] bool good() const { return problem_.empty(); }
    [[nodiscard]] const std::string& problem() const { return problem_; }

private:
    void take(char* into, std::uint64_t length) {
        read_ += length;
        if (good() &&
            (read_ > largest_header || !stream_.read(into, static_cast<std::streamsize>(length)))) {
            fail(read_ > largest_header ? "has a header of more than 64 MiB"
                                        : "ends within its header");
        }
    }

    std::ifstream stream_;
    std::uint64_t read_ = 0;
    std::string problem_;
};

/// Layers repeat: one of each kind says all, and how often it stands.
class TensorKinds {
public:
    void add(const std::string& name, const Json& type, const Json& shape) {
        std::string kind;
        int layer = -1;
        for (std::size_t at = 0; at < name.size();) {
            std::size_t end = at + 1;
            while (name[at] == '.' && end < name.size() && is_digit(name[end])) {
                ++end;
            }
            const bool numbered = end > at + 1 && end < name.size() && name[end] == '.';
            if (numbered && layer < 0 && end - at < 8) {
                layer = std::stoi(name.substr(at + 1, end - at - 1));
            }
            kind += numbered ? ".*" : name.substr(at, 1);
            at = numbered ? end : at + 1;
        }
        Json& known = kinds_[kind + "\n" + type.dump() + shape.dump()];
        if (known.is_null()) {
            known = {{"name", kind}, {"type", type}, {"shape", shape}, {"count", 0}, {"last", -1}};
        }
        known["count"] = known["count"].get<int>() + 1;
        known["last"] = std::max(known["last"].get<int>(), layer);
    }
    [[nodiscard]] Json list() const {
        Json out = Json::array();
        for (const auto& [key, kind] : kinds_) {
            out.push_back(kind);
        }
        return out;
    }

private:
    std::map<std::string, Json> kinds_;
};

template <typename Number>
Json one(HeaderStream& stream) {
    const auto value = stream.number<Number>();
    return Json(value);
}

/// A value of the types of GGUF's gguf_metadata_value_type; of a list its length.
Json gguf_value(HeaderStream& stream, std::uint32_t type) {
    constexpr std::uint64_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
    switch (type) {
        case 0:
        case 7:
            return one<std::uint8_t>(stream);
        case 1:
            return one<std::int8_t>(stream);
        case 2:
            return one<std::uint16_t>(stream);
        case 3:
            return one<std::int16_t>(stream);
        case 4:
            return one<std::uint32_t>(stream);
        case 5:
            return one<std::int32_t>(stream);
        case 6:
            return one<float>(stream);
        case 8:
            return stream.word();
        case 10:
            return one<std::uint64_t>(stream);
        case 11:
            return one<std::int64_t>(stream);
        case 12:
            return one<double>(stream);
        case 9:
            break;
        default:
            stream.fail(fmt::format("holds a value of the unknown type {}", type));
            return {};
    }
    const auto kind = stream.number<std::uint32_t>();
    const auto count = stream.number<std::uint64_t>();
    if (count > most_entries || kind > 12 || kind == 9) {
        stream.fail(fmt::format("claims a list of {} items of type {}", count, kind));
        return {};
    }
    if (kind == 8) {
        for (std::uint64_t i = 0; i < count && stream.good(); ++i) {
            stream.pass(stream.number<std::uint64_t>());
        }
    } else {
        stream.pass(count * sizes[kind]);
    }
    return {{"length", count}};
}

Json gguf_header(HeaderStream& stream) {
    const auto version = stream.number<std::uint32_t>();
    const auto tensors = stream.number<std::uint64_t>();
    const auto keys = stream.number<std::uint64_t>();
    if (stream.good() && (version < 2 || version > 3)) {
        stream.fail(fmt::format("is GGUF of version {}, expected 2 or 3", version));
    }
    if (tensors > most_entries || keys > most_entries) {
        stream.fail(fmt::format("claims {} tensors and {} keys", tensors, keys));
    }
    Json header = Json::object();
    for (std::uint64_t i = 0; i < keys && stream.good(); ++i) {
        const std::string key = stream.word();
        header[key] = gguf_value(stream, stream.number<std::uint32_t>());
    }
    TensorKinds kinds;
    for (std::uint64_t i = 0; i < tensors && stream.good(); ++i) {
        const std::string name = stream.word();
        const auto sides = stream.number<std::uint32_t>();
        if (sides > 8) {
            stream.fail(fmt::format("claims a tensor of {} dimensions", sides));
            break;
        }
        Json shape = Json::array();
        for (std::uint32_t k = 0; k < sides; ++k) {
            shape.insert(shape.begin(), stream.number<std::uint64_t>());
        }
        const auto type = stream.number<std::uint32_t>();
        stream.number<std::uint64_t>();
        kinds.add(name, type, shape);
    }
    return {{"gguf", header}, {"tensors", kinds.list()}};
}

Json safetensors_header(HeaderStream& stream, std::uint64_t length) {
    const Json header = Json::parse(stream.text(length), nullptr, false);
    TensorKinds kinds;
    if (!header.is_object()) {
        stream.fail("begins like safetensors, but its header is no JSON object");
        return {};
    }
    for (const auto& [name, tensor] : header.items()) {
        if (name != "__metadata__" && tensor.is_object()) {
            kinds.add(name, tensor.value("dtype", Json()), tensor.value("shape", Json::array()));
        }
    }
    return {{"safetensors", Json::object()}, {"tensors", kinds.list()}};
}

}  // namespace

Result<std::optional<Json>> weight_header_of(const std::string& path) {
    std::error_code problem;
    if (!std::filesystem::is_regular_file(path, problem)) {
        return std::nullopt;  // what a pipe gives is gone once it is read
    }
    HeaderStream stream(path);
    const auto first = stream.number<std::uint64_t>();
    const auto brace = stream.number<char>();
    if (!stream.good()) {
        return std::nullopt;
    }
    const bool gguf = std::memcmp(&first, "GGUF", 4) == 0;
    if (!gguf && (brace != '{' || first > largest_header)) {
        return std::nullopt;
    }
    HeaderStream again(path);
    gguf ? static_cast<void>(again.number<std::uint32_t>())
         : static_cast<void>(again.number<std::uint64_t>());
    Json header = gguf ? gguf_header(again) : safetensors_header(again, first);
    if (!again.good()) {
        return input_error(path, again.problem());
    }
    return std::optional(std::move(header));
}

}  // namespace ridgeline
