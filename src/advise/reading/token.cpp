#include "advise/reading/token.h"

#include "base/number.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace ridgeline::reading {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return c >= 'a' && c <= 'z'; }
bool has_digit(std::string_view word) { return std::any_of(word.begin(), word.end(), is_digit); }
bool has_letter(std::string_view word) { return std::any_of(word.begin(), word.end(), is_letter); }
bool all_digits(std::string_view word) {
    return !word.empty() && std::all_of(word.begin(), word.end(), is_digit);
}

namespace {

bool is_word(char c) { return is_letter(c) || is_digit(c); }

/// Characters of other encodings that have a plain twin: dashes, quotes, the multiplication sign.
struct Twin {
    std::string_view from;
    std::string_view to;
};
constexpr Twin twins[] = {
    {"\u2013", "-"},
    {"\u2014", " - "},
    {"\u2212", "-"},
    {"\u00d7", "x"},
    {"\u2019", "'"},
    {"\u2018", "'"},
    {"\u201c", "\""},
    {"\u201d", "\""},
    {"\u00a0", " "},
    {"\u2009", " "},
    {"\u00bf", " "},
    {"\u00a1", " "},
    {"\u2026", " "},
    {"\uff1f", "?"},
    {"\uff0c", ","},
    {"\u3002", "."},
    {"\u00bd", ".5"},
    {"$$$", " cost "},
    {"$$", " cost "},
    // What is asked of memory, in words of other scripts: they stand in no table of words, since
    // nothing parts them.
    {"\u0432\u0438\u0434\u0435\u043e\u043f\u0430\u043c\u044f\u0442\u044c\u044e", " vram "},
    {"\u0432\u0438\u0434\u0435\u043e\u043f\u0430\u043c\u044f\u0442\u044c", " vram "},
    {"\u0432\u0438\u0434\u0435\u043e\u043f\u0430\u043c\u044f\u0442\u0438", " vram "},
    {"\u043f\u0430\u043c\u044f\u0442\u044c", " memory "},
    {"\u043f\u0430\u043c\u044f\u0442\u0438", " memory "},
    {"\u0441\u043a\u043e\u043b\u044c\u043a\u043e", " how much "},
    {"\u0421\u043a\u043e\u043b\u044c\u043a\u043e", " how much "},
    {"\u043d\u0443\u0436\u043d\u043e", " needed "},
    {"\u0437\u0430\u043d\u0438\u043c\u0430\u0435\u0442", " takes "},
    {"\u0434\u043e\u043e\u0431\u0443\u0447\u0435\u043d\u0438\u044f", " finetune "},
    {"\u043e\u0431\u0443\u0447\u0435\u043d\u0438\u044f", " train "},
    {"\u0434\u043b\u044f", " for "},
    {"\u663e\u5b58", " vram "},
    {"\u986f\u5b58", " vram "},
    {"\u5185\u5b58", " memory "},
    {"\u591a\u5c11\u94b1", " price "},
    {"\u591a\u5c11", " how much "},
    {"\u9700\u8981", " needs "},
    {"\u5360\u7528", " takes "},
    {"\u5fae\u8c03", " finetune "},
    {"\u8bad\u7ec3", " train "},
    {"\u30d3\u30c7\u30aa\u30e1\u30e2\u30ea", " vram "},
    {"\u30e1\u30e2\u30ea", " memory "},
    {"\u306b\u5fc5\u8981\u306a", " needs "},
    {"\u5fc5\u8981", " needs "},
    {"\ud544\uc694\ud55c", " needs "},
    {"\uba54\ubaa8\ub9ac", " memory "},
    {"\u2264", "<"},
    {"\u2265", ">"},
    {"\u2248", " "},
    {"\u2192", " "},
    {"\u21d2", " "},
    {"\u2022", "."},
    {"\u0153", "oe"},
    {"\u4ef7\u683c", " price "},
    {"\u6bcf\u5c0f\u65f6", " per hour "},
    {"\u653e\u5f97\u4e0b", " fits "},
    {"\u80fd\u8dd1", " can run "},
    {"\u591f\u4e0d\u591f", " enough "},
    {"\u6700\u5927", " largest "},
    {"\u6a21\u578b", " model "},
    {"\u591a\u4e45", " how long "},
};

/// Base letters of U+00C0 to U+00FF, whose second byte in UTF-8 runs from 0x80 to 0xbf.
constexpr std::string_view latin_letters =
    "aaaaaaaceeeeiiiidnooooo ouuuuypsaaaaaaaceeeeiiiidnooooo ouuuuypy";

/// Lower case, with plain twins; bytes of other scripts stay. `origin` maps back to the question.
struct Folded {
    std::string text;
    std::vector<std::size_t> origin;
    void add(std::string_view piece, std::size_t from) {
        for (const char c : piece) {
            text += c;
            origin.push_back(from);
        }
    }
};

Folded folded(std::string_view question) {
    Folded out;
    for (std::size_t i = 0; i < question.size();) {
        const auto twin = std::find_if(std::begin(twins), std::end(twins), [&](const Twin& each) {
            return question.substr(i, each.from.size()) == each.from;
        });
        if (twin != std::end(twins)) {
            out.add(twin->to, i);
            i += twin->from.size();
            continue;
        }
        const auto byte = static_cast<unsigned char>(question[i]);
        const auto next =
            i + 1 < question.size() ? static_cast<unsigned char>(question[i + 1]) : 0U;
        if (byte == 0xc3 && next >= 0x80 && next <= 0xbf && latin_letters[next - 0x80] != ' ') {
            out.add(latin_letters.substr(next - 0x80, 1), i);
            i += 2;
            continue;
        }
        const char c = question[i];
        const bool upper = c >= 'A' && c <= 'Z';
        const char plain = upper ? static_cast<char>(c - 'A' + 'a') : (byte < 0x20 ? ' ' : c);
        out.add(std::string_view(&plain, 1), i);
        ++i;
    }
    return out;
}

/// A number in Han characters before a word that counts cards or machines, or before a name:
/// "\u56db\u5f20", "\u53cc4090".
struct Counted {
    int value = 0;           ///< 0: there is none
    std::size_t length = 0;  ///< bytes of both
    bool machines = false;
};

Counted counted_at(std::string_view text, std::size_t at) {
    constexpr std::size_t bytes = 3;  // of each of these characters in UTF-8
    struct Numeral {
        std::string_view sign;
        int value;
    };
    static constexpr Numeral numerals[] = {
        {"\u4e00", 1}, {"\u4e8c", 2}, {"\u4e24", 2}, {"\u5169", 2}, {"\u53cc", 2},
        {"\u4e09", 3}, {"\u56db", 4}, {"\u4e94", 5}, {"\u516d", 6}, {"\u4e03", 7},
        {"\u516b", 8}, {"\u4e5d", 9}, {"\u5341", 10}};
    static constexpr std::string_view counters[] = {
        "\u5f20", "\u5f35", "\u5757", "\u584a", "\u5361", "\u679a", "\u7247", "\u53f0", "\u81fa"};
    int value = 0;
    std::size_t end = at;
    for (bool tens = false;; end += bytes) {
        const auto numeral = std::ranges::find(
            numerals, text.substr(std::min(end, text.size()), bytes), &Numeral::sign);
        if (numeral == std::end(numerals)) {
            break;
        }
        const bool ten = numeral->value == 10;
        value = ten ? std::max(1, value) * 10 : tens ? value + numeral->value : numeral->value;
        tens = tens || ten;
    }
    const auto counter =
        std::ranges::find(counters, text.substr(std::min(end, text.size()), bytes));
    if (value == 0 ||
        (counter == std::end(counters) && (end >= text.size() || !is_digit(text[end])))) {
        return {};
    }
    const bool counts = counter != std::end(counters);
    return {value, end - at + (counts ? bytes : 0), counts && counter >= std::end(counters) - 2};
}

class Scanner {
public:
    explicit Scanner(const Folded& folded) : text_(folded.text), origin_(folded.origin) {}

