#include "base/number.h"
#include "base/order.h"
#include "base/text.h"
#include "data/json_fields.h"
#include "data/load_trace.h"
#include "data/torch_operators.h"
#include "data/traced_operator.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <unordered_map>

namespace ridgeline {
namespace {

using Json = nlohmann::json;

struct Event {
    const Json* json = nullptr;
    double begin = 0, end = 0;  ///< microseconds
    double kernels = 0;         ///< microseconds of the kernels that it launched itself
    int launched = 0;
    bool optimizer = false;
    bool has_child = false;  ///< an operator below it that runs kernels
};

const Json& arguments(const Json& event) {
    static const Json nothing = Json::object();
    const auto found = event.find("args");
    return found != event.end() && found->is_object() ? *found : nothing;
}

bool tensor_of(const Json& sizes, const std::string& type, TracedTensor& out) {
    out.elements = 1;
    out.type = type;
    for (const Json& size : sizes) {
        if (!size.is_number() || !(size.get<double>() >= 0) || size.get<double>() > most_elements) {
            return false;
        }
        out.sizes.push_back(size.get<double>());
        out.elements *= out.sizes.back();
    }
    return out.elements <= most_elements;
}

std::vector<TracedArgument> inputs_of(const Json& event) {
    std::vector<TracedArgument> out;
    const Json& args = arguments(event);
    const Json dims = args.value("Input Dims", args.value("Input dims", Json::array()));
    const Json types = args.value("Input type", Json::array());
    const Json concrete = args.value("Concrete Inputs", Json::array());
    for (std::size_t i = 0; i < dims.size(); ++i) {
        TracedArgument argument;
        const std::string type =
            i < types.size() && types[i].is_string() ? types[i].get<std::string>() : "";
        if (dims[i].is_array() && !dims[i].empty() && dims[i][0].is_array()) {
            for (const Json& sizes : dims[i]) {
                TracedTensor tensor;
                if (tensor_of(sizes, type == "TensorList" ? "float" : type, tensor)) {
                    argument.tensors.push_back(std::move(tensor));
                }
            }
        } else if (bytes_of_type(type) > 0 && dims[i].is_array()) {
            TracedTensor tensor;
            if (tensor_of(dims[i], type, tensor)) {
                argument.tensors.push_back(std::move(tensor));
            }
        } else if (i < concrete.size() && concrete[i].is_string()) {
            const std::string& text = concrete[i].get_ref<const std::string&>();
            if (text == "True" || text == "False") {
                argument.number = text == "True" ? 1 : 0;
            } else if (!text.empty() && is_digit(text[0])) {
                argument.number = number_or_zero(text);
            }
        }
        out.push_back(std::move(argument));
    }
    return out;
}

/// The last "ProfilerStep#N" of the file that is whole, else all of it.
std::pair<double, double> span_of(const Json& events) {
    std::pair<double, double> span{-1e300, 1e300};
    double latest = -1;
    for (const Json& event : events) {
        if (!event.is_object() || text_at(event, "name").rfind("ProfilerStep#", 0) != 0 ||
            text_at(event, "ph") != "X" || contains(text_at(event, "cat"), "gpu")) {
            continue;
        }
        const double begin = number_at(event, "ts").value_or(0);
        if (begin > latest) {
            latest = begin;
            span = {begin, begin + number_at(event, "dur").value_or(0)};
        }
    }
    return span;
}

/// Kernels by the "External id" of the operator that launched them.
struct Launched {
    double microseconds = 0;
    int count = 0;
};

std::unordered_map<double, Launched> kernels_of(const Json& events) {
    std::unordered_map<double, Launched> out;
    for (const Json& event : events) {
        const std::string kind = event.is_object() ? text_at(event, "cat") : "";
        if (kind != "kernel" && kind != "gpu_memcpy" && kind != "gpu_memset") {
            continue;
        }
        Launched& to = out[number_at(arguments(event), "External id").value_or(-1)];
        to.microseconds += std::max(0.0, number_at(event, "dur").value_or(0));
        ++to.count;
    }
    return out;
}

std::vector<Event> operators_of(const Json& events, std::pair<double, double> span) {
    std::map<std::string, std::vector<Event>> threads;
    for (const Json& event : events) {
        if (!event.is_object() || text_at(event, "ph") != "X") {
            continue;
        }
        const std::string kind = text_at(event, "cat");
        const double begin = number_at(event, "ts").value_or(0);
        if ((kind != "cpu_op" && kind != "user_annotation") || begin < span.first ||
            begin > span.second) {
            continue;
        }
        const auto thread = event.find("tid");
        Event row{&event, begin, begin + number_at(event, "dur").value_or(0), 0, 0, false, false};
        threads[thread != event.end() ? thread->dump() : ""].push_back(row);
    }
    std::vector<Event> out;
    for (auto& [thread, rows] : threads) {
        stable_order(rows.begin(), rows.end(), [](const Event& a, const Event& b) {
            return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
        });
        std::vector<std::size_t> open;
        for (const Event& row : rows) {
            while (!open.empty() && out[open.back()].end <= row.begin) {
                open.pop_back();
            }
            const std::string name = text_at(*row.json, "name");
            out.push_back(row);
            Event& added = out.back();
            added.optimizer = name.rfind("Optimizer.step", 0) == 0 ||
                              (!open.empty() && out[open.back()].optimizer);
            if (names_operator(name) && !moves_nothing(name)) {
                for (const std::size_t above : open) {
                    out[above].has_child = true;
                }
            }
            open.push_back(out.size() - 1);
        }
    }
    return out;
}

std::string device_of(const Json& document) {
    const auto list = document.find("deviceProperties");
    if (list == document.end() || !list->is_array() || list->empty() || !(*list)[0].is_object()) {
        return "";
    }
    return text_at((*list)[0], "name");
}

void add_profiled_collective(OperatorTrace& trace, const Json& event) {
    const Json& args = arguments(event);
    const std::string name = text_at(args, "Collective name");
    const std::string type = text_at(args, "dtype");
    const double width = type == "BFloat16" || type == "Half"                 ? 2
                         : type == "Long" || type == "Double"                 ? 8
                         : type == "Byte" || type == "Char" || type == "Bool" ? 1
                                                                              : 4;
    const auto found = traced_collective(
        name, number_at(args, "In msg nelems").value_or(0),
        number_at(args, "Out msg nelems").value_or(0), width,
        static_cast<int>(std::clamp(number_at(args, "Group size").value_or(0), 0.0, 1e6)));
    if (found) {
        add_traced(trace, *found);
    }
}

TracedCall call_of(const Event& event, const std::string& name) {
    TracedCall call;
    call.name = name;
    call.inputs = inputs_of(*event.json);
    call.backward = number_at(arguments(*event.json), "Fwd thread id").value_or(0) > 0;
    call.optimizer = event.optimizer;
    return call;
}

}  // namespace

Result<OperatorTrace> profiler_trace(const Json& document, const std::string& where) {
    const auto list = document.find("traceEvents");
    if (list == document.end() || !list->is_array()) {
        return input_error(where, "found no traceEvents, expected a trace of torch.profiler");
    }
    OperatorTrace trace;
    trace.form = "profiler trace";
    const std::pair<double, double> span = span_of(*list);
    const auto kernels = kernels_of(*list);
    double total = 0, first = 1e300, last = -1e300;
    bool shapes = false;
    for (const Event& event : operators_of(*list, span)) {
        const std::string name = text_at(*event.json, "name");
        if (name == "record_param_comms") {
            add_profiled_collective(trace, *event.json);
            continue;
        }
        const auto launched =
            kernels.find(number_at(arguments(*event.json), "External id").value_or(-1));
        const bool ran = launched != kernels.end();
        const bool host_alone = !ran && !kernels.empty();
        if (!names_operator(name) || (event.has_child && !ran) || host_alone) {
            continue;
        }
        const TracedCall call = call_of(event, name);
        shapes = shapes || !call.inputs.empty();
        bool known = true;
        auto op = traced_operator(call, known);
        if (!op) {
            continue;
        }
        if (ran) {
            op->measured = Seconds::of_base(launched->second.microseconds * 1e-6);
            op->kernels = launched->second.count;
            total += launched->second.microseconds * 1e-6;
        }
        trace.unknown += known ? 0 : 1;
        first = std::min(first, event.begin);
        last = std::max(last, event.end);
        add_traced(trace, std::move(*op));
    }
    if (!shapes) {
        return input_error(where, "found no shapes of operators in this profiler trace",
                           "Record it with torch.profiler.profile(record_shapes=True).");
    }
    trace.measured = Seconds::of_base(total);
    if (total > 0) {
        trace.device = device_of(document);
        const bool step = span.first > -1e300;
        trace.wall = Seconds::of_base((step ? span.second - span.first : last - first) * 1e-6);
    }
    return trace;
}

}  // namespace ridgeline
