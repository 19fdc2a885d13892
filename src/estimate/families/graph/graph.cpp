#include "estimate/families/family.h"
#include "estimate/families/graph/graph_lister.h"

namespace ridgeline {
namespace {

Program list_graph(const FamilyInput& input) {
    Program program;
    if (input.architecture.graph == nullptr) {
        program.problem = "graph";
        return program;
    }
    GraphLister lister(*input.architecture.graph, input.context);
    program.models.push_back(lister.run());
    program.problem = lister.problem();
    program.models.back().trains = input.training();
    program.passes = simple_passes(input.training());
    return program;
}

}  // namespace

ProgramLister graph_program(std::string_view type) { return type == "onnx" ? list_graph : nullptr; }

}  // namespace ridgeline