    Tokens run() {
        while (at_ < text_.size()) {
            step();
        }
        return std::move(out_);
    }

private:
    [[nodiscard]] char peek(std::size_t at) const { return at < text_.size() ? text_[at] : ' '; }
    [[nodiscard]] bool word_before() const { return at_ > 0 && is_word(text_[at_ - 1]); }

    void widen(Gap gap) { gap_ = std::max(gap_, gap); }

    void push(std::string text, std::size_t from, std::size_t to, bool foreign = false) {
        Token token;
        token.text = std::move(text);
        token.begin = origin_[from];
        token.end = to < origin_.size() ? origin_[to] : origin_.back() + 1;
        token.gap = out_.list.empty() ? Gap::stop : gap_;
        token.negative = negative_;
        token.foreign = foreign;
        out_.list.push_back(std::move(token));
        gap_ = Gap::none;
        negative_ = false;
    }

    void step() {
        const char c = text_[at_];
        if (is_word(c) || (c == '.' && is_digit(peek(at_ + 1)) && !word_before())) {
            word();
        } else if (static_cast<unsigned char>(c) >= 0x80) {
            other_script();
        } else {
            sign(c);
        }
    }

    void word() {
        const std::size_t start = at_;
        std::string text = text_[at_] == '.' ? "0" : "";
        for (; at_ < text_.size(); ++at_) {
            const char c = text_[at_];
            if (is_word(c)) {
                text += c;
            } else if (c == '.' && is_word(peek(at_ + 1)) && (at_ > start || !text.empty())) {
                text += c;
            } else if (c == '\'' && is_letter(peek(at_ + 1))) {
                continue;
            } else if (c == ',' && inside_number(start, text)) {
                continue;
            } else {
                break;
            }
        }
        push(std::move(text), start, at_);
    }

