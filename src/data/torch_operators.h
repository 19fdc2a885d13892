#pragma once

#include <string_view>

namespace ridgeline {

/// "mm" of "aten::mm".
std::string_view without_namespace(std::string_view name);

/// Whether a name is one of an operator ("aten::mm"), not of a range of time or of autograd.
bool names_operator(std::string_view name);

/// Whether a call runs no kernel: views, allocations, questions.
bool moves_nothing(std::string_view name);

/// Bytes of an element of torch's type ("c10::Half"); 0: unknown.
double bytes_of_type(std::string_view type);

/// The same by the name that collectives have for a type ("BFloat16"); 4 of one that is not known.
double bytes_of_collective(std::string_view type);

/// Whether an operator (without its namespace) reads or writes few rows of a table.
bool touches_rows(std::string_view name);

/// Whether it only writes (without its namespace).
bool only_fills(std::string_view name);

/// Whether an operator that no rule knows may compute more than its bytes say: products under other
/// names, operators that are not torch's own.
bool may_compute(std::string_view name);

}  // namespace ridgeline
