#pragma once

#include <string>
#include <utility>
#include <vector>

namespace ridgeline {

/// What an operator of a graph does, as far as memory and time tell operators apart.
enum class GraphWork {
    view,  ///< another shape of the same storage
    copy,  ///< moves or rearranges elements
    convolution,
    transposed,  ///< a transposed convolution
    product,     ///< of a map and a weight, or of two maps
    recurrent,   ///< a layer of LSTM, GRU or simple cells
    batch_norm,
    norm,  ///< over the elements of one sample: layer, group, instance, RMS
    softmax,
    relu,      ///< what its output says enough of for the backward pass
    smooth,    ///< other functions of one map: their input is kept
    add,       ///< sums and differences, which keep nothing
    multiply,  ///< products and quotients of two maps, which keep both
    max_pool,
    average_pool,
    reduction,  ///< sums, means, maxima along axes
    concatenate,
    resize,
    look_up,    ///< rows of a table
    attention,  ///< fused: queries, keys and values
    subgraph,   ///< a loop or branch, whose body nobody counts
    unknown,    ///< a name that is not known: streams its inputs and outputs
};

/// A tensor with its sides. Weights and constants are tensors too.
struct GraphTensor {
    std::string name;
    std::vector<double> sides;
    double elements = 1;
    double bytes = 0;  ///< of an element that is no activation (indices, masks); 0: as computed in
    bool weight = false;    ///< stored in the file, or made of what is
    double parameters = 0;  ///< stored elements behind a weight
};

/// An operator with sides of its tensors known. Indices are into GraphNetwork::tensors.
struct GraphNode {
    std::string name;  ///< "/layer1/conv1/Conv"
    std::string type;  ///< "Conv"
    GraphWork work = GraphWork::unknown;
    std::vector<int> inputs;  ///< without absent ones
    std::vector<int> outputs;
    std::vector<double> kernel, strides, dilations;  ///< of a window, by axis
    std::vector<double> pads;                        ///< of both ends together, by axis
    double groups = 1;  ///< heads of an attention, directions of a recurrent layer
    double m = 0, n = 0, k = 0, count = 1;  ///< of a product, and so many of them
    double steps = 0;                       ///< of a recurrent layer; keys of an attention
    double gates = 0;                       ///< of a recurrent layer
};

/// A network as a file of operators states it, with every shape known, in an order in which each
/// operator comes after what it reads.
struct GraphNetwork {
    std::vector<GraphTensor> tensors;
    std::vector<GraphNode> nodes;
    std::vector<int> inputs;
    std::vector<int> outputs;
    double samples = 1;     ///< that the shapes hold: the first side of the first input
    double parameters = 0;  ///< elements of floating point weights
    std::vector<std::pair<std::string, int>> unknown;    ///< operators that nobody knows, how many
    std::vector<std::pair<std::string, int>> uncounted;  ///< with a body that is not counted
};

}  // namespace ridgeline
