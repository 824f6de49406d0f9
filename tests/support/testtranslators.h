// Translators for tests: one that makes every text longer, and one that notes what has no translation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSet>
#include <QTranslator>

namespace sonde::test {

// Every text of the program, 40 % longer.
class LongerTexts : public QTranslator {
public:
    bool isEmpty() const override { return false; }
    QString translate(const char *context, const char *source, const char *, int) const override
    {
        const QString text = QString::fromUtf8(source);
        if (!QByteArrayView(context).startsWith("sonde"))
            return {};
        QString more;
        for (qsizetype left = text.size() * 2 / 5; left > 0; left -= MaxWord + 1)
            more += QLatin1Char(' ') + QString(qMin<qsizetype>(left, MaxWord), QChar(0x014D));
        // In front of what ends a label, a sentence or a mark of the rich text.
        qsizetype end = text.size();
        while (end > 0 && !text.at(end - 1).isLetterOrNumber())
            --end;
        return end == 0 ? text : text.left(end) + more + text.mid(end);
    }

private:
    static constexpr qsizetype MaxWord = 9;
};

// A translation that notes which texts it was asked for and does not have.
class StrictTranslation : public QTranslator {
public:
    QString translate(const char *context, const char *source, const char *comment, int n) const override
    {
        const QString text = QTranslator::translate(context, source, comment, n);
        if (text.isEmpty() && *source && QByteArrayView(context).startsWith("sonde"))
            m_missing.insert(QString::fromUtf8(context) + QStringLiteral(": ") + QString::fromUtf8(source));
        return text;
    }
    const QSet<QString> &missing() const { return m_missing; }

private:
    mutable QSet<QString> m_missing;
};

}  // namespace sonde::test