    /// A comma between digits: thousands are joined, a decimal comma is remembered as a fault.
    bool inside_number(std::size_t start, const std::string& text) {
        if (!all_digits(text) || !is_digit(peek(at_ + 1))) {
            return false;
        }
        std::size_t digits = 0;
        while (is_digit(peek(at_ + 1 + digits))) {
            ++digits;
        }
        if (digits == 3) {
            return true;
        }
        // "devices=0,1", "0,1,2,3": a list
        const bool listed = (!out_.list.empty() && out_.list.back().text == "devices") ||
                            (peek(at_ + 1 + digits) == ',' && is_digit(peek(at_ + 2 + digits))) ||
                            (start > 0 && text_[start - 1] == ',');
        if (listed) {
            return false;
        }
        if (text.size() <= 3 && digits <= 2 && out_.decimal_comma.empty()) {
            std::size_t end = at_ + 1 + digits;
            while (is_letter(peek(end))) {
                ++end;
            }
            out_.decimal_comma = std::string(text_.substr(start, end - start));
        }
        return false;
    }

    void other_script() {
        for (const std::string_view money : {"\u20ac", "\u00a3"}) {
            if (text_.substr(at_, money.size()) == money) {
                push(std::string(money), at_, at_ + money.size());
                at_ += money.size();
                return;
            }
        }
        std::size_t start = at_;
        const auto push_run = [&] {
            if (at_ > start) {
                push(std::string(text_.substr(start, at_ - start)), start, at_, true);
            }
        };
        while (at_ < text_.size() && static_cast<unsigned char>(text_[at_]) >= 0x80) {
            const Counted counted = counted_at(text_, at_);
            if (counted.value == 0) {
                ++at_;
                continue;
            }
            push_run();
            push(std::to_string(counted.value), at_, at_ + counted.length);
            at_ += counted.length;
            start = at_;
            widen(Gap::space);
            if (counted.machines) {
                push("nodes", at_ - 1, at_);
                widen(Gap::space);
            }
        }
        push_run();
    }

