// Plays the audio of results with Qt Multimedia. A module of its own, so that nothing else depends on that.
// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/worker.h"
#include "ui/result/audioplayer.h"

#include <QAudioBuffer>
#include <QAudioDecoder>
#include <QAudioDevice>
#include <QAudioFormat>
#include <QAudioOutput>
#include <QBuffer>
#include <QCoreApplication>
#include <QDir>
#include <QMediaDevices>
#include <QMediaPlayer>
#include <QObject>
#include <QPluginLoader>
#include <QStringList>
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

struct AudioText {
    Q_DECLARE_TR_FUNCTIONS(sonde::ui::AudioModule)
};

// Without a backend that can be loaded, Qt Multimedia would end the program when it is first used; and of several it
// tries one alone. So one is looked for that can be. Any thread; takes a while the first time. Empty: there is none.
QByteArray loadableBackend()
{
    static const QByteArray backend = [] {
        const QString chosen = qEnvironmentVariable("QT_MEDIA_BACKEND");
        const QStringList names = chosen.isEmpty() ? QStringList{u"ffmpeg"_s, u"gstreamer"_s} : QStringList{chosen};
        for (const QString &name : names) {
            const QString file = u"multimedia/lib%1mediaplugin.so"_s.arg(name);
            const QStringList folders = QCoreApplication::libraryPaths();
            for (const QString &folder : folders) {
                QPluginLoader loader(QDir(folder).filePath(file));
                if (loader.load())
                    return name.toUtf8();
            }
        }
        return QByteArray();
    }();
    return backend;
}

// Names it to Qt Multimedia. GUI thread: others may read the environment only before they are told.
bool useBackend(const QByteArray &backend)
{
    return !backend.isEmpty() && qputenv("QT_MEDIA_BACKEND", backend);
}

// Qt's player is made when it is first needed: to load its decoders and to find the sound devices takes a while.
class QtAudioPlayer final : public AudioPlayer {
public:
    explicit QtAudioPlayer(const QByteArray &bytes) : m_bytes(bytes) {}

    void play() override
    {
        m_wasPlayed = true;
        if (!m_media && useBackend(loadableBackend()))
            m_media = std::make_unique<Media>(this);
        if (!problem().isEmpty())
            return;
        if (m_media->player.mediaStatus() == QMediaPlayer::EndOfMedia)
            m_media->player.setPosition(0);
        m_media->player.play();
    }

    void pause() override
    {
        if (m_media)
            m_media->player.pause();
    }

    void seek(qint64 ms) override
    {
        if (m_media)
            m_media->player.setPosition(ms);
    }

    bool isPlaying() const override { return m_media && m_media->player.playbackState() == QMediaPlayer::PlayingState; }

    // At the end it may stay at the last place that was told.
    qint64 positionMs() const override
    {
        if (!m_media)
            return 0;
        return m_media->player.mediaStatus() == QMediaPlayer::EndOfMedia ? durationMs() : m_media->player.position();
    }
    qint64 durationMs() const override { return m_media ? m_media->player.duration() : 0; }

    QString problem() const override
    {
        if (!m_wasPlayed)
            return {};
        if (!m_media || !m_media->player.isAvailable())
            return AudioText::tr("Qt Multimedia has no backend that can be loaded.");
        if (!m_media->hasDevice)
            return AudioText::tr("There is no sound device.");
        return m_media->player.error() == QMediaPlayer::NoError ? QString() : m_media->player.errorString();
    }

private:
    struct Media {
        explicit Media(QtAudioPlayer *owner) : hasDevice(!QMediaDevices::defaultAudioOutput().isNull())
        {
            buffer.setData(owner->m_bytes);
            buffer.open(QIODevice::ReadOnly);
            const auto tell = [owner] {
                if (owner->changed)
                    owner->changed();
            };
            QObject::connect(&player, &QMediaPlayer::playbackStateChanged, &player, tell);
            QObject::connect(&player, &QMediaPlayer::positionChanged, &player, tell);
            QObject::connect(&player, &QMediaPlayer::durationChanged, &player, tell);
            QObject::connect(&player, &QMediaPlayer::mediaStatusChanged, &player, tell);
            QObject::connect(&player, &QMediaPlayer::errorOccurred, &player, tell);
            player.setAudioOutput(&output);
            player.setSourceDevice(&buffer);
        }
        const bool hasDevice;
        QBuffer buffer;
        QAudioOutput output;
        QMediaPlayer player;
    };

    const QByteArray m_bytes;
    bool m_wasPlayed = false;  // before that nothing is known
    std::unique_ptr<Media> m_media;
};

