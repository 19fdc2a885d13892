#include "advise/reading/words/folded.h"

#include <algorithm>
#include <iterator>

// A question in plain letters: accents, signs and some words of other scripts.

namespace ridgeline::reading {
namespace {

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
    {"\u591a\u5c11\u5f20", " how many "},
    {"\u591a\u5c11\u5757", " how many "},
    {"\u51e0\u5f20", " how many "},
    {"\u51e0\u5757", " how many "},
    {"\u63a8\u7406", " inference "},
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
    {"\u4e00\u5c0f\u65f6", " an hour "},
    {"\u4e00\u5929", " a day "},
    {"\u4e00\u4e2a\u6708", " a month "},
    // Money and what is bought; a sum is told in tens of thousands.
    {"\u7f8e\u5143", " dollars "},
    {"\u6b27\u5143", " euros "},
    {"\u65e5\u5143", " yen "},
    {"\u4eba\u6c11\u5e01", " yuan "},
    {"\u5757\u94b1", " yuan "},
    {"\u4e07\u5143", "tenthousand yuan "},
    {"\u5143", " yuan "},
    {"\u4e07", "tenthousand "},
    {"\u9884\u7b97", " budget "},
    {"\u663e\u5361", " gpu "},
    {"\u5c0f\u65f6", " hour "},
    {"\u6bcf\u6708", " per month "},
    {"\u6708\u79df", " per month "},
    {"\u672c\u5730", " locally "},
    {"\u8dd1", " run "},
    {"\u4e70", " buy "},
    {"\u4ec0\u4e48", " which "},
    // Superchips by the names of their two chips.
    {"gh200 grace hopper", "gh200"},
    {"GH200 Grace Hopper", "gh200"},
    {"grace hopper", "gh200"},
    {"Grace Hopper", "gh200"},
    {"gb200 grace blackwell", "gb200"},
    {"GB200 Grace Blackwell", "gb200"},
    {"grace blackwell", "gb200"},
    {"Grace Blackwell", "gb200"},
};

/// Base letters of U+00C0 to U+00FF, whose second byte in UTF-8 runs from 0x80 to 0xbf.
constexpr std::string_view latin_letters =
    "aaaaaaaceeeeiiiidnooooo ouuuuypsaaaaaaaceeeeiiiidnooooo ouuuuypy";

}  // namespace

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

}  // namespace ridgeline::reading
