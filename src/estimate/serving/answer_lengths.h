#pragma once

namespace ridgeline {

/// Scale of the exponential by which lengths of answers fall, so that their mean is `mean` when
/// those above `longest` are cut there; tokens. The mean is below half of the longest.
double falling_scale(double mean, double longest);

/// Length of the answer that is longer than a share `shorter` (between 0 and 1) of all, in tokens:
/// even up to the longest where the mean is above half of it, else as answers of chats are spread.
double answer_length(double mean, double longest, double shorter);

/// Length of the prompt that is longer than a share `shorter` of all, as prompts of chats are
/// spread about their mean; tokens.
double chat_prompt_length(double mean, double shorter);

}  // namespace ridgeline
