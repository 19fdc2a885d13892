#include "advise/reading/models/usual_language.h"
#include "ask/router.h"
#include "base/text.h"
#include "report/option_words.h"

#include <fmt/format.h>

#include <array>
#include <string>

// What larger language models take, where the question names none.

namespace ridgeline::ask {

std::string Router::for_larger_models() const {
    const AssumedField* model = assumed_of(reading_, "model");
    if (model == nullptr || model->why != reading::size_left_open) {
        return "";
    }
    std::string words;
    for (const char* size : std::array{"32b", "70b"}) {
        Question larger = asked_;
        larger.query.model_text = size;
        larger.query.workload.model_id = size;
        const auto advice = advice_on(larger, world_, AdviceExtent::options);
        if (!advice || advice->options.empty()) {
            words += fmt::format(" For {} nothing within the limits is known.", size);
            continue;
        }
        const Option& best = advice->options.front();
        const std::string price = best.purchase_usd
                                      ? " for about " + format_usd(*best.purchase_usd)
                                      : " at " + format_usd(best.estimate.cost.usd_per_hour) + "/h";
        words += fmt::format(" For {} it is {} x {}{}, {}.", size, best.cluster.count,
                             best.cluster.accelerator->name, price, report::rate_words(best));
    }
    return words;
}

}  // namespace ridgeline::ask
