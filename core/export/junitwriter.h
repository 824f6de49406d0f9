// JUnit's XML, which the machines that run tests read.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

namespace sonde {

struct JUnitProblem {
    enum class Kind : quint8 { Failure, Error, Skipped };
    Kind kind = Kind::Failure;
    QString message = {};  // both may be empty
    QString text = {};
    QString type = {};  // a word for programs; empty: none
};

struct JUnitCase {
    QString className = {};
    QString name = {};
    qint64 durationNs = -1;             // unknown
    QList<JUnitProblem> problems = {};  // none: passed
    QString output = {};                // empty: none
};

struct JUnitSuite {
    QString name = {};
    QList<JUnitCase> cases = {};
    qint64 durationNs = -1;    // unknown
    QString errorOutput = {};  // empty: none
};

// The document. Texts may hold anything: what XML cannot hold becomes visible.
QByteArray junitXml(const QList<JUnitSuite> &suites);

}  // namespace sonde
