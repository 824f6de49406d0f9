// Whole files, read and written in one line.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QFile>

namespace sonde::test {

// Empty where there is none.
inline QByteArray readFile(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline void writeFile(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate) || file.write(bytes) != bytes.size())
        qFatal("cannot write %s", qUtf8Printable(path));
}

}  // namespace sonde::test