// The lowest and the highest sample of equally long parts, of a sound whose length is not known before its end.
class GrowingWaveform {
public:
    void add(const QAudioBuffer &buffer)
    {
        switch (buffer.format().sampleFormat()) {
            case QAudioFormat::UInt8:
                return add(buffer.constData<quint8>(), buffer, [](quint8 sample) { return (sample - 128) / 128.0F; });
            case QAudioFormat::Int16:
                return add(buffer.constData<qint16>(), buffer, [](qint16 sample) { return sample / 32768.0F; });
            case QAudioFormat::Int32:
                return add(buffer.constData<qint32>(), buffer,
                           [](qint32 sample) { return float(sample / 2147483648.0); });
            case QAudioFormat::Float:
                return add(buffer.constData<float>(), buffer, [](float sample) { return sample; });
            default:
                return;
        }
    }
    Waveform take()
    {
        if (m_inRange > 0)
            finishPart();
        return m_parts;
    }

private:
    static constexpr qsizetype MaxParts = 4096;  // more than a screen has columns
    static constexpr std::pair<float, float> Nothing{1.0F, -1.0F};

    template <typename T, typename Convert>
    void add(const T *samples, const QAudioBuffer &buffer, Convert convert)
    {
        const qsizetype channels = buffer.format().channelCount();
        for (qsizetype frame = 0; frame < buffer.frameCount(); ++frame, samples += channels) {
            for (qsizetype channel = 0; channel < channels; ++channel) {
                const float sample = convert(samples[channel]);
                m_range = {std::min(m_range.first, sample), std::max(m_range.second, sample)};
            }
            if (++m_inRange == m_framesOfPart)
                finishPart();
        }
    }

    void finishPart()
    {
        m_parts.append({std::clamp(m_range.first, -1.0F, 1.0F), std::clamp(m_range.second, -1.0F, 1.0F)});
        m_range = Nothing;
        m_inRange = 0;
        if (m_parts.size() < MaxParts)
            return;
        for (qsizetype i = 0; i < MaxParts / 2; ++i) {
            const auto &[low, high] = m_parts[2 * i];
            const auto &[nextLow, nextHigh] = m_parts[2 * i + 1];
            m_parts[i] = {std::min(low, nextLow), std::max(high, nextHigh)};
        }
        m_parts.resize(MaxParts / 2);
        m_framesOfPart *= 2;
    }

    Waveform m_parts;
    std::pair<float, float> m_range = Nothing;
    qsizetype m_inRange = 0;
    qsizetype m_framesOfPart = 32;
};

// Decodes into what the sound has: asked for another rate, some decoders of Qt 6.4 stop without a word.
class QtAudioDecoder final : public AudioDecoder {
public:
    explicit QtAudioDecoder(const QByteArray &bytes) : m_bytes(bytes)
    {
        // To load a backend with its libraries takes longer than the window may stand still.
        runOnWorker(&m_context, &loadableBackend, [this](const std::optional<QByteArray> &backend) {
            if (useBackend(backend.value_or(QByteArray())))
                start();
            else
                end();
        });
    }
    ~QtAudioDecoder() override
    {
        if (m_decoder)
            m_decoder->disconnect();
    }

private:
    void start()
    {
        m_buffer.setData(m_bytes);
        m_buffer.open(QIODevice::ReadOnly);
        m_decoder = std::make_unique<QAudioDecoder>();
        m_decoder->setSourceDevice(&m_buffer);
        QObject::connect(m_decoder.get(), &QAudioDecoder::bufferReady, &m_context, [this] { read(); });
        QObject::connect(m_decoder.get(), &QAudioDecoder::finished, &m_context, [this] { end(); });
        QObject::connect(m_decoder.get(), qOverload<QAudioDecoder::Error>(&QAudioDecoder::error), &m_context,
                         [this] { end(); });
        m_decoder->start();
    }

    void read()
    {
        while (m_decoder->bufferAvailable())
            m_waveform.add(m_decoder->read());
    }

    // What came before an error is drawn: a sound may be cut.
    void end()
    {
        if (const auto tell = std::exchange(finished, nullptr))
            tell(m_waveform.take());
    }

    const QByteArray m_bytes;
    QBuffer m_buffer;
    GrowingWaveform m_waveform;
    std::unique_ptr<QAudioDecoder> m_decoder;
    QObject m_context;
};

}  // namespace

class QtAudioModule final : public QObject, public AudioModule {
    Q_OBJECT
    Q_PLUGIN_METADATA(IID SONDE_AUDIO_MODULE)
    Q_INTERFACES(sonde::ui::AudioModule)
public:
    std::unique_ptr<AudioPlayer> makePlayer(const QByteArray &bytes) override
    {
        return std::make_unique<QtAudioPlayer>(bytes);
    }
    std::unique_ptr<AudioDecoder> makeDecoder(const QByteArray &bytes) override
    {
        return std::make_unique<QtAudioDecoder>(bytes);
    }
};

}  // namespace sonde::ui

#include "audiomodule.moc"
