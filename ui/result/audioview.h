// A sound: its waveform, and what plays it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/result/audiofacts.h"
#include "ui/result/audioplayer.h"

#include <QWidget>
#include <memory>
#include <optional>

class QTemporaryDir;

namespace sonde::ui {

class FlatButton;
class TextLabel;
class WaveformView;

// With the audio module, a player; without it, the sound can be opened in another program: as a file in a folder that
// only the user can read and that is deleted together with this view. What Sonde does not recognize as a sound is not
// opened.
class AudioView : public QWidget {
    Q_OBJECT
public:
    explicit AudioView(const QByteArray &bytes, QWidget *parent = nullptr);
    ~AudioView() override;
    bool canPlay() const { return m_player != nullptr; }
    void toggle();
    bool canOpen() const { return !m_facts.suffix.isEmpty(); }
    void openElsewhere();

private:
    void layOut();
    void drawWaveform();
    void showWaveform(const Waveform &waveform);
    void decode();
    void addPlayer();
    void showState();
    bool isLoaded() const;
    qint64 durationMs() const;
    qint64 positionMs() const;
    void seek(qint64 ms);
    void say(const QString &text);

    const QByteArray m_bytes;
    const AudioFacts m_facts;
    std::unique_ptr<AudioPlayer> m_player;
    std::unique_ptr<AudioDecoder> m_decoder;  // of a compressed sound
    std::unique_ptr<QTemporaryDir> m_folder;  // of the file for another program
    std::optional<qint64> m_start;            // chosen before the player has loaded the sound
    FlatButton *m_button;
    WaveformView *m_waveform;
    TextLabel *m_time;
    TextLabel *m_note;
};

}  // namespace sonde::ui
