// SPDX-License-Identifier: Apache-2.0
#include "ui/result/audioview.h"

#include "core/files/savefile.h"
#include "ui/json/background.h"
#include "ui/result/waveformview.h"
#include "ui/theme/breakingrow.h"
#include "ui/theme/opener.h"
#include "ui/theme/widgets.h"

#include <QHBoxLayout>
#include <QTemporaryDir>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr qint64 StepMs = 5000;

// "0:07", "1:02:03"; of a short sound "0.5 s".
QString clockText(qint64 ms, qint64 durationMs)
{
    if (durationMs < 10'000)
        return AudioView::tr("%1 s").arg(double(std::max<qint64>(0, ms)) / 1000, 0, 'f', 1);
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
    auto *sound = new QWidget(this);
    auto *row = new QHBoxLayout(sound);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(Grid);
    row->addWidget(m_button);
    row->addWidget(m_waveform, 1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Grid / 2);
    column->addWidget(new BreakingRow(sound, m_time));
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
            [this](double position) { seek(qint64(position * double(durationMs()))); });
    connect(m_waveform, &WaveformView::stepRequested, this,
            [this](bool forward) { seek(positionMs() + (forward ? StepMs : -StepMs)); });
    showState();
}

void AudioView::drawWaveform()
{
    const auto show = [this](const Waveform &waveform) {
        showWaveform(waveform);
        if (waveform.isEmpty())
            decode();
    };
    if (m_bytes.size() <= BackgroundBytes)
        show(waveformOf(m_bytes));
    else
        runInBackground<Waveform>(
            this, [bytes = m_bytes] { return waveformOf(bytes); }, show);
}

void AudioView::showWaveform(const Waveform &waveform)
{
    m_waveform->setWaveform(waveform);
    m_waveform->setVisible(canPlay() || !waveform.isEmpty());
}

// By the module, if it is there. Not what is no sound: a decoder would try everything that it knows.
void AudioView::decode()
{
    AudioModule *module = canOpen() ? audioModule() : nullptr;
    m_decoder = module ? module->makeDecoder(m_bytes) : nullptr;
    if (m_decoder)
        m_decoder->finished = [this](const Waveform &waveform) { showWaveform(waveform); };
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

bool AudioView::isLoaded() const
{
    return m_player->durationMs() > 0;
}

qint64 AudioView::durationMs() const
{
    return isLoaded() ? m_player->durationMs() : qint64(std::max(0.0, m_facts.seconds) * 1000);
}

qint64 AudioView::positionMs() const
{
    return m_start.value_or(m_player->positionMs());
}

// The player loads the sound when it is first played: until then the place is kept for it.
void AudioView::seek(qint64 ms)
{
    const qint64 to = std::clamp<qint64>(ms, 0, durationMs());
    if (isLoaded())
        m_player->seek(to);
    else
        m_start = to;
    showState();
}

void AudioView::showState()
{
    if (m_start && isLoaded())
        m_player->seek(*std::exchange(m_start, std::nullopt));
    const QString problem = m_player->problem();
    const qint64 duration = durationMs();
    const QString time = tr("%1 / %2").arg(clockText(positionMs(), duration), clockText(duration, duration));
    m_button->setText(m_player->isPlaying() ? tr("Pause") : tr("Play"));
    m_button->setAccessibleName(m_player->isPlaying() ? tr("Pause audio") : tr("Play audio"));
    m_button->setEnabled(problem.isEmpty());
    m_waveform->setSeekable(problem.isEmpty());
    m_waveform->setPosition(duration > 0 ? double(positionMs()) / double(duration) : 0);
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
