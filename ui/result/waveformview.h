// A sound as a picture, with the place that is played.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/result/audiofacts.h"

#include <QWidget>

namespace sonde::ui {

// Without a waveform it is a line. If the sound can be played, a click goes to that place, and so do Left and Right;
// Space plays and pauses.
class WaveformView : public QWidget {
    Q_OBJECT
public:
    explicit WaveformView(QWidget *parent = nullptr);
    void setWaveform(const Waveform &waveform);
    bool hasWaveform() const { return !m_waveform.isEmpty(); }
    void setSeekable(bool isSeekable);
    void setPosition(double position);  // from 0 to 1
    QSize sizeHint() const override { return {240, Height}; }
    QSize minimumSizeHint() const override { return {40, Height}; }

Q_SIGNALS:
    void sought(double position);  // from 0 to 1
    void stepRequested(bool forward);
    void toggleRequested();

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    static constexpr int Height = 56;
    void seek(const QMouseEvent *event);

    Waveform m_waveform;
    bool m_isSeekable = false;
    double m_position = 0;
};

}  // namespace sonde::ui
