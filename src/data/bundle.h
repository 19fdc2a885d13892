#pragma once

#include "base/result.h"
#include "data/file_tree.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ridgeline {

/// The tree of a bundle: "ridgeline bundle 1\n", then for each file its path, a blank, its size in
/// bytes, a newline and the bytes themselves. errors  what does not hold to that
Result<std::shared_ptr<const FileTree>> bundle_from(std::string_view bundle);

/// A JSON text as short as it says the same to a reader: without blanks, without members that are
/// null, for which readers take absent ones too, without where the counts of a model come from,
/// which no answer shows, and of sources with where they stand alone.
///
/// sources_elsewhere  each list of "sources" names the folder where they stand
/// unread             names of members that no reader takes; "ecc.note": of the member `ecc` its
/// `note` What is no JSON stays as it is: it may lie beside the files that are read.
std::string shortened_document(std::string_view json, bool sources_elsewhere = false,
                               std::span<const std::string_view> unread = {});

/// The bundle of texts, each behind its path, in this order.
std::string bundle_text(const std::vector<std::pair<std::string, std::string>>& texts);

}  // namespace ridgeline
