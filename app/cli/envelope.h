// The one JSON object in which sonde-cli prints what a command came to, the same for every verb. See docs/json.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/exitcode.h"

#include <QElapsedTimer>
#include <QList>
#include <QSet>
#include <optional>

namespace sonde::json {
class Builder;
}

namespace sonde::cli {

// How a command ended, as "outcome" says it. Several may share an exit code.
enum class Verdict {
    Ok,
    ToolError,      // the tool ran and reported a failure
    Findings,       // nothing failed, but findings were asked to count: --strict, check
    Changed,        // replay, diff: not the same
    Failed,         // run: an expectation of a saved call was not met
    NotFound,       // find
    NotValid,       // validate
    ProtocolError,  // a JSON-RPC error
    Breaking,       // diff: clients have to change
    NoResponse,
    UsageError,
    Interrupted
};
QString toString(Verdict verdict);
ExitCode exitCodeFor(Verdict verdict);
Verdict verdictFor(ExitCode code);  // where a verb says nothing more exact

struct Finding {
    enum class Code {
        Replaced,      // of the result, what no strict parser takes
        Arguments,     // what is sent does not match what the server declares
        OutputSchema,  // structuredContent does not match the tool's outputSchema
        Result,        // the form of a response
        Content,       // a block of a result
        List,          // a list or an entry of it
        NotCallable,   // a tool that cannot be called
        MessageRule,   // a message against the rules of its revision
        Conversation,  // the messages as a whole
        Step,          // a step of the start
        Replay,        // a repeated call
        SavedCall,     // members of a saved call that mean nothing
        Offering,      // what could not be compared
        Session,       // a damaged session file
        Configuration  // an entry of a configuration file
    };
    Code code = Code::Result;
    QString text;          // a sentence
    QString pointer = {};  // JSON Pointer to the place in the printed object; of Arguments, in these. Empty: none
    qint64 record = 0;     // number of the record in the session; 0: none
    qint64 count = 1;      // messages, or places, of which this is the first
    QString method = {};   // of the message that it is about
    QString sender = {};   // "server" or "client"

    static QList<Finding> of(Code code, const QStringList &texts);
};
QString toString(Finding::Code code);

// Collects, and writes it once. Everything received goes through byte for byte; that it is strict JSON is seen to where
// it is printed.
class Envelope {
public:
    Envelope() { m_clock.start(); }

    void setVerb(const QString &verb) { m_verb = verb; }
    void setServer(const QString &name) { m_server = name; }  // empty: none, or several
    // From here on; otherwise it is the time since this was made.
    void setDurationNs(qint64 ns) { m_durationNs = ns; }
    void setVerdict(Verdict verdict) { m_verdict = verdict; }
    void setError(const Error &error) { m_error = error; }
    void setResult(const QByteArray &json) { m_result = json; }
    // False: it is known, here or from a part that has ended. What it says more about its place is added.
    bool add(const Finding &finding);
    const QList<Finding> &findings() const { return m_findings; }

    // One of several objects that a command prints, each on its line.
    Envelope line(int number, const QString &verb) const;
    Envelope nextEvent();
    // A part has ended: the worst one decides what is said where nothing more exact is.
    void addEnded(const Envelope &part, ExitCode code);

    // Findings fail a command that succeeded otherwise.
    ExitCode codeWithFindings(ExitCode code);
    QByteArray toJson(ExitCode code) const;
    // The same in pieces, around the elements of a list in the result.
    QByteArray toOpening(QStringView list) const;
    QByteArray toClosing(ExitCode code) const;

private:
    Verdict verdict(ExitCode code) const;
    void addHead(json::Builder &builder) const;
    void addRest(json::Builder &builder, ExitCode code) const;

    QString m_verb;
    QString m_server;
    int m_line = 0;   // of a script; 0: none
    int m_event = 0;  // from 1; 0: none
    int m_events = 0;
    QElapsedTimer m_clock;
    std::optional<qint64> m_durationNs;
    std::optional<Verdict> m_verdict;
    Error m_error;
    QByteArray m_result;
    QList<Finding> m_findings;
    QSet<QString> m_said;  // by parts
};

}  // namespace sonde::cli
