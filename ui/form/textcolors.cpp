// SPDX-License-Identifier: Apache-2.0
#include "ui/form/textcolors.h"

#include "ui/form/contentencoding.h"
#include "ui/form/inputs.h"
#include "ui/form/jsoncolors.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QSet>
#include <QSyntaxHighlighter>
#include <QTextDocument>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int MaxColored = 50'000;          // characters of a text: they are coloured in one turn of the event loop
constexpr qsizetype MaxColoredLine = 2000;  // of one line, with every key within it

bool isWordStart(QChar c)
{
    return c.isLetter() || c == u'_';
}

// Each line by itself, with what the line before leaves open as its state.
class TextColors : public QSyntaxHighlighter {
public:
    explicit TextColors(QPlainTextEdit *edit) : QSyntaxHighlighter(edit->document()) { edit->installEventFilter(this); }

    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() == QEvent::PaletteChange)
            rehighlight();
        return QSyntaxHighlighter::eventFilter(watched, event);
    }

protected:
    void highlightBlock(const QString &text) override
    {
        setCurrentBlockState(previousBlockState());
        if (text.size() <= MaxColoredLine && document()->characterCount() <= MaxColored)
            colorLine(text, qMax(0, previousBlockState()));
    }
    virtual void colorLine(const QString &text, int state) = 0;
    void color(qsizetype from, qsizetype end, const QColor &color) { setFormat(int(from), int(end - from), color); }
    void emphasize(qsizetype from, qsizetype end, const QTextCharFormat &how)
    {
        for (qsizetype i = from; i < end; ++i) {
            QTextCharFormat format = this->format(int(i));
            format.merge(how);
            setFormat(int(i), 1, format);
        }
    }
};

class SqlColors final : public TextColors {
public:
    using TextColors::TextColors;

protected:
    enum State { Outside, Comment, Text, Name };

    void colorLine(const QString &text, int state) override
    {
        qsizetype at = 0;
        while (at < text.size()) {
            if (state != Outside) {
                at = colorUntilClosed(text, at, at, &state);
                continue;
            }
            const QChar c = text.at(at);
            const QStringView rest = QStringView(text).sliced(at);
            if (rest.startsWith(u"--")) {
                color(at, text.size(), colors().dim);
                at = text.size();
            } else if (rest.startsWith(u"/*")) {
                state = Comment;
                at = colorUntilClosed(text, at, at + 2, &state);
            } else if (c == u'\'' || c == u'"') {
                state = c == u'"' ? Name : Text;
                at = colorUntilClosed(text, at, at + 1, &state);
            } else if (c.isDigit()) {
                const qsizetype end = endOf(text, at, [](QChar d) { return d.isLetterOrNumber() || d == u'.'; });
                color(at, end, colors().asks);
                at = end;
            } else if (isWordStart(c)) {
                const qsizetype end = endOf(text, at, [](QChar d) { return d.isLetterOrNumber() || d == u'_'; });
                if (keywords().contains(text.mid(at, end - at).toLower()))
                    color(at, end, colors().accent);
                at = end;
            } else {
                ++at;
            }
        }
        setCurrentBlockState(state);
    }

private:
    template <typename IsPart>
    static qsizetype endOf(const QString &text, qsizetype at, IsPart isPart)
    {
        while (at < text.size() && isPart(text.at(at)))
            ++at;
        return at;
    }

    // A doubled quote within a string ends it and begins the next one, which looks the same.
    qsizetype colorUntilClosed(const QString &text, qsizetype from, qsizetype at, int *state)
    {
        const QString close = *state == Comment ? u"*/"_s : *state == Text ? u"'"_s : u"\""_s;
        const qsizetype found = text.indexOf(close, at);
        const qsizetype end = found < 0 ? text.size() : found + close.size();
        color(from, end, *state == Comment ? colors().dim : *state == Text ? colors().ok : colors().finding);
        if (found >= 0)
            *state = Outside;
        return end;
    }

    static const QSet<QString> &keywords()
    {
        static const QSet<QString> words = [] {
            const QStringList list =
                u"add all alter analyze and any as asc begin between by case cast check collate column commit "
                u"constraint "
                "create cross current_date current_time current_timestamp database default delete desc distinct drop "
                "else end escape except exists explain false fetch filter first following for foreign from full grant "
                "group having if ilike in index inner insert intersect interval into is join key last lateral left "
                "like limit materialized merge natural not null nulls of offset on or order outer over partition "
                "preceding primary range references replace returning revoke right rollback row rows savepoint schema "
                "select set some table temp temporary then to transaction trigger true truncate unbounded union unique "
                "update using vacuum values view when where window with"_s.split(u' ');
            return QSet<QString>(list.cbegin(), list.cend());
        }();
        return words;
    }
};

