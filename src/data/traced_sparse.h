#pragma once

#include "data/traced_operator.h"

namespace ridgeline {

/// What a call has to do with sparse tensors, which have no memory of their own in a trace.
struct SparseParts {
    double beside = 0;   ///< elements of a sparse argument, entries or not
    double entries = 0;  ///< elements that the calls within have taken out of one
    double bytes = 0;    ///< of those
};

SparseParts sparse_parts(const TracedCall& call);

/// Those of a call as well that stands around the one that has these.
void hand_up(const SparseParts& inner, SparseParts& around);

/// A call beside a sparse tensor touches what belongs to its entries alone: the rows of a table
/// that a sparse gradient has, of a product the columns of each entry.
void touch_entries(const SparseParts& parts, TracedOperator& op);

}  // namespace ridgeline
