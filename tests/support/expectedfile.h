// What a program tells now, beside what it told when the file was written.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/files.h"

#include <QList>
#include <QString>
#include <QTest>

namespace sonde::test {

// Recorded once and read for good: one of each revision and transport.
inline QString formerSession(const QString &file)
{
    return QStringLiteral(SONDE_SOURCE_DIR "/tests/data/sessions/") + file;
}

// With SONDE_ACCEPT_GOLDEN set, the text is what is expected from now on: version control shows the difference.
inline void compareWithFile(const QByteArray &text, const QString &path)
{
    if (qEnvironmentVariableIsSet("SONDE_ACCEPT_GOLDEN"))
        writeFile(path, text);
    const QList<QByteArray> now = text.split('\n');
    const QList<QByteArray> then = readFile(path).split('\n');
    for (qsizetype i = 0; i < qMin(now.size(), then.size()); ++i)
        QCOMPARE(now[i], then[i]);
    QCOMPARE(now.size(), then.size());
}

}  // namespace sonde::test
