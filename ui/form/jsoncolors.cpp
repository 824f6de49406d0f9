// SPDX-License-Identifier: Apache-2.0
#include "ui/form/jsoncolors.h"

#include "ui/form/abbreviatedruns.h"
#include "ui/form/inputs.h"
#include "ui/json/jsonhighlighter.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr qsizetype MaxLine = 10'000;       // longer ones are not coloured
constexpr qsizetype MaxSearched = 200'000;  // characters of a text in which brackets are matched

bool isBracket(QChar c)
{
    return c == u'[' || c == u']' || c == u'{' || c == u'}';
}

}  // namespace

int matchingBracket(QStringView text, int at)
{
    if (at < 0 || at >= text.size() || !isBracket(text.at(at)) || text.size() > MaxSearched)
        return -1;
    QList<int> open;
    bool isInside = false;
    for (int i = 0; i < text.size(); ++i) {
        const QChar c = text.at(i);
        if (isInside && c == u'\\') {
            ++i;
        } else if (c == u'"') {
            isInside = !isInside;
        } else if (!isInside && (c == u'{' || c == u'[')) {
            open.append(i);
        } else if (!isInside && isBracket(c)) {
            const int partner = open.isEmpty() ? -1 : open.takeLast();
            const bool isPair = partner >= 0 && (text.at(partner) == u'{') == (c == u'}');
            if (i == at || partner == at)
                return !isPair ? -1 : i == at ? partner : i;
        }
    }
    return -1;
}

JsonColors::JsonColors(GrowingTextEdit *edit) : QSyntaxHighlighter(edit->document()), m_edit(edit)
{
    edit->installEventFilter(this);
    connect(edit, &QPlainTextEdit::cursorPositionChanged, this, &JsonColors::findBrackets);
}

void JsonColors::highlightBlock(const QString &text)
{
    if (text.size() > MaxLine)
        return;
    const QByteArray bytes = text.toUtf8();
    JsonHighlighter highlighter;
    highlighter.setText(bytes);
    const QList<JsonHighlighter::Span> spans = highlighter.tokens(0, bytes.size());
    qsizetype at = 0;
    qsizetype start = 0;
    for (const JsonHighlighter::Span &span : spans) {
        start += QString::fromUtf8(bytes.sliced(at, span.start - at)).size();
        const qsizetype length = QString::fromUtf8(bytes.sliced(span.start, span.length)).size();
        setFormat(int(start), int(length), tokenColor(span.token));
        start += length;
        at = span.start + span.length;
    }
}

void JsonColors::setMarked(const QTextCursor &part)
{
    const bool isSame = part.isNull() || m_marked.isNull() ? part.isNull() && m_marked.isNull()
                                                           : part.selectionStart() == m_marked.selectionStart() &&
                                                                 part.selectionEnd() == m_marked.selectionEnd();
    if (isSame)
        return;
    m_marked = part;
    showMarks();
}

void JsonColors::findBrackets()
{
    m_brackets.clear();
    if (!m_edit->hasFocus())  // none are shown, and the form beside writes here at each key
        return showMarks();
    const QTextDocument *document = m_edit->document();
    const int position = m_edit->textCursor().position();
    // Behind the cursor, as after typing one, otherwise before it. Elsewhere, the text is not copied.
    for (const int at : {position - 1, position}) {
        if (document->characterCount() > MaxSearched || !isBracket(document->characterAt(at)))
            continue;
        const int partner = matchingBracket(m_edit->runs()->rawText(), at);
        if (partner < 0)
            continue;
        for (const int place : {at, partner}) {
            QTextCursor bracket(m_edit->document());
            bracket.setPosition(place);
            bracket.setPosition(place + 1, QTextCursor::KeepAnchor);
            m_brackets.append(bracket);
        }
        break;
    }
    showMarks();
}

void JsonColors::showMarks()
{
    QList<QTextEdit::ExtraSelection> marks;
    const auto add = [&marks](const QTextCursor &part) {
        QTextEdit::ExtraSelection mark;
        mark.cursor = part;
        mark.format.setBackground(colors().selection);
        marks.append(mark);
    };
    if (m_marked.hasSelection())
        add(m_marked);
    for (const QTextCursor &bracket : std::as_const(m_brackets))
        add(bracket);
    m_edit->setExtraSelections(marks);
}

bool JsonColors::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::PaletteChange) {
        rehighlight();
        showMarks();
    } else if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) {
        findBrackets();
    }
    return QSyntaxHighlighter::eventFilter(watched, event);
}

}  // namespace sonde::ui
