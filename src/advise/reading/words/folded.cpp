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
    // What newcomers say of home and learning.
    {" \u043c\u043e\u044f ", " my "},
    {" \u043c\u043e\u0439 ", " my "},
    {" \u043c\u043e\u0435\u0439 ", " my "},
    {" \u043c\u043e\u0451\u043c ", " my "},
    {" \u043c\u043e\u0435\u043c ", " my "},
    {"\u6211\u7684", " my "},
    {"\u804a\u5929\u673a\u5668\u4eba", " chatbot "},
    {"\u30c1\u30e3\u30c3\u30c8\u30dc\u30c3\u30c8", " chatbot "},
    {"\ucc57\ubd07", " chatbot "},
    {"\u30ed\u30fc\u30ab\u30eb", " local "},
    {"\u4f55gb", " how much gb "},
    {"\u4f55GB", " how much gb "},
    {"\ub85c\uceec", " local "},
    {"\uc65c ", " why "},
    {"\u043c\u0430\u0448\u0438\u043d\u043d\u043e\u0435 "
     "\u043e\u0431\u0443\u0447\u0435\u043d\u0438\u0435",
     " machine learning "},
    {"\u043c\u0430\u0448\u0438\u043d\u043d\u043e\u0433\u043e "
     "\u043e\u0431\u0443\u0447\u0435\u043d\u0438\u044f",
     " machine learning "},
    {"\u043c\u0430\u0448\u0438\u043d\u043d\u043e\u043c\u0443 "
     "\u043e\u0431\u0443\u0447\u0435\u043d\u0438\u044e",
     " machine learning "},
    {"\u0433\u043b\u0443\u0431\u043e\u043a\u043e\u0435 "
     "\u043e\u0431\u0443\u0447\u0435\u043d\u0438\u0435",
     " deep learning "},
    {"\u0433\u043b\u0443\u0431\u043e\u043a\u043e\u0433\u043e "
     "\u043e\u0431\u0443\u0447\u0435\u043d\u0438\u044f",
     " deep learning "},
    {"\u0433\u043b\u0443\u0431\u043e\u043a\u043e\u043c\u0443 "
     "\u043e\u0431\u0443\u0447\u0435\u043d\u0438\u044e",
     " deep learning "},
    {"\u0438\u0441\u043a\u0443\u0441\u0441\u0442\u0432\u0435\u043d\u043d\u044b\u0439 "
     "\u0438\u043d\u0442\u0435\u043b\u043b\u0435\u043a\u0442",
     " ai "},
    {"\u0438\u0441\u043a\u0443\u0441\u0441\u0442\u0432\u0435\u043d\u043d\u043e\u0433\u043e "
     "\u0438\u043d\u0442\u0435\u043b\u043b\u0435\u043a\u0442\u0430",
     " ai "},
    {"\u0438\u0441\u043a\u0443\u0441\u0441\u0442\u0432\u0435\u043d\u043d\u043e\u043c\u0443 "
     "\u0438\u043d\u0442\u0435\u043b\u043b\u0435\u043a\u0442\u0443",
     " ai "},
    {"\u043c\u043e\u0436\u043d\u043e \u043b\u0438", " can i "},
    {"\u043c\u043e\u0433\u0443 \u043b\u0438", " can i "},
    {"\u0447\u0442\u043e \u0437\u043d\u0430\u0447\u0438\u0442", " what means "},
    {"\u0447\u0442\u043e \u0442\u0430\u043a\u043e\u0435", " what is "},
    {"\u0447\u0442\u043e \u043c\u043e\u0433\u0443", " what can i do "},
    {"\u0447\u0442\u043e \u043c\u043e\u0436\u043d\u043e", " what can i do "},
    {" \u0447\u0442\u043e\u0431\u044b ", " to "},
    {" \u0434\u043e\u043c\u0430", " at home "},
    {" \u0438\u0438 ", " ai "},
    {" \u0438\u0438?", " ai?"},
    {"\u6df1\u5ea6\u5b66\u4e60", " deep learning "},
    {"\u673a\u5668\u5b66\u4e60", " machine learning "},
    {"\u6df1\u5c64\u5b66\u7fd2", " deep learning "},
    {"\u6a5f\u68b0\u5b66\u7fd2", " machine learning "},
    {"\u30c7\u30a3\u30fc\u30d7\u30e9\u30fc\u30cb\u30f3\u30b0", " deep learning "},
    {"\u4eba\u5de5\u667a\u80fd", " ai "},
    {"\u4eba\u5de5\u77e5\u80fd", " ai "},
    {"\u5b66\u751f", " student "},
    {"\u5b66\u4e60", " learn "},
    {"\u52c9\u5f37", " learn "},
    {"\u5728\u5bb6", " at home "},
    {"\u54ea\u4e2a\u66f4\u597d", " which is better "},
    {"\u54ea\u4e2a\u597d", " which is better "},
    {"\u54ea\u4e2a", " which "},
    {"\u600e\u4e48", " how "},
    {"\u4e8c\u624b", " used "},
    {"\u548c", " and "},
    {"\u8fd8\u662f", " or "},
    {"\u6700\u4fbf\u5b9c", " cheapest "},
    {"\u4fbf\u5b9c", " cheap "},
    {"\u63a8\u8350", " recommend "},
    {"\u591f\u5417", " enough "},
    {"\u591f\u7528", " enough "},
    {"\u4e3a\u4ec0\u4e48", " why "},
    {"\u6162", " slow "},
    {"\u7b14\u8bb0\u672c\u7535\u8111", " laptop "},
    {"\u7b14\u8bb0\u672c", " laptop "},
    {"\u7535\u8111", " computer "},
    {"\u5927\u6a21\u578b", " llm "},
    {"\u80fd\u505a\u4ec0\u4e48", " what can i do "},
    {"\u4ec0\u4e48\u610f\u601d", " what means "},
    {"\u81ea\u5b85", " at home "},
    {"\u5bb6\u3067", " at home "},
    {"\u52d5\u304b\u3059", " run "},
    {"\u52d5\u304b\u305b", " run "},
    {"\u52d5\u304d\u307e\u3059", " run "},
    {"\u30b0\u30e9\u30d5\u30a3\u30c3\u30af\u30dc\u30fc\u30c9", " gpu "},
    {"\u30b0\u30e9\u30d5\u30a3\u30c3\u30af\u30ab\u30fc\u30c9", " gpu "},
    {"\u30b0\u30e9\u30dc", " gpu "},
    {"\u4f55\u304c\u3067\u304d", " what can i do "},
    {"\u30ce\u30fc\u30c8\u30d1\u30bd\u30b3\u30f3", " laptop "},
    {"\u30ce\u30fc\u30c8pc", " laptop "},
    {"\u30d1\u30bd\u30b3\u30f3", " computer "},
    {"\u304a\u3059\u3059\u3081", " recommend "},
    {"\u9045\u3044", " slow "},
    {"\u306a\u305c", " why "},
    {"\u5341\u5206", " enough "},
    {"\u8db3\u308a", " enough "},
    {"\u753b\u50cf\u751f\u6210", " generate images "},
    {"\u3069\u3061\u3089", " which "},
    {"\u3069\u3063\u3061", " which "},
    {"\u3069\u306e", " which "},
    {"\u5b89\u3044", " cheap "},
    {"\ub525\ub7ec\ub2dd", " deep learning "},
    {"\uba38\uc2e0\ub7ec\ub2dd", " machine learning "},
    {"\uc778\uacf5\uc9c0\ub2a5", " ai "},
    {"\uacf5\ubd80", " learn "},
    {"\uc9d1\uc5d0\uc11c", " at home "},
    {"\ub3cc\ub9ac\ub824\uba74", " run "},
    {"\ub3cc\ub9b4", " run "},
    {"\ub3cc\ub9ac", " run "},
    {"\uadf8\ub798\ud53d\uce74\ub4dc", " gpu "},
    {"\uadf8\ub798\ud53d \uce74\ub4dc", " gpu "},
    {"\uc5b4\ub5a4", " which "},
    {"\ud544\uc694", " needs "},
    {"\ub178\ud2b8\ubd81", " laptop "},
    {"\ucef4\ud4e8\ud130", " computer "},
    {"\ud559\uc0dd", " student "},
    {"\ucd94\ucc9c", " recommend "},
    {"\ucda9\ubd84", " enough "},
    {"\ubb58 \ud560 \uc218", " what can i do "},
    {"\ubb34\uc5c7\uc744 \ud560 \uc218", " what can i do "},
    {"\ud560 \uc218 \uc788", " can "},
    {"\uac00\ub2a5", " can "},
    {"\ub290\ub824", " slow "},
    {"\ub290\ub9b0", " slow "},
    {"\uc2fc ", " cheap "},
    {"\uc800\ub834", " cheap "},
    {"\ucd08\ub2f9 \ud1a0\ud070", " tokens per second "},
    {"\uc11c\ube59", " serve "},
    // What is asked of memory, in words of other scripts: they stand in no table of words, since
    // nothing parts them.
    {"\u0441\u043a\u043e\u043b\u044c\u043a\u043e \u0432\u0440\u0435\u043c\u0435\u043d\u0438",
     " how long "},
    {"\u0441\u043a\u043e\u043b\u044c\u043a\u043e \u0441\u0442\u043e\u0438\u0442",
     " how much does it cost "},
    {"\u0441\u043a\u043e\u043b\u044c\u043a\u043e", " how much "},
    {"\u0434\u043b\u044f", " for "},
    {" \u043d\u0430 ", " on "},
    {"\u540c\u6642\u306b\u4f55\u4eba\u307e\u3067", " how many concurrent users "},
    {"\u4f55\u4eba\u307e\u3067", " how many users "},
    {"\u4f55\u4eba", " how many users "},
    {"\u540c\u6642\u306b", " at once "},
    {"\u53f0\u3067", " units "},
    {"\u53f0\u306e", " units "},
    {"\u4f7f\u3048\u307e\u3059\u304b", " "},
    {"\u4f7f\u3048\u308b", " "},
    {"\u30e2\u30c7\u30eb\u306f", " model, "},
    {"\u30e2\u30c7\u30eb\u3092", " model, "},
    {"\u30e2\u30c7\u30eb", " model, "},
    {"\u591a\u5c11\u4eba", " how many users "},
    {"\u4e2a\u5e76\u53d1\u7528\u6237", " concurrent users "},
    {"\u500b\u4e26\u767c\u7528\u6236", " concurrent users "},
    {"\u5e76\u53d1\u7528\u6237", " concurrent users "},
    {"\u540c\u65f6\u5728\u7ebf\u7528\u6237", " concurrent users "},
    {"\u5e76\u53d1\u8bf7\u6c42", " concurrent requests "},
    {"\u4e2a\u5e76\u53d1", " concurrent users "},
    {"\u5e76\u53d1", " concurrent "},
    {"\u4e2a\u7528\u6237", " users "},
    {"\u7528\u6237", " users "},
    {"\u540c\u6642\u63a5\u7d9a\u30e6\u30fc\u30b6\u30fc", " concurrent users "},
    {"\u540c\u6642\u30e6\u30fc\u30b6\u30fc", " concurrent users "},
    {"\u4eba\u540c\u6642", " users at once "},
    {"\u30e6\u30fc\u30b6\u30fc", " users "},
    {"\ub3d9\uc2dc \uc0ac\uc6a9\uc790", " concurrent users "},
    {"\ub3d9\uc2dc \uc811\uc18d\uc790", " concurrent users "},
    {"\uc0ac\uc6a9\uc790", " users "},
    {"\u043e\u0434\u043d\u043e\u0432\u0440\u0435\u043c\u0435\u043d\u043d\u044b\u0445 "
     "\u043f\u043e\u043b\u044c\u0437\u043e\u0432\u0430\u0442\u0435\u043b\u0435\u0439",
     " concurrent users "},
    {"\u043f\u043e\u043b\u044c\u0437\u043e\u0432\u0430\u0442\u0435\u043b\u0435\u0439", " users "},
    {"\u51e0\u4e2a\u4eba", " how many users "},
    {"\u540c\u65f6", " at once "},
    {"\uba87 \uba85", " how many users "},
    {"\ub3d9\uc2dc\uc5d0", " at once "},
    {"\u663e\u5b58", " vram "},
    {"\u986f\u5b58", " vram "},
    {"\u5185\u5b58", " memory "},
    {"\u4f55\u6642\u9593", " how long "},
    {"\u591a\u5c11\u94b1", " price "},
    {"\u591a\u5c11\u5f20", " how many "},
    {"\u591a\u5c11\u5757", " how many "},
    {"\u51e0\u5f20", " how many "},
    {"\u51e0\u5757", " how many "},
    {"\u63a8\u7406", " inference "},
    {"\u6bcf\u79d2\u591a\u5c11", " throughput "},
    {"\u6bcf\u79d2", " per second "},
    {"\u6bce\u79d2", " per second "},
    {"\ucd08\ub2f9", " per second "},
    {"\u30c8\u30fc\u30af\u30f3", " tokens "},
    {"\ud1a0\ud070", " tokens "},
    {"\u591a\u5c11", " how much "},
    {"\u9700\u8981", " needs "},
    {"\u8981", " "},
    {"\u6bcf\u6761", " each "},
    {"\u30a8\u30dd\u30c3\u30af", " epochs "},
    {"\uc5d0\ud3ed", " epochs "},
    {"\uc5d0\ud3ec\ud06c", " epochs "},
    {"\u5360\u7528", " takes "},
    {"\u5fae\u8c03", " finetune "},
    {"\u8bad\u7ec3", " train "},
    {"\u8a13\u7df4", " train "},
    {"\u5b66\u7fd2", " train "},
    {"\ud559\uc2b5", " train "},
    {"\uc5bc\ub9c8\ub098 \uac78", " how long "},
    {"\uc5bc\ub9c8\ub098", " how much "},
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
    {"\u306f\u52d5\u304d\u307e\u3059\u304b", " can run "},
    {"\u52d5\u304d\u307e\u3059\u304b", " can run "},
    {"\u306f\u52d5\u304f", " can run "},
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

