// SPDX-License-Identifier: Apache-2.0
#include "ui/form/editfind.h"

#include "ui/form/abbreviatedruns.h"
#include "ui/form/inputs.h"
#include "ui/json/stringscan.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <QPainter>
#include <QTextBlock>
#include <algorithm>
#include <functional>
#include <utility>

namespace sonde::ui {

namespace {

constexpr int MaxMarkedInLine = 500;
constexpr qsizetype AroundBefore = 20;  // characters
constexpr qsizetype AroundAfter = 200;

}  // namespace

// The text is put together and searched on a worker; afterwards it is read here.
struct EditFind::Searched {
    std::function<QString()> late;
    QList<Span> concealed;
    QString text = {};

    bool isConcealed(qsizetype from, qsizetype to) const
    {
        const auto first = std::lower_bound(concealed.cbegin(), concealed.cend(), from,
                                            [](const Span &span, qsizetype at) { return span.to <= at; });
        return first != concealed.cend() && first->from < to;
    }

    class Scan final : public StringScan {
    public:
        Scan(std::shared_ptr<Searched> searched, const FindWord &word)
            : StringScan({}, word), m_searched(std::move(searched))
        {}

        bool next(FindPlaces *places) override
        {
            if (m_searched->late) {
                m_searched->text = std::exchange(m_searched->late, nullptr)();
                setText(m_searched->text);
            }
            return StringScan::next(places);
        }

    protected:
        bool isHidden(qsizetype from, qsizetype to) const override { return m_searched->isConcealed(from, to); }

    private:
        std::shared_ptr<Searched> m_searched;
    };
};

EditFind::EditFind(GrowingTextEdit *edit) : FindSource(edit), m_edit(edit), m_revision(edit->document()->revision())
{
    edit->viewport()->installEventFilter(this);
    // The box itself may be blocked while it gets another text.
    connect(edit->document(), &QTextDocument::contentsChanged, this, &EditFind::onContentsChanged);
}

// Also announced where only colours have changed.
void EditFind::onContentsChanged()
{
    if (std::exchange(m_revision, m_edit->document()->revision()) == m_edit->document()->revision())
        return;
    m_shown.reset();
    setEdited();
}

void EditFind::setConcealed(const QList<Span> &spans)
{
    const bool isSame =
        std::equal(spans.cbegin(), spans.cend(), m_concealed.cbegin(), m_concealed.cend(),
                   [](const Span &left, const Span &right) { return left.from == right.from && left.to == right.to; });
    m_concealed = spans;
    if (!isSame)
        setEdited();
}

std::shared_ptr<FindScan> EditFind::scan(const FindWord &word) const
{
    return std::make_shared<Searched::Scan>(m_searched, word);
}

void EditFind::mark(const FindWord &word, const std::shared_ptr<const FindPlaces> &places)
{
    m_word = places ? word : FindWord();
    m_searched = places ? std::make_shared<Searched>(Searched{m_edit->runs()->lateText(), m_concealed}) : nullptr;
    if (!places)
        Q_EMIT shownWithin({}, {});
    m_edit->viewport()->update();
}

QRect EditFind::show(quint32 place)
{
    const qsizetype length = m_word.text().size();
    const int from = m_edit->runs()->positionOf(place);
    const int to = m_edit->runs()->positionOf(qsizetype(place) + length);
    const bool isDrawn = to - from == length;
    QTextCursor cursor(m_edit->document());
    cursor.setPosition(from);
    cursor.setPosition(std::max(to, from + 1), QTextCursor::KeepAnchor);
    m_shown.reset();
    m_edit->setTextCursor(cursor);
    if (!m_edit->viewport()->rect().contains(m_edit->cursorRect()))
        m_edit->centerCursor();
    m_edit->ensureCursorVisible();
    m_shown = place;
    Q_EMIT shownWithin(isDrawn ? QString() : around(place), m_word);
    return m_edit->cursorRect();
}

// What is concealed in it is dots here, too.
QString EditFind::around(qsizetype place) const
{
    const QString &text = m_searched->text;
    qsizetype from = std::max(qsizetype(0), place - AroundBefore);
    qsizetype to = std::min(text.size(), place + m_word.text().size() + AroundAfter);
    if (const qsizetype start = QStringView(text).sliced(from, place - from).lastIndexOf(u'\n'); start >= 0)
        from += start + 1;
    if (const qsizetype end = QStringView(text).sliced(place, to - place).indexOf(u'\n'); end >= 0)
        to = place + end;
    QString line = text.sliced(from, to - from);
    for (qsizetype i = 0; i < line.size(); ++i) {
        if (m_searched->isConcealed(from + i, from + i + 1))
            line[i] = u'•';
    }
    return (from > 0 ? QStringLiteral("… ") : QString()) + line + (to < text.size() ? QStringLiteral(" …") : QString());
}

void EditFind::deselect()
{
    QTextCursor cursor = m_edit->textCursor();
    cursor.setPosition(cursor.selectionStart());
    const std::optional<quint32> shown = m_shown;
    m_edit->setTextCursor(cursor);
    m_shown = shown;
}

std::optional<quint32> EditFind::cursor() const
{
    const QTextCursor cursor = m_edit->textCursor();
    if (m_shown && cursor.selectionStart() == m_edit->runs()->positionOf(*m_shown))
        return m_shown;
    QTextCursor before(m_edit->document());
    before.setPosition(cursor.selectionStart(), QTextCursor::KeepAnchor);
    return quint32(m_edit->runs()->isShortened() ? m_edit->runs()->text(before).size() : before.position());
}

bool EditFind::eventFilter(QObject *watched, QEvent *event)
{
    // What is said above the box takes some of its room.
    if (watched == m_edit && event->type() == QEvent::Resize && m_shown)
        QMetaObject::invokeMethod(m_edit, &QPlainTextEdit::ensureCursorVisible, Qt::QueuedConnection);
    if (watched == m_edit)
        return FindSource::eventFilter(watched, event);
    if (event->type() == QEvent::Paint && !m_word.isEmpty())
        paintMarks();  // below the text, which is painted next
    return false;
}

void EditFind::paintMarks() const
{
    QPainter painter(m_edit->viewport());
    const QList<GrowingTextEdit::ShownLine> lines = m_edit->shownLines();
    for (const GrowingTextEdit::ShownLine &line : lines) {
        const QTextBlock block = m_edit->document()->findBlockByNumber(line.number - 1);
        const QTextLine first = block.layout()->lineAt(0);
        if (!first.isValid())
            continue;
        const QString text = block.text();
        const qreal left = m_edit->cursorRect(QTextCursor(block)).left() - first.cursorToX(0);
        const qsizetype length = m_word.text().size();
        qsizetype at = 0;
        for (int marked = 0; marked < MaxMarkedInLine; ++marked, at += length) {
            at = text.indexOf(m_word.text(), at, m_word.caseSensitivity());
            if (at < 0)
                break;
            const int from = block.position() + int(at);
            const QTextLine row = block.layout()->lineForTextPosition(int(at));
            if (!row.isValid() || m_edit->isConcealed(from, from + int(length)))
                continue;
            const qreal start = row.cursorToX(int(at));
            painter.fillRect(QRectF(left + start, line.top + row.y() - first.y(),
                                    row.cursorToX(int(at + length)) - start, row.height()),
                             softColor(Tone::ToolError));
        }
    }
}

}  // namespace sonde::ui
