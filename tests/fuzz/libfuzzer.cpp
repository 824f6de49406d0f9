// One target under libFuzzer.
// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/targets.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    sonde::fuzz::SONDE_FUZZ_TARGET(QByteArrayView(data, qsizetype(size)));
    return 0;
}
