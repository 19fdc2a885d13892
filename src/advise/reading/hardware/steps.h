#pragma once

#include "advise/reading/words/sentence.h"

namespace ridgeline::reading {

/// Options of launchers and engines, with what they set: "--nnodes=2", "-c 32768".
void recognise_launchers(Sentence& sentence);
void recognise_rows(Sentence& sentence);  ///< of nvidia-smi
void apply_launch(Sentence& sentence);    ///< over the counts beside names
/// "us-east-1", "westeurope": where a provider rents, before its numbers are counts.
void recognise_regions(Sentence& sentence);
/// Whether a name has the form of one: "eu-central-9".
bool names_region(std::string_view name);
/// "thunderbolt 4 3090", "pcie 4 x16": the version and the lanes of a bus count no cards.
void recognise_bus_versions(Sentence& sentence);
void recognise_hardware(Sentence& sentence);
/// Of the hardware that was named: slices of TPUs ("v5e-8") and profiles of MIG ("3g.40gb").
void add_slices(Sentence& sentence);
/// Computers without their chip, after all parts.
void recognise_computers(Sentence& sentence);
void recognise_processors(Sentence& sentence);
void recognise_notebooks(Sentence& sentence);  ///< that lend a card
/// "p5.48xlarge (8x H100)": a machine beside what it holds is one thing, before it is counted.
void join_machine_contents(Sentence& sentence);
void recognise_counts(Sentence& sentence);
void recognise_places(Sentence& sentence);
/// "an a6000-class card or better": its memory and bandwidth are asked for, not itself.
void recognise_classes(Sentence& sentence);
/// "how many 4090 match an h100"
void recognise_equals(Sentence& sentence);
/// Hardware that is named because it is not to be had, and in whose place others are wanted, leaves
/// the mentions. After counts.
void recognise_left_out(Sentence& sentence);
/// "a card that does fp8 natively": types of numbers that hardware must have units for.
void recognise_required_types(Sentence& sentence);
/// "they say 8xH100, what is the minimum": that number is doubted, and none of the question's.
void recognise_quoted_counts(Sentence& sentence);
/// "is nvlink worth it", "how bad is 25GbE": the same hardware with a link and without it, or on
/// another network.
void weigh_links(Sentence& sentence);
/// A server in place of the desktop that was assumed, where that does not hold the model.
void settle_processor(Sentence& sentence);
/// "2 used 3090s or rent a 48gb card": one that is rented, told by its memory.
void add_rented_card(Sentence& sentence);
/// "2x48=96GB": as many, and not a node of 48.
void recognise_counted_memory(Sentence& sentence);
/// The memory of all cards together is no card's: it chooses the form that has its part of it.
void settle_memory_sum(Sentence& sentence);
/// "3080 20gb x2": memory that stands between a name and its count is that of each.
bool is_memory_of_each(const Sentence& sentence, const Mention& mention);
/// "96 of 128 GB" of memory that a processor shares with its graphics.
void settle_memory_share(Sentence& sentence);

}  // namespace ridgeline::reading
