// What sonde-cli prints: results on standard output, everything else on standard error.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/call.h"
#include "core/json/builder.h"

#include <QSet>

namespace sonde::cli {

// How results are printed, as the command line says.
struct OutputOptions {
    bool isJson = false;
    bool isVerbose = false;
    QString saveFolder;  // for binary content; empty: it is not saved
};

// Server text reaches the terminal through visibleText() only; with --json it is escaped JSON.
class Output {
public:
    // options must outlive this. They may change until something is printed.
    explicit Output(const OutputOptions &options) : m_options(options) {}

    bool isJson() const { return m_options.isJson; }
    bool isVerbose() const { return m_options.isVerbose; }

    void line(const QString &text);  // standard output
    void note(const QString &text);  // standard error
    void printJson(const QByteArray &object);
    void text(const json::Value &string);  // decoded piece by piece, with what cannot be seen marked
    void value(const json::Value &value);  // for people: indented, on standard output

    void progress(const Progress &progress);  // on a terminal only
    void endProgress();

    // One block of a result, readable. Bytes become a line, and a file with --save.
    void content(const Content &content);
    // Why it did not work, with evidence and hint, on standard error.
    void failure(const Error &error);
    void findings(const QStringList &findings);
    QStringList unsaid(QStringList findings) const;  // those that were not printed yet

    // What --json prints for an exchange: how it ended, the result or error as received, findings.
    void outcome(const Outcome &outcome, const QStringList &moreFindings = {});
    void noResponse(const Error &error, const QStringList &findings);

private:
    QString describeBytes(const QString &mimeType, const QString &uri, const json::Value &base64);
    QString save(const QByteArray &bytes, const QString &mimeType, const QString &uri);

    const OutputOptions &m_options;
    bool m_progressShown = false;
    int m_saved = 0;
    QSet<QString> m_said;
};

QString humanSize(qint64 bytes);  // "1.2 kB"

}  // namespace sonde::cli
