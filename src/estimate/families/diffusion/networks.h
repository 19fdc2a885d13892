#pragma once

#include "estimate/families/network_builder.h"
#include "spec/network.h"

#include <vector>

namespace ridgeline {

/// What one sample of a denoiser is.
struct LatentShape {
    double height = 64;  ///< of the latent image
    double width = 64;
    double frames = 1;  ///< of the latent clip
    double text_tokens = 77;
    double rank = 0;  ///< of adapters beside the attention's projections; 0: none
};

// Denoisers by the word of their model files; each follows the class of huggingface/diffusers.
void list_unet_denoiser(NetworkBuilder& net, const NetworkSizes& sizes, const LatentShape& latent);
/// The copy of a U-Net's way down that trains beside it (diffusers controlnet.py).
void list_controlnet(NetworkBuilder& net, const NetworkSizes& sizes, const LatentShape& latent);
void list_sd3(NetworkBuilder& net, const NetworkSizes& sizes, const LatentShape& latent);
void list_flux(NetworkBuilder& net, const NetworkSizes& sizes, const LatentShape& latent);
void list_flux2(NetworkBuilder& net, const NetworkSizes& sizes, const LatentShape& latent);
void list_qwen_image(NetworkBuilder& net, const NetworkSizes& sizes, const LatentShape& latent);
void list_hunyuan_video(NetworkBuilder& net, const NetworkSizes& sizes, const LatentShape& latent);
void list_wan(NetworkBuilder& net, const NetworkSizes& sizes, const LatentShape& latent);
void list_cogvideox(NetworkBuilder& net, const NetworkSizes& sizes, const LatentShape& latent);
void list_pixart(NetworkBuilder& net, const NetworkSizes& sizes, const LatentShape& latent);
void list_single_stream(NetworkBuilder& net, const NetworkSizes& sizes, const LatentShape& latent);

/// Shape of an image autoencoder (AutoencoderKL); clips decode frame by frame in groups.
struct AutoencoderShape {
    std::vector<double> channels{128, 256, 512, 512};
    double latent_channels = 4;
    double layers = 2;
    bool quantised = true;  ///< 1x1 convolutions on both sides of the latent
    double taps = 1;        ///< frames that a causal convolution reads
};
void list_encoder(NetworkBuilder& net, const AutoencoderShape& shape, const LatentShape& latent);
void list_decoder(NetworkBuilder& net, const AutoencoderShape& shape, const LatentShape& latent);

/// One text encoder: CLIP's, T5's or a language model.
struct TextEncoderShape {
    double hidden = 768;
    double layers = 12;
    double heads = 12;
    double ffn = 3072;
    double vocabulary = 49408;
    double tokens = 77;
    bool gated = false;          ///< T5 and language models: gated products without biases
    double key_heads = 0;        ///< heads of keys and values; 0: as many as of queries
    double head_dim = 0;         ///< 0: hidden / heads
    double norms = 2;            ///< a layer
    bool head_norm = false;      ///< norms of each head's queries and keys
    double position_tables = 1;  ///< of 32 distances a head: T5 shares one, UMT5 has one a layer
};
void list_text_encoder(NetworkBuilder& net, const TextEncoderShape& shape);

/// Whose RMS norm of each head a network has: torch's keeps an fp32 copy, that of diffusers
/// (models/normalization.py) its 16-bit input as well, which it scales.
enum class HeadNorm { torch, diffusers };

/// Projections of an attention layer over positions of `x`; adapters where the run has them.
struct AttentionForm {
    double width = 0;  ///< of queries, keys and values together
    double heads = 1;
    double key_width = 0;  ///< of keys and of values where they have fewer heads; 0: width
    bool bias = false;     ///< on q, k and v
    bool out_bias = true;
    double head_norm = 0;  ///< parameters of one norm on q and one on k; 0: none
    HeadNorm norm = HeadNorm::torch;
    bool rotary = false;
    double rank = 0;
};
/// `source`: what keys and values are made from (x itself: self attention).
Map attend(NetworkBuilder& net, const Map& x, const Map& source, const AttentionForm& form);
/// x (1 + scale) + shift, or x gate: factors of one row a sample.
Map modulate(NetworkBuilder& net, const Map& x);
/// Tokens beside the first text encoder's: a second text encoder's and those of an image encoder,
/// each through products of its own (HunyuanVideo 1.5). How many; 0: the model has none.
double added_conditions(NetworkBuilder& net, const NetworkSizes& sizes, double width);
/// The factors of an adaptive norm: one product of one row.
void factors(NetworkBuilder& net, double in, double out);
/// Two products with an activation between, of one row a sample.
void embed_row(NetworkBuilder& net, double in, double out);
/// Two products with an activation between, of each position.
Map feed_forward(NetworkBuilder& net, const Map& in, double wide);
/// Patches of `channels` values through one product, and how many a clip has.
Map patches(NetworkBuilder& net, double channels, double width, double tokens);
double patch_tokens(const LatentShape& latent, double patch);
/// RMS norm of each head, in fp32, and the turn of its halves by position (diffusers runs both as
/// chains of pointwise kernels).
Map head_norm(NetworkBuilder& net, const Map& x, HeadNorm norm);
Map rotate(NetworkBuilder& net, const Map& x);

}  // namespace ridgeline
