// Networks that their model file writes out operator by operator, so that a network of another form
// is a row of data. docs/model-listings.md has the language.
#include "estimate/families/convolution/networks.h"
#include "estimate/families/family.h"
#include "estimate/families/listing/statement.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace ridgeline {
namespace {

using enum ActivationKind;
constexpr std::size_t most_registers = 26 * 26 + 26;
constexpr double most_repeats = 1000;

Window window_of(const Statement& line) {
    const Sides kernel = sides_of(line.option('k').empty() ? "1" : line.option('k'));
    const Sides stride = sides_of(line.option('s').empty() ? "1" : line.option('s'));
    const Sides dilation = sides_of(line.option('d').empty() ? "1" : line.option('d'));
    Window window;
    window.height = kernel.height;
    window.width = kernel.width;
    window.stride = stride.height;
    window.stride_width = stride.width;
    window.dilation = std::max({dilation.height, dilation.width, dilation.depth});
    window.depth = kernel.depth;
    window.stride_depth = stride.depth;
    if (line.option('p').empty()) {
        // As much as keeps the sides at stride 1.
        window.pad = std::floor(dilation.height * (window.height - 1) / 2);
        window.pad_width = std::floor(dilation.width * (window.width - 1) / 2);
        window.pad_depth = std::floor((window.depth - 1) / 2);
    } else {
        const Sides pad = sides_of(line.option('p'));
        window.pad = pad.height;
        window.pad_width = pad.width;
        window.pad_depth = pad.count == 3 ? pad.depth : 0;
    }
    window.ceil = line.has("ceil");
    return window;
}

class Listing {
public:
    Listing(NetworkBuilder& net, const ImageShape& image, const Growth& growth)
        : net_(net), growth_(growth) {
        maps_.reserve(32);
        set("a", net.input(image.channels, image.height, image.width, image.depth));
    }

    /// Rows "name x3: statement; statement"; of "name (training)" where the network trains.
    void run(std::string_view rows) {
        while (!rows.empty() && net_.problem().empty()) {
            const std::size_t end = std::min(rows.find('\n'), rows.size());
            run_row(rows.substr(0, end));
            rows.remove_prefix(std::min(end + 1, rows.size()));
        }
    }

private:
    void run_row(std::string_view row) {
        const std::size_t colon = row.find(':');
        std::string_view name = colon == std::string_view::npos ? "layers" : row.substr(0, colon);
        row.remove_prefix(colon == std::string_view::npos ? 0 : colon + 1);
        double repeats = 1;
        if (const std::size_t times = name.rfind(" x"); times != std::string_view::npos) {
            repeats = number_of(name.substr(times + 2), repeats);
            name = name.substr(0, times);
        }
        if (constexpr std::string_view trains = " (training)"; name.ends_with(trains)) {
            name.remove_suffix(trains.size());
            repeats = net_.context().training ? repeats : 0;
        }
        statements_.clear();
        while (!row.empty()) {
            const std::size_t end = std::min(row.find(';'), row.size());
            if (Statement statement(row.substr(0, end)); !statement.empty()) {
                statements_.push_back(std::move(statement));
            }
            row.remove_prefix(std::min(end + 1, row.size()));
        }
        for (int i = 0; i < std::min(repeats, most_repeats) && net_.problem().empty(); ++i) {
            net_.block(name);
            for (const Statement& statement : statements_) {
                run_statement(statement);
            }
        }
    }

    void run_statement(const Statement& line) {
        net_.share(line.has("shared"));
        const std::string_view name = line.name();
        if (name == "params") {
            net_.parameters("parameters", line.number(0));
            return;
        }
        const Map in = get(line.operand(0));
        if (name == "keep") {
            net_.keep(in);
            return;
        }
        if (name == "loss") {
            net_.pixel_loss(in, !line.has("inside"));
            return;
        }
        set(line.target(), name == "input" ? net_.input(line.number(0, 3), sides(line).height,
                                                        sides(line).width, sides(line).depth)
                                           : made(line, name, in));
        net_.share(false);
    }

    /// Of the map that is made: one number is positions in a row.
    [[nodiscard]] Sides sides(const Statement& line) const {
        Sides stated = sides_of(line.option('h').empty() ? "1" : line.option('h'), growth_);
        stated.height = stated.count == 1 ? 1 : stated.height;
        return stated;
    }

