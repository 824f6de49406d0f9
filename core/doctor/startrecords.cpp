// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/startrecords.h"

#include "core/authorization/signin.h"
#include "core/session/session.h"

#include <QRegularExpression>

namespace sonde {

namespace {

constexpr qsizetype MaxRecords = 20'000;  // from the end of the session

// It comes from an authorization server, or is about one.
bool isOfSignIn(const EventFacts &response)
{
    return response.stream.value_or(0) >= FirstSignInStream;
}

// "SyntaxError: Unexpected token", "Error [ERR_REQUIRE_ESM]: …", "fatal: …", "npm error 404 Not Found". What follows
// are mostly stacks and advice.
bool namesAnError(const QByteArray &line)
{
    static const QRegularExpression pattern(
        QStringLiteral("^\\W*(?:\\[[^\\]]{1,40}\\]\\W*)?(?:Uncaught )?(?:"
                       "(?:[A-Za-z_$][\\w$.]*)?(?:Error|Exception)(?: \\[\\w+\\])?: *\\S|"
                       "(?:error|fatal|panic|ERROR|FATAL|Fatal)(?:\\[\\w+\\])?: *\\S|"
                       "thread '[^']*' panicked|"
                       "npm (?:ERR!|error) (?!code |errno |syscall |path |A complete log))"));
    return pattern.match(QString::fromUtf8(line)).hasMatch();
}

// They come from the last to the first.
void addErrorLine(StartRecords &records, const QByteArray &line)
{
    const bool namesError = namesAnError(line);
    if (namesError || (!records.namesError && records.reasonLine.trimmed().isEmpty()))
        records.reasonLine = line;
    records.namesError = records.namesError || namesError;
    ++records.errorLines;
}

}  // namespace

StartRecords StartRecords::in(Session &session)
{
    StartRecords records;
    session.flush();
    const qsizetype last = session.size() - 1;
    int connection = 0;
    for (qsizetype row = last; row >= 0 && row > last - MaxRecords; --row) {
        const RecordInfo &info = session.at(row);
        if (info.connection == 0)
            continue;
        if (connection == 0)
            connection = info.connection;
        if (info.connection != connection)
            break;
        switch (info.kind) {
            case WireEvent::Kind::Open:
                return records;  // an earlier attempt of the same start
            case WireEvent::Kind::State:
                if (records.exit)
                    break;
                if (const EventFacts facts = EventFacts::read(session.facts(row));
                    facts.eventCode() == EventCode::Exited)
                    records.exit = facts;
                break;
            case WireEvent::Kind::HttpResponse:
                if (records.response)
                    break;
                if (const EventFacts facts = EventFacts::read(session.facts(row)); !isOfSignIn(facts)) {
                    records.response = facts;
                    records.body = session.outline(row).left(MaxBytes);
                }
                break;
            case WireEvent::Kind::Message:
                records.messages += info.direction == Direction::FromServer ? 1 : 0;
                break;
            case WireEvent::Kind::Stderr:
                addErrorLine(records, session.outline(row).left(MaxBytes));
                break;
            case WireEvent::Kind::Junk:
                ++records.junkLines;
                records.firstJunk = session.outline(row).left(MaxBytes);
                break;
            default:
                break;
        }
    }
    return records;
}

}  // namespace sonde
