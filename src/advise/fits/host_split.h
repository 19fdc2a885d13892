#pragma once

#include "advise/answers/answer.h"

namespace ridgeline {

/// Of a host's memory what its system leaves.
Bytes left_by_system(double host_gib);

/// A processor has the memory that was said, not that of the machine in the catalog.
void bound_by_host(Placement& placement, const Reading& reading);

/// A model of one user that its card does not hold, with as many layers there as fit and of the
/// others all, or of a mixture the routed experts alone, in the host's memory: what decodes faster.
/// "yes" or "barely" where the question says how much of that there is and it suffices; "no", with
/// the memory that it would take, where nothing was said of it or it is too little. Nothing: it is
/// no such case.
std::optional<Answer> split_reply(const WorkloadDocument& document,
                                  const Architecture& architecture, const Cluster& cluster,
                                  const Reading& reading, const AnswerTools& tools);

/// Of new cards for one's home that cost no more than `usd`, the one on which such a shared model
/// decodes fastest beside the host's memory that was said; nothing where none does.
std::optional<Answer> card_beside_host(const WorkloadDocument& document,
                                       const Architecture& architecture, double usd,
                                       const Reading& reading, const AnswerTools& tools);

/// How much of the host's memory a model takes that its card shares with it, where that is asked
/// ("how much ram for X with a 4090"); nothing: the card holds it, or it is no such case.
std::optional<Answer> ram_beside_card(const WorkloadDocument& document,
                                      const Architecture& architecture, const Cluster& cluster,
                                      const Reading& reading, const AnswerTools& tools);

/// The same as a placement, where the host's memory suffices.
std::optional<Placement> shared_placement(const WorkloadDocument& document,
                                          const Architecture& architecture, const Cluster& cluster,
                                          const Reading& reading, const AnswerTools& tools);

}  // namespace ridgeline
