// SPDX-License-Identifier: Apache-2.0
#include "ui/result/audioview.h"

#include "core/files/savefile.h"
#include "ui/json/background.h"
#include "ui/result/waveformview.h"
#include "ui/theme/opener.h"
#include "ui/theme/widgets.h"

#include <QHBoxLayout>
#include <QTemporaryDir>
#include <QVBoxLayout>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr qint64 StepMs = 5000;

// "0:07", "1:02:03"
QString clockText(qint64 ms)
{
    const qint64 seconds = std::max<qint64>(0, ms) / 1000;
    const QString minutes = u"%1:%2"_s.arg(seconds / 60 % 60, seconds < 3600 ? 1 : 2, 10, QLatin1Char('0'))
                                .arg(seconds % 60, 2, 10, QLatin1Char('0'));
    return seconds < 3600 ? minutes : u"%1:%2"_s.arg(seconds / 3600).arg(minutes);
}

}  // namespace

AudioView::AudioView(const QByteArray &bytes, QWidget *parent)
    : QWidget(parent),
      m_bytes(bytes),
      m_facts(audioFactsOf(bytes)),
      m_button(new FlatButton({}, this)),
      m_waveform(new WaveformView(this)),
      m_time(new TextLabel({}, this)),
      m_note(new TextLabel({}, this))
{
    setObjectName(u"audioView"_s);
    setAccessibleName(tr("Audio"));
    layOut();
    addPlayer();
    drawWaveform();
}

AudioView::~AudioView()
{
    if (m_player)
        m_player->changed = nullptr;  // it stops
}

void AudioView::layOut()
{
    m_button->setObjectName(u"playAudio"_s);
    m_button->setFramed(true);
    m_time->setObjectName(u"audioTime"_s);
    m_time->setDim(true);
    m_note->setObjectName(u"playNote"_s);
    m_note->setDim(true);
    m_note->setFont(smallFont());
    m_note->setWordWrap(true);
    m_note->hide();
    auto *row = new QHBoxLayout;
    row->setSpacing(Grid);
    row->addWidget(m_button);
    row->addWidget(m_waveform, 1);
    row->addWidget(m_time);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Grid / 2);
    column->addLayout(row);
    column->addWidget(m_note);
    m_waveform->hide();
}

void AudioView::addPlayer()
{
    if (AudioModule *module = audioModule())
        m_player = module->makePlayer(m_bytes);
    if (!m_player) {
        m_time->hide();
        m_button->setText(tr("Open in player"));
        m_button->setAccessibleName(tr("Open in another program"));
        m_button->setVisible(canOpen());
        connect(m_button, &QAbstractButton::clicked, this, &AudioView::openElsewhere);
        say(canOpen() ? tr("Sonde's audio player is not installed. Open the audio in another program, or save it.")
                      : tr("Not recognized as audio. You can save it."));
        return;
    }
    m_waveform->show();
    m_player->changed = [this] { showState(); };
    m_button->setText(tr("Pause"));
    m_button->setMinimumWidth(m_button->sizeHint().width());
    connect(m_button, &QAbstractButton::clicked, this, &AudioView::toggle);
    connect(m_waveform, &WaveformView::toggleRequested, this, &AudioView::toggle);
    connect(m_waveform, &WaveformView::sought, this,
            [this](double position) { seek(qint64(position * double(m_player->durationMs()))); });
    connect(m_waveform, &WaveformView::stepRequested, this,
            [this](bool forward) { seek(m_player->positionMs() + (forward ? StepMs : -StepMs)); });
    showState();
}

void AudioView::drawWaveform()
{
    const auto show = [this](const Waveform &waveform) {
        m_waveform->setWaveform(waveform);
        m_waveform->setVisible(canPlay() || !waveform.isEmpty());
    };
    if (m_bytes.size() <= BackgroundBytes)
        show(waveformOf(m_bytes));
    else
        runInBackground<Waveform>(
            this, [bytes = m_bytes] { return waveformOf(bytes); }, show);
}

void AudioView::toggle()
{
    if (!m_player || !m_player->problem().isEmpty())
        return;
    if (m_player->isPlaying())
        m_player->pause();
    else
        m_player->play();
    showState();
}

void AudioView::seek(qint64 ms)
{
    m_player->seek(std::clamp<qint64>(ms, 0, m_player->durationMs()));
    showState();
}

void AudioView::showState()
{
    const QString problem = m_player->problem();
    const qint64 duration =
        m_player->durationMs() > 0 ? m_player->durationMs() : qint64(std::max(0.0, m_facts.seconds) * 1000);
    const QString time = tr("%1 / %2").arg(clockText(m_player->positionMs()), clockText(duration));
    m_button->setText(m_player->isPlaying() ? tr("Pause") : tr("Play"));
    m_button->setAccessibleName(m_player->isPlaying() ? tr("Pause audio") : tr("Play audio"));
    m_button->setEnabled(problem.isEmpty());
    m_waveform->setSeekable(problem.isEmpty());
    m_waveform->setPosition(duration > 0 ? double(m_player->positionMs()) / double(duration) : 0);
    m_waveform->setAccessibleDescription(time);
    m_time->setText(time);
    say(problem.isEmpty() ? QString() : tr("Cannot be played. %1").arg(problem));
}

void AudioView::openElsewhere()
{
    if (!m_folder)
        m_folder = std::make_unique<QTemporaryDir>();
    const QString path = m_folder->filePath(u"sound."_s + m_facts.suffix);
    if (!m_folder->isValid())
        say(tr("Not opened: %1").arg(m_folder->errorString()));
    else if (const Error problem = saveFile(path, m_bytes, ReadableBy::Owner); problem)
        say(tr("Not opened: %1").arg(problem.message));
    else if (!openFile(path))
        say(tr("Not opened: no program for audio files was found. Save it instead."));
}

void AudioView::say(const QString &text)
{
    m_note->setServerText(text);
    m_note->setHidden(text.isEmpty());
}

}  // namespace sonde::ui
