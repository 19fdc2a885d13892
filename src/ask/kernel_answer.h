#pragma once

#include "advise/query.h"
#include "ask/question.h"
#include "ask/request.h"
#include "ask/world.h"
#include "report/kernel_report.h"

#include <string>
#include <vector>

namespace ridgeline::ask {

/// The kernel of a document on clusters, in their order; with a CPU among or beside them, the ways
/// in which that may be used. errors  those of estimate_kernel on the only cluster
Result<report::KernelAnswer> kernel_on(const World& world, const WorkloadDocument& document,
                                       const std::vector<Cluster>& clusters,
                                       const std::string& price, bool beside_cpu = false);

/// All hardware that a query allows, best by its objective, so many of each as it says; CPUs too.
Result<report::KernelAnswer> kernel_ranked(const World& world, const Query& query);

/// `estimate` of a kernel on the hardware of --on.
Result<Reply> answer_kernel_estimate(const World& world, const Request& request,
                                     const WorkloadDocument& document);

/// `advise` of a kernel: what a question in words names, else a ranking.
Result<report::KernelAnswer> kernel_asked(const World& world, const Question& question);
/// Makes the kernel of a question as large as the memory of its hardware holds: sides in steps of
/// 64, or elements. The sentence that says so; empty: nothing of it grows, or no hardware is known.
std::string enlarge_kernel(const World& world, Question& question);
/// Accelerators of the kind of `cluster` that hold the arrays of the kernel, up to 1,024; as many
/// as it has: no such number does.
int enough_for_kernel(const World& world, const report::KernelAnswer& answer,
                      const Cluster& cluster);
Reply kernel_reply(const World& world, const Request& request, const report::KernelAnswer& answer);

}  // namespace ridgeline::ask
