#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace ridgeline {

struct JsonMember;

/// One value of a JSON text. Its texts and children lie in the JsonTree that made it.
class JsonNode {
public:
    enum class Kind : std::uint8_t { null, boolean, natural, negative, real, text, list, object };

    JsonNode() = default;
    explicit JsonNode(bool value) : kind_(Kind::boolean), boolean_(value) {}
    explicit JsonNode(std::uint64_t value) : kind_(Kind::natural), natural_(value) {}
    explicit JsonNode(std::int64_t value) : kind_(Kind::negative), negative_(value) {}
    explicit JsonNode(double value) : kind_(Kind::real), real_(value) {}
    explicit JsonNode(std::string_view value)
        : kind_(Kind::text), size_(static_cast<std::uint32_t>(value.size())), text_(value.data()) {}
    explicit JsonNode(std::span<const JsonNode> values)
        : kind_(Kind::list),
          size_(static_cast<std::uint32_t>(values.size())),
          elements_(values.data()) {}
    explicit JsonNode(std::span<const JsonMember> values)
        : kind_(Kind::object),
          size_(static_cast<std::uint32_t>(values.size())),
          members_(values.data()) {}

    [[nodiscard]] Kind kind() const { return kind_; }
    [[nodiscard]] bool is(Kind kind) const { return kind_ == kind; }
    [[nodiscard]] bool is_number() const {
        return kind_ == Kind::natural || kind_ == Kind::negative || kind_ == Kind::real;
    }
    /// What a message calls the type: "array", "number".
    [[nodiscard]] const char* type_name() const;

    /// Each of these is for its own kind.
    [[nodiscard]] bool boolean() const { return boolean_; }
    [[nodiscard]] double number() const;
    [[nodiscard]] std::string_view text() const { return {text_, size_}; }
    /// None where this is no list.
    [[nodiscard]] std::span<const JsonNode> elements() const;
    /// In the order of the text, or by name where there are many; none where this is no object.
    [[nodiscard]] std::span<const JsonMember> members() const;
    /// The last member of that name, or null.
    [[nodiscard]] const JsonMember* find(std::string_view name) const;

    /// The same as a value of nlohmann's.
    [[nodiscard]] nlohmann::json copy() const;

private:
    Kind kind_ = Kind::null;
    std::uint32_t size_ = 0;
    union {
        bool boolean_;
        std::uint64_t natural_ = 0;
        std::int64_t negative_;
        double real_;
        const char* text_;
        const JsonNode* elements_;
        const JsonMember* members_;
    };
};

struct JsonMember {
    std::string_view name;
    JsonNode value;
};

/// Objects of more members have them sorted by name, each once.
inline constexpr std::size_t most_unsorted_members = 32;

/// A parsed JSON text: what it holds lies side by side in a few blocks that go at once.
class JsonTree {
public:
    /// Reads what nearly every document is: JSON in ASCII without \u, no deeper than `deepest`.
    /// nlohmann's reader judges all else and words what is wrong.
    ///
    /// text     outlives the tree, whose texts without escapes are parts of it
    /// returns  false for a text that is not of that kind; whatever it accepts gives the values
    /// that
    ///          nlohmann's reader makes of it
    bool read(std::string_view text, int deepest);
    /// Copies a value that nlohmann's reader made.
    void copy(const nlohmann::json& value);

    [[nodiscard]] const JsonNode& root() const { return root_; }
    /// A key that one object has twice; empty: none was seen.
    [[nodiscard]] std::string_view repeated() const { return repeated_; }

private:
    friend class PlainJson;

    JsonNode copied(const nlohmann::json& value);
    std::string_view keep(std::string_view text);
    template <typename Value>
    std::span<const Value> keep(std::span<const Value> values);
    /// So many bytes, aligned for any node.
    std::byte* room(std::size_t bytes);

    JsonNode root_;
    std::string_view repeated_;
    std::vector<std::unique_ptr<std::byte[]>> blocks_;
    std::byte* free_ = nullptr;  ///< in the last block
    std::size_t left_ = 0;       ///< bytes from there on
};

}  // namespace ridgeline
