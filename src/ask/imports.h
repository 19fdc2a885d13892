#pragma once

#include "ask/request.h"
#include "ask/world.h"
#include "data/formats/import_files.h"

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::ask {

/// What a file says beside the options of ridgeline, as options that nobody types: `check` reads
/// them.
inline constexpr std::string_view longest_request_fact = "@longest";  ///< `ImportedServer`
inline constexpr std::string_view room_rule = "room ";  ///< of it: what the cache has room for
inline constexpr std::string_view length_key_fact = "@length-key";  ///< "--max-model-len"
inline constexpr std::string_view uncounted_fact = "@uncounted";    ///< what moves memory, unread
inline constexpr std::string_view needs_less_fact = "@needs-less";  ///< and may need less

inline constexpr std::string_view kept_fact = "@kept";        ///< `KeptSetting`s, a line each
inline constexpr std::string_view weights_fact = "@weights";  ///< the weights as a file names them

/// Files of --from that can be read once (pipes, standard input): each with its text behind it.
inline constexpr std::string_view piped_fact = "@piped";

/// "RUN,PARTS" of an `ImportChoice`, where a file starts several runs or names several machines.
inline constexpr std::string_view choice_fact = "@choice";

/// That servers of a file want more of a card than all of it, in words.
inline constexpr std::string_view crowd_fact = "@crowd";

inline constexpr std::string_view run_fact = "@run";  ///< of several: its tool and model

/// One of the machines that a file would take.
struct ImportedPlace {
    std::string on;         ///< as --on names it
    std::size_t parts = 0;  ///< its place in the file
};

/// A request with what its configuration files say, and what became of their keys.
struct ImportedRequest {
    Request request;
    std::vector<ImportedFile> files;
    std::vector<std::string> open;      ///< what stays open until the accelerators are known
    std::vector<ImportedPlace> places;  ///< each alternative of a file that names several
    std::vector<ImportedRun> runs;      ///< of a file that starts several
};

/// Lays the files of --from under the options of a request: what the request says itself wins. On a
/// command line --from names files; elsewhere it holds their texts.
///
/// errors  a file that cannot be read, or that is no configuration
Result<ImportedRequest> with_imports(const World& world, const Request& request,
                                     const std::vector<FormatTable>& formats);

/// One value of --from with its bytes; of a file of weights its header. errors  a file that cannot
/// be opened
Result<GivenFile> given_file(const Request& request, const std::string& stated);

/// The request with the text of each file of --from that can be read once; "-" is standard input.
Request with_pipes_read(const Request& request);

/// The files of --from. errors  as above
Result<std::vector<GivenFile>> given_files(const Request& request);

/// Whether a file is of ridgeline's own form, which needs no translation.
bool is_own_document(const std::string& text);

/// Keys of the files that were not known, as one list of words; "" when all were.
std::string unknown_of(const ImportedRequest& imported);

/// "note: ..." lines: what was read, defaulted, ignored and unknown.
std::string notes_of(const ImportedRequest& imported);

/// The same as one JSON list.
std::string imports_json(const ImportedRequest& imported);

/// The tables of the formats that are read and written (profiles/formats).
Result<std::vector<FormatTable>> formats_of(const World& world);

}  // namespace ridgeline::ask
