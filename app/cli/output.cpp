// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output.h"

#include "app/cli/standardoutput.h"
#include "app/cli/texts.h"
#include "app/common/system.h"
#include "core/json/strict.h"
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
    if (standardoutput::isReaderGone())
        return;
    std::fputs(text.toUtf8().constData(), stderr);
    std::fflush(stderr);
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
    findings(Finding::of(Finding::Code::Content, content.findings));
}

QString Output::describeBytes(const QString &mimeType, const QString &uri, const json::Value &base64)
{
    const Decoded decoded = decodeBase64(base64);
    if (!decoded.problem.isEmpty())
        findings({{Finding::Code::Content, decoded.problem}});
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
    envelope().setError(error);
    if (isJson() && error.data.exists())
        strict(error.data.bytes(), u"/error/data"_s);
    if (isJson())
        return;
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

void Output::refusal(const Error &error)
{
    envelope().setError(error);
    QString text = u"sonde-cli: "_s + visibleText(error.message);
    for (const QString &more : {error.detail, error.hint}) {
        if (!more.isEmpty())
            text += u'\n' + visibleText(more);
    }
    note(text);
}

void Output::findings(const QList<Finding> &findings)
{
    for (const Finding &finding : findings) {
        if (envelope().add(finding) && (!isJson() || m_options.isStrict))
            note(CliText::tr("Finding: %1").arg(visibleText(finding.text)));
    }
}

void Output::warnings(const QList<Finding> &findings)
{
    for (const Finding &finding : findings) {
        if (envelope().add(finding))
            note(CliText::tr("Warning: %1").arg(visibleText(finding.text)));
    }
}

void Output::raw(const Message &response)
{
    endProgress();
    if (!response.raw().isEmpty() && standardoutput::write(response.raw()))
        standardoutput::write("\n");
}

// The one place that makes what servers sent acceptable to every parser, and says where it did.
QByteArray Output::strict(const QByteArray &json, const QString &pointer)
{
    const json::StrictText strict = json::toStrict(json);
    if (!isJson())
        return strict.text;
    for (const json::StrictText::Place &place : strict.places) {
        if (m_replacements++ >= json::StrictText::MaxPlaces)
            break;  // of all elements of a list
        findings({{Finding::Code::Replaced, CliText::tr("Invalid Unicode, printed as U+FFFD"),
                   pointer + place.pointer.toString(), 0, place.count}});
    }
    return strict.text;
}

void Output::result(const QByteArray &json)
{
    if (isJson())
        envelope().setResult(strict(json, u"/result"_s));
}

void Output::outcome(const Outcome &outcome)
{
    envelope().setDurationNs(outcome.durationNs);
    if (outcome.kind != Outcome::Kind::Ok && outcome.kind != Outcome::Kind::ToolError)
        failure(outcome.error);
    else if (isJson())  // a copy, which may be large
        result(outcome.result().bytes());
}

void Output::beginList(QStringView name)
{
    m_listed = 0;
    m_listName = name.toString();
    if (isJson())
        standardoutput::write(envelope().toOpening(name));
}

bool Output::listElement(const QByteArray &json)
{
    const QByteArray element = strict(json, u"/result/%1/%2"_s.arg(m_listName).arg(m_listed));
    constexpr qsizetype pieceSize = 64 * 1024;
    m_pending += (m_listed++ == 0 ? "\n" : ",\n") + element;
    return m_pending.size() < pieceSize || standardoutput::write(std::exchange(m_pending, {}));
}

void Output::beginLine(int number, const QString &verb)
{
    m_envelopes.push_back(envelope().line(number, verb));
}

void Output::beginEvent()
{
    m_envelopes.push_back(envelope().nextEvent());
}

ExitCode Output::endPart(ExitCode code)
{
    if (m_options.isStrict)
        code = envelope().codeWithFindings(code);
    print(envelope().toJson(code));
    const Envelope ended = std::move(m_envelopes.back());
    m_envelopes.pop_back();
    envelope().addEnded(ended, code);
    return code;
}

ExitCode Output::finish(ExitCode code)
{
    if (m_finished)
        return *m_finished;
    standardoutput::write(std::exchange(m_pending, {}));
    while (m_envelopes.size() > 1)
        endPart(code);
    if (m_options.isStrict)
        code = envelope().codeWithFindings(code);
    if (standardoutput::hasFailed()) {
        code = ExitCode::NoResponse;
        envelope().setError(Error::local(standardoutput::failure()));
    }
    print(m_listed < 0 ? envelope().toJson(code) : (m_listed > 0 ? "\n" : "") + envelope().toClosing(code));
    m_finished = code;
    return code;
}

void Output::print(const QByteArray &json)
{
    endProgress();
    if (isJson() && standardoutput::write(json::toStrict(json).text))
        standardoutput::write("\n");
}

}  // namespace sonde::cli
