// What sonde-cli prints: results on standard output, everything else on standard error.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/envelope.h"
#include "core/client/call.h"
#include "core/json/builder.h"

#include <vector>

namespace sonde::cli {

// How results are printed, as the command line says.
struct OutputOptions {
    bool isJson = false;
    bool isVerbose = false;
    bool isStrict = false;  // findings fail a command
    bool isRaw = false;     // the response as it came
    QString saveFolder;     // for binary content; empty: it is not saved
};

// Server text reaches the terminal through visibleText() only. With --json everything goes into one envelope, which
// finish() prints; then nothing else may be written to standard output.
class Output {
public:
    // options must outlive this. They may change until something is printed.
    explicit Output(const OutputOptions &options) : m_options(options), m_envelopes(1) {}

    bool isJson() const { return m_options.isJson; }
    bool isVerbose() const { return m_options.isVerbose; }
    bool isStrict() const { return m_options.isStrict; }
    bool isRaw() const { return m_options.isRaw; }
    // Of the part under way, otherwise of the command.
    Envelope &envelope() { return m_envelopes.back(); }

    void line(const QString &text);        // standard output
    void note(const QString &text);        // standard error
    void text(const json::Value &string);  // decoded piece by piece, with what cannot be seen marked
    void value(const json::Value &value);  // for people: indented, on standard output

    void progress(const Progress &progress);  // on a terminal only
    void endProgress();

    // One block of a result, readable. Bytes become a line, and a file with --save.
    void content(const Content &content);
    // Why it did not work: in the envelope, or for people with evidence and hint on standard error.
    void failure(const Error &error);
    // Why nothing was done, or a file could not be read or written: on standard error in any case.
    void refusal(const Error &error);
    // Each once, for people on standard error.
    void findings(const QList<Finding> &findings);
    // The same before something is sent: on standard error in any case.
    void warnings(const QList<Finding> &findings);

    // With --raw: the message and a line feed.
    void raw(const Message &response);

    // For the envelope.
    void result(const QByteArray &json);
    void outcome(const Outcome &outcome);  // its result or error, and how long it took; findings are told apart
    // A result that is one list of any length, printed element by element: {"NAME":[…]}.
    void beginList(QStringView name);
    bool listElement(const QByteArray &json);  // false: standard output cannot be written

    // One of several envelopes, each on a line of its own, until endPart().
    void beginLine(int number, const QString &verb);  // of a script
    void beginEvent();
    ExitCode endPart(ExitCode code);

    // Prints the envelope, once. With --strict, findings change the code that a success would have.
    ExitCode finish(ExitCode code);

private:
    QString describeBytes(const QString &mimeType, const QString &uri, const json::Value &base64);
    QString save(const QByteArray &bytes, const QString &mimeType, const QString &uri);
    QByteArray strict(const QByteArray &json, const QString &pointer);
    void print(const QByteArray &json);

    const OutputOptions &m_options;
    std::vector<Envelope> m_envelopes;  // of the command, and of its parts under way
    std::optional<ExitCode> m_finished;
    qint64 m_listed = -1;  // elements; -1: no list is printed
    QString m_listName;
    QByteArray m_pending;  // of the list, to be written
    qsizetype m_replacements = 0;
    bool m_progressShown = false;
    int m_saved = 0;
};

QString humanSize(qint64 bytes);  // "1.2 kB"

}  // namespace sonde::cli