class MarkdownColors final : public TextColors {
public:
    using TextColors::TextColors;

protected:
    enum State { Prose, Fenced };

    void colorLine(const QString &text, int state) override
    {
        static const QRegularExpression fence(u"^ {0,3}(```|~~~)"_s);
        static const QRegularExpression heading(u"^ {0,3}#{1,6}(\\s|$)"_s);
        static const QRegularExpression quote(u"^ {0,3}>"_s);
        static const QRegularExpression bullet(u"^\\s*([-*+]|\\d{1,9}[.)])\\s"_s);
        const bool isFence = fence.match(text).hasMatch();
        setCurrentBlockState(isFence ? (state == Fenced ? Prose : Fenced) : state);
        if (isFence || state == Fenced) {
            color(0, text.size(), isFence ? colors().dim : colors().ok);
        } else if (heading.match(text).hasMatch()) {
            QTextCharFormat strong;
            strong.setForeground(colors().accent);
            strong.setFontWeight(QFont::Bold);
            setFormat(0, int(text.size()), strong);
        } else {
            if (quote.match(text).hasMatch())
                color(0, text.size(), colors().dim);
            if (const QRegularExpressionMatch match = bullet.match(text); match.hasMatch())
                color(match.capturedStart(1), match.capturedEnd(1), colors().accent);
            colorSpans(text);
        }
    }

private:
    void colorSpans(const QString &text)
    {
        static const QRegularExpression strong(u"(\\*\\*|__)(?=\\S)(.+?)(?<=\\S)\\1"_s);
        static const QRegularExpression emphasis(u"(?<![*_\\w])([*_])(?=[^\\s*_])(.+?)(?<=[^\\s*_])\\1(?![*_\\w])"_s);
        static const QRegularExpression link(u"!?\\[[^\\]]*\\]\\([^)\\s]*\\)|<https?://[^>\\s]+>"_s);
        static const QRegularExpression code(u"(`+)(?!`).+?(?<!`)\\1(?!`)"_s);
        QTextCharFormat bold;
        bold.setFontWeight(QFont::Bold);
        QTextCharFormat italic;
        italic.setFontItalic(true);
        eachMatch(text, strong, [&](qsizetype from, qsizetype end) { emphasize(from, end, bold); });
        eachMatch(text, emphasis, [&](qsizetype from, qsizetype end) { emphasize(from, end, italic); });
        eachMatch(text, link, [&](qsizetype from, qsizetype end) { color(from, end, colors().finding); });
        eachMatch(text, code, [&](qsizetype from, qsizetype end) { color(from, end, colors().ok); });
    }

    template <typename Use>
    static void eachMatch(const QString &text, const QRegularExpression &form, Use use)
    {
        for (QRegularExpressionMatchIterator matches = form.globalMatch(text); matches.hasNext();) {
            const QRegularExpressionMatch match = matches.next();
            use(match.capturedStart(), match.capturedEnd());
        }
    }
};

}  // namespace

TextLanguage languageOf(const Shape &shape)
{
    if (encodingOf(shape))
        return TextLanguage::None;
    const QString type = shape.text(u"contentMediaType").section(u';', 0, 0).trimmed().toLower();
    if (type == "application/json"_L1 || type == "text/json"_L1 || type.endsWith("+json"_L1))
        return TextLanguage::Json;
    if (type == "text/markdown"_L1 || type == "text/x-markdown"_L1)
        return TextLanguage::Markdown;
    if (type == "application/sql"_L1 || type == "text/sql"_L1 || type == "text/x-sql"_L1)
        return TextLanguage::Sql;
    return TextLanguage::None;
}

void addColors(GrowingTextEdit *edit, TextLanguage language)
{
    switch (language) {
        case TextLanguage::None:
            break;
        case TextLanguage::Json:
            new JsonColors(edit);
            break;
        case TextLanguage::Markdown:
            new MarkdownColors(edit);
            break;
        case TextLanguage::Sql:
            new SqlColors(edit);
            break;
    }
}

}  // namespace sonde::ui
