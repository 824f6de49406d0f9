// The tools, resources and prompts that the official conformance suite asks a server for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/demo/offer.h"

namespace sonde::demo {

const Offer &conformanceOffer();

}  // namespace sonde::demo
