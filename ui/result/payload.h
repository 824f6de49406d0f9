// The decoded payload of a content block. No widgets: may run on a worker.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/types.h"

#include <QByteArray>
#include <QSize>
#include <QString>
#include <QStringList>

namespace sonde::ui {

// Larger images are described, not decoded.
constexpr qint64 MaxPixels = qint64(64) * 1000 * 1000;

struct Payload {
    enum class Form {
        Text,    // text to be read
        Source,  // a picture format that is text and could refer to other places: shown as what it is
        Image,
        Audio,
        Bytes
    };
    Form form = Form::Bytes;
    QByteArray bytes;      // exactly what was carried
    QByteArray shown;      // text, source or hex lines; none of an image
    QSize imageSize;       // natural, as its header says; the image itself is decoded when it is seen
    QString note;          // "PNG · 320 × 200", "WAV · 2 channels …"
    QStringList findings;  // broken base64, an image that is not one, a wrong type
};

// For Image, Audio and Resource contents with a blob.
Payload readPayload(const Content &content);
// What was taken for an image and cannot be decoded, as bytes with a finding.
Payload withoutImage(Payload payload, const QString &reason);
// The JSON object or array that a text is; Missing for any other text.
json::Value containerIn(const QByteArray &text);
// Whether it begins with what is hardly anything but Markdown: headings, lists, tables, code, emphasis, links.
bool looksLikeMarkdown(const QByteArray &text);
// Whether a browser may be able to open it: http or https.
bool isWebAddress(const QString &address);
// A file name for saving, from the URI's last segment or the type. Never a path or a hidden file.
QString suggestedFileName(const Content &content);

}  // namespace sonde::ui