/// Words of Cyrillic, whose endings are dropped.
constexpr Twin stems[] = {
    {"\u0440\u0430\u0431\u043e\u0442\u0430", " run "},
    {"\u043a\u0432\u0430\u043d\u0442\u043e\u0432\u0430\u043d", " quantization "},
    {"\u0441\u043a\u043e\u0440\u043e\u0441\u0442", " speed "},
    {"\u043e\u0431\u0443\u0447\u0438\u0442", " train "},
    {"\u0432\u0438\u0434\u0435\u043e\u043a\u0430\u0440\u0442", " gpu "},
    {"\u043a\u0430\u043a\u0443\u044e", " which "},
    {"\u043a\u0430\u043a\u0430\u044f", " which "},
    {"\u043a\u0430\u043a\u043e\u0439", " which "},
    {"\u043a\u0430\u043a\u0438\u0435", " which "},
    {"\u043a\u0430\u043a\u043e\u043c", " which "},
    {"\u043a\u0443\u043f\u0438", " buy "},
    {"\u043d\u0435\u0439\u0440\u043e\u0441\u0435\u0442", " ai "},
    {"\u0434\u043e\u043c\u0430\u0448\u043d", " home "},
    {"\u0437\u0430\u043f\u0443\u0441\u0442", " run "},
    {"\u0437\u0430\u043f\u0443\u0441\u043a\u0430", " run "},
    {"\u0434\u0438\u043f\u0441\u0438\u043a", " deepseek "},
    {"\u0445\u0432\u0430\u0442\u0438\u0442", " enough "},
    {"\u0445\u0432\u0430\u0442\u0430\u0435\u0442", " enough "},
    {"\u0434\u043e\u0441\u0442\u0430\u0442\u043e\u0447\u043d", " enough "},
    {"\u043d\u043e\u0443\u0442\u0431\u0443\u043a", " laptop "},
    {"\u043f\u043e\u0447\u0435\u043c\u0443", " why "},
    {"\u043c\u0435\u0434\u043b\u0435\u043d\u043d", " slow "},
    {"\u0431\u044b\u0441\u0442\u0440\u0435\u0435", " faster "},
    {"\u043c\u043e\u0434\u0435\u043b", " model "},
    {"\u0441\u0442\u0443\u0434\u0435\u043d\u0442", " student "},
    {"\u0438\u0437\u0443\u0447", " learn "},
    {"\u0443\u0447\u0451\u0431", " learn "},
    {"\u0443\u0447\u0435\u0431", " learn "},
    {"\u0443\u0447\u0438\u0442\u044c", " learn "},
    {"\u043b\u0443\u0447\u0448", " best "},
    {"\u0434\u0435\u0448\u0451\u0432", " cheap "},
    {"\u0434\u0435\u0448\u0435\u0432", " cheap "},
    {"\u043a\u043e\u043c\u043f\u044c\u044e\u0442\u0435\u0440", " computer "},
    {"\u043b\u043e\u043a\u0430\u043b\u044c\u043d", " local "},
    {"\u0434\u0438\u043f\u043b\u043e\u043c", " thesis "},
    {"\u043d\u043e\u0432\u0438\u0447\u043a", " beginner "},
    {"\u043a\u0430\u0440\u0442\u0438\u043d", " images "},
    {"\u0432\u0438\u0434\u0435\u043e\u043f\u0430\u043c\u044f\u0442", " vram "},
    {"\u043f\u0430\u043c\u044f\u0442", " memory "},
    {"\u0434\u043e\u043e\u0431\u0443\u0447", " finetune "},
    {"\u043e\u0431\u0443\u0447", " train "},
    {"\u043d\u0443\u0436\u043d", " needed "},
    {"\u043d\u0443\u0436\u0435\u043d", " needed "},
    {"\u0437\u0430\u043d\u0438\u043c\u0430", " takes "},
    {"\u0442\u043e\u043a\u0435\u043d", " tokens "},
    {"\u0432 \u0441\u0435\u043a\u0443\u043d\u0434", " per second "},
    {"\u0432 \u0447\u0430\u0441", " per hour "},
    {"\u0430\u0440\u0435\u043d\u0434", " rent "},
    {"\u0446\u0435\u043d", " price "},
};

