// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/differencetext.h"

#include "core/json/builder.h"
#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"

#include <QCoreApplication>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

using json::Difference;

struct DifferenceText {
    Q_DECLARE_TR_FUNCTIONS(sonde::Difference)
};

QString kindWord(Difference::Kind kind)
{
    switch (kind) {
        case Difference::Kind::Added:
            return u"added"_s;
        case Difference::Kind::Removed:
            return u"removed"_s;
        case Difference::Kind::Changed:
            return u"changed"_s;
        case Difference::Kind::TextOnly:
            break;
    }
    return u"textOnly"_s;
}

}  // namespace

QString valueText(const json::Value &value, qsizetype maxLength)
{
    if (!value.exists())
        return DifferenceText::tr("absent");
    const QByteArrayView slice = value.slice();
    // Four bytes a character at most.
    return visibleLine(QString::fromUtf8(slice.first(qMin(slice.size(), 4 * maxLength + 4))), maxLength);
}

QString noteOn(const Difference &difference)
{
    switch (difference.kind) {
        case Difference::Kind::Added:
            return DifferenceText::tr("added");
        case Difference::Kind::Removed:
            return DifferenceText::tr("removed");
        case Difference::Kind::TextOnly:
            return difference.left.isNumber() ? DifferenceText::tr("number format")
                                              : DifferenceText::tr("same value, different text");
        case Difference::Kind::Changed:
            break;
    }
    return difference.left.kind() == difference.right.kind() ? QString() : DifferenceText::tr("type");
}

QString describe(const Difference &difference)
{
    const QString place = difference.pointer.isEmpty() ? u"/"_s : visibleLine(difference.pointer);
    const QString left = valueText(difference.left);
    const QString right = valueText(difference.right);
    switch (difference.kind) {
        case Difference::Kind::Added:
            return DifferenceText::tr("%1: added %2").arg(place, right);
        case Difference::Kind::Removed:
            return DifferenceText::tr("%1: removed %2").arg(place, left);
        case Difference::Kind::Changed:
            return DifferenceText::tr("%1: %2 → %3").arg(place, left, right);
        case Difference::Kind::TextOnly:
            break;
    }
    return DifferenceText::tr("%1: %2 → %3, same value").arg(place, left, right);
}

QString countText(const QList<Difference> &differences, bool isCut)
{
    const qsizetype real = std::count_if(differences.begin(), differences.end(), [](const Difference &difference) {
        return difference.kind != Difference::Kind::TextOnly;
    });
    const qsizetype textOnly = differences.size() - real;
    QStringList parts;
    if (isCut)
        parts << DifferenceText::tr("more than %1 differences").arg(grouped(real));
    else if (real > 0)
        parts << counted(real, DifferenceText::tr("1 difference"), DifferenceText::tr("%1 differences"));
    if (textOnly > 0)
        parts << (parts.isEmpty() ? counted(textOnly, DifferenceText::tr("1 difference in formatting only"),
                                            DifferenceText::tr("%1 differences in formatting only"))
                                  : DifferenceText::tr("%1 in formatting only").arg(grouped(textOnly)));
    return parts.join(u", "_s);
}

QByteArray toJson(const Difference &difference)
{
    json::Builder builder;
    builder.beginObject().member(u"pointer", difference.pointer).member(u"kind", kindWord(difference.kind));
    if (difference.left.exists())
        builder.key(u"left").value(difference.left);
    if (difference.right.exists())
        builder.key(u"right").value(difference.right);
    return builder.endObject().take();
}

}  // namespace sonde
