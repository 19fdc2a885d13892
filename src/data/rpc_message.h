#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ridgeline {

/// One message of JSON-RPC 2.0 as the Model Context Protocol sends it; JSON texts stay texts.
struct RpcMessage {
    int problem = 0;         ///< -32700 no JSON, -32600 no request; 0: all is well
    std::string id;          ///< JSON text; "null" where a problem hides it; empty: a notification
    std::string method;      ///< empty: a reply of the other side
    std::string version;     ///< protocol version that the parameters name; empty: none
    bool stateless = false;  ///< the version stands in `_meta`: each request says it anew
    std::string tool;        ///< parameter `name`
    std::string arguments = "{}";  ///< parameter `arguments`, JSON text
};

RpcMessage rpc_message_from(std::string_view line);

/// A JSON document in one line of at most so many bytes: its longest lists lose their last
/// elements, and "shortened" says of each what was kept. A text that is no JSON object comes back
/// as it is.
std::string shortened_json(std::string_view text, std::size_t most_bytes);

/// The schema of an answer as far as its top: the keys with their types and which are required.
std::string top_of_schema(std::string_view schema);

}  // namespace ridgeline
