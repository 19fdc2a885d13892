#pragma once

#include <string>

namespace ridgeline::web {

/// The OpenAPI 3.1 document of the API, made from the table of options.
std::string openapi_text();

}  // namespace ridgeline::web
