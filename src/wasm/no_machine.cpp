// What data/ asks of a machine, where there is none: a page has no disk and no devices.
#include "data/file_tree.h"
#include "data/local_machine.h"

namespace ridgeline {

std::shared_ptr<const FileTree> disk() {
    static const std::shared_ptr<const FileTree> empty = bundle_of({});
    return empty;
}

std::string TreePath::folder_name() const {
    return path_.parent_path().filename().string();
}

LocalMachine local_machine(const LocalPlaces&) {
    LocalMachine machine;
    machine.reasons.emplace_back("a page sees no devices");
    return machine;
}

}  // namespace ridgeline
