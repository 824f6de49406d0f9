// A picture and a sound, made rather than stored.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>

namespace sonde::demo {

QByteArray demoPng();    // 96 x 64, true colour
QByteArray demoIcons();  // icons[], one that is part of the message and one that would have to be fetched
QByteArray demoWav();    // half a second of a falling tone, 8 kHz, 16 bit, mono

}  // namespace sonde::demo
