#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::reading {

struct Sentence;

/// A family that people name without version or size, and what they mean by it.
struct Usual {
    std::string_view family;
    std::string_view id;
};
std::span<const Usual> usual_models();

/// Families that the world knows, so that one that the profiles lack is named and not dropped.
/// `glue` joins the version to the name, as the makers do ("yolov8").
struct Foreign {
    std::string_view words;  ///< as tokens, one space between
    std::string_view id;
    bool glue = false;
};
std::span<const Foreign> foreign_models();

/// Programs that make pictures: they load one model at a time.
inline constexpr std::string_view picture_programs =
    "comfyui comfy automatic1111 a1111 forge invokeai fooocus swarmui";

/// Words of a release that change no shape: "instruct", "hf".
bool is_release_word(std::string_view piece);
/// Words that name another model of a family, also where the profiles lack it: "coder", "vl".
bool is_kind_word(std::string_view piece);
/// "8b", "124m".
bool is_size_piece(std::string_view piece);
/// "3.1", "2", "v0.3".
bool is_version_piece(std::string_view piece);
/// Whether a size stands among the pieces, "8x7b" too.
bool has_size(const std::vector<std::string>& pieces);
/// "a 5 s clip", "longest clip", "clip length": a word at token `at` that means no model, but
/// what a camera or a model makes.
bool is_footage(const Sentence& sentence, std::size_t at);
/// "llama3_1": a version whose point a path cannot have.
std::vector<std::string> with_point(std::vector<std::string> pieces);

/// Bytes of the file of the model that is named, in q4_k_m, as people run it: 4.83 bits a weight.
double usual_file_bytes(const Sentence& sentence);

}  // namespace ridgeline::reading
