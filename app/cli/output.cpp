// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output.h"

#include "app/cli/standardoutput.h"
#include "app/cli/texts.h"
#include "app/common/system.h"
#include "core/json/stringcodec.h"
#include "core/protocol/base64.h"
#include "core/protocol/visibletext.h"

#include <QDir>
#include <QFile>
#include <QMimeDatabase>
#include <QStringDecoder>
#include <QUrl>

#include <cstdio>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

void writeError(const QString &text)
{
    std::fputs(text.toUtf8().constData(), stderr);
    std::fflush(stderr);
}

QString outcomeWord(Outcome::Kind kind)
{
    switch (kind) {
        case Outcome::Kind::Ok:
            return u"ok"_s;
        case Outcome::Kind::ToolError:
            return u"tool-error"_s;
        case Outcome::Kind::ProtocolError:
            return u"protocol-error"_s;
        case Outcome::Kind::NoResponse:
            break;
    }
    return u"no-answer"_s;
}

void addError(json::Builder &builder, const Error &error)
{
    builder.key(u"error").beginObject();
    builder.member(u"kind", toString(error.kind)).member(u"code", qint64(error.code));
    builder.member(u"message", error.message);
    if (!error.detail.isEmpty())
        builder.member(u"detail", error.detail);
    if (!error.hint.isEmpty())
        builder.member(u"hint", error.hint);
    if (error.data.exists())
        builder.key(u"data").value(error.data);
    builder.endObject();
}

void addFindings(json::Builder &builder, const QStringList &findings)
{
    builder.key(u"findings").beginArray();
    for (const QString &finding : findings)
        builder.string(finding);
    builder.endArray();
}

// Nothing came, rather than something unusable or a refusal, or nothing having been sent.
bool isSilence(const Error &error)
{
    return error.kind != Error::Kind::Local && error.kind != Error::Kind::Protocol && error.kind != Error::Kind::Auth &&
           error.reason != Error::Reason::HttpStatus;
}

// A file's name out of server text: nothing that could lead out of the folder or hide the file.
QString safeFileName(const QString &uri)
{
    QString name = QUrl(uri).fileName();
    for (QChar &c : name) {
        const bool harmless = c.unicode() < 0x80 && (c.isLetterOrNumber() || u"._-"_s.contains(c));
        if (!harmless)
            c = u'_';
    }
    while (name.startsWith(u'.'))
        name.remove(0, 1);
    return name.left(100);
}

}  // namespace

QString humanSize(qint64 bytes)
{
    if (bytes < 1000)
        return u"%1 B"_s.arg(bytes);
    if (bytes < 1'000'000)
        return u"%1 kB"_s.arg(double(bytes) / 1e3, 0, 'f', 1);
    return u"%1 MB"_s.arg(double(bytes) / 1e6, 0, 'f', 1);
}

void Output::line(const QString &text)
{
    endProgress();
    if (standardoutput::writeText(text))
        standardoutput::write("\n");
}

void Output::text(const json::Value &string)
{
    endProgress();
    VisibleTextConverter converter;
    for (json::StringReader reader(string.slice()); !reader.atEnd();) {
        if (!standardoutput::writeText(converter.convert(reader.next())))
            return;
    }
    standardoutput::write("\n");
}

void Output::note(const QString &text)
{
    endProgress();
    writeError(text + u'\n');
}

void Output::printJson(const QByteArray &object)
{
    endProgress();
    if (standardoutput::write(object))
        standardoutput::write("\n");
}

void Output::value(const json::Value &value)
{
    endProgress();
    QStringDecoder decoder(QStringDecoder::Utf8);
    VisibleTextConverter converter;
    constexpr qsizetype pieceSize = 64 * 1024;
    json::writeIndented(value, [&](QByteArrayView piece) {
        for (qsizetype at = 0; at < piece.size(); at += pieceSize) {
            const QString text = decoder.decode(piece.sliced(at, qMin(pieceSize, piece.size() - at)));
            if (!standardoutput::writeText(converter.convert(text)))
                return false;
        }
        return true;
    });
    standardoutput::write("\n");
}

void Output::progress(const Progress &progress)
{
    if (!app::isTerminal(app::StandardStream::Error))
        return;
    QString text =
        progress.total ? u"%1/%2"_s.arg(progress.progress).arg(*progress.total) : QString::number(progress.progress);
    if (!progress.message.isEmpty())
        text += u"  "_s + visibleLine(progress.message, 60);
    writeError(u"\r\x1b[K"_s + text);
    m_progressShown = true;
}

void Output::endProgress()
{
    if (std::exchange(m_progressShown, false))
        writeError(u"\r\x1b[K"_s);
}

void Output::content(const Content &content)
{
    const QString mimeType = visibleLine(content.mimeType);
    const QString uri = visibleLine(content.uri);
    switch (content.kind) {
        case Content::Kind::Text:
            text(content.text);
            break;
        case Content::Kind::Image:
        case Content::Kind::Audio:
            line(describeBytes(content.mimeType, {}, content.data));
            break;
        case Content::Kind::ResourceLink: {
            QStringList facts{visibleLine(content.name), mimeType, visibleLine(content.description)};
            facts.removeAll(QString());
            line(u"[%1]"_s.arg(CliText::tr("link to %1").arg(uri) +
                               (facts.isEmpty() ? QString() : u": "_s + facts.join(u", "_s))));
            break;
        }
        case Content::Kind::Resource:
            if (content.data.isString()) {
                line(describeBytes(content.mimeType, content.uri, content.data));
            } else {
                line(u"[%1%2]"_s.arg(uri, mimeType.isEmpty() ? QString() : u", "_s + mimeType));
                text(content.text);
            }
            break;
        case Content::Kind::Unknown:
            value(content.value);
            break;
    }
    findings(content.findings);
}

