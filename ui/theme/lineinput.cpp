// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/lineinput.h"

#include "core/protocol/numbertext.h"

#include <QClipboard>
#include <QDropEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMimeData>
#include <QToolTip>
#include <QValidator>

namespace sonde::ui {

namespace {

constexpr qsizetype HeadOfLongLine = 256;  // what is shown of one that cannot be edited

// Qt's limit is one higher than what this accepts: text that Qt would cut is undone completely. What is pasted or
// dropped is looked at before, because Qt copies all of it for each character that it takes.
class LengthValidator : public QValidator {
public:
    explicit LengthValidator(QLineEdit *line) : QValidator(line), m_line(line) { line->installEventFilter(this); }

    State validate(QString &text, int &) const override
    {
        if (LineInput::canHold(text))
            return Acceptable;
        sayRefused();
        return Invalid;
    }

    bool eventFilter(QObject *watched, QEvent *event) override
    {
        // Its last events come when no more than a QWidget is left of it.
        const QMimeData *inserted = watched == m_line ? insertedBy(*event) : nullptr;
        const bool isRefused = inserted && !m_line->isReadOnly() && !canTake(*inserted);
        if (isRefused)
            sayRefused();
        return isRefused || QValidator::eventFilter(watched, event);
    }

private:
    static const QMimeData *insertedBy(QEvent &event)
    {
        const QClipboard *clipboard = QGuiApplication::clipboard();
        if (event.type() == QEvent::KeyPress && static_cast<QKeyEvent &>(event).matches(QKeySequence::Paste))
            return clipboard->mimeData();
        if (event.type() == QEvent::MouseButtonRelease && clipboard->supportsSelection() &&
            static_cast<QMouseEvent &>(event).button() == Qt::MiddleButton)
            return clipboard->mimeData(QClipboard::Selection);
        return event.type() == QEvent::Drop ? static_cast<QDropEvent &>(event).mimeData() : nullptr;
    }

    bool canTake(const QMimeData &inserted) const
    {
        const qsizetype stays = m_line->text().size() - m_line->selectedText().size();
        return stays + inserted.text().size() <= LineInput::MaxLength;
    }

    void sayRefused() const
    {
        QToolTip::showText(
            m_line->mapToGlobal(QPoint(0, m_line->height())),
            LineInput::tr("Not inserted: max %1 characters per line.").arg(grouped(LineInput::MaxLength)), m_line);
    }

    QLineEdit *m_line;
};

}  // namespace

void LineInput::refuseTooLong(QLineEdit *line)
{
    line->setMaxLength(MaxLength + 1);
    line->setValidator(new LengthValidator(line));
}

LineInput::LineInput(const QString &text, QWidget *parent) : QLineEdit(parent)
{
    refuseTooLong(this);
    if (!text.isEmpty())
        setText(text);
}

void LineInput::setText(const QString &text)
{
    const bool wasTooLong = !m_whole.isEmpty();
    const bool isTooLong = !canHold(text);
    m_whole = isTooLong ? text : QString();
    if (isTooLong != wasTooLong) {
        setReadOnly(isTooLong);
        setToolTip(isTooLong ? tr("%1 characters: too long to edit on one line").arg(grouped(text.size())) : QString());
    }
    QLineEdit::setText(isTooLong ? text.first(HeadOfLongLine) + u'…' : text);
}

}  // namespace sonde::ui
