#include "capi/ridgeline.h"

#include "ask/json_door.h"
#include "data/bundle.h"

#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>

using ridgeline::Error;
using ridgeline::Result;
using ridgeline::TreePath;
using ridgeline::ask::World;
using ridgeline::ask::WorldPlaces;

/// A world, or why there is none.
struct ridgeline_world {
    Result<World> loaded;
};

namespace {

Result<World> loaded_from(const char* folder, std::string_view bundle) {
    TreePath root(folder != nullptr ? folder : "");
    if (folder == nullptr) {
        auto tree = ridgeline::bundle_from(bundle);
        if (!tree) {
            return tl::unexpected(tree.error());
        }
        root = TreePath("", *tree);
    }
    WorldPlaces places;
    places.catalog = root / "catalog";
    places.profiles = root / "profiles";
    return ridgeline::ask::load_world(places);
}

// Nothing may be thrown across a C interface: what is left to throw is that memory is out.
template <typename Work>
auto without_exceptions(Work work) -> decltype(work()) {
#ifdef __cpp_exceptions
    try {
        return work();
    } catch (const std::exception&) {
        return nullptr;
    }
#else
    return work();
#endif
}

}  // namespace

ridgeline_world* ridgeline_open(const char* folder, const unsigned char* bundle,
                                size_t bundle_bytes) {
    return without_exceptions([&] {
        const std::string_view text(reinterpret_cast<const char*>(bundle),
                                    bundle == nullptr ? 0 : bundle_bytes);
        return new ridgeline_world{loaded_from(folder, text)};
    });
}

char* ridgeline_ask(ridgeline_world* world, const char* request_json) {
    return without_exceptions([&] {
        const std::string answer = world->loaded
                                       ? ridgeline::ask::ask_json(*world->loaded, request_json)
                                       : ridgeline::ask::error_json(world->loaded.error());
        auto* text = static_cast<char*>(std::malloc(answer.size() + 1));
        if (text != nullptr) {
            std::memcpy(text, answer.c_str(), answer.size() + 1);
        }
        return text;
    });
}

void ridgeline_ask_each(ridgeline_world* world, const char* const* request_jsons, size_t count,
                        char** answers) {
    for (size_t i = 0; i < count; ++i) {
        answers[i] = ridgeline_ask(world, request_jsons[i]);
    }
}

void ridgeline_free(char* answer) { std::free(answer); }

const char* ridgeline_version(void) { return RIDGELINE_VERSION; }

void ridgeline_close(ridgeline_world* world) { delete world; }
