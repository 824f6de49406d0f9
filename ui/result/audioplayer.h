// Playing of sounds, by a module that is loaded if it is installed: Sonde itself needs no library for it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/result/audiofacts.h"

#include <QByteArray>
#include <QtPlugin>
#include <functional>
#include <memory>

namespace sonde::ui {

// One sound. Has no signals, so that the module needs no symbols of the program that loads it. On the GUI thread.
class AudioPlayer {
public:
    AudioPlayer() = default;
    virtual ~AudioPlayer() = default;
    AudioPlayer(const AudioPlayer &) = delete;
    AudioPlayer &operator=(const AudioPlayer &) = delete;

    virtual void play() = 0;  // from the start, if it was at the end
    virtual void pause() = 0;
    virtual void seek(qint64 ms) = 0;
    virtual bool isPlaying() const = 0;
    virtual qint64 positionMs() const = 0;
    virtual qint64 durationMs() const = 0;  // 0: not known yet
    virtual QString problem() const = 0;    // why it cannot be played; empty: it can

    std::function<void()> changed;  // any of these; may be empty
};

// Draws one compressed sound. Works in the background until it is destroyed. On the GUI thread.
class AudioDecoder {
public:
    AudioDecoder() = default;
    virtual ~AudioDecoder() = default;
    AudioDecoder(const AudioDecoder &) = delete;
    AudioDecoder &operator=(const AudioDecoder &) = delete;

    std::function<void(const Waveform &)> finished;  // once; empty: it cannot be decoded
};

// What the module provides.
class AudioModule {
public:
    virtual ~AudioModule() = default;
    virtual std::unique_ptr<AudioPlayer> makePlayer(const QByteArray &bytes) = 0;
    virtual std::unique_ptr<AudioDecoder> makeDecoder(const QByteArray &bytes) = 0;
};

// Loaded when it is first asked for. Null: it is not installed, or what it needs is not.
AudioModule *audioModule();
// For tests: another one instead. Null: none.
void setAudioModule(AudioModule *module);

}  // namespace sonde::ui

#define SONDE_AUDIO_MODULE "io.github.sonde.AudioModule/2"
Q_DECLARE_INTERFACE(sonde::ui::AudioModule, SONDE_AUDIO_MODULE)
