#include "ask/commands.h"
#include "ask/local_devices.h"
#include "calibrate/reach.h"
#include "data/load.h"

#include <fmt/format.h>

namespace ridgeline::ask {
namespace {

/// Names the user's calibrations beside the devices that they hold for, and says what changed
/// since.
void add_calibrations_of(const TreePath& folder, report::DetectAnswer& answer) {
    for (const auto& path : folder.json_files()) {
        const auto file = load_calibration_file(path);
        if (!file || !file->measurement) {
            continue;
        }
        const MeasuredRun& run = *file->measurement;
        for (report::DetectedDevice& device : answer.devices) {
            if (device.match.accelerator != nullptr &&
                device.match.accelerator->id == run.reference.accelerator) {
                device.calibration = path.filename();
            }
        }
        for (const std::string& change : changes_since(run, answer.machine)) {
            answer.notes.push_back(
                fmt::format("{} may be out of date: {}", path.filename(), change));
        }
    }
}

}  // namespace

Result<Reply> answer_detect(const World& world, const Request& request) {
    if (!request.on_command_line) {
        return usage_error("detect", "shows the machine of a command line alone");
    }
    report::DetectAnswer answer = detected(world.catalog);
    add_calibrations_of(world.own_folder, answer);
    Reply out;
    out.body = request.json() ? report::detect_json(answer, stamp_of(world.catalog))
                              : report::detect_text(answer, request.style);
    return out;
}

}  // namespace ridgeline::ask
