// SPDX-License-Identifier: Apache-2.0
#include "tests/pictures/labels.h"

#include <QAccessible>
#include <QCoreApplication>
#include <QDir>
#include <QList>
#include <QMetaEnum>
#include <QRegularExpression>
#include <QWidget>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::pictures {
namespace {

constexpr int MaxDepth = 40;
constexpr int MaxCells = 600;   // of one list
constexpr int MaxLength = 200;  // what is longer is not Sonde's, but a server's

// A narrow label breaks it anywhere.
const QRegularExpression &homePattern()
{
    static const QRegularExpression pattern = [] {
        const QString home = QDir::homePath();
        QStringList characters;
        for (const QChar c : home)
            characters.append(QRegularExpression::escape(QString(c)));
        return QRegularExpression(characters.join(u"\\s*"_s));
    }();
    return pattern;
}

QString withoutSpaces(QString line)
{
    return line.remove(u' ');
}

// In this order: a random token may hold what looks like a duration, a time of day holds numbers, and a number may be a
// size.
QString withoutWhatVaries(QString text)
{
    static const QList<std::pair<QRegularExpression, QString>> rules{
        {QRegularExpression(u"(?<![\\w-])[\\w-]{43}(?![\\w-])"_s), u"TOKEN"_s},
        {QRegularExpression(u"\\d{4}-\\d\\d-\\d\\d-\\d{6}(-\\d+)?"_s), u"DATE"_s},
        {QRegularExpression(u"\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?Z?"_s), u"DATE"_s},
        {QRegularExpression(u"\\b\\d{1,2}:\\d\\d:\\d\\d([.,]\\d+)?"_s), u"TIME"_s},
        {QRegularExpression(u"127\\.0\\.0\\.1(:|-|%3A)\\d+"_s), u"127.0.0.1:PORT"_s},
        {QRegularExpression(u"\\d+( of \\d+)? (message|record|call)s?\\b"_s), u"COUNT \\2s"_s},
        {QRegularExpression(u"\\b(pid|process) \\d+"_s, QRegularExpression::CaseInsensitiveOption), u"\\1 PID"_s},
        {QRegularExpression(u"\\d[\\d\\s.,]* ?(ns|µs|ms|s|min)\\b"_s, QRegularExpression::UseUnicodePropertiesOption),
         u"DURATION"_s},
        {QRegularExpression(u"\\d[\\d\\s.,]* ?(B|kB|MB|KiB|MiB|bytes)\\b"_s,
                            QRegularExpression::UseUnicodePropertiesOption),
         u"SIZE"_s},
        {QRegularExpression(u"^\\d+:\\d\\d$"_s), u"DURATION"_s},
        {QRegularExpression(u"^[\\d\\s.,]+$"_s, QRegularExpression::UseUnicodePropertiesOption), u"NUMBER"_s},
        {QRegularExpression(u"\\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\b"_s), u"UUID"_s},
    };
    text.replace(homePattern(), u"~"_s);
    text.replace(QStringLiteral(SONDE_VERSION), u"VERSION"_s);
    for (const auto &[pattern, word] : rules)
        text.replace(pattern, word);
    return text.simplified().left(MaxLength);
}

QString roleName(QAccessible::Role role)
{
    return QString::fromLatin1(QMetaEnum::fromType<QAccessible::Role>().valueToKey(role));
}

void walk(QAccessibleInterface *at, int depth, QStringList *lines)
{
    if (!at || !at->isValid() || depth > MaxDepth)
        return;
    const QAccessible::Role role = at->role();
    const bool isCell = role == QAccessible::Cell || role == QAccessible::TreeItem || role == QAccessible::ListItem ||
                        role == QAccessible::ColumnHeader || role == QAccessible::RowHeader;
    // Where a cell is depends on the font.
    if ((at->state().invisible && !isCell) || role == QAccessible::ScrollBar)
        return;
    QStringList texts{at->text(QAccessible::Name)};
    // An ordinary progress bar says how far it is, which varies.
    if (role != QAccessible::ProgressBar && at->text(QAccessible::Value) != texts.first())
        texts.append(at->text(QAccessible::Value));
    texts.removeAll(QString());
    if (!texts.isEmpty())
        lines->append(roleName(role) + u": "_s + withoutWhatVaries(texts.join(u" = "_s)));
    // What passed is data, and may come in another order.
    if (at->object() && at->object()->objectName() == "timelineTable"_L1)
        return;
    const int children = std::min(at->childCount(), MaxCells);
    for (int i = 0; i < children; ++i)
        walk(at->child(i), depth + 1, lines);
}

}  // namespace

QStringList labelsOf(QWidget *root)
{
    QStringList lines;
    walk(QAccessible::queryAccessibleInterface(root), 0, &lines);
    return lines;
}

QStringList differences(const QStringList &before, const QStringList &now)
{
    QStringList result;
    QStringList added = now;
    // Where a line breaks is no difference.
    const auto remove = [&added](const QString &line) {
        for (qsizetype i = 0; i < added.size(); ++i) {
            if (withoutSpaces(added[i]) == withoutSpaces(line)) {
                added.removeAt(i);
                return true;
            }
        }
        return false;
    };
    for (const QString &line : before) {
        if (!remove(line))
            result.append(u"- "_s + line);
    }
    for (const QString &line : std::as_const(added))
        result.append(u"+ "_s + line);
    return result;
}

}  // namespace sonde::pictures
