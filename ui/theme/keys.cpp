// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/keys.h"

#include <QHash>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

QHash<int, QKeySequence> &changedKeys()
{
    static QHash<int, QKeySequence> keys;
    return keys;
}

}  // namespace

void setKeys(QKeyCombination usual, const QKeySequence &now)
{
    if (now == QKeySequence(usual))
        changedKeys().remove(usual.toCombined());
    else
        changedKeys().insert(usual.toCombined(), now);
}

QString keyText(QKeyCombination usual)
{
    return changedKeys().value(usual.toCombined(), QKeySequence(usual)).toString(QKeySequence::NativeText);
}

QString withoutMnemonic(const QString &label)
{
    static const QRegularExpression inBrackets(u"\\s*\\(&.\\)"_s);
    return QString(label).remove(inBrackets).remove(u'&');
}

}  // namespace sonde::ui
