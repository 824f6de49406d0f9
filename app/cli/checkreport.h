// What sonde-cli check found out about a server: for people, for programs and for the machines that run tests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/envelope.h"
#include "core/check/sessioncheck.h"
#include "core/doctor/doctorline.h"

#include <QStringList>

namespace sonde::cli {

struct CheckReport {
    QString name;
    QString target;  // command line or URL
    QList<DoctorLine> lines;
    Error error;  // why there is no connection, or why a list could not be read
    QString stoppedAt;
    QString written;               // the end of its standard error, or the beginning of a web page
    QList<CheckFinding> findings;  // about messages, by their revision's rules
    QList<Finding> otherFindings;  // about the start and the lists as a whole
    qint64 checkedMessages = 0;
    qint64 uncheckedMessages = 0;  // too large to be
    qint64 ms = 0;
    bool isStrict = false;  // warnings of steps fail it too

    Verdict verdict() const;
    ExitCode code() const { return exitCodeFor(verdict()); }
    // Why it failed, if it was not for findings.
    Error failure() const;
    // All of them, with their place in the result of check.
    QList<Finding> allFindings(qsizetype index) const;
    // Nothing worth telling again: times and counts may differ.
    bool isAs(const CheckReport &other) const;
    // Every text in it, by a function from one to what may be shown of it.
    template <typename Mask>
    void mask(const Mask &masked)
    {
        target = masked(target);
        written = masked(written);
        for (DoctorLine &line : lines) {
            for (QString *text : {&line.text, &line.detail, &line.note})
                *text = masked(*text);
        }
        for (CheckFinding &finding : findings)
            finding.text = masked(finding.text);
        for (Finding &finding : otherFindings)
            finding.text = masked(finding.text);
    }
};

// With what findingLinesOf() says, unless the report is strict.
QStringList linesOf(const CheckReport &report);
// What fails a strict report besides an error: warnings of steps only where it is one.
QStringList findingLinesOf(const CheckReport &report);
QString summaryOf(const CheckReport &report);             // one line
QByteArray checkJson(const QList<CheckReport> &reports);  // the result of check, without findings
// A test suite for each server and a test case for each step; findings are failures of the case "messages". What was
// not reached is skipped. Warnings are in the output of their step, and its failure where the report is strict.
QByteArray checkJUnit(const QList<CheckReport> &reports);

}  // namespace sonde::cli
