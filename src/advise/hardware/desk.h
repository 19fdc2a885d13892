#pragma once

#include "advise/query.h"
#include "estimate/results.h"
#include "spec/catalog.h"
#include "spec/stand.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What stands at a desk, and what is bought for one.

namespace ridgeline {

/// A whole computer: nobody joins a second one to it to run one model.
bool is_one_computer(const Accelerator& part);

/// Whether a line of products, or a generation, is one that parts are told apart by: "geforce",
/// "hopper", ..., or one that is ruled out: "!geforce".
bool is_product_line(std::string_view word);
/// Whether the part is sold under that name: Quadro are NVIDIA's cards for workstations, Tesla
/// those for servers before Ampere.
bool is_of_line(const Accelerator& part, std::string_view line);
/// Whether the part is of one of the lines of the list, where it has any, and of none that it rules
/// out.
bool is_of_lines(const Accelerator& part, const std::vector<std::string>& list);

/// Whether a word says how a part is mounted: "pcie" (a card in a slot), "sxm", "oam", "module"
/// (any of those two).
bool is_board(std::string_view word);
bool is_on_board(const Accelerator& part, std::string_view board);

/// Whether a word of a requirement is a type of numbers ("fp8", "nvfp4", "bf16"), for which the
/// part must have units.
bool is_unit_type(std::string_view word);

/// Hardware of one's own desk: consumer cards, computers whose chip is all they have, processors.
bool is_home(const Accelerator& part);

/// Whether a word says what a part is built as: "card" (no module, no whole computer), "consumer"
/// (such a card with fans, sold for games), "computer" (whole, no laptop), "laptop", "single-slot",
/// "dual-slot" (two at most), "low-profile", "server" (a card whose air a server blows).
bool is_build(std::string_view word);
bool is_built_as(const Accelerator& part, std::string_view build);

/// Whether a part draws no more than so many watts; a power that is not known is not below any.
bool draws_at_most(const Accelerator& part, std::optional<double> watts);

/// Whether a word of a requirement is what a part has whatever it runs: a type of numbers, "ecc",
/// "nvlink", "mig".
bool is_property(std::string_view word);
/// "hbm3e", "gddr", as people write the memory of a part.
bool is_memory_type(std::string_view word);
/// Such a property, or a line or generation that parts are wanted of: "nvlink", "hopper".
bool is_selection(std::string_view word);

/// Whether a part has a feature ("ecc", "nvlink", "mig") or a rate for a type of number ("bf16",
/// "nvfp4"; "fp64": at a quarter of single precision or more). Nothing for a word that is neither.
std::optional<bool> has_feature(const Accelerator& part, std::string_view feature);

/// Whether a part is of the lines, the boards and the build of a list and has units for its types;
/// what else the list holds ("ecc", "nvlink", "used") is not looked at.
bool is_as_required(const Accelerator& part, const std::vector<std::string>& require);

/// Modules of robots and cameras: who asks for none of them has another computer in mind.
bool is_embedded(const Accelerator& part);

/// Cards with fans of their own, and whole computers.
bool stands_at_a_desk(const Accelerator& part);

/// As many cards as a workstation holds.
inline constexpr int cards_of_a_desk = 4;
/// As many as a usual computer has wide slots and power for.
inline constexpr int cards_of_a_computer = 2;
/// What a computer takes beside its cards: processor, board, disks and fans, with room to spare.
inline constexpr double watts_around_cards = 300;
/// Memory of a computer that its operating system and what runs beside take, assumed. GiB.
inline constexpr double memory_of_system_gib = 4;
/// What the supply of a computer with several cards has for them: 1,500 W less what the rest draws,
/// as that of `computer_of_several_usd` in the catalog.
inline constexpr double watts_of_a_computer = 1500 - watts_around_cards;
/// Above this a sum is no home's. USD.
inline constexpr double most_at_home_usd = 20000;
/// Whether hardware is bought for a desk: for a sum that a home may have, or for one user, in no
/// more cards than a usual computer holds where their number is said.
bool buys_for_a_desk(const Query& query);
/// Whether what is bought is priced with the server that it stands in: modules, which are sold in
/// nothing else (used ones are put on a desk), more cards than a workstation holds, and cards
/// without fans of their own that are bought for no desk. One rule for sums, their limits and what
/// is said of them.
///
/// used  whether its price is that of used ones
bool bought_in_servers(const Query& query, const Accelerator& part, int count, bool used);
/// What a machine of a cluster draws at most, in watts: at a desk the cards and the computer around
/// them, elsewhere by its data sheet.
double machine_watts(const Query& query, const Cluster& cluster);
/// Whether the card goes into a server that is there.
bool goes_into_a_server(const Query& query);

/// Whether cast-offs of data centres may be bought: for a sum that pays for the servers around
/// them, or where they are asked for.
bool may_be_cast_off(const Query& query);

/// Whether the maker's newest toolkit leaves the part out, so that nobody should be told to buy it:
/// its `software` names the last release that runs on it, "CUDA 12 is the last that runs on it".
/// Empty: it runs on the newest.
std::string left_behind(const Accelerator& part);

/// Whether a part is sold within whole servers alone: an APU in a socket of its board.
bool is_part_of_a_server(const Accelerator& part);

/// What the computer around so many cards costs, USD; 0: no figure is known.
double computer_around(const Catalog& catalog, int count);

/// A token takes longer than one who reads along waits: ten a second. Seconds.
inline constexpr double readable_tpot_s = 0.1;
/// Whether a token of text comes more slowly than one reads, or a picture takes over an hour, where
/// nobody named a pace or a rate.
bool slower_than_read(const Query& query, const Workload& workload, const TimeEstimate& time);

/// Seconds to the first token that one who sits before a computer waits for: three times the ten
/// that keep attention (Nielsen 1993), as a prompt that fills the context is read once and kept.
inline constexpr double waited_for_first_s = 30;
/// Whether one who buys for a desk waits longer than that, where nobody named a time.
bool waits_long(const Query& query, const Workload& workload, const TimeEstimate& time);

}  // namespace ridgeline
