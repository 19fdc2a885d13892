#pragma once

#include "base/result.h"
#include "data/file_tree.h"
#include "spec/catalog.h"
#include "spec/evidence.h"
#include "spec/measurement.h"

#include <string>
#include <vector>

namespace ridgeline {

/// Reads catalog/ (accelerators, machines, links, storage, offers, sources). Several errors of one
/// file are joined by newlines. A figure whose field has no source is an error.
Result<Catalog> load_catalog(const TreePath& folder);

/// One accelerator entry of a user's own file (`catalog check FILE`).
Result<Accelerator> load_accelerator(const TreePath& file, const Catalog& catalog);

/// Reads profiles/ less the models.
Result<Profiles> load_profiles(const TreePath& folder);

/// Ids of profiles/models, sorted.
std::vector<std::string> list_models(const TreePath& profiles_folder);

/// A model of profiles/models/<id>.json, reading that file alone. Also takes another case, a
/// Hugging Face id ("meta-llama/Llama-3.1-8B-Instruct") and other separators ("llama3.1-8b"); the
/// error names the nearest id.
Result<Architecture> load_model(const TreePath& profiles_folder, std::string_view id);
/// The same where the ids of the folder are known.
Result<Architecture> load_model(const TreePath& profiles_folder, std::string_view id,
                                const std::vector<std::string>& ids);

/// A Hugging Face config.json (or one of ours): the family supplies what the file leaves out.
Result<Architecture> load_hf_config(const TreePath& file);
Result<Architecture> architecture_from_config(std::string_view json_text, const std::string& where);

/// "70B", "7b", "1.5B": a typical dense architecture of that size, marked `typical`; "8x7b" is
/// Mixtral. A well-known shape where one lies within 4 %, else Llama proportions within 3 %; the
/// name says which. Nothing when the text is no size from 10M to 10T.
std::optional<Architecture> typical_architecture(std::string_view size_text);

/// A workload document; `hf_config` paths are relative to the document. It may name no model: flags
/// can still add one.
Result<WorkloadDocument> load_workload(const TreePath& file);

/// A workload document as text, laid over `base`: what it does not state stays. A path in it is an
/// error.
Result<WorkloadDocument> workload_from_json(std::string_view json_text, const std::string& where,
                                            WorkloadDocument base = {});

/// Reads a calibration file: rows, and what a probe says about how they were measured.
Result<CalibrationFile> load_calibration_file(const TreePath& file);

/// The rows of a calibration file alone, added to `calibration`.
Result<void> load_calibration(const TreePath& file, Calibration& calibration);

/// Adds rows after those that are there, so that they win.
void append(Calibration& calibration, const Calibration& rows);

/// Reads a price file (ours, or a CSV of SkyPilot or gpuhunt) and appends its offers; they replace
/// older ones of the same instance.
///
/// provider  of a CSV, which names none; empty: its folder ("aws/vms.csv"), or the file ("aws.csv")
Result<void> load_prices(const TreePath& file, Catalog& catalog, const std::string& provider = {});

/// Writes offers as a price file of our own form, whole or not at all (a new file that takes the
/// place of the old one).
Result<void> save_prices(const std::filesystem::path& file, const std::vector<Offer>& offers);

Result<std::vector<EvidenceRow>> load_evidence(const TreePath& file);

}  // namespace ridgeline
