// sonde-cli log: the rows of a recorded session, as text or JSON.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/fileverb.h"
#include "app/cli/output.h"
#include "app/cli/sessionfile.h"
#include "app/cli/standardoutput.h"
#include "app/cli/verbs.h"

#include "core/export/sessionredactor.h"
#include "core/filter/filterfields.h"
#include "core/filter/filtermatcher.h"
#include "core/json/builder.h"
#include "core/protocol/visibletext.h"

#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

QString signOf(Direction direction)
{
    switch (direction) {
        case Direction::ToServer:
            return u">"_s;
        case Direction::FromServer:
            return u"<"_s;
        case Direction::Local:
            break;
    }
    return u"."_s;
}

// What a row is about: names where it has some, otherwise how its payload or its facts begin.
QString subjectOf(const Session &session, qsizetype row, SessionRedactor &redactor)
{
    constexpr qsizetype shown = 200;
    const RecordInfo &info = session.at(row);
    QStringList words{filterWordOf(FilterField::Kind, info)};
    for (const quint32 name : {info.method, info.target}) {
        if (name != 0)
            words.append(visibleLine(redactor.name(row, session.name(name)), shown));
    }
    if (words.size() == 1) {
        // Masked before it is cut: of half a token nobody could tell what it is.
        const QByteArray payload = session.bytes(row);
        const QByteArray text =
            payload.isEmpty() ? redactor.facts(row, session.facts(row)) : redactor.payload(row, payload);
        words.append(visibleLine(QString::fromUtf8(text.left(shown * 4)), shown));
    }
    return words.join(u' ');
}

QByteArray readable(const Session &session, qsizetype row, SessionRedactor &redactor)
{
    const RecordInfo &info = session.at(row);
    QString line = u"%1  %2  %3 %4"_s.arg(session.numberOf(row), 6)
                       .arg(double(info.timeNs) / 1e9, 10, 'f', 3)
                       .arg(signOf(info.direction), subjectOf(session, row, redactor));
    QStringList more;
    if (info.outcome != RowOutcome::None)
        more.append(filterWordOf(FilterField::Outcome, info));
    if (const qint64 duration = session.durationNs(row); duration >= 0)
        more.append(QString::number(double(duration) / 1e6, 'f', 1) + u" ms"_s);
    if (info.wireLength > 0)
        more.append(humanSize(info.wireLength));
    if (info.kind == WireEvent::Kind::Message && (info.hasProblems || info.isLate))
        more.append(u"finding"_s);
    if (!more.isEmpty())
        line += u"  ["_s + more.join(u", "_s) + u']';
    return line.toUtf8() + '\n';
}

// A message as it is, other text as text, and bytes that are no text as base64.
void addPayload(json::Builder &builder, const QByteArray &bytes, bool isMessage)
{
    if (bytes.isEmpty())
        return;
    const json::Document document = isMessage ? json::Document::parse(bytes) : json::Document();
    const QString text = QString::fromUtf8(bytes);
    if (isMessage && document.isValid())
        builder.rawMember(u"message", json::compact(document.root()));
    else if (text.toUtf8() == bytes)
        builder.member(u"text", text);
    else
        builder.member(u"base64", QString::fromLatin1(bytes.toBase64()));
}

QByteArray machineReadable(const Session &session, qsizetype row, SessionRedactor &redactor)
{
    const RecordInfo &info = session.at(row);
    json::Builder builder;
    builder.beginObject();
    builder.member(u"record", qint64(session.numberOf(row)))
        .rawMember(u"seconds", QByteArray::number(double(info.timeNs) / 1e9, 'f', 9));
    builder.member(u"time", session.wallTime(row).toString(Qt::ISODateWithMs));
    builder.member(u"connection", qint64(info.connection));
    builder.member(u"direction", filterWordOf(FilterField::Dir, info));
    builder.member(u"kind", filterWordOf(FilterField::Kind, info));
    builder.member(u"outcome", filterWordOf(FilterField::Outcome, info));
    if (info.method != 0)
        builder.member(u"method", redactor.name(row, session.name(info.method)));
    if (info.target != 0)
        builder.member(u"target", redactor.name(row, session.name(info.target)));
    if (const qint64 duration = session.durationNs(row); duration >= 0)
        builder.rawMember(u"durationMs", QByteArray::number(double(duration) / 1e6, 'f', 6));
    if (session.partnerOf(row) >= 0)
        builder.member(u"partner", qint64(info.partner));
    builder.member(u"size", info.wireLength);
    if (info.hasProblems || info.isLate)
        builder.member(u"finding", true);
    const QByteArray facts = session.facts(row);
    if (!facts.isEmpty())
        builder.rawMember(u"facts", redactor.facts(row, facts));
    addPayload(builder, redactor.payload(row, session.bytes(row)), info.kind == WireEvent::Kind::Message);
    return builder.endObject().take();
}

class Log final : public FileVerb {
public:
    void declare(app::OptionTable &table) override
    {
        table.summary = tr("print the records of a session");
        table.details = tr("Prints one line for each record of a recorded session, with secrets redacted.");
        table.operands = {sessionOperand(&m_options.path)};
        table.sections = {{tr("Options"),
                           {{u"--filter FILTER"_s, tr("print only matching records, such as 'outcome == tool-error'"),
                             filterInto(&m_options.filter)}}}};
        table.examples = {u"log session.mcpsession"_s,
                          u"log session.mcpsession --filter 'tool == search and ms > 500'"_s};
        table.notes = exitCodes();
    }

private:
    ExitCode run(const Profile &) override
    {
        const Result<std::unique_ptr<Session>> session = openSession(m_options.path, output());
        if (!session)
            return wrongUse(session.error());
        print(**session);
        return ExitCode::Ok;
    }

    // One line for each row that the filter lets through. Secrets are masked, for which the whole session is read
    // first.
    void print(const Session &session) const
    {
        constexpr qsizetype pieceSize = 64 * 1024;
        FilterMatcher matcher(m_options.filter.value_or(Filter()), &session);
        SessionRedactor redactor(session, SessionRedactor::Policy::Print);
        redactor.learn();
        QByteArray pending;
        if (output().isJson())
            output().beginList(u"records");
        for (qsizetype row = 0; row < session.size(); ++row) {
            if (!matcher.matches(row))
                continue;
            if (output().isJson()) {
                if (!output().listElement(machineReadable(session, row, redactor)))
                    return;
                continue;
            }
            pending += readable(session, row, redactor);
            if (pending.size() >= pieceSize && !standardoutput::write(std::exchange(pending, {})))
                return;
        }
        standardoutput::write(pending);
    }

    struct {
        QString path;
        std::optional<Filter> filter;
    } m_options;
};

}  // namespace

std::unique_ptr<Verb> makeLog()
{
    return std::make_unique<Log>();
}

}  // namespace sonde::cli