QString Output::describeBytes(const QString &mimeType, const QString &uri, const json::Value &base64)
{
    const Decoded decoded = decodeBase64(base64);
    if (!decoded.problem.isEmpty())
        findings({decoded.problem});
    QStringList facts;
    if (!uri.isEmpty())
        facts.append(visibleLine(uri));
    facts.append(mimeType.isEmpty() ? CliText::tr("unknown type") : visibleLine(mimeType));
    facts.append(humanSize(decoded.bytes.size()));
    QString text = facts.join(u", "_s);
    if (m_options.saveFolder.isEmpty()) {
        text += u"; "_s + CliText::tr("use --save FOLDER to keep it");
    } else {
        const QString path = save(decoded.bytes, mimeType, uri);
        text += u"; "_s + (path.isEmpty() ? CliText::tr("could not be saved") : CliText::tr("saved as %1").arg(path));
    }
    return u'[' + text + u']';
}

QString Output::save(const QByteArray &bytes, const QString &mimeType, const QString &uri)
{
    QString name = safeFileName(uri);
    if (name.isEmpty()) {
        const QString suffix = QMimeDatabase().mimeTypeForName(mimeType).preferredSuffix();
        name = u"content-%1.%2"_s.arg(++m_saved).arg(suffix.isEmpty() ? u"bin"_s : suffix);
    }
    QString path = QDir(m_options.saveFolder).filePath(name);
    for (int i = 2; i < 10'000; ++i) {
        QFile file(path);
        if (file.open(QIODevice::WriteOnly | QIODevice::NewOnly)) {
            if (file.write(bytes) == bytes.size() && file.flush())
                return path;
            standardoutput::noteFailure(CliText::tr("%1 could not be written: %2").arg(path, file.errorString()));
            file.remove();  // half of it is worse than nothing
            return {};
        }
        if (!file.exists()) {
            standardoutput::noteFailure(CliText::tr("%1 could not be written: %2").arg(path, file.errorString()));
            return {};
        }
        path = QDir(m_options.saveFolder).filePath(u"%1-%2"_s.arg(i).arg(name));
    }
    return {};
}

void Output::failure(const Error &error)
{
    QString text = visibleText(error.message);
    if (error.kind == Error::Kind::Remote) {
        const QString meaning = meaningOfErrorCode(error.code);
        text = error.code == 0 ? CliText::tr("Protocol error: %1").arg(text)
                               : CliText::tr("Protocol error %1: %2").arg(error.code).arg(text);
        if (!meaning.isEmpty())
            text += u'\n' + meaning;
    } else if (const QString lead = CliText::tr("No response"); isSilence(error) && !text.startsWith(lead)) {
        text.prepend(lead + u": "_s);
    }
    const bool isSaid = error.reason == Error::Reason::InsufficientScope;  // what is in data
    if (error.data.exists() && !isSaid)
        text += u'\n' + visibleText(QString::fromUtf8(json::indented(error.data)));
    // A refused handshake has its data as detail as well.
    if (!error.detail.isEmpty() &&
        !(error.data.exists() && error.detail == QString::fromUtf8(json::indented(error.data))))
        text += u'\n' + visibleText(error.detail);
    if (!error.hint.isEmpty())
        text += u'\n' + visibleText(error.hint);
    note(text);
}

void Output::findings(const QStringList &findings)
{
    if (isJson())
        return;
    for (const QString &finding : findings) {
        note(CliText::tr("Finding: %1").arg(visibleText(finding)));
        m_said.insert(finding);
    }
}

QStringList Output::unsaid(QStringList findings) const
{
    findings.removeIf([this](const QString &finding) { return m_said.contains(finding); });
    return findings;
}

void Output::outcome(const Outcome &outcome, const QStringList &moreFindings)
{
    json::Builder builder;
    builder.beginObject().member(u"outcome", outcomeWord(outcome.kind));
    builder.key(u"durationMs").number(double(outcome.durationNs) / 1e6);
    if (outcome.kind == Outcome::Kind::Ok || outcome.kind == Outcome::Kind::ToolError)
        builder.key(u"result").value(outcome.result());
    else
        addError(builder, outcome.error);
    addFindings(builder, outcome.findings + moreFindings);
    builder.endObject();
    printJson(builder.take());
}

void Output::noResponse(const Error &error, const QStringList &findings)
{
    if (!isJson()) {
        failure(error);
        this->findings(findings);
        return;
    }
    json::Builder builder;
    builder.beginObject().member(u"outcome", error.kind == Error::Kind::Remote ? u"protocol-error"_s : u"no-answer"_s);
    addError(builder, error);
    addFindings(builder, findings);
    builder.endObject();
    printJson(builder.take());
}

}  // namespace sonde::cli
