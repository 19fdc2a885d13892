#pragma once

#include "data/reader.h"
#include "spec/catalog.h"

#include <string>
#include <vector>

// Readers of the single kinds of catalog file, shared by the loaders of src/data.

namespace ridgeline {

/// One accelerator document. Every figure needs a source id in `field_sources`, and every id must
/// be one of `sources`; what is wrong is recorded in the reader's document.
Accelerator read_accelerator(Reader& document, const std::map<std::string, SourceNote>& sources);

/// One machine document; its accelerator and links must be in `catalog`.
Machine read_machine(Reader& document, const Catalog& catalog);

/// A list of prices with kind, date and source.
std::vector<ListedPrice> read_prices(Reader& document,
                                     const std::map<std::string, SourceNote>& sources);

/// Reads an offers document (`ridgeline/offers/1`) and appends its rows.
void read_offers(Reader& document, Catalog& catalog);

/// Reads catalog/ownership.json; its accelerators must be in `catalog`.
void read_ownership(Reader& document, Catalog& catalog);
/// Reads catalog/price_claims.json; its accelerators and offers must be in `catalog`.
void read_price_claims(Reader& document, Catalog& catalog);

/// Reads a price table of SkyPilot or gpuhunt by its column names and appends its rows. Rows whose
/// accelerator name is unknown or ambiguous are left out and counted in `skipped`.
///
/// provider   the tables name none
/// date       the table states none: the file's own date as YYYY-MM-DD
Result<void> read_price_table(std::string_view table, const std::string& where,
                              const std::string& provider, const std::string& date,
                              Catalog& catalog, std::vector<std::string>& skipped);

/// Records an error unless each id is one of the catalog's sources.
void check_sources(Reader& at, std::string_view key, const std::vector<std::string>& ids,
                   const std::map<std::string, SourceNote>& sources);

/// "YYYY-MM-DD" with a month and a day that exist.
bool is_date(std::string_view text);

}  // namespace ridgeline
