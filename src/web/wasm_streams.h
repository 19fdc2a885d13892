#pragma once

#include <string>
#include <string_view>

namespace ridgeline::web {

/// A WebAssembly module with its code taken apart, for a compressor that finds like beside like:
/// operation codes in one stream, the operands of each kind in one of their own, all behind one
/// another. Bodies have no length, locals are told by how lately they were used, and instructions
/// that are common get a code for themselves and their operand. page/wasm_streams.js puts the
/// module together again, each number as short as it goes.
///
/// A module with an instruction that is not known here stays as it is, and so does what is none.
std::string wasm_streams(std::string_view module);

}  // namespace ridgeline::web
