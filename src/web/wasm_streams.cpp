#include "web/wasm_streams.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// Layout: the size of the module, where its code begins, the size of each stream, the streams. All
// numbers are LEB128, as in a module.

namespace ridgeline::web {
namespace {

/// As page/wasm_streams.js names them.
// clang-format off
enum Stream : std::uint8_t {
    around, common, operations, heads, got, put, blocks, branches, calls, words, places, longs,
    floats, fields, rest, streams
};
// clang-format on

/// Codes that WebAssembly leaves free: an alignment of 1, 2, 4, 8 that is not the width of the
/// access behind it; an i32 of three bytes; from here on the common instructions, each of which
/// stands in four bytes of its stream.
constexpr std::uint8_t aligned = 0xd8, wide = 0xdc, first_common = 0xe0;
constexpr std::size_t most_common = 16;

/// Alignments of 0x28, i32.load, to 0x3e, i64.store32, as the width of each has them.
constexpr std::string_view widths = "23230011001122232301012";

/// Instructions whose operands are so many LEB128 and nothing else.
struct Plain {
    std::uint8_t first, last;
    Stream stream;
    unsigned operands;
};
constexpr Plain plain[] = {
    {0x00, 0x01, operations, 0}, {0x02, 0x04, blocks, 1},     {0x05, 0x05, operations, 0},
    {0x0b, 0x0b, operations, 0}, {0x0c, 0x0d, branches, 1},   {0x0f, 0x0f, operations, 0},
    {0x11, 0x11, rest, 2},       {0x1a, 0x1b, operations, 0}, {0x23, 0x24, rest, 1},
    {0x3f, 0x40, rest, 1},       {0x42, 0x42, longs, 1},      {0x45, 0xc4, operations, 0}};

/// A module as it is read; what lies behind its end is zero and not good.
struct Bytes {
    std::string_view all;
    std::size_t at = 0;
    bool good = true;

    std::uint8_t byte() {
        good = good && at < all.size();
        return good ? static_cast<std::uint8_t>(all[at++]) : 0;
    }
    /// A LEB128 and how many bits it has, of which the last is the sign of a signed one.
    std::uint64_t number(unsigned* bits = nullptr) {
        std::uint64_t value = 0;
        unsigned shift = 0;
        for (std::uint8_t part = 0x80; part >= 0x80; shift += 7) {
            part = byte();
            good = good && shift < 64;
            value |= good ? std::uint64_t(part & 0x7fU) << shift : 0;
        }
        if (bits != nullptr) {
            *bits = shift;
        }
        return value;
    }
    std::string_view piece(std::uint64_t size) {
        good = good && size <= all.size() - at;
        at += good ? static_cast<std::size_t>(size) : 0;
        return good
                   ? all.substr(at - static_cast<std::size_t>(size), static_cast<std::size_t>(size))
                   : std::string_view();
    }
};

void append(std::string& out, std::uint64_t value) {
    for (; value > 0x7f; value >>= 7U) {
        out += static_cast<char>(0x80U | (value & 0x7fU));
    }
    out += static_cast<char>(value);
}

/// One code of the stream of operations and what goes with it into another.
struct Token {
    std::uint8_t code = 0;
    Stream stream = operations;
    std::string operand;

    /// Code and operand in one; 0 for what has none, or a long one.
    std::uint32_t key() const {
        if (operand.empty() || operand.size() > 3) {
            return 0;
        }
        std::uint32_t key = code;
        for (std::size_t i = 0; i < 3; ++i) {
            key = key << 8U | (i < operand.size() ? static_cast<unsigned char>(operand[i]) : 0U);
        }
        return key;
    }
};

class CodeSection {
public:
    explicit CodeSection(std::string_view section) : in_{section} {}

    /// The streams of all bodies; nothing where one is not understood.
    std::optional<std::array<std::string, streams>> read() {
        const std::uint64_t count = in_.number();
        append(out_[heads], count);
        for (std::uint64_t i = 0; in_.good && i < count; ++i) {
            body();
        }
        if (!in_.good || in_.at != in_.all.size()) {
            return std::nullopt;
        }
        write();
        return std::move(out_);
    }

private:
    Bytes in_;
    std::array<std::string, streams> out_;
    std::vector<Token> tokens_;
    std::vector<std::uint64_t> lately_;  // locals, the latest first

    /// What was read from `begin` on.
    std::string since(std::size_t begin) const {
        return std::string(in_.all.substr(begin, in_.at - begin));
    }

    std::string copied(unsigned numbers) {
        const std::size_t begin = in_.at;
        for (; numbers > 0 && in_.good; --numbers) {
            in_.number();
        }
        return since(begin);
    }

    void body() {
        const std::uint64_t size = in_.number();
        const std::size_t begin = in_.at;
        const std::uint64_t kinds = in_.number();
        append(out_[heads], kinds);
        for (std::uint64_t i = 0; in_.good && i < kinds; ++i) {
            out_[heads] += copied(2);
        }
        lately_.clear();
        for (int depth = 1; in_.good && depth > 0;) {
            const std::uint8_t code = in_.byte();
            depth += code >= 0x02 && code <= 0x04 ? 1 : code == 0x0b ? -1 : 0;
            instruction(code);
        }
        in_.good = in_.good && in_.at - begin == size;
    }