/// Scales and units behind a number, which elsewhere are parts of other words: a billion has nine
/// zeros in Russian, and tens of thousands are counted in Chinese, Japanese and Korean.
constexpr Twin behind_numbers[] = {
    {"\u043c\u043b\u0440\u0434", "billion "},
    {"\u043c\u0438\u043b\u043b\u0438\u0430\u0440\u0434", "billion "},
    {"\u043c\u043b\u043d", "million "},
    {"\u043c\u0438\u043b\u043b\u0438\u043e\u043d", "million "},
    {"\u0442\u0440\u043b\u043d", "trillion "},
    {"\u0442\u0440\u0438\u043b\u043b\u0438\u043e\u043d", "trillion "},
    {"\u0442\u044b\u0441", "thousand "},
    {"\u0433\u0431", "gb "},
    {"\u767e", "hundred "},
    {"\u5343", "thousand "},
    {"\u4e07", "tenthousand "},
    {"\u842c", "tenthousand "},
    {"\u4ebf", "hundredmillion "},
    {"\u5104", "hundredmillion "},
    {"\uc5b5", "hundredmillion "},
    {"\u5146", "trillion "},
    {"\uc870 ", "trillion "},
    {"\ub9cc", "tenthousand "},
    // What is counted of data and of passes over it; "\u4e2a" and its kin stand between any number
    // and its noun.
    {"\u6761\u6570\u636e", " examples "},
    {"\u6761\u6837\u672c", " examples "},
    {"\u6761", " examples "},
    {"\u4e2a\u6837\u672c", " examples "},
    {"\u4ef6\u306e\u30c7\u30fc\u30bf", " examples "},
    {"\u4ef6", " items "},
    {"\uac74\uc758 \ub370\uc774\ud130", " examples "},
    {"\uac1c\uc758 \ub370\uc774\ud130", " examples "},
    {"\uac1c \ub370\uc774\ud130", " examples "},
    {"\uac1c \uc0d8\ud50c", " examples "},
    {"\uac74", " items "},
    {"\u4e2a", " "},
    {"\u500b", " "},
    {"\u8f6e", " epochs "},
    {"\u8f2a", " epochs "},
    {"\u904d", " epochs "},
    {"\u679a", " units "},
    {"\uc7a5", " units "},
};

