// Plays the audio of results with Qt Multimedia. A module of its own, so that nothing else depends on that.
// SPDX-License-Identifier: Apache-2.0
#include "ui/result/audioplayer.h"

#include <QAudioDevice>
#include <QAudioOutput>
#include <QBuffer>
#include <QCoreApplication>
#include <QDir>
#include <QMediaDevices>
#include <QMediaPlayer>
#include <QObject>
#include <QPluginLoader>
#include <QStringList>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

struct AudioText {
    Q_DECLARE_TR_FUNCTIONS(sonde::ui::AudioModule)
};

// Without a backend that can be loaded, Qt Multimedia would end the program when it is first used; and of several it
// tries one alone. So one is looked for that can be, and named to it.
bool findBackend()
{
    static const bool isFound = [] {
        const QString chosen = qEnvironmentVariable("QT_MEDIA_BACKEND");
        const QStringList names = chosen.isEmpty() ? QStringList{u"ffmpeg"_s, u"gstreamer"_s} : QStringList{chosen};
        for (const QString &name : names) {
            const QString file = u"multimedia/lib%1mediaplugin.so"_s.arg(name);
            const QStringList folders = QCoreApplication::libraryPaths();
            for (const QString &folder : folders) {
                QPluginLoader loader(QDir(folder).filePath(file));
                if (loader.load())
                    return qputenv("QT_MEDIA_BACKEND", name.toUtf8());
            }
        }
        return false;
    }();
    return isFound;
}

// Qt's player is made when it is first needed: to load its decoders and to find the sound devices takes a while.
class QtAudioPlayer final : public AudioPlayer {
public:
    explicit QtAudioPlayer(const QByteArray &bytes) : m_bytes(bytes) {}

    void play() override
    {
        m_wasPlayed = true;
        if (!m_media && findBackend())
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
};

}  // namespace sonde::ui

#include "audiomodule.moc"
