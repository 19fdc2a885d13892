#pragma once

#include "data/config_fields.h"
#include "data/model_families.h"
#include "spec/architecture.h"

namespace ridgeline {

// One function a shape of configuration; errors are left in `config`. Each fills what depends on
// the family; names and published counts are read by the caller.

/// A causal language model, with a vision tower where the family has one.
Architecture import_decoder(const ConfigFields& config, const DecoderFamily& family);
/// Mamba and its kind, and models most of whose layers have a state in place of attention; nothing
/// for other types.
std::optional<Architecture> import_state_model(const ConfigFields& config,
                                               const std::string& model_type);
/// BERT, RoBERTa, DistilBERT, ELECTRA.
Architecture import_bert(const ConfigFields& config, const std::string& model_type);
/// ModernBERT, Nomic's BERT, the "new" of GTE: gated, rotary positions.
Architecture import_rotary_encoder(const ConfigFields& config, const std::string& model_type);
/// ESM-2, a language model of proteins.
Architecture import_esm(const ConfigFields& config);
/// `deberta` and `deberta-v2`, which is also the third version.
Architecture import_deberta(const ConfigFields& config, const std::string& model_type);
/// BART, mBART, M2M-100 (NLLB), Marian.
Architecture import_bart(const ConfigFields& config, const std::string& model_type);
Architecture import_t5(const ConfigFields& config);
Architecture import_whisper(const ConfigFields& config);
/// `clip` (both towers) and `clip_text_model`.
Architecture import_clip(const ConfigFields& config, const std::string& model_type);
/// ViT and DeiT with a layer count; the form with published MACs is an image network.
Architecture import_vit(const ConfigFields& config);
/// Convolutional, recurrent, adversarial and diffusion networks.
Architecture import_network(const ConfigFields& config, const std::string& model_type);

/// The tower under `vision_config` of Gemma 3 and Llama 4: a stack before the text stack, and its
/// patch embedding, positions, norms and projector as extra parameters.
void import_vision_tower(const ConfigFields& config, const std::string& model_type,
                         Architecture& architecture);

/// Whether the class that the file was saved from has that word in its name.
bool class_has(const ConfigFields& config, std::string_view word);

/// The model of a parsed document; `where` names it in errors.
Result<Architecture> architecture_from_json(const nlohmann::json& document,
                                            const std::string& where);

/// A layer with biases everywhere, layer norms and a plain feed-forward part (2017 to 2020).
TransformerStack biased_stack(const char* name);

/// The decoder of a model that has one beside its encoder, as BART's configuration and those after
/// it say; fills in the sizes of the encoder, too.
TransformerStack decoder_of(const ConfigFields& config, TransformerStack& encoder);

/// The heads under one of `names`, as many of keys as of queries; the hidden size is parted by
/// them.
void set_heads(const ConfigFields& config, FieldNames names, TransformerStack& tower);

/// Adds a group of parameters outside the layers when there are any.
void add_extra(Architecture& architecture, const char* name, double parameters, int count = 1);

}  // namespace ridgeline
