// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "ui/result/audiofacts.h"
#include "ui/result/audioplayer.h"
#include "ui/result/audioview.h"
#include "ui/result/waveformview.h"

#include <QAbstractButton>
#include <QDesktopServices>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QTest>
#include <QUrl>
#include <QtEndian>
#include <cmath>
#include <limits>

using namespace Qt::StringLiterals;

namespace sonde::ui {

class TestAudioView : public QObject {
    Q_OBJECT

private:
    struct FakePlayer final : AudioPlayer {
        void play() override
        {
            playing = true;
            tell();
        }
        void pause() override
        {
            playing = false;
            tell();
        }
        void seek(qint64 ms) override { position = ms; }
        bool isPlaying() const override { return playing; }
        qint64 positionMs() const override { return position; }
        qint64 durationMs() const override { return duration; }
        QString problem() const override { return fault; }
        void tell() const
        {
            if (changed)
                changed();
        }
        bool playing = false;
        qint64 position = 0;
        qint64 duration = 61'000;
        QString fault;
    };
    struct FakeModule final : AudioModule {
        std::unique_ptr<AudioPlayer> makePlayer(const QByteArray &) override
        {
            auto player = std::make_unique<FakePlayer>();
            last = player.get();
            return player;
        }
        std::unique_ptr<AudioDecoder> makeDecoder(const QByteArray &bytes) override
        {
            auto decoder = std::make_unique<AudioDecoder>();
            decoded = bytes;
            lastDecoder = decoder.get();
            return decoder;
        }
        FakePlayer *last = nullptr;
        AudioDecoder *lastDecoder = nullptr;
        QByteArray decoded;
    };

    template <typename T>
    static QByteArray little(T value)
    {
        QByteArray bytes(sizeof(T), '\0');
        qToLittleEndian(value, bytes.data());
        return bytes;
    }
    static QByteArray wave(const QByteArray &samples, quint16 channels, quint16 bits, quint16 tag = 1)
    {
        const quint32 rate = 8000;
        const quint16 frame = quint16(channels * bits / 8);
        QByteArray bytes = "RIFF" + little(quint32(36 + samples.size())) + "WAVEfmt " + little(quint32(16)) +
                           little(tag) + little(channels) + little(rate) + little(quint32(rate * frame)) +
                           little(frame) + little(bits) + "data" + little(quint32(samples.size()));
        return bytes + samples;
    }
    static QByteArray tone(int frames)
    {
        QByteArray samples;
        for (int i = 0; i < frames; ++i)
            samples += little(qint16(std::sin(i / 10.0) * 16384));
        return wave(samples, 1, 16);
    }
    static QString seen(const QWidget &view, const QString &name)
    {
        const auto *label = view.findChild<QLabel *>(name);
        return label && label->isVisibleTo(&view) ? label->text() : QString();
    }

private Q_SLOTS:
    void initTestCase() { setAudioModule(nullptr); }
    void cleanup() { setAudioModule(nullptr); }

