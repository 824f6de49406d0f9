// SPDX-License-Identifier: Apache-2.0
#include "core/secrets/secretreference.h"

#include <QRandomGenerator>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr qsizetype MaxLabel = 60;

// Only names that newSecretName() makes: nobody can guess one, and no other entry of the keychain, such as a sign-in,
// has a name like that.
const QRegularExpression &referencePattern()
{
    static const QRegularExpression pattern(u"\\$\\{keychain:([A-Za-z0-9_.-]{1,200})\\}"_s);
    return pattern;
}

}  // namespace

QString secretReference(const QString &name)
{
    return u"${keychain:%1}"_s.arg(name);
}

QString newSecretName(const QString &label)
{
    static const QRegularExpression others(u"[^A-Za-z0-9_.-]+"_s);
    QString clean = label.left(MaxLabel);
    clean.replace(others, u"-"_s);
    return u"%1-%2"_s.arg(clean, QString::number(QRandomGenerator::system()->generate64(), 16));
}

QStringList secretNamesIn(const QString &text)
{
    QStringList names;
    if (!text.contains(u"${keychain:"_s))
        return names;
    for (auto matches = referencePattern().globalMatch(text); matches.hasNext();)
        names.append(matches.next().captured(1));
    return names;
}

QString withSecrets(const QString &text, const QHash<QString, QString> &values)
{
    // A value may look like a reference without being one.
    QString result;
    qsizetype at = 0;
    for (auto matches = referencePattern().globalMatch(text); matches.hasNext();) {
        const QRegularExpressionMatch match = matches.next();
        result += QStringView(text).sliced(at, match.capturedStart() - at);
        result += values.value(match.captured(1), match.captured());
        at = match.capturedEnd();
    }
    result += QStringView(text).sliced(at);
    return result;
}

}  // namespace sonde
