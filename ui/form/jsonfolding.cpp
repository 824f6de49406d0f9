// SPDX-License-Identifier: Apache-2.0
#include "ui/form/jsonfolding.h"

#include "core/protocol/numbertext.h"
#include "ui/form/abbreviatedruns.h"
#include "ui/form/inputs.h"

#include <QKeyEvent>
#include <QPlainTextDocumentLayout>
#include <QTextBlock>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int MaxFoldedText = 200'000;  // characters: brackets of longer texts are not looked for after each key

// It goes with its line when lines are added or removed above it.
class FoldedLine : public QTextBlockUserData {};

bool isMarkedFolded(const QTextBlock &block)
{
    return block.userData() != nullptr;
}

}  // namespace

JsonFolding::JsonFolding(GrowingTextEdit *edit) : QObject(edit), m_edit(edit)
{
    edit->installEventFilter(this);
    connect(edit, &QPlainTextEdit::textChanged, this, [this] {
        if (m_hasFolded)
            apply();
    });
    connect(edit, &QPlainTextEdit::cursorPositionChanged, this, &JsonFolding::revealCursor);
}

const QHash<int, JsonFolding::Part> &JsonFolding::parts() const
{
    const QTextDocument *document = m_edit->document();
    if (m_revision == document->revision())
        return m_parts;
    m_revision = document->revision();
    m_parts.clear();
    if (document->characterCount() > MaxFoldedText || document->blockCount() == 1)
        return m_parts;
    struct Open {
        qsizetype at = 0;
        int line = 0;
        qsizetype commas = 0;
    };
    QList<Open> open;
    // No more for most characters than a look at what they are: this is done at each key.
    const QStringView text(m_edit->runs()->rawText());
    int line = 0;
    bool isInside = false;  // a string ends on its line
    for (qsizetype i = 0; i < text.size(); ++i) {
        switch (text.at(i).unicode()) {
            case QChar::ParagraphSeparator:
                ++line;
                isInside = false;
                break;
            case u'"':
                isInside = !isInside;
                break;
            case u'\\':
                if (isInside && i + 1 < text.size() && text.at(i + 1) != QChar::ParagraphSeparator)
                    ++i;
                break;
            case u',':
                if (!isInside && !open.isEmpty())
                    ++open.last().commas;
                break;
            case u'{':
            case u'[':
                if (!isInside)
                    open.append(Open{i, line, 0});
                break;
            case u'}':
            case u']': {
                if (isInside || open.isEmpty())
                    break;
                const Open part = open.takeLast();
                if (part.line == line)
                    break;
                // What is behind the bracket has to stay visible.
                const qsizetype end = text.indexOf(QChar::ParagraphSeparator, i);
                const QStringView rest = text.sliced(i + 1, (end < 0 ? text.size() : end) - i - 1).trimmed();
                const int last = line - (rest.isEmpty() || rest == u","_s ? 0 : 1);
                if (last <= part.line)
                    break;
                const bool isEmpty = part.commas == 0 && text.sliced(part.at + 1, i - part.at - 1).trimmed().isEmpty();
                m_parts.insert(part.line, Part{last, isEmpty ? 0 : part.commas + 1, text.at(part.at) == u'{'});
                break;
            }
            default:
                break;
        }
    }
    return m_parts;
}

bool JsonFolding::isFoldable(int line) const
{
    return parts().contains(line);
}

bool JsonFolding::isFolded(int line) const
{
    return m_hasFolded && isMarkedFolded(m_edit->document()->findBlockByNumber(line)) && isFoldable(line);
}

int JsonFolding::lastHidden(int line) const
{
    return parts().value(line).lastLine;
}

void JsonFolding::setFolded(int line, bool folded)
{
    QTextBlock block = m_edit->document()->findBlockByNumber(line);
    if (!block.isValid() || (folded && !isFoldable(line)) || isMarkedFolded(block) == folded)
        return;
    block.setUserData(folded ? new FoldedLine : nullptr);
    m_hasFolded = m_hasFolded || folded;
    if (folded) {
        const int cursorLine = m_edit->textCursor().blockNumber();
        if (cursorLine > line && cursorLine <= lastHidden(line)) {
            QTextCursor cursor = m_edit->textCursor();
            cursor.setPosition(block.position() + block.length() - 1);
            m_edit->setTextCursor(cursor);
        }
    }
    apply();
}

// Hides what is within folded lines, and nothing else.
void JsonFolding::apply()
{
    QTextDocument *document = m_edit->document();
    QHash<int, QString> notes;
    int hiddenUntil = -1;
    bool isAny = false;
    bool hasChanged = false;
    for (QTextBlock block = document->begin(); block.isValid(); block = block.next()) {
        const int line = block.blockNumber();
        const bool isVisible = line > hiddenUntil;
        if (block.isVisible() != isVisible) {
            block.setVisible(isVisible);
            block.setLineCount(isVisible ? qMax(1, block.layout()->lineCount()) : 0);
            hasChanged = true;
        }
        if (!isMarkedFolded(block))
            continue;
        const auto part = parts().constFind(line);
        if (part == parts().cend()) {
            block.setUserData(nullptr);
            continue;
        }
        isAny = true;
        if (!isVisible)
            continue;
        hiddenUntil = part->lastLine;
        notes.insert(line + 1, part->isObject ? counted(part->count, tr("…} 1 property"), tr("…} %1 properties"))
                                              : counted(part->count, tr("…] 1 item"), tr("…] %1 items")));
    }
    m_hasFolded = isAny;
    m_edit->setLineNotes(notes);
    if (hasChanged) {
        auto *layout = qobject_cast<QPlainTextDocumentLayout *>(document->documentLayout());
        layout->requestUpdate();
        Q_EMIT layout->documentSizeChanged(layout->documentSize());
    }
    Q_EMIT changed();
    revealCursor();
}

void JsonFolding::revealCursor()
{
    while (m_hasFolded && !m_edit->textCursor().block().isVisible()) {
        const int line = lineAround(m_edit->textCursor().blockNumber() - 1, true);
        if (line < 0)
            break;
        setFolded(line, false);
    }
}

// The nearest line from here upwards whose part holds it, and which is folded or can be; -1: none.
int JsonFolding::lineAround(int line, bool folded) const
{
    for (int at = line; at >= 0; --at) {
        const auto part = parts().constFind(at);
        if (part != parts().cend() && part->lastLine >= line && isFolded(at) == folded)
            return at;
    }
    return -1;
}

bool JsonFolding::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool isFold = key->key() == Qt::Key_BracketLeft || key->key() == Qt::Key_BraceLeft;
        const bool isUnfold = key->key() == Qt::Key_BracketRight || key->key() == Qt::Key_BraceRight;
        if ((isFold || isUnfold) && key->modifiers() == (Qt::ControlModifier | Qt::ShiftModifier)) {
            const int line = m_edit->textCursor().blockNumber();
            setFolded(isFold ? lineAround(line, false) : line, isFold);
            return true;
        }
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace sonde::ui