    void factsAreRead_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("facts");
        QTest::addColumn<QString>("suffix");
        QTest::newRow("wav") << wave(QByteArray(32'000, '\0'), 2, 16) << u"WAV · 2 channels · 8000 Hz · 1.0 s"_s
                             << u"wav"_s;
        QTest::newRow("flac") << QByteArray("fLaC\x80\x00\x00\x22", 8) + QByteArray(10, '\0') +
                                     QByteArray::fromHex("0ac442f000015888") + QByteArray(16, '\0')
                              << u"FLAC · 2 channels · 44100 Hz · 2.0 s"_s << u"flac"_s;
        QTest::newRow("vorbis") << QByteArray("OggS\x00\x02", 6) + QByteArray(20, '\0') +
                                       QByteArray("\x01\x1e\x01vorbis\x00\x00\x00\x00\x01", 14) +
                                       little(quint32(8000)) + QByteArray("OggS\x00\x04", 6) + little(qint64(12'000)) +
                                       QByteArray(14, '\0')
                                << u"Ogg Vorbis · 1 channel · 8000 Hz · 1.5 s"_s << u"ogg"_s;
        QTest::newRow("opus") << QByteArray("OggS\x00\x02", 6) + QByteArray(20, '\0') +
                                     QByteArray("\x01\x13OpusHead\x01\x02", 12) + QByteArray("OggS\x00\x04", 6) +
                                     little(qint64(96'000)) + QByteArray(14, '\0')
                              << u"Opus · 2 channels · 48000 Hz · 2.0 s"_s << u"opus"_s;
        QTest::newRow("mp3") << QByteArray::fromHex("fffb9064") + QByteArray(15'996, '\0')
                             << u"MP3 · 2 channels · 44100 Hz · 1.0 s"_s << u"mp3"_s;
        QTest::newRow("mp3 with a tag") << QByteArray("ID3\x04\x00\x00\x00\x00\x00\x0a", 10) + QByteArray(10, '\0') +
                                               QByteArray::fromHex("fffb90c4") + QByteArray(15'996, '\0')
                                        << u"MP3 · 1 channel · 44100 Hz · 1.0 s"_s << u"mp3"_s;
        QTest::newRow("anything") << QByteArray("#!/bin/sh\nrm -rf ~\n") << QString() << QString();
        QTest::newRow("empty") << QByteArray() << QString() << QString();
        QTest::newRow("cut") << QByteArray("RIFF\x01\x02\x03\x04WAVEfmt ") << QString() << QString();
        QTest::newRow("cut ogg") << QByteArray("OggS") << u"Ogg"_s << u"ogg"_s;
    }

    void factsAreRead()
    {
        QFETCH(QByteArray, bytes);
        QTEST(audioFactsOf(bytes).text(), "facts");
        QTEST(audioFactsOf(bytes).suffix, "suffix");
        // However it is cut.
        for (qsizetype size = 0; size < qMin<qsizetype>(bytes.size(), 100); ++size) {
            audioFactsOf(bytes.first(size));
            waveformOf(bytes.first(size));
        }
    }

    void samplesOfEachKindAreDrawn_data()
    {
        QTest::addColumn<QByteArray>("sound");
        const auto floats = little(0.5F) + little(-1.0F);
        const auto doubles = little(0.5) + little(-1.0);
        QTest::newRow("8 bits") << wave(QByteArray("\xc0\x00", 2), 1, 8);
        QTest::newRow("16 bits") << wave(little(qint16(16384)) + little(qint16(-32768)), 1, 16);
        QTest::newRow("24 bits") << wave(QByteArray("\x00\x00\x40\x00\x00\x80", 6), 1, 24);
        QTest::newRow("32 bits") << wave(little(qint32(1 << 30)) + little(std::numeric_limits<qint32>::min()), 1, 32);
        QTest::newRow("float") << wave(floats, 1, 32, 3);
        QTest::newRow("double") << wave(doubles, 1, 64, 3);
    }

    void samplesOfEachKindAreDrawn()
    {
        QFETCH(QByteArray, sound);
        const Waveform waveform = waveformOf(sound);
        QCOMPARE(waveform.size(), 2);
        QVERIFY(qAbs(waveform[0].second - 0.5F) < 0.01F);
        QVERIFY(qAbs(waveform[1].first + 1.0F) < 0.01F);
    }

    void whatCannotBeDrawnIsNot()
    {
        QVERIFY(waveformOf("fLaC").isEmpty());
        QVERIFY(waveformOf(wave(QByteArray(100, 'x'), 1, 16, 6)).isEmpty());  // A-law
        QVERIFY(waveformOf(wave(QByteArray(100, 'x'), 0, 16)).isEmpty());
        QVERIFY(waveformOf(wave({}, 1, 16)).isEmpty());
        QCOMPARE(waveformOf(tone(100'000)).size(), 1000);
    }

    void withoutTheModuleItCanBeOpenedElsewhere()
    {
        AudioView view(tone(8000));
        view.resize(400, 80);
        view.show();
        QVERIFY(!view.canPlay());
        QVERIFY(view.findChild<WaveformView *>()->isVisible());
        QCOMPARE(seen(view, u"playNote"_s),
                 u"Sonde's audio player is not installed. Open the audio in another program, or save it."_s);
        QDesktopServices::setUrlHandler(u"file"_s, this, "takeUrl");
        auto *button = view.findChild<QAbstractButton *>(u"playAudio"_s);
        QCOMPARE(button->text(), u"Open in player"_s);
        button->click();
        QDesktopServices::unsetUrlHandler(u"file"_s);
        const QString opened = m_taken.toLocalFile();
        QVERIFY(opened.endsWith(u"/sound.wav"_s));
        const QFileInfo file(opened);
        QCOMPARE(file.size(), tone(8000).size());
        QVERIFY(!(file.permissions() & (QFile::ReadGroup | QFile::ReadOther)));
        QVERIFY(!(QFileInfo(file.path()).permissions() & (QFile::ReadGroup | QFile::ReadOther)));
    }

    void theFileForTheOtherProgramIsDeleted()
    {
        QString folder;
        {
            AudioView view(tone(800));
            QDesktopServices::setUrlHandler(u"file"_s, this, "takeUrl");
            view.openElsewhere();
            QDesktopServices::unsetUrlHandler(u"file"_s);
            folder = QFileInfo(m_taken.toLocalFile()).path();
            QVERIFY(QFileInfo::exists(folder));
        }
        QVERIFY(!QFileInfo::exists(folder));
    }

    // A server may call a script audio.
    void whatIsNoAudioIsNotOpened()
    {
        const AudioView view("#!/bin/sh\n");
        QVERIFY(!view.canOpen());
        QVERIFY(!view.findChild<QAbstractButton *>(u"playAudio"_s)->isVisibleTo(&view));
        QCOMPARE(seen(view, u"playNote"_s), u"Not recognized as audio. You can save it."_s);
    }

    void itIsPlayed()
    {
        FakeModule module;
        setAudioModule(&module);
        AudioView view(tone(8000));
        view.resize(500, 80);
        view.show();
        FakePlayer *player = module.last;
        auto *button = view.findChild<QAbstractButton *>(u"playAudio"_s);
        auto *waveform = view.findChild<WaveformView *>();
        QVERIFY(view.canPlay() && player);
        QCOMPARE(button->text(), u"Play"_s);
        QCOMPARE(seen(view, u"audioTime"_s), u"0:00 / 1:01"_s);
        button->click();
        QVERIFY(player->playing);
        QCOMPARE(button->text(), u"Pause"_s);
        QCOMPARE(button->accessibleName(), u"Pause audio"_s);
        player->position = 30'500;
        player->tell();
        QCOMPARE(seen(view, u"audioTime"_s), u"0:30 / 1:01"_s);
        QCOMPARE(waveform->accessibleDescription(), u"0:30 / 1:01"_s);
        // By keys.
        waveform->setFocus();
        QTest::keyClick(waveform, Qt::Key_Space);
        QVERIFY(!player->playing);
        QTest::keyClick(waveform, Qt::Key_Right);
        QCOMPARE(player->position, 35'500);
        QTest::keyClick(waveform, Qt::Key_Left);
        QCOMPARE(player->position, 30'500);
        QTest::mouseClick(waveform, Qt::LeftButton, {}, waveform->rect().center());
        QVERIFY(qAbs(player->position - 30'500) < 500);
        QTest::mouseClick(waveform, Qt::LeftButton, {}, {waveform->width() - 1, 10});
        QCOMPARE(player->position, 61'000);
    }

    // The player knows its sound only once it is played: what was clicked before that is where it starts.
    void aClickBeforePlayIsWhereItStarts()
    {
        FakeModule module;
        setAudioModule(&module);
        AudioView view(tone(8000));
        view.resize(500, 80);
        view.show();
        FakePlayer *player = module.last;
        player->duration = 0;
        player->tell();
        auto *waveform = view.findChild<WaveformView *>();
        QTest::mouseClick(waveform, Qt::LeftButton, {}, waveform->rect().center());
        QCOMPARE(seen(view, u"audioTime"_s), u"0.5 s / 1.0 s"_s);
        QTest::keyClick(waveform, Qt::Key_Space);
        QCOMPARE(player->position, 0);
        player->duration = 1000;
        player->tell();
        QVERIFY(player->playing);
        QVERIFY(qAbs(player->position - 500) < 10);
        player->position = 700;
        player->tell();
        QCOMPARE(seen(view, u"audioTime"_s), u"0.7 s / 1.0 s"_s);
    }

    void compressedAudioIsDecodedForItsPicture()
    {
        FakeModule module;
        setAudioModule(&module);
        const AudioView plain(tone(80));
        QVERIFY2(module.decoded.isEmpty(), "its samples are there");
        const QByteArray mp3 = QByteArray::fromHex("fffb9064") + QByteArray(15'996, '\0');
        const AudioView view(mp3);
        QCOMPARE(module.decoded, mp3);
        const auto *waveform = view.findChild<WaveformView *>();
        QVERIFY(!waveform->hasWaveform());
        module.lastDecoder->finished({{-0.5F, 0.5F}});
        QVERIFY(waveform->hasWaveform() && waveform->isVisibleTo(&view));
        module.decoded.clear();
        const AudioView script("#!/bin/sh\n");
        QVERIFY2(module.decoded.isEmpty(), "what is no sound is not given to decoders");
    }

    void withoutASoundDeviceItSaysSo()
    {
        FakeModule module;
        setAudioModule(&module);
        const AudioView view(tone(8000));
        module.last->fault = u"There is no sound device."_s;
        module.last->tell();
        QCOMPARE(seen(view, u"playNote"_s), u"Cannot be played. There is no sound device."_s);
        QVERIFY(!view.findChild<QAbstractButton *>(u"playAudio"_s)->isEnabled());
    }

    void aPlayerThatStopsWhileItIsDeletedTellsNobody()
    {
        struct Stopping final : AudioModule {
            struct Player final : AudioPlayer {
                ~Player() override
                {
                    if (changed)
                        changed();
                }
                void play() override {}
                void pause() override {}
                void seek(qint64) override {}
                bool isPlaying() const override { return true; }
                qint64 positionMs() const override { return 0; }
                qint64 durationMs() const override { return 0; }
                QString problem() const override { return {}; }
            };
            std::unique_ptr<AudioPlayer> makePlayer(const QByteArray &) override { return std::make_unique<Player>(); }
            std::unique_ptr<AudioDecoder> makeDecoder(const QByteArray &) override { return nullptr; }
        };
        Stopping module;
        setAudioModule(&module);
        auto view = std::make_unique<AudioView>(tone(80));
        view.reset();
    }

public Q_SLOTS:
    void takeUrl(const QUrl &url) { m_taken = url; }

private:
    QUrl m_taken;
};

}  // namespace sonde::ui

using TestAudioView = sonde::ui::TestAudioView;
SONDE_TEST(TestAudioView)
#include "tst_audioview.moc"
