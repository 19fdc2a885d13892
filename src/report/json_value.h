#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace ridgeline::report {

class JsonPart;

/// A JSON document that is being made. Keys keep the order in which they came. Braces mean what
/// they look like: pairs that begin with a text are an object, anything else is an array. Braces
/// within an array are written Json{...}.
///
/// The tree of nlohmann's library was a fifth of an estimate: it copies each key whenever an object
/// grows.
class Json {
public:
    struct Member;
    using Array = std::vector<Json>;
    using Object = std::vector<Member>;
    using Value = std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double,
                               std::string, Array, Object>;

    Json(std::nullptr_t = nullptr);
    template <std::same_as<bool> Truth>
    Json(Truth truth);
    template <std::signed_integral Whole>
    Json(Whole whole);
    template <std::unsigned_integral Whole>
    requires(!std::same_as<Whole, bool>) Json(Whole whole);
    Json(double number);
    Json(std::string text);
    Json(std::string_view text);
    Json(const char* text);
    template <typename Each>
    Json(const std::vector<Each>& all);
    /// Null where there is none.
    template <typename Known>
    Json(const std::optional<Known>& value);
    Json(std::initializer_list<JsonPart> parts);

    static Json array();
    static Json array(std::initializer_list<JsonPart> parts);
    static Json object();

    /// Of an object, or of nothing, which becomes one; a key that is not there is put last.
    Json& operator[](std::string_view key);
    /// Of an array, or of nothing, which becomes one.
    void push_back(Json part);
    /// Sets all keys of another object.
    void update(Json other);
    void erase(std::string_view key);
    [[nodiscard]] bool contains(std::string_view key) const;
    /// No member and no element.
    [[nodiscard]] bool empty() const;
    [[nodiscard]] const Value& value() const { return value_; }

private:
    explicit Json(Value value);

    Value value_;
};

struct Json::Member {
    std::string key;
    Json value;
};

// Behind the member of an object, which a variant of one needs whole (libc++).
inline Json::Json(std::nullptr_t) : value_(nullptr) {}
inline Json::Json(double number) : value_(number) {}
inline Json::Json(std::string text) : value_(std::move(text)) {}
inline Json::Json(std::string_view text) : value_(std::string(text)) {}
inline Json::Json(const char* text) : value_(std::string(text)) {}
inline Json Json::array() { return Json(Value(Array())); }
inline Json Json::object() { return Json(Value(Object())); }
inline Json::Json(Value value) : value_(std::move(value)) {}
template <std::same_as<bool> Truth>
Json::Json(Truth truth) : value_(truth) {}
template <std::signed_integral Whole>
Json::Json(Whole whole) : value_(static_cast<std::int64_t>(whole)) {}
template <std::unsigned_integral Whole>
requires(!std::same_as<Whole, bool>) Json::Json(Whole whole)
    : value_(static_cast<std::uint64_t>(whole)) {}
template <typename Each>
Json::Json(const std::vector<Each>& all) : value_(Array(all.begin(), all.end())) {}
template <typename Known>
Json::Json(const std::optional<Known>& value) : Json(value ? Json(*value) : Json()) {}

/// What stands between braces: it moves into the document, which an initializer_list of documents
/// forbids.
class JsonPart {
public:
    JsonPart(Json part) : part_(std::move(part)) {}
    template <std::convertible_to<std::string_view> Text>
    JsonPart(const Text& key, Json value)
        : JsonPart(std::string_view(key), std::move(value), true) {}
    template <typename Each>
    requires(std::constructible_from<Json, Each> &&
             !std::same_as<std::remove_cvref_t<Each>, Json> &&
             !std::same_as<std::remove_cvref_t<Each>, JsonPart>) JsonPart(Each&& each)
        : part_(std::forward<Each>(each)) {}

    [[nodiscard]] bool named() const { return named_; }
    /// These leave the part empty.
    [[nodiscard]] Json::Member taken_member() const { return {std::move(key_), std::move(part_)}; }
    /// The value alone; a pair as an array of both.
    [[nodiscard]] Json taken_element() const;

private:
    JsonPart(std::string_view key, Json value, bool named)
        : key_(key), part_(std::move(value)), named_(named) {}

    mutable std::string key_;
    mutable Json part_;
    bool named_ = false;
};

}  // namespace ridgeline::report
