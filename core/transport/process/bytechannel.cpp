// SPDX-License-Identifier: Apache-2.0
#include "core/transport/process/bytechannel.h"

namespace sonde {

ByteSource::~ByteSource() = default;
ByteSink::~ByteSink() = default;

}  // namespace sonde
