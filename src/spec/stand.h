#pragma once

#include "spec/accelerator.h"

// Where a part stands and what it is built as, by its name and form.

namespace ridgeline {

/// Where a part stands: cards without fans of their own and modules need a server around them.
enum class Stand { server, workstation, consumer, computer, processor };
Stand stand_of(const Accelerator& part);
/// A GeForce or Radeon RX card: no data-centre licence, no ECC memory by default.
bool is_consumer(const Accelerator& part);
/// A module part (SXM, OAM, superchip), as opposed to a card in a PCIe slot.
bool is_module(const Accelerator& accelerator);

}  // namespace ridgeline