    Map made(const Statement& line, std::string_view name, const Map& in) {
        if (name == "conv" || name == "tconv" || name == "maxpool" || name == "avgpool") {
            return windowed(line, name, in);
        }
        if (name == "bn" || name == "gn" || name == "ln" || name == "rms") {
            const bool affine = !line.has("plain");
            return name == "bn"   ? net_.batch_norm(in, affine)
                   : name == "gn" ? net_.group_norm(in, affine)
                   : name == "ln" ? net_.layer_norm(in, affine)
                                  : net_.rms_norm(in, affine);
        }
        if (name == "softmax") {
            return net_.softmax(in);
        }
        if (name == "relu" || name == "act") {
            return net_.activation(in, name == "relu" ? relu : smooth, line.has("copied"));
        }
        if (name == "add" || name == "mul" || name == "cat" || name == "join" || name == "matmul") {
            return combined(line, name, in);
        }
        if (name == "linear") {
            return net_.linear(in, line.number(0), line.has("bias"));
        }
        if (name == "attention") {
            const double keys = line.option('k').empty()
                                    ? get(line.operand(1), in).positions()
                                    : sides_of(line.option('k'), growth_).width;
            net_.keep(in);
            return net_.attention(
                in, line.number(0, in.channels), sides_of(line.option('n')).width, keys,
                line.option('g').empty() ? 1 : sides_of(line.option('g'), growth_).width, {},
                !line.has("unfused"));
        }
        if (name == "embed") {
            return net_.embedding(line.number(0), line.number(1), std::max(1.0, line.number(2, 1)));
        }
        return shaped(line, name, in);
    }

    Map windowed(const Statement& line, std::string_view name, const Map& in) {
        const Window window = window_of(line);
        if (name == "maxpool") {
            return net_.max_pool(in, window);
        }
        if (name == "avgpool") {
            return net_.average_pool(in, window);
        }
        const double groups = line.has("depthwise")      ? in.channels
                              : line.option('g').empty() ? 1
                                                         : sides_of(line.option('g')).width;
        const double filters = line.number(0, in.channels);
        return name == "conv"
                   ? net_.convolution(in, filters, window, groups, line.has("bias"))
                   : net_.transposed(
                         in, filters, window, line.has("bias"), groups,
                         line.option('o').empty() ? 0 : sides_of(line.option('o')).width);
    }

    Map combined(const Statement& line, std::string_view name, const Map& in) {
        if (name == "add" || name == "mul") {
            const Map other = get(line.operand(1), in);
            return name == "add" ? net_.add(in, other) : net_.multiply(in, other);
        }
        if (name == "matmul") {
            return product(line, in);
        }
        std::vector<Map> parts;
        for (int i = 0; !line.operand(i).empty(); ++i) {
            parts.push_back(get(line.operand(i)));
        }
        if (parts.empty() || name == "cat") {
            return parts.empty() ? in : net_.concatenate(parts);
        }
        // Joined along the positions.
        double elements = 0;
        for (const Map& part : parts) {
            elements += part.elements();
        }
        return net_.copied(in, in.channels, 1, elements / in.channels);
    }

    /// Rows of one map times columns of another: "matmul q k CHANNELS hPOSITIONS kINNER".
    Map product(const Statement& line, const Map& in) {
        const Map other = get(line.operand(1), in);
        Operator& op = net_.add_operator("product", Role::linear, OperatorClass::gemm);
        const Map out = net_.made(line.number(0, 1, growth_), 1, 1, sides(line).width);
        const double inner =
            sides_of(line.option('k').empty() ? "1" : line.option('k'), growth_).width;
        const double samples = net_.context().samples;
        op.gemm = {.m = samples * out.positions(), .n = out.channels, .k = inner, .count = 1};
        op.forward = op.gemm.flops();
        op.backward = op.forward * 2.0;
        const double traffic =
            (in.elements() + other.elements() + out.elements()) * samples * net_.context().bytes;
        op.forward_traffic = Bytes::of_base(traffic);
        op.backward_traffic = Bytes::of_base(2 * traffic);
        op.backward_kernels = 2;
        net_.keep_input(in);
        net_.keep_input(other);
        return out;
    }

