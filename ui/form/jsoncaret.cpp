// SPDX-License-Identifier: Apache-2.0
#include "ui/form/jsoncaret.h"

#include "core/json/document.h"

#include <QList>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

struct Level {
    bool isObject = false;
    bool awaitsName = true;
    bool hasValue = false;  // since the last comma or colon
    qsizetype index = 0;
    QString name = {};
    QStringList names = {};
};

// The quote that ends the string, which does not go beyond its line; -1: none does.
qsizetype quoteAfter(const QString &text, qsizetype start)
{
    for (qsizetype i = start + 1; i < text.size(); ++i) {
        if (text.at(i) == u'\n' || text.at(i) == QChar::ParagraphSeparator)
            break;
        if (text.at(i) == u'\\')
            ++i;
        else if (text.at(i) == u'"')
            return i;
    }
    return -1;
}

QString decodedString(QStringView quoted)
{
    return json::parse(quoted.toUtf8()).string();
}

bool isOfWord(QChar c)
{
    return c.isLetterOrNumber() || u"_-+.$@"_s.contains(c);
}

qsizetype nextOfMeaning(const QString &text, qsizetype at)
{
    while (at < text.size() && text.at(at).isSpace())
        ++at;
    return at;
}

// The names of the members that come after the cursor in the same object.
QStringList namesBehind(const QString &text, qsizetype at)
{
    QStringList names;
    int depth = 0;
    while (at < text.size() && depth >= 0) {
        const QChar c = text.at(at);
        if (c == u'"') {
            const qsizetype end = quoteAfter(text, at);
            if (end < 0)
                break;
            const qsizetype next = nextOfMeaning(text, end + 1);
            if (depth == 0 && next < text.size() && text.at(next) == u':')
                names.append(decodedString(QStringView(text).sliced(at, end + 1 - at)));
            at = end;
        } else if (c == u'{' || c == u'[') {
            ++depth;
        } else if (c == u'}' || c == u']') {
            --depth;
        }
        ++at;
    }
    return names;
}

}  // namespace

JsonCaret jsonCaretAt(const QString &text, int at)
{
    JsonCaret caret;
    qsizetype word = at;
    while (word > 0 && isOfWord(text.at(word - 1)))
        --word;
    qsizetype string = -1;  // that the cursor is in
    QList<Level> levels;
    for (qsizetype i = 0; i < at; ++i) {
        const QChar c = text.at(i);
        Level *level = levels.isEmpty() ? nullptr : &levels.last();
        if (c == u'"') {
            const qsizetype end = quoteAfter(text, i);
            if (end < 0 || end >= at) {
                string = i;
                break;
            }
            if (level && level->isObject && level->awaitsName) {
                level->name = decodedString(QStringView(text).sliced(i, end + 1 - i));
                level->names.append(level->name);
            } else if (level) {
                level->hasValue = true;
            }
            i = end;
        } else if (c == u'{' || c == u'[') {
            levels.append(Level{c == u'{'});
        } else if ((c == u'}' || c == u']') && level) {
            levels.removeLast();
            if (!levels.isEmpty())
                levels.last().hasValue = true;
        } else if (c == u':' && level) {
            level->awaitsName = false;
            level->hasValue = false;
        } else if (c == u',' && level) {
            level->awaitsName = true;
            level->hasValue = false;
            ++level->index;
        } else if (level && i < word && !c.isSpace()) {
            level->hasValue = true;
        }
    }
    caret.isQuoted = string >= 0;
    caret.from = int(caret.isQuoted ? string : word);
    caret.to = at;
    while (caret.to < text.size() && isOfWord(text.at(caret.to)))
        ++caret.to;
    if (caret.isQuoted && caret.to < text.size() && text.at(caret.to) == u'"')
        ++caret.to;
    caret.typed = text.sliced(caret.from, at - caret.from);
    if (caret.isQuoted)
        caret.typed.remove(0, 1);
    for (const Level &level : std::as_const(levels))
        caret.path.append(level.isObject ? level.name : QString::number(level.index));
    if (levels.isEmpty())
        return caret;
    const Level &inner = levels.constLast();
    caret.lacksComma = inner.isObject && !inner.awaitsName && inner.hasValue;
    caret.isName = inner.isObject && (inner.awaitsName || caret.lacksComma);
    if (!caret.isName)
        return caret;
    caret.path.removeLast();
    const qsizetype next = nextOfMeaning(text, caret.to);
    caret.hasColon = next < text.size() && text.at(next) == u':';
    caret.names = inner.names + namesBehind(text, caret.to);
    return caret;
}

}  // namespace sonde::ui
