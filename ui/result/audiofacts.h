// What the bytes of a sound say about it, without decoding them. No widgets: may run on a worker.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>
#include <utility>

namespace sonde::ui {

struct AudioFacts {
    QString format;  // "WAV", "FLAC", "Ogg Vorbis", "MP3" …; empty: not recognized
    QString suffix;  // of a file with such data, as this format has it and not as a server calls it
    int channels = 0;
    quint32 rate = 0;      // samples per second
    double seconds = -1;   // −1: unknown
    QString text() const;  // "WAV · 2 channels · 44100 Hz · 1.5 s"
};

// By the first bytes; the type that a server declares does not matter.
AudioFacts audioFactsOf(const QByteArray &bytes);

// The lowest and the highest sample, from −1 to 1, of equally long parts.
using Waveform = QList<std::pair<float, float>>;

// Of WAV with PCM or floating-point samples; empty for anything else. Looks at a limited number of samples, so a long
// sound takes no longer.
Waveform waveformOf(const QByteArray &bytes);

}  // namespace sonde::ui