/// Base letters of U+00C0 to U+00FF, whose second byte in UTF-8 runs from 0x80 to 0xbf.
constexpr std::string_view latin_letters =
    "aaaaaaaceeeeiiiidnooooo ouuuuypsaaaaaaaceeeeiiiidnooooo ouuuuypy";

/// Russian capitals as small letters, which have as many bytes: U+0410 to U+042F are 32 before
/// them.
std::string lower_cyrillic(std::string_view text) {
    constexpr unsigned lead = 0xd0;
    constexpr unsigned other_lead = 0xd1;
    std::string out(text);
    for (std::size_t i = 0; i + 1 < out.size(); ++i) {
        const auto byte = static_cast<unsigned char>(out[i]);
        const auto next = static_cast<unsigned char>(out[i + 1]);
        if (byte == lead && next >= 0x90 && next <= 0x9f) {
            out[i + 1] = static_cast<char>(next + 0x20);
        } else if (byte == lead && next >= 0xa0 && next <= 0xaf) {
            out[i] = static_cast<char>(other_lead);
            out[i + 1] = static_cast<char>(next - 0x20);
        }
    }
    return out;
}

/// One past the Cyrillic letters from `at` on: an ending.
std::size_t past_cyrillic(std::string_view text, std::size_t at) {
    while (at + 1 < text.size() && (text[at] == '\xd0' || text[at] == '\xd1')) {
        at += 2;
    }
    return at;
}