    /// What changes sides alone, and pointwise passes.
    Map shaped(const Statement& line, std::string_view name, const Map& in) {
        if (name == "view" || name == "copy") {
            return reshaped(line, name == "copy", in);
        }
        if (name == "gap") {
            return net_.global_pool(in);
        }
        if (name == "up") {
            return net_.resize(
                in, std::max(1.0, std::floor(in.height * line.number(0, 2))),
                std::max(1.0, std::floor(in.width * line.number(1, line.number(0, 2)))));
        }
        if (name == "resize") {
            return net_.resize(in, sides(line).height, sides(line).width);
        }
        if (name == "pad") {
            return copied(Map{in.id, in.channels, in.depth, in.height + line.number(0),
                              in.width + line.number(1, line.number(0)), in.wide},
                          in);
        }
        if (name == "dropout") {
            return net_.dropout(in);
        }
        if (name == "scale") {
            return net_.scale(in);
        }
        if (line.has("wide")) {
            return net_.wide_pointwise(in, line.number(0, 1), "pointwise");
        }
        // One map is kept: the result, which what reads it may keep as well (ReLU, sigmoid).
        const double kept = line.number(1, 0);
        const Map out = net_.pointwise(in, line.number(0, 1), kept == 1 ? 0 : kept, "pointwise");
        if (kept == 1) {
            net_.keep(out);
        }
        return out;
    }

    /// "view a CHANNELS [hSIDES | grid | same] [fSHARE of its elements]"; positions otherwise lie
    /// in a row.
    Map reshaped(const Statement& line, bool copies, const Map& in) {
        const double share = line.option('f').empty() ? 1 : sides_of(line.option('f')).width;
        const double channels = std::max(1.0, line.number(0, in.channels, growth_));
        const double positions = std::max(1.0, std::nearbyint(in.elements() * share / channels));
        Map out{in.id, channels, 1, 1, positions, in.wide};
        if (!line.option('h').empty()) {
            const Sides stated = sides(line);
            out = Map{in.id, channels, stated.depth, stated.height, stated.width, in.wide};
        } else if (line.has("same")) {
            out = Map{in.id, channels, in.depth, in.height, in.width, in.wide};
        } else if (line.has("grid")) {
            const double side = std::max(1.0, std::nearbyint(std::sqrt(positions)));
            out = Map{in.id, channels, 1, side, side, in.wide};
        }
        return copies ? copied(out, in) : out;
    }

    Map copied(Map out, const Map& in) {
        const Map made = net_.copied(in, out.channels, out.height * out.depth, out.width);
        out.id = made.id;
        out.wide = made.wide;
        return out;
    }

    [[nodiscard]] Map get(std::string_view word, const Map& otherwise = {}) const {
        if (!is_register(word) || register_of(word) >= maps_.size()) {
            return otherwise;
        }
        return maps_[register_of(word)];
    }
    void set(std::string_view word, const Map& map) {
        if (!is_register(word)) {
            return;
        }
        const std::size_t at = register_of(word);
        if (at >= maps_.size() && at < most_registers) {
            maps_.resize(at + 1);
        }
        maps_[at] = map;
    }

    NetworkBuilder& net_;
    Growth growth_;
    std::vector<Map> maps_;
    std::vector<Statement> statements_;
};

}  // namespace

void list_written(NetworkBuilder& net, const NetworkSizes& sizes, const ImageShape& sample,
                  std::string_view rows) {
    const bool denoises = sizes.type == "listed_denoiser";
    const double width =
        sizes.number("image_size", 0) / (denoises ? sizes.number("vae_scale", 8) : 1);
    const double group = denoises ? sizes.number("vae_frames", 4) : 1;
    const double frames = sizes.number("frames", 0);
    Growth growth;
    growth.side = width > 0 ? sample.width / width : 1;
    growth.frames = frames > 1 ? sample.depth / (std::floor((frames - 1) / group) + 1) : 1;
    Listing(net, sample, growth).run(sizes.word(rows));
}

namespace {

Program list_written_out_program(const FamilyInput& input) {
    NetworkBuilder net(input.context, input.sizes.type);
    ImageShape sample = image_of(input);
    if (const double rate = input.sizes.number("sample_rate", 0); rate > 0) {
        const double seconds = input.workload.batch.audio_seconds > 0
                                   ? input.workload.batch.audio_seconds
                                   : input.sizes.number("audio_seconds", 10);
        sample = {.height = 1, .width = std::floor(seconds * rate), .depth = 1, .channels = 1};
    }
    list_written(net, input.sizes, sample);
    return program_of_one(net, input.training());
}

}  // namespace

ProgramLister listing_program(std::string_view type) {
    return type == "listed" ? list_written_out_program : nullptr;
}

}  // namespace ridgeline
