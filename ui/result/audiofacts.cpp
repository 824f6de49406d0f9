// SPDX-License-Identifier: Apache-2.0
#include "ui/result/audiofacts.h"

#include "core/protocol/numbertext.h"
#include "ui/result/texts.h"

#include <QStringList>
#include <QtEndian>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace sonde::ui {

namespace {

constexpr qsizetype MaxParts = 1000;        // of a waveform
constexpr qsizetype MaxFramesOfPart = 500;  // looked at
constexpr quint16 PcmTag = 1;
constexpr quint16 FloatTag = 3;
constexpr quint16 ExtensibleTag = 0xFFFE;

template <typename T>
T littleAt(const QByteArray &bytes, qsizetype at)
{
    return at >= 0 && at + qsizetype(sizeof(T)) <= bytes.size() ? qFromLittleEndian<T>(bytes.constData() + at) : T();
}

template <typename T>
T bigAt(const QByteArray &bytes, qsizetype at)
{
    return at >= 0 && at + qsizetype(sizeof(T)) <= bytes.size() ? qFromBigEndian<T>(bytes.constData() + at) : T();
}

struct WaveFormat {
    quint16 tag = 0;
    int channels = 0;
    quint32 rate = 0;
    quint32 byteRate = 0;
    int frameBytes = 0;  // a sample of each channel
    int bits = 0;
    qsizetype data = -1;  // where the samples are
    qint64 dataBytes = 0;
};

// The chunks "fmt " and "data", wherever they are. A stream says 0 or the maximum for the size of what it did not know.
WaveFormat waveFormatOf(const QByteArray &bytes)
{
    WaveFormat format;
    for (qsizetype at = 12; at + 8 <= bytes.size();) {
        const QByteArrayView id = QByteArrayView(bytes).sliced(at, 4);
        const qint64 size = littleAt<quint32>(bytes, at + 4);
        const qsizetype content = at + 8;
        if (id == "fmt " && content + 16 <= bytes.size()) {
            format.tag = littleAt<quint16>(bytes, content);
            format.channels = littleAt<quint16>(bytes, content + 2);
            format.rate = littleAt<quint32>(bytes, content + 4);
            format.byteRate = littleAt<quint32>(bytes, content + 8);
            format.frameBytes = littleAt<quint16>(bytes, content + 12);
            format.bits = littleAt<quint16>(bytes, content + 14);
            if (format.tag == ExtensibleTag && size >= 26)
                format.tag = littleAt<quint16>(bytes, content + 24);
        } else if (id == "data") {
            const qint64 rest = bytes.size() - content;
            format.data = content;
            format.dataBytes = size == 0 ? rest : std::min(size, rest);
            break;
        }
        at = content + size + size % 2;
    }
    return format;
}

bool isWave(const QByteArray &bytes)
{
    return bytes.startsWith("RIFF") && bytes.mid(8, 4) == "WAVE";
}

AudioFacts factsOfWave(const QByteArray &bytes)
{
    const WaveFormat format = waveFormatOf(bytes);
    if (format.rate == 0)
        return {};
    AudioFacts facts{QStringLiteral("WAV"), QStringLiteral("wav"), format.channels, format.rate, -1};
    if (format.byteRate > 0 && format.data >= 0)
        facts.seconds = double(format.dataBytes) / format.byteRate;
    return facts;
}

// The block STREAMINFO, which is always the first.
AudioFacts factsOfFlac(const QByteArray &bytes)
{
    AudioFacts facts{QStringLiteral("FLAC"), QStringLiteral("flac"), 0, 0, -1};
    const quint64 packed = bigAt<quint64>(bytes, 18);
    facts.rate = quint32(packed >> 44);
    facts.channels = int((packed >> 41) & 7) + 1;
    const quint64 samples = packed & 0xFFFFFFFFF;
    if (facts.rate > 0 && samples > 0)
        facts.seconds = double(samples) / facts.rate;
    return facts;
}

// The first packet names the codec; the position of the last page is the length.
AudioFacts factsOfOgg(const QByteArray &bytes)
{
    AudioFacts facts{QStringLiteral("Ogg"), QStringLiteral("ogg"), 0, 0, -1};
    quint32 positionRate = 0;
    const qsizetype packet = 27 + quint8(bytes.size() > 26 ? bytes[26] : 0);
    if (bytes.mid(packet, 7) == "\x01vorbis") {
        facts.format = QStringLiteral("Ogg Vorbis");
        facts.channels = littleAt<quint8>(bytes, packet + 11);
        facts.rate = littleAt<quint32>(bytes, packet + 12);
        positionRate = facts.rate;
    } else if (bytes.mid(packet, 8) == "OpusHead") {
        facts.format = QStringLiteral("Opus");
        facts.suffix = QStringLiteral("opus");
        facts.channels = littleAt<quint8>(bytes, packet + 9);
        facts.rate = positionRate = 48'000;  // whatever was recorded
    }
    const qsizetype last = bytes.lastIndexOf("OggS");
    if (const qint64 position = littleAt<qint64>(bytes, last + 6); positionRate > 0 && position > 0)
        facts.seconds = double(position) / positionRate;
    return facts;
}

struct Mp3Frame {
    int bitRate = 0;  // bits per second
    quint32 rate = 0;
    int channels = 0;
    int samples = 0;
    qsizetype tag = 0;  // where a header of a variable bit rate would be
};

// Layer III only; nothing for what is no header of a frame.
Mp3Frame mp3FrameAt(const QByteArray &bytes, qsizetype at)
{
    static constexpr std::array<int, 16> Rates1{0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0};
    static constexpr std::array<int, 16> Rates2{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0};
    static constexpr std::array<quint32, 4> SampleRates{44'100, 48'000, 32'000, 0};
    const auto header = bigAt<quint32>(bytes, at);
    const quint32 version = (header >> 19) & 3;  // 3: MPEG 1, 2: MPEG 2, 0: MPEG 2.5
    if ((header >> 21) != 0x7FF || version == 1 || ((header >> 17) & 3) != 1)
        return {};
    Mp3Frame frame;
    const bool isFirst = version == 3;
    frame.bitRate = (isFirst ? Rates1 : Rates2)[(header >> 12) & 15] * 1000;
    frame.rate = SampleRates[(header >> 10) & 3] / (isFirst ? 1 : version == 2 ? 2 : 4);
    frame.channels = ((header >> 6) & 3) == 3 ? 1 : 2;
    frame.samples = isFirst ? 1152 : 576;
    frame.tag = at + 4 + (isFirst ? (frame.channels == 1 ? 17 : 32) : (frame.channels == 1 ? 9 : 17));
    return frame.bitRate > 0 && frame.rate > 0 ? frame : Mp3Frame();
}

// A tag ID3v2 before the first frame has its size in four times seven bits.
qsizetype mp3Start(const QByteArray &bytes)
{
    if (!bytes.startsWith("ID3") || bytes.size() < 10)
        return 0;
    qsizetype size = 0;
    for (qsizetype i = 6; i < 10; ++i)
        size = size * 128 + (quint8(bytes[i]) & 127);
    return size + 10;
}

AudioFacts factsOfMp3(const QByteArray &bytes)
{
    const qsizetype start = mp3Start(bytes);
    const Mp3Frame frame = mp3FrameAt(bytes, start);
    if (frame.rate == 0 && start == 0)
        return {};
    AudioFacts facts{QStringLiteral("MP3"), QStringLiteral("mp3"), frame.channels, frame.rate, -1};
    if (frame.rate == 0)
        return facts;
    const QByteArray tag = bytes.mid(frame.tag, 4);
    const bool isCounted = (tag == "Xing" || tag == "Info") && bigAt<quint32>(bytes, frame.tag + 4) & 1;
    if (isCounted)
        facts.seconds = double(bigAt<quint32>(bytes, frame.tag + 8)) * frame.samples / frame.rate;
    else
        facts.seconds = double(bytes.size() - start) * 8 / frame.bitRate;
    return facts;
}

// From −1 to 1.
float sampleAt(const char *at, const WaveFormat &format)
{
    if (format.tag == FloatTag) {
        const double value = format.bits == 64 ? qFromLittleEndian<double>(at) : double(qFromLittleEndian<float>(at));
        return std::isfinite(value) ? float(std::clamp(value, -1.0, 1.0)) : 0.0F;
    }
    switch (format.bits) {
        case 8:
            return (float(quint8(*at)) - 128) / 128;
        case 16:
            return float(qFromLittleEndian<qint16>(at)) / 32768;
        case 24:
            return float(qint32(quint32(quint8(at[0])) << 8 | quint32(quint8(at[1])) << 16 |
                                quint32(quint8(at[2])) << 24) /
                         256) /
                   8388608;
        default:
            return float(double(qFromLittleEndian<qint32>(at)) / 2147483648.0);
    }
}

bool canBeDrawn(const WaveFormat &format)
{
    const bool isKnown = format.tag == PcmTag
                             ? format.bits == 8 || format.bits == 16 || format.bits == 24 || format.bits == 32
                             : format.tag == FloatTag && (format.bits == 32 || format.bits == 64);
    return isKnown && format.data >= 0 && format.channels > 0 && format.frameBytes >= format.channels * format.bits / 8;
}

}  // namespace

QString AudioFacts::text() const
{
    QStringList parts;
    if (!format.isEmpty())
        parts.append(format);
    if (channels > 0)
        parts.append(counted(channels, ResultText::tr("1 channel"), ResultText::tr("%1 channels")));
    if (rate > 0)
        parts.append(ResultText::tr("%1 Hz").arg(rate));
    if (seconds >= 0)
        parts.append(ResultText::tr("%1 s").arg(seconds, 0, 'f', 1));
    return parts.join(QStringLiteral(" · "));
}

AudioFacts audioFactsOf(const QByteArray &bytes)
{
    if (isWave(bytes))
        return factsOfWave(bytes);
    if (bytes.startsWith("fLaC"))
        return factsOfFlac(bytes);
    if (bytes.startsWith("OggS"))
        return factsOfOgg(bytes);
    if (bytes.mid(4, 7) == "ftypM4A")
        return {QStringLiteral("M4A"), QStringLiteral("m4a"), 0, 0, -1};
    return factsOfMp3(bytes);
}

Waveform waveformOf(const QByteArray &bytes)
{
    if (!isWave(bytes))
        return {};
    const WaveFormat format = waveFormatOf(bytes);
    if (!canBeDrawn(format))
        return {};
    const qsizetype frames = format.dataBytes / format.frameBytes;
    const qsizetype parts = std::min(frames, MaxParts);
    const int sampleBytes = format.bits / 8;
    Waveform waveform;
    waveform.reserve(parts);
    for (qsizetype part = 0; part < parts; ++part) {
        const qsizetype first = frames * part / parts;
        const qsizetype end = frames * (part + 1) / parts;
        const qsizetype step = std::max<qsizetype>(1, (end - first) / MaxFramesOfPart);
        std::pair<float, float> range(1.0F, -1.0F);
        for (qsizetype frame = first; frame < end; frame += step) {
            const char *at = bytes.constData() + format.data + frame * format.frameBytes;
            for (int channel = 0; channel < format.channels; ++channel, at += sampleBytes) {
                const float sample = sampleAt(at, format);
                range.first = std::min(range.first, sample);
                range.second = std::max(range.second, sample);
            }
        }
        waveform.append(range);
    }
    return waveform;
}

}  // namespace sonde::ui
