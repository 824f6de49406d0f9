// SPDX-License-Identifier: Apache-2.0
#include "app/demo/media.h"

#include <QtEndian>
#include <cmath>
#include <numbers>

namespace sonde::demo {
namespace {

template <typename Number>
QByteArray bigEndian(Number value)
{
    QByteArray bytes(sizeof(Number), Qt::Uninitialized);
    qToBigEndian(value, bytes.data());
    return bytes;
}

template <typename Number>
QByteArray littleEndian(Number value)
{
    QByteArray bytes(sizeof(Number), Qt::Uninitialized);
    qToLittleEndian(value, bytes.data());
    return bytes;
}

// PNG specification, annex D.
quint32 crc(const QByteArray &bytes)
{
    quint32 value = 0xffffffffU;
    for (const char byte : bytes) {
        value ^= quint8(byte);
        for (int bit = 0; bit < 8; ++bit)
            value = (value & 1U) ? 0xedb88320U ^ (value >> 1) : value >> 1;
    }
    return value ^ 0xffffffffU;
}

QByteArray chunk(const char *type, const QByteArray &data)
{
    const QByteArray typed = type + data;
    return bigEndian(quint32(data.size())) + typed + bigEndian(crc(typed));
}

QByteArray wave(int width, int height)
{
    QByteArray rows;
    for (int y = 0; y < height; ++y) {
        rows.append('\0');  // no filter
        for (int x = 0; x < width; ++x) {
            const double middle = height / 2.0 + height * 0.22 * std::sin(x * 4 * std::numbers::pi / width);
            const bool onWave = std::abs(y - middle) < 2.5;
            rows.append(char(onWave ? 255 : 23 + x));
            rows.append(char(onWave ? 255 : 60 + y));
            rows.append(char(onWave ? 255 : 160 + x / 2));
        }
    }
    const QByteArray header = bigEndian(quint32(width)) + bigEndian(quint32(height)) +
                              QByteArray::fromHex("0802000000");  // 8 bit, RGB, deflate, no interlace
    return QByteArray::fromHex("89504e470d0a1a0a") + chunk("IHDR", header) +
           chunk("IDAT", qCompress(rows, 9).sliced(4))  // qCompress puts four bytes of length before the zlib stream
           + chunk("IEND", {});
}

}  // namespace

QByteArray demoPng()
{
    return wave(96, 64);
}

QByteArray demoIcons()
{
    static const QByteArray icons = R"([{"src":"data:image/png;base64,)" + wave(24, 24).toBase64() +
                                    R"(","mimeType":"image/png","sizes":["24x24"]},)"
                                    R"({"src":"https://example.invalid/icon.png","mimeType":"image/png",)"
                                    R"("sizes":["48x48"],"theme":"dark"}])";
    return icons;
}

QByteArray demoWav()
{
    constexpr quint32 rate = 8000;
    constexpr int samples = rate / 2;
    QByteArray data;
    double phase = 0;
    for (int i = 0; i < samples; ++i) {
        const double left = 1.0 - double(i) / samples;
        phase += 2 * std::numbers::pi * (330 + 330 * left) / rate;
        data.append(littleEndian(qint16(std::lround(12000 * left * std::sin(phase)))));
    }
    const QByteArray format = littleEndian(quint16(1)) + littleEndian(quint16(1)) + littleEndian(rate) +
                              littleEndian(rate * 2) + littleEndian(quint16(2)) + littleEndian(quint16(16));
    const QByteArray body =
        "WAVEfmt " + littleEndian(quint32(format.size())) + format + "data" + littleEndian(quint32(data.size())) + data;
    return "RIFF" + littleEndian(quint32(body.size())) + body;
}

}  // namespace sonde::demo