/// The word of the table that stands at `at`; none: another does.
template <std::size_t N>
const Twin* twin_at(const Twin (&table)[N], std::string_view text, std::size_t at) {
    const auto* const twin = std::find_if(
        std::begin(table), std::end(table),
        [&](const Twin& each) { return text.substr(at, each.from.size()) == each.from; });
    return twin != std::end(table) ? twin : nullptr;
}

/// Whether what was written so far ends in a number, with a blank behind it or not.
bool ends_in_number(std::string_view text) {
    while (text.ends_with(' ')) {
        text.remove_suffix(1);
    }
    return !text.empty() && text.back() >= '0' && text.back() <= '9';
}

}  // namespace

Folded folded(std::string_view written) {
    const std::string lowered = lower_cyrillic(written);
    const std::string_view question = lowered;
    Folded out;
    std::size_t scaled = question.size();  // where the last scale of a number ends
    for (std::size_t i = 0; i < question.size();) {
        if (const Twin* twin = twin_at(twins, question, i)) {
            out.add(twin->to, i);
            i += twin->from.size();
            continue;
        }
        const bool counted = i == scaled || ends_in_number(out.text);
        const Twin* unit = counted ? twin_at(behind_numbers, question, i) : nullptr;
        if (const Twin* twin = unit != nullptr ? unit : twin_at(stems, question, i)) {
            out.add(twin->to, i);
            i = past_cyrillic(question, i + twin->from.size());
            scaled = unit != nullptr ? i : scaled;
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
