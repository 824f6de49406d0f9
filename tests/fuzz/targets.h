// What is fed with arbitrary bytes: by libFuzzer without end, by tst_fuzz for a while.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArrayView>

namespace sonde::fuzz {

// Each ends the program when a promise is broken.
void filter(QByteArrayView text);   // parser, completion and matcher
void session(QByteArrayView file);  // the reader, with the file as it is and with its checksums put right

}  // namespace sonde::fuzz
