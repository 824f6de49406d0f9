// SPDX-License-Identifier: Apache-2.0
#include "ui/json/documentfind.h"

#include "ui/json/stringscan.h"
#include "ui/theme/theme.h"

#include <QTextCursor>
#include <QTextDocument>
#include <QTextEdit>

namespace sonde::ui {

namespace {

constexpr int MaxMarkedWords = 500;

}  // namespace

DocumentFind::DocumentFind(QTextEdit *view) : FindSource(view), m_text(view) {}

std::shared_ptr<FindScan> DocumentFind::scan(const FindWord &word) const
{
    return std::make_shared<StringScan>(m_text->document()->toPlainText(), word);
}

void DocumentFind::mark(const FindWord &word, const std::shared_ptr<const FindPlaces> &places)
{
    m_length = int(word.text().size());
    m_places = places;
    m_text->setExtraSelections({});
}

void DocumentFind::showMore()
{
    QList<QTextEdit::ExtraSelection> marks;
    QTextCharFormat format;
    format.setBackground(softColor(Tone::ToolError));
    for (size_t i = 0; i < m_places->size() && i < MaxMarkedWords; ++i)
        marks.append({cursorAt((*m_places)[i]), format});
    m_text->setExtraSelections(marks);
}

QRect DocumentFind::show(quint32 place)
{
    const QTextCursor cursor = cursorAt(place);
    m_text->setTextCursor(cursor);
    m_text->ensureCursorVisible();
    return m_text->cursorRect(cursor);
}

void DocumentFind::deselect()
{
    QTextCursor cursor = m_text->textCursor();
    cursor.clearSelection();
    m_text->setTextCursor(cursor);
}

QTextCursor DocumentFind::cursorAt(quint32 place) const
{
    QTextCursor cursor(m_text->document());
    cursor.setPosition(int(place));
    cursor.setPosition(int(place) + m_length, QTextCursor::KeepAnchor);
    return cursor;
}

}  // namespace sonde::ui
