// SPDX-License-Identifier: Apache-2.0
#include "core/export/exporter.h"

#include "core/export/declaredsecrets.h"
#include "core/export/exporterprivate.h"
#include "core/json/builder.h"
#include "core/protocol/visibletext.h"

#include <QCoreApplication>
#include <QFileDevice>
#include <array>
#include <numeric>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype MaxShownLength = 64 * 1024;  // bytes of one payload in a report for people

}  // namespace

std::optional<ExportFormat> exportFormat(QStringView name)
{
    if (name == u"jsonl")
        return ExportFormat::JsonLines;
    if (name == u"har")
        return ExportFormat::Har;
    if (name == u"markdown" || name == u"md")
        return ExportFormat::Markdown;
    if (name == u"html")
        return ExportFormat::Html;
    return std::nullopt;
}

QString suffix(ExportFormat format)
{
    switch (format) {
        case ExportFormat::JsonLines:
            return u"jsonl"_s;
        case ExportFormat::Har:
            return u"har"_s;
        case ExportFormat::Markdown:
            return u"md"_s;
        case ExportFormat::Html:
            break;
    }
    return u"html"_s;
}

QString directionWord(const RecordInfo &record)
{
    static const std::array words{u"to-server"_s, u"from-server"_s, u"local"_s};
    return words[size_t(record.direction)];
}

QString outcomeWord(RowOutcome outcome)
{
    static const std::array words{QString(), u"open"_s, u"ok"_s, u"tool-error"_s, u"protocol-error"_s, u"no-answer"_s};
    return words[size_t(outcome)];
}

QString timeText(const Session &session, qsizetype row)
{
    return session.wallTime(row).toString(Qt::ISODateWithMs);
}

QString durationText(qint64 ns)
{
    return ns < 0 ? QString() : u"%1 ms"_s.arg(double(ns) / 1e6, 0, 'f', ns < 100'000'000 ? 1 : 0);
}

QString shownPayload(const QByteArray &payload)
{
    const json::Document document = json::Document::parse(payload);
    const QByteArray readable =
        document.isValid() && document.root().isContainer() ? json::indented(document.root()) : payload;
    if (readable.size() <= MaxShownLength)
        return visibleText(QString::fromUtf8(readable));
    return visibleText(QString::fromUtf8(readable.left(MaxShownLength))) + u'\n' +
           QCoreApplication::translate("sonde::Exporter", "… and %1 more bytes").arg(readable.size() - MaxShownLength);
}

const std::vector<qsizetype> &Exporter::Private::rows()
{
    if (options.rows)
        return *options.rows;
    if (chosen.size() != size_t(session->size())) {
        chosen.resize(size_t(session->size()));
        std::iota(chosen.begin(), chosen.end(), 0);
    }
    return chosen;
}

void Exporter::Private::learn()
{
    if (std::exchange(hasLearned, true))
        return;
    for (const QString &secret : std::as_const(options.secrets))
        redactor.addSecret(secret, "secret");
    DeclaredSecrets declared(*session);
    // Also from rows that stay at home: what they give away may stand in the others in plain sight.
    for (qsizetype row = 0; row < session->size() && !isStopped(); ++row) {
        const RecordInfo &record = session->at(row);
        const QByteArray payload = session->bytes(row);
        if (record.kind == WireEvent::Kind::Stderr)
            redactor.learnLine(payload, record.connection);
        else
            redactor.learn(payload);
        declared.see(row, payload);
        redactor.learnFacts(session->facts(row));
        if (record.kind == WireEvent::Kind::Open)
            redactor.learnHome(session->facts(row));
    }
    declared.tell([this](const QByteArray &name, const QByteArray &value) { redactor.addMember(name, value); });
    // What was recorded before it was known stands there as it came: its mark tells it from other words.
    redactor.setRecordingKey(session->markKey());
    for (qsizetype row = 0; redactor.hasRecordedMarks() && row < session->size() && !isStopped(); ++row)
        redactor.learnMarked(session->bytes(row));
}

