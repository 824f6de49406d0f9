// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/lineinput.h"

#include "core/protocol/numbertext.h"

#include <QToolTip>
#include <QValidator>

namespace sonde::ui {

namespace {

constexpr qsizetype HeadOfLongLine = 256;  // what is shown of one that cannot be edited

// Qt's limit is one higher than what this accepts: text that Qt would cut is undone completely.
class LengthValidator : public QValidator {
public:
    explicit LengthValidator(QLineEdit *line) : QValidator(line), m_line(line) {}

    State validate(QString &text, int &) const override
    {
        if (LineInput::canHold(text))
            return Acceptable;
        QToolTip::showText(
            m_line->mapToGlobal(QPoint(0, m_line->height())),
            LineInput::tr("Not inserted: max %1 characters per line.").arg(grouped(LineInput::MaxLength)), m_line);
        return Invalid;
    }

private:
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
