// SPDX-License-Identifier: Apache-2.0
#include "ui/result/payload.h"

#include "core/protocol/base64.h"
#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "ui/json/bytestext.h"
#include "ui/result/audiofacts.h"
#include "ui/result/imagedecoder.h"
#include "ui/result/texts.h"

#include <QBuffer>
#include <QImageReader>
#include <QMimeDatabase>
#include <QRegularExpression>
#include <QUrl>
#include <algorithm>

namespace sonde::ui {

namespace {

QString baseType(const QString &mimeType)
{
    return mimeType.section(QLatin1Char(';'), 0, 0).trimmed().toLower();
}

// SVG can refer to files and URLs, which the renderer would load: such references are removed first.
bool looksLikeSvg(const QByteArray &bytes)
{
    const QByteArray start = bytes.first(qMin<qsizetype>(bytes.size(), 1024)).trimmed().toLower();
    return start.startsWith("<svg") ||
           ((start.startsWith("<?xml") || start.startsWith("<!")) && start.contains("<svg")) ||
           bytes.startsWith("\x1f\x8b");
}

bool isTextType(const QString &type)
{
    static const QStringList known{QStringLiteral("application/json"),       QStringLiteral("application/xml"),
                                   QStringLiteral("application/javascript"), QStringLiteral("application/yaml"),
                                   QStringLiteral("application/toml"),       QStringLiteral("application/sql")};
    return type.startsWith(QLatin1String("text/")) || known.contains(type) || type.endsWith(QLatin1String("+json")) ||
           type.endsWith(QLatin1String("+xml"));
}

void readImage(Payload *payload, const QString &type)
{
    QBuffer buffer(&payload->bytes);
    buffer.open(QIODevice::ReadOnly);
    QImageReader reader(&buffer);
    reader.setDecideFormatFromContent(true);
    const QByteArray format = reader.format();
    if (format.isEmpty() || format.startsWith("svg") || format == "pdf") {
        payload->findings.append(ResultText::tr("Not a displayable image (declared as %1).").arg(type));
        return;
    }
    payload->imageSize = imageSizeOf(payload->bytes);
    if (!payload->imageSize.isValid()) {
        payload->findings.append(
            ResultText::tr("Looks like %1 but cannot be decoded.").arg(QString::fromLatin1(format).toUpper()));
        return;
    }
    const qint64 pixels = qint64(payload->imageSize.width()) * payload->imageSize.height();
    payload->note = QStringLiteral("%1 · %2 × %3")
                        .arg(QString::fromLatin1(format).toUpper())
                        .arg(payload->imageSize.width())
                        .arg(payload->imageSize.height());
    if (pixels > MaxPixels) {
        payload->findings.append(ResultText::tr("Image too large to show: %1. You can save it.").arg(payload->note));
        return;
    }
    const QString actual = QString::fromLatin1(format == "jpg" ? QByteArray("jpeg") : format);
    if (!type.contains(actual) && type.startsWith(QLatin1String("image/")))
        payload->findings.append(ResultText::tr("Declared as %1, but the data is %2.").arg(type, actual.toUpper()));
    payload->form = Payload::Form::Image;
}

}  // namespace

Payload readPayload(const Content &content)
{
    Payload payload;
    const Decoded decoded = decodeBase64(content.data);
    payload.bytes = decoded.bytes;
    if (!decoded.problem.isEmpty())
        payload.findings.append(ResultText::tr("Invalid base64: %1").arg(decoded.problem));

    const QString type = baseType(content.mimeType);
    if (type.startsWith(QLatin1String("image/svg")) ||
        (type.startsWith(QLatin1String("image/")) && looksLikeSvg(payload.bytes))) {
        payload.note = ResultText::tr("SVG, shown as source");
        payload.form = isValidUtf8(payload.bytes) ? Payload::Form::Source : Payload::Form::Bytes;
    } else if (content.kind == Content::Kind::Image || type.startsWith(QLatin1String("image/"))) {
        readImage(&payload, visibleLine(type, 80));
    } else if (content.kind == Content::Kind::Audio || type.startsWith(QLatin1String("audio/"))) {
        payload.form = Payload::Form::Audio;
        payload.note = audioFactsOf(payload.bytes).text();
    } else if (isTextType(type) && isValidUtf8(payload.bytes)) {
        payload.form = Payload::Form::Text;
    }
    if (payload.form == Payload::Form::Bytes)
        payload.shown = hexDump(payload.bytes);
    else if (payload.form != Payload::Form::Image && payload.form != Payload::Form::Audio)
        payload.shown = payload.bytes;
    return payload;
}

Payload withoutImage(Payload payload, const QString &reason)
{
    payload.form = Payload::Form::Bytes;
    payload.shown = hexDump(payload.bytes);
    payload.findings = {ResultText::tr("The image cannot be decoded: %1.").arg(reason)};
    return payload;
}

json::Value containerIn(const QByteArray &text)
{
    const QByteArray start = text.first(qMin<qsizetype>(text.size(), 64)).trimmed();
    if (!start.startsWith('{') && !start.startsWith('['))
        return {};
    const json::Document document = json::Document::parse(text);
    return document.isValid() && document.root().isContainer() ? document.root() : json::Value();
}

bool looksLikeMarkdown(const QByteArray &text)
{
    const QByteArray start = text.first(qMin<qsizetype>(text.size(), 16 * 1024));
    int items = 0;
    for (const QByteArray &line : start.split('\n')) {
        const QByteArray words = line.trimmed();
        const qsizetype level =
            std::find_if_not(words.cbegin(), words.cend(), [](char c) { return c == '#'; }) - words.cbegin();
        const bool isHeading = level > 0 && level <= 6 && words.size() > level && words[level] == ' ';
        const bool isTableRule = words.startsWith("|-") || words.startsWith("| -") || words.startsWith("|:");
        if (isHeading || isTableRule || words.startsWith("```"))
            return true;
        items += words.startsWith("- ") || words.startsWith("* ") ? 1 : 0;
    }
    return items > 1 || start.count("**") > 1 || start.contains("](");
}

bool isWebAddress(const QString &address)
{
    return address.startsWith(QLatin1String("https://"), Qt::CaseInsensitive) ||
           address.startsWith(QLatin1String("http://"), Qt::CaseInsensitive);
}

QString suggestedFileName(const Content &content)
{
    QString name =
        QUrl(content.uri).path(QUrl::FullyDecoded).section(QLatin1Char('/'), -1, -1, QString::SectionSkipEmpty);
    static const QRegularExpression unwanted(QStringLiteral("[^\\p{L}\\p{N}._ -]"));
    name.replace(unwanted, QStringLiteral("_"));
    while (name.startsWith(QLatin1Char('.')))
        name.remove(0, 1);
    name = name.trimmed().left(120);
    if (name.isEmpty())
        name = ResultText::tr("content");
    if (!name.contains(QLatin1Char('.'))) {
        const QString suffix = QMimeDatabase().mimeTypeForName(baseType(content.mimeType)).preferredSuffix();
        if (!suffix.isEmpty())
            name += QLatin1Char('.') + suffix;
    }
    return name;
}

}  // namespace sonde::ui