QList<MaskedSecret> Exporter::Private::masked() const
{
    QList<MaskedSecret> all = redactor.masked();
    for (MaskedSecret &secret : all)
        secret.firstNumber = session->numberOf(secret.firstRow);
    return all;
}

void Exporter::Private::put(const QByteArray &bytes)
{
    if (!device || error || bytes.isEmpty())
        return;
    if (device->write(bytes) != bytes.size())
        error =
            Error::local(QCoreApplication::translate("sonde::Exporter", "Not written: %1").arg(device->errorString()));
}

// By its own name or another one, or because a shell has opened it for us.
bool Exporter::Private::leadsToSession(const QIODevice *to) const
{
    const auto *file = qobject_cast<const QFileDevice *>(to);
    if (!file)
        return false;
    const QString name = file->fileName();
    return session->isRecordedIn(name.isEmpty() ? u"/proc/self/fd/%1"_s.arg(file->handle()) : name);
}

// Messages only: whoever wants all there is has the session's own file, which is JSON Lines too.
void Exporter::Private::writeJsonLines()
{
    for (const qsizetype row : rows()) {
        if (isStopped())
            return;
        const RecordInfo &record = session->at(row);
        if (record.kind != WireEvent::Kind::Message)
            continue;
        json::Builder line;
        line.beginObject();
        line.member(u"n", qint64(session->numberOf(row)));
        line.member(u"time", timeText(*session, row));
        line.key(u"ms").number(double(record.timeNs / 1000) / 1e3);
        line.member(u"connection", qint64(record.connection));
        line.member(u"direction", directionWord(record));
        if (record.method != 0)
            line.member(u"method", text(row, session->name(record.method)));
        if (record.target != 0)
            line.member(u"target", text(row, session->name(record.target)));
        if (session->partnerOf(row) >= 0)
            line.member(u"partner", qint64(record.partner));
        if (record.outcome != RowOutcome::None)
            line.member(u"outcome", outcomeWord(record.outcome));
        if (session->durationNs(row) >= 0)
            line.key(u"durationMs").number(double(session->durationNs(row) / 1000) / 1e3);
        const QByteArray bytes = payload(row);
        const json::Document document = json::Document::parse(bytes);
        if (document.isValid())
            line.rawMember(u"message", json::compact(document.root()));
        else
            line.member(u"text", QString::fromUtf8(bytes));
        line.endObject();
        put(line.take() + '\n');
        ++count;
    }
}

Exporter::Exporter(const Session *session, ExportOptions options)
    : d(std::make_unique<Private>(session, std::move(options)))
{}

Exporter::~Exporter() = default;

QList<MaskedSecret> Exporter::preview()
{
    const Error ignored = write(nullptr);
    Q_UNUSED(ignored);
    return d->masked();
}

Error Exporter::write(QIODevice *device)
{
    if (d->leadsToSession(device))
        return Error::local(QCoreApplication::translate("sonde::Exporter", "This file is the session itself."),
                            QCoreApplication::translate(
                                "sonde::Exporter", "Choose another file; an export contains less than the session."));
    d->learn();
    d->redactor.resetCounts();
    d->device = device;
    d->error = {};
    d->count = 0;
    switch (d->options.format) {
        case ExportFormat::JsonLines:
            d->writeJsonLines();
            break;
        case ExportFormat::Har:
            d->writeHar();
            break;
        case ExportFormat::Markdown:
            d->writeMarkdown();
            break;
        case ExportFormat::Html:
            d->writeHtml();
            break;
    }
    d->device = nullptr;
    if (d->isStopped() && !d->error)
        d->error = Error::local(QCoreApplication::translate("sonde::Exporter", "Cancelled."));
    return d->error;
}

QList<MaskedSecret> Exporter::masked() const
{
    return d->masked();
}

qsizetype Exporter::count() const
{
    return d->count;
}

}  // namespace sonde
