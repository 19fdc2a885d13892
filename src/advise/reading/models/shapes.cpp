#include "advise/reading/models/shapes.h"

#include <algorithm>
#include <string_view>

// Forms of a sentence: what stands between two kinds of hardware, what a number counts, what its
// end asks.

namespace ridgeline::reading {

bool counts_part_hours(const Sentence& s) {
    return std::ranges::any_of(s.mentions, [&](const Mention& each) {
        // "p3.16xlarge: hours and dollars?" asks for those of the run.
        // "4 a100, hours and $?" as well.
        const bool of_run =
            is_any(s.word(each.end + 1), "and & + or") &&
            is_any(s.word(each.end + 2), "$ usd dollars dollar cost costs price money euro euros");
        return s.follows(each.end) && is_any(s.word(each.end), "hours hrs days") && !of_run &&
               !parted_by_colon(s, each.end);
    });
}

bool has_to_spend(const Sentence& s) {
    return s.reading.budget_usd && !s.reading.usd_per_hour && !s.reading.usd_per_month &&
           s.any_word("have got budget with spend grant") &&
           !s.any_word(
               "under below less most max maximum within cheap cheaper cheapest least lowest "
               "minimum save enough");
}

bool pays_for_time_on(const Sentence& s) {
    constexpr std::string_view time = "time compute rental rentals hours hrs capacity";
    return std::ranges::any_of(s.mentions, [&](const Mention& each) {
        const bool behind = each.at > 0 && is_any(s.word(each.at - 1), "of in on worth for") &&
                            s.follows(each.end) && is_any(s.word(each.end), time);
        // "worth of time on 8 a100", "of gpu time on h100s"; "100 hours on an a100" are counted.
        std::size_t at = each.at;
        while (at > 0 &&
               (all_digits(s.word(at - 1)) || is_any(s.word(at - 1), "a an the x some"))) {
            --at;
        }
        const bool on =
            at > 1 && is_any(s.word(at - 1), "on with of") && is_any(s.word(at - 2), time);
        const std::size_t of = on ? first_of_words(s, at - 2, "gpu cloud rental machine") : 0;
        const bool before = on && of > 0 && is_any(s.word(of - 1), "of in worth");
        return behind || before;
    });
}

bool ends_in_time(const Sentence& s) {
    if (s.tokens.size() < 2) {
        return false;
    }
    const std::size_t last = s.tokens.size() - 1;
    const auto makes_pictures = [&s] {
        const auto model = s.named_architecture();
        return model && model->kind == ModelKind::diffusion;
    };
    const bool behind_part =
        std::ranges::any_of(s.mentions, [last](const Mention& each) { return each.end == last; });
    const bool parted = s.tokens[last].gap == Gap::stop ||
                        (behind_part && !is_any(s.word(last), "time duration")) ||
                        parted_by_colon(s, last);
    return parted && s.tokens[last - 1].text != "per" &&
           (is_any(s.word(last), "hours hrs days weeks minutes mins time duration") ||
            (is_any(s.word(last), "seconds secs") && makes_pictures()));
}

bool either_between(const Sentence& s) {
    for (std::size_t k = 1; k < s.mentions.size(); ++k) {
        // "1 h100 nvl / 2 l40s / 1 rtx pro 6000"
        const std::size_t from = s.tokens[s.mentions[k - 1].end - 1].end;
        const std::size_t to = s.tokens[s.mentions[k].at].begin;
        if (to > from &&
            std::string_view(s.text).substr(from, to - from).find('/') != std::string_view::npos) {
            return true;
        }
        for (const Mark& mark : s.marks) {
            const bool between = mark.at >= s.mentions[k - 1].end && mark.at < s.mentions[k].at;
            if (between && mark.means == Means::either) {
                return true;
            }
        }
    }
    return false;
}

bool goes_from_to(const Sentence& s) {
    const Mention& first = s.mentions.front();
    const Mention& second = s.mentions[1];
    const auto says = [&](std::size_t from, std::size_t to, std::string_view words) {
        for (std::size_t i = from; i < to; ++i) {
            if (is_any(s.word(i), words)) {
                return true;
            }
        }
        return false;
    };
    const std::size_t before = first.at - std::min<std::size_t>(first.at, 5);
    // "sell my 4090 and get two 3090s": what is sold is gone, so that the two are never together.
    constexpr std::size_t most_to_the_purchase = 9;
    if (says(before, first.at, "sell selling sold ditch ditching flip trade trading") &&
        says(first.end, second.at, "buy buying get getting grab purchase take towards toward") &&
        second.at - first.end <= most_to_the_purchase) {
        return true;
    }
    if (second.at - first.end > 4) {
        return false;
    }
    // What is given away stands first: "swap two 3090s for a 5090", "replace the t4 with an l4".
    return (says(first.end, second.at, "to") &&
            says(before, first.at,
                 "from upgrade upgrading replace replacing swap trade move moving switch switching "
                 "going jump step")) ||
           (says(first.end, second.at, "for with by") &&
            says(before, first.at,
                 "swap swapping swapped trade trading exchange exchanging replace replacing sell "
                 "selling ditch ditching"));
}

bool lists_kinds(const Sentence& s) {
    std::size_t kinds = s.mentions.empty() ? 0 : 1;
    for (std::size_t k = 1; k < s.mentions.size(); ++k) {
        const bool next = s.mentions[k].at <= s.mentions[k - 1].end + 1;
        kinds += next && s.mentions[k].name != s.mentions[k - 1].name ? 1 : 0;
    }
    return kinds >= 3;
}

bool than_between(const Sentence& s) {
    for (std::size_t k = 1; k < s.mentions.size(); ++k) {
        for (std::size_t i = s.mentions[k - 1].end; i < s.mentions[k].at; ++i) {
            if (s.word(i) == "than" && i > 0 &&
                !is_any(s.word(i - 1), "more less fewer other rather")) {
                return true;
            }
        }
    }
    return false;
}

namespace {

/// Tokens from `at` on that are `words`, whatever has claimed them; 0: they are others.
std::size_t words_at(const Sentence& s, std::string_view words, std::size_t at) {
    std::size_t length = 0;
    for (; !words.empty(); ++length) {
        const std::string_view wanted = words.substr(0, words.find(' '));
        if (s.word(at + length) != wanted || (length > 0 && !s.follows(at + length))) {
            return 0;
        }
        words.remove_prefix(std::min(words.size(), wanted.size() + 1));
    }
    return length;
}

}  // namespace

bool preferred_between(const Sentence& s) {
    for (std::size_t i = 0; i < s.tokens.size(); ++i) {
        std::size_t given_up = 0;
        for (const std::string_view words :
             {"instead of", "rather than", "in place of", "in lieu of", "statt", "anstatt",
              "anstelle", "au lieu de", "en lugar de", "en vez de", "invece di", "in plaats van"}) {
            given_up = given_up == 0 ? words_at(s, words, i) : given_up;
        }
        std::size_t part = i + given_up;
        const auto named = [&] {
            return std::ranges::any_of(s.mentions,
                                       [&](const Mention& each) { return each.at == part; });
        };
        // "rather than two of the older 3090"
        while (given_up > 0 && s.follows(part) && !named() &&
               (has_digit(s.word(part)) ||
                is_any(s.word(part),
                       "a an the my our of x one two three four six eight single pair "
                       "dual quad older von einer einem eine der des une un una unos"))) {
            ++part;
        }
        if (given_up > 0 && s.mentions.size() > 1 && named()) {
            return true;
        }
    }
    return false;
}

bool only_parts(const Sentence& s) {
    for (std::size_t i = 0; i < s.tokens.size(); ++i) {
        const bool beside = std::ranges::any_of(s.mentions, [&](const Mention& each) {
            return each.end == i || each.at == i + 1 || (each.at == i + 2 && !s.follows(i + 2)) ||
                   (each.at == i + 2 && is_any(s.word(i + 1), "on use have an a with the"));
        });
        if (beside && is_any(s.word(i), "only exclusively solely")) {
            return true;
        }
    }
    return false;
}

namespace {

/// "h100s required to pretrain": a part without a number, of which so many are asked for as it
/// takes.
bool says_how_many_it_takes(const Sentence& s) {
    return std::ranges::any_of(s.mentions, [&](const Mention& each) {
        const bool one = each.at > 0 && is_any(s.word(each.at - 1), "a an one the single is my");
        return !each.count && !one && s.follows(each.end) &&
               is_any(s.word(each.end), "needed required necessary count") &&
               !has_digit(s.word(each.end + 1));
    });
}

/// "the smallest h100 fleet", "how big a cluster of h100": a group of a part whose number is what
/// is asked.
bool sizes_a_group(const Sentence& s) {
    constexpr std::size_t most_between = 6;
    for (std::size_t i = 0; i < s.tokens.size(); ++i) {
        const bool least = is_any(s.word(i), "smallest tiniest minimum minimal least fewest");
        const bool how = i > 0 && is_any(s.word(i), "big large small size sized many") &&
                         is_any(s.word(i - 1), "how what which");
        bool group = false;
        bool part = false;
        for (std::size_t k = i + 1; (least || how) && k <= i + most_between && s.follows(k); ++k) {
            group = group ||
                    is_any(s.word(k), "fleet cluster pool farm deployment number count amount");
            part = part || std::ranges::any_of(s.mentions, [&](const Mention& each) {
                       return each.at == k && !each.count;
                   });
        }
        if (group && part) {
            return true;
        }
    }
    return false;
}

}  // namespace

bool seeks_fewest(const Sentence& s) {
    for (std::size_t i = 0; i < s.tokens.size(); ++i) {
        // "5 min on an h100" is a time, "at least an h100" a limit.
        const bool least = is_any(s.word(i), "min minimum minimal least lowest fewest") &&
                           (!s.follows(i) || (s.word(i - 1) != "at" && !has_digit(s.word(i - 1))));
        const std::size_t at =
            past_words(s, i + 1, "of the required no nr num number count amount quantity");
        // "lowest h100 price" is none of their number.
        const bool told = at > i + 1 || s.word(i) != "lowest";
        const bool named = std::ranges::any_of(s.mentions, [&](const Mention& each) {
            return each.at == at && !each.count &&
                   !is_any(s.word(each.end),
                           "price prices cost costs rent rate memory vram ram power hourly per");
        });
        if (least && told && s.follows(at) &&
            (named || is_any(s.word(at), "gpus cards accelerators nodes servers machines"))) {
            return true;
        }
    }
    return false;
}

bool counts_parts(const Sentence& s) {
    if (says_how_many_it_takes(s) || sizes_a_group(s) || seeks_fewest(s)) {
        return true;
    }
    for (std::size_t i = 0; i < s.tokens.size(); ++i) {
        const std::string_view before = i > 0 ? s.word(i - 1) : std::string_view();
        const bool many = (s.word(i) == "many" && before == "how") ||
                          (s.word(i) == "of" && before == "number") || s.word(i) == "fewest" ||
                          is_any(s.word(i), "viele cuantas cuantos combien");
        // "h200 for it, how many?", "how many do i need"
        const bool last = s.word(i) == "many" && before == "how" &&
                          (i + 1 >= s.tokens.size() || s.tokens[i + 1].gap == Gap::stop ||
                           (is_any(s.word(i + 1), "do would will should must") &&
                            s.any_word("need needed want require buy rent take")));
        const bool open =
            !s.mentions.empty() && std::ranges::none_of(s.mentions, [](const Mention& each) {
                return each.count.has_value();
            });
        if (last && open && (s.mentions.size() == 1 || s.has(Means::either))) {
            return true;
        }
        for (std::size_t k = i + 1; many && k < i + 5 && s.follows(k); ++k) {
            const bool mention = std::ranges::any_of(
                s.mentions, [&](const Mention& each) { return each.at == k && !each.count; });
            const bool copies = s.reading.requests_per_s && !s.mentions.empty() &&
                                is_any(s.word(k), "replicas copies instances");
            if (mention || copies || is_any(s.word(k), "gpus gpu cards accelerators nodes")) {
                return true;
            }
            if (s.has(Means::infer) && is_any(s.word(k), "users requests tokens people")) {
                break;
            }
        }
    }
    return false;
}

bool asks_for_failure(const Sentence& s) {
    for (std::size_t i = 0; i < s.tokens.size(); ++i) {
        const std::string_view next = s.word(i + 1);
        const bool fails = is_any(s.word(i), "oom ooms crash crashes choke chokes fail fails");
        const bool out = (s.word(i) == "out" && next == "of") ||
                         (is_any(s.word(i), "run runs") && next == "out");
        const bool too =
            s.word(i) == "too" && is_any(next, "weak small big large little much slow");
        const bool needs =
            is_any(s.word(i), "need needs require requires") && !s.any_word("what which how") &&
            (is_any(next, "more over at") || (i > 0 && is_any(s.word(i - 1), "really actually")));
        if (fails || out || too || needs) {
            return true;
        }
    }
    return false;
}

}  // namespace ridgeline::reading