    void sign(char c) {
        const bool joins = word_before() && is_word(peek(at_ + 1));
        switch (c) {
            case '-':
            case '_':
                if (joins) {
                    widen(Gap::joint);
                } else if (c == '-' && (is_digit(peek(at_ + 1)) || peek(at_ + 1) == '$')) {
                    widen(Gap::space);
                    negative_ = true;
                } else {
                    widen(Gap::space);
                }
                break;
            case '/':
                widen(is_letter(peek(at_ + 1)) || joins ? Gap::slash : Gap::space);
                break;
            case ':':
                widen(joins ? Gap::colon : Gap::space);
                break;
            case '(':
            case ')':
            case '[':
            case ']':
                widen(Gap::paren);
                break;
            case ' ':
            case '=':
            case '@':
            case '~':
            case '\'':
            case '`':
            case '#':
                widen(Gap::space);
                break;
            case '*':
                push("x", at_, at_ + 1);
                break;
            case '$':
            case '%':
            case '+':
            case '<':
            case '>':
            case '&':
                push(std::string(1, c), at_, at_ + 1);
                break;
            default:
                widen(Gap::stop);
        }
        ++at_;
    }

    std::string_view text_;
    const std::vector<std::size_t>& origin_;
    std::size_t at_ = 0;
    Gap gap_ = Gap::stop;
    bool negative_ = false;
    Tokens out_;
};

/// Where a token falls into two or three: "8xh100" after 1 and 2, "h100x8" after 4 and 5. The
/// second number is 0 where there are only two.
std::pair<std::size_t, std::size_t> cuts_of(const std::string& text) {
    const auto x = text.find('x');
    if (x == std::string::npos) {
        return {0, 0};
    }
    const std::string_view left = std::string_view(text).substr(0, x);
    const std::string_view right = std::string_view(text).substr(x + 1);
    if (left.empty()) {
        return all_digits(right) && right.size() <= 5 ? std::pair{std::size_t{1}, std::size_t{0}}
                                                      : std::pair{std::size_t{0}, std::size_t{0}};
    }
    if (all_digits(left) && left.size() <= 5) {
        if (right.empty()) {
            return {x, 0};
        }
        const bool size = parameters_in(right).has_value();
        const bool small = left.size() <= 2;
        const bool radeon = left.size() >= 3 && (right == "t" || right == "tx");  // "6750xt"
        if (!size && !radeon && (has_letter(right) || small) && is_word(right.front())) {
            return {x, x + 1};
        }
    }
    const auto last = text.rfind('x');
    const std::string_view name = std::string_view(text).substr(0, last);
    const std::string_view count = std::string_view(text).substr(last + 1);
    const bool counted = all_digits(count) && count.size() <= 4 && name.size() >= 2 &&
                         has_digit(name) && is_word(name.back());
    const bool picture = all_digits(name) && count.size() > 2;
    // "mi300x8" may end in the x of its own name.
    if (counted && !picture && name.substr(0, 2) != "mi") {
        return {last, last + 1};
    }
    return {0, 0};
}

void part_counts(std::vector<Token>& tokens) {
    std::vector<Token> out;
    for (Token& token : tokens) {
        const auto [first, second] =
            token.foreign ? std::pair<std::size_t, std::size_t>{0, 0} : cuts_of(token.text);
        if (first == 0) {
            out.push_back(std::move(token));
            continue;
        }
        std::size_t from = 0;
        std::vector<Token> pieces;
        for (const std::size_t to : {first, second, token.text.size()}) {
            if (to <= from) {
                continue;
            }
            Token piece = token;
            piece.text = token.text.substr(from, to - from);
            piece.begin = std::min(token.begin + from, token.end);
            piece.end = std::min(token.begin + to, token.end);
            piece.gap = from == 0 ? token.gap : Gap::none;
            piece.negative = from == 0 && token.negative;
            pieces.push_back(std::move(piece));
            from = to;
        }
        part_counts(pieces);  // "2x8xh100"
        out.insert(out.end(), pieces.begin(), pieces.end());
    }
    tokens = std::move(out);
}

}  // namespace

Tokens tokens_of(std::string_view question) {
    const Folded text = folded(question);
    Tokens tokens = Scanner(text).run();
    part_counts(tokens.list);
    return tokens;
}