    void instruction(std::uint8_t code) {
        if (code >= 0x28 && code <= 0x3e) {
            access(code);
        } else if (code >= 0x20 && code <= 0x22) {
            local(code);
        } else if (code == 0x10) {
            const std::uint64_t callee = in_.number();
            in_.good = in_.good && callee < 0x10000;
            tokens_.push_back(
                {code, calls, {static_cast<char>(callee >> 8U), static_cast<char>(callee)}});
        } else if (code == 0x41) {
            word(code);
        } else {
            other(code);
        }
    }

    /// Loads and stores: most are aligned as wide as they are.
    void access(std::uint8_t code) {
        const std::uint64_t alignment = in_.number();
        in_.good = in_.good && alignment < 4;
        if (alignment != std::uint64_t(widths[code - 0x28U] - '0')) {
            tokens_.push_back({static_cast<std::uint8_t>(aligned + alignment), operations, {}});
        }
        tokens_.push_back({code, fields, copied(1)});
    }

    void local(std::uint8_t code) {
        const std::uint64_t index = in_.number();
        in_.good = in_.good && index < 50000;  // as many as engines allow
        while (in_.good && lately_.size() <= index) {
            lately_.push_back(lately_.size());
        }
        const auto place = std::find(lately_.begin(), lately_.end(), index);
        Token token{code, code == 0x20 ? got : put, {}};
        append(token.operand, static_cast<std::uint64_t>(place - lately_.begin()));
        tokens_.push_back(std::move(token));
        std::rotate(lately_.begin(), place, place == lately_.end() ? place : std::next(place));
    }

    /// i32.const: what takes three bytes is mostly the place of a text.
    void word(std::uint8_t code) {
        const std::size_t begin = in_.at;
        unsigned bits = 0;
        const std::uint64_t value = in_.number(&bits);
        if (in_.good && value >= 1U << 13U && value < 1U << 24U && value >> (bits - 1) == 0) {
            tokens_.push_back({wide,
                               places,
                               {static_cast<char>(value), static_cast<char>(value >> 8U),
                                static_cast<char>(value >> 16U)}});
        } else {
            tokens_.push_back({code, words, since(begin)});
        }
    }

    void other(std::uint8_t code) {
        const auto row = std::find_if(std::begin(plain), std::end(plain), [&](const Plain& each) {
            return code >= each.first && code <= each.last;
        });
        const std::size_t begin = in_.at;
        Stream stream = row != std::end(plain) ? row->stream : rest;
        if (row != std::end(plain)) {
            copied(row->operands);
        } else if (code == 0x0e) {  // br_table
            std::uint64_t targets = in_.number();
            do {
                in_.number();
            } while (in_.good && targets-- > 0);
        } else if (code == 0x43 || code == 0x44) {
            in_.piece(code == 0x43 ? 4 : 8);
            stream = floats;
        } else {  // rounding without traps, memory.copy, memory.fill
            const std::uint64_t kind = code == 0xfc ? in_.number() : 99;
            in_.good = in_.good && (kind < 8 || kind == 10 || kind == 11);
            copied(kind < 8 ? 0 : kind == 10 ? 2 : 1);
        }
        tokens_.push_back({code, stream, since(begin)});
    }

    /// The tokens as streams, the most common with their operand as one code.
    void write() {
        std::map<std::uint32_t, std::size_t> times;
        for (const Token& token : tokens_) {
            ++times[token.key()];
        }
        times.erase(0);
        std::vector<std::pair<std::size_t, std::uint32_t>> order;
        for (const auto& [key, count] : times) {
            if (count > 4) {
                order.emplace_back(count, key);
            }
        }
        std::sort(order.rbegin(), order.rend());
        order.resize(std::min(order.size(), most_common));
        std::map<std::uint32_t, char> codes;
        for (const auto& [count, key] : order) {
            codes.emplace(key, static_cast<char>(first_common + codes.size()));
            for (const unsigned shift : {24U, 16U, 8U, 0U}) {
                out_[common] += static_cast<char>(key >> shift);
            }
        }
        for (const Token& token : tokens_) {
            const auto known = codes.find(token.key());
            out_[operations] +=
                known != codes.end() ? known->second : static_cast<char>(token.code);
            out_[token.stream] += known == codes.end() ? token.operand : "";
        }
    }
};

}  // namespace

std::string wasm_streams(std::string_view module) {
    Bytes in{module};
    in.good = in.piece(8) == std::string_view("\0asm\1\0\0\0", 8);
    while (in.good && in.at < module.size()) {
        const std::size_t begin = in.at;
        const bool code = in.byte() == 10;
        const std::string_view section = in.piece(in.number());
        auto parts = code && in.good ? CodeSection(section).read() : std::nullopt;
        if (parts) {
            (*parts)[around] =
                std::string(module.substr(0, begin)) + std::string(module.substr(in.at));
            std::string out;
            append(out, module.size());
            append(out, begin);
            for (const std::string& part : *parts) {
                append(out, part.size());
            }
            for (const std::string& part : *parts) {
                out += part;
            }
            return out;
        }
        in.good = in.good && !code;
    }
    return std::string(module);
}

std::vector<std::string_view> parted(std::string_view text) {
    Bytes in{text};
    if (text.empty() || text.front() == 0) {
        return {text};
    }
    in.number();
    in.number();
    std::array<std::size_t, streams> sizes{};
    for (std::size_t& size : sizes) {
        size = in.number();
    }
    std::vector<std::string_view> pieces;
    std::size_t from = 0;
    std::size_t end = in.at;
    for (const std::size_t size : sizes) {
        end += size;
        if (in.good && end > from && end <= text.size()) {
            pieces.push_back(text.substr(from, end - from));
            from = end;
        }
    }
    return pieces;
}

}  // namespace ridgeline::web
