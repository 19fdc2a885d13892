#pragma once

#include "ask/request.h"
#include "ask/world.h"

namespace ridgeline::ask {

// One function a command; `ask` chooses.

Result<Reply> answer_advise(const World& world, const Request& request);
Result<Reply> answer_estimate(const World& world, const Request& request);
Result<Reply> answer_compare(const World& world, const Request& request);
Result<Reply> answer_remedies(const World& world, const Request& request);
Result<Reply> answer_roofline(const World& world, const Request& request);
Result<Reply> answer_own(const World& world, const Request& request);
Result<Reply> answer_report(const World& world, const Request& request);
Result<Reply> answer_catalog(const World& world, const Request& request);
Result<Reply> answer_profiles(const World& world, const Request& request);
Result<Reply> answer_validate(const World& world, const Request& request);
Result<Reply> answer_calibrate(const World& world, const Request& request);
Result<Reply> answer_detect(const World& world, const Request& request);
Result<Reply> answer_check(const World& world, const Request& request);
Result<Reply> answer_emit(const World& world, const Request& request);

}  // namespace ridgeline::ask