std::string bare(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const char small = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        if (is_word(small) || small == '.') {
            out += small;
        }
    }
    return out;
}

namespace {

struct NumberWord {
    std::string_view word;
    double value;
};
// clang-format off
constexpr NumberWord number_words[] = {
    {"zero", 0},    {"one", 1},       {"two", 2},       {"three", 3},    {"four", 4},    {"five", 5},     {"six", 6},
    {"seven", 7},   {"eight", 8},     {"nine", 9},      {"ten", 10},     {"eleven", 11}, {"twelve", 12},  {"thirteen", 13},
    {"fourteen", 14}, {"fifteen", 15}, {"sixteen", 16}, {"twenty", 20},  {"thirty", 30}, {"forty", 40},   {"fifty", 50},
    {"sixty", 60},  {"seventy", 70},  {"eighty", 80},   {"ninety", 90},
    // German, French, Spanish, Italian, Portuguese
    {"zwei", 2},    {"drei", 3},      {"vier", 4},      {"funf", 5},     {"sechs", 6},   {"sieben", 7},   {"acht", 8},
    {"deux", 2},    {"trois", 3},     {"quatre", 4},    {"cinq", 5},     {"huit", 8},    {"tres", 3},     {"cuatro", 4},
    {"cinco", 5},   {"seis", 6},      {"ocho", 8},      {"tre", 3},      {"quattro", 4}, {"cinque", 5},   {"otto", 8},
    {"dois", 2},    {"duas", 2},      {"quatro", 4},    {"oito", 8},     {"twee", 2},    {"drie", 3},     {"zes", 6},
};
// clang-format on
// clang-format off
constexpr NumberWord scale_words[] = {
    {"k", 1e3},          {"thousand", 1e3}, {"m", 1e6},        {"mm", 1e6},
    {"mil", 1e6},        {"million", 1e6},  {"mio", 1e6},      {"mln", 1e6},
    {"b", 1e9},          {"bn", 1e9},       {"billion", 1e9},  {"t", 1e12},
    {"lakh", 1e5},       {"lakhs", 1e5},    {"crore", 1e7},    {"crores", 1e7},
    {"trillion", 1e12},  {"tn", 1e12},      {"millions", 1e6}, {"billions", 1e9},
    {"trillions", 1e12}, {"grand", 1e3},    {"hundred", 1e2},
    // German and French: a "Milliarde" has nine zeros.
    {"millionen", 1e6},  {"milliarde", 1e9}, {"milliarden", 1e9}, {"milliards", 1e9},
};
// clang-format on

std::optional<double> value_of(std::span<const NumberWord> words, std::string_view word) {
    const auto found = std::ranges::find(words, word, &NumberWord::word);
    return found != words.end() ? std::optional(found->value) : std::nullopt;
}

}  // namespace

std::optional<Amount> amount_in(std::string_view word) {
    if (const auto named = value_of(number_words, word)) {
        return Amount{*named, ""};
    }
    const auto number =
        word.empty() || !is_digit(word.front()) ? std::nullopt : leading_number(word);
    if (!number) {
        return std::nullopt;
    }
    Amount amount{number->value, std::string(word.substr(number->length))};
    return std::all_of(amount.unit.begin(), amount.unit.end(), is_letter) ? std::optional(amount)
                                                                          : std::nullopt;
}

double scale_of_word(std::string_view word) { return value_of(scale_words, word).value_or(0); }

std::optional<double> parameters_in(std::string_view word) {
    const auto amount = has_digit(word) ? amount_in(word) : std::nullopt;
    if (!amount || amount->value <= 0 ||
        (amount->unit != "b" && amount->unit != "m" && amount->unit != "t" &&
         amount->unit != "bn")) {
        return std::nullopt;
    }
    const double parameters = amount->value * scale_of_word(amount->unit);
    return parameters >= 1e6 && parameters <= 1e14 ? std::optional(parameters) : std::nullopt;
}

}  // namespace ridgeline::reading
