#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::web {

/// A WebAssembly module with its code taken apart, for a compressor that finds like beside like:
/// operation codes in one stream, the operands of each kind in one of their own, all behind one
/// another. Bodies have no length, locals are told by how lately they were used, and instructions
/// that are common get a code for themselves and their operand. page/wasm_streams.js puts the
/// module together again, each number as short as it goes.
///
/// A module with an instruction that is not known here stays as it is, and so does what is none.
std::string wasm_streams(std::string_view module);

/// What `wasm_streams` wrote in pieces that are best compressed each by itself: the sizes with the
/// first stream, every other stream that holds something. A module that was left as it is is one.
std::vector<std::string_view> parted(std::string_view streams);

}  // namespace ridgeline::web
