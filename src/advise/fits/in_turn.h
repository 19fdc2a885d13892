#pragma once

#include "advise/fits/judged.h"

#include <string>

namespace ridgeline {

/// A network of pictures or clips with its text encoders, on a card of one's own that does not hold
/// all of them at once: the usual tools let each come when its turn is. The verdict is that of the
/// plan in which the encoders leave and the largest stays whole; what would have to be read again
/// in each pass is no yes.
void try_networks_in_turn(Judged& best, const FitCase& fit);

/// " Where its text encoders are unloaded after the prompt, ..., it takes 15.4 GiB.": of what needs
/// `whole_gib` with all of them there; empty: there is one network, or it saves little.
std::string in_turn_words(const Way& way, const Reading& reading, double whole_gib,
                          const Cluster& cluster, const AnswerTools& tools);

}  // namespace ridgeline
