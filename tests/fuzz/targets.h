// What is fed with arbitrary bytes: by libFuzzer without end, by tst_fuzz for a while.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArrayView>
#include <cstdlib>

namespace sonde::fuzz {

// Each ends the program when a promise is broken.
void filter(QByteArrayView text);   // parser, completion and matcher
void session(QByteArrayView file);  // the reader, with the file as it is and with its checksums put right

// Ends the program unless the promise holds, so that the fuzzer keeps the input.
inline void expect(bool holds)
{
    if (!holds)
        std::abort();
}

}  // namespace sonde::fuzz
