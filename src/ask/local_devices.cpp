#include "ask/local_devices.h"

#include "base/text.h"
#include "calibrate/match.h"

#include <fmt/format.h>

#include <cstdlib>
#include <map>

namespace ridgeline::ask {
LocalPlaces local_places() {
    LocalPlaces places;
    if (const char* library = std::getenv("RIDGELINE_NVML")) {
        places.nvml = library;
    }
    if (const char* folder = std::getenv("RIDGELINE_SYSFS")) {
        places.sysfs = folder;
    }
    return places;
}

report::DetectAnswer detected(const Catalog& catalog) {
    report::DetectAnswer answer;
    answer.machine = local_machine(local_places());
    for (const DeviceRecord& record : answer.machine.devices) {
        answer.devices.push_back({record, match_device(record, catalog.accelerators), {}});
    }
    return answer;
}

Result<LocalParts> local_parts(const Catalog& catalog) {
    const report::DetectAnswer found = detected(catalog);
    std::map<std::string, LocalParts> parts;
    LocalParts most;
    std::string unknown;
    for (const report::DetectedDevice& device : found.devices) {
        if (device.match.accelerator == nullptr) {
            unknown = device.record.name;
            continue;
        }
        LocalParts& part = parts[device.match.accelerator->id];
        part.accelerator = device.match.accelerator;
        ++part.count;
        if (part.count > most.count) {
            most = part;
        }
    }
    if (most.count > 0) {
        return most;
    }
    const std::string reasons = joined(found.machine.reasons, "; ");
    return tl::unexpected(Error{
        ErrorKind::device_absent, "local",
        unknown.empty() ? "no accelerator was found: " + reasons
                        : fmt::format("the catalog does not know \"{}\"", unknown),
        "`ridgeline detect` shows what was looked at; name a part of `ridgeline catalog list`."});
}

}  // namespace ridgeline::ask
