// SPDX-License-Identifier: Apache-2.0
#include "ui/json/findbar.h"

#include "ui/theme/lineinput.h"
#include "ui/theme/widgets.h"

#include <QAbstractScrollArea>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>

namespace sonde::ui {

FindBar::FindBar(QAbstractScrollArea *area)
    : QFrame(area), m_area(area), m_edit(new LineInput({}, this)), m_response(new TextLabel({}, this))
{
    setObjectName(QStringLiteral("findBar"));
    setAccessibleName(tr("Find in this text"));
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    m_edit->setObjectName(QStringLiteral("findEdit"));
    m_edit->setAccessibleName(tr("Text to find"));
    m_edit->setPlaceholderText(tr("Find"));
    m_edit->setClearButtonEnabled(true);
    m_edit->installEventFilter(this);
    m_response->setTone(Tone::ToolError);
    m_response->hide();

    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(Grid / 2, Grid / 2, Grid / 2, Grid / 2);
    layout->addWidget(m_response);
    layout->addWidget(m_edit);
    connect(m_edit, &QLineEdit::textChanged, this, [this] { m_response->hide(); });
}

void FindBar::popUp()
{
    show();
    place();
    raise();
    m_edit->selectAll();
    m_edit->setFocus();
}

void FindBar::place()
{
    adjustSize();
    const int width = qMin(sizeHint().width() + 80, m_area->viewport()->width());
    setGeometry(m_area->viewport()->geometry().right() - width, 0, width, sizeHint().height());
}

void FindBar::setFound(bool found)
{
    m_response->setText(found ? QString() : tr("Not found"));
    m_response->setVisible(!found);
    place();
}

bool FindBar::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::KeyPress)
        return QFrame::eventFilter(watched, event);
    const auto *key = static_cast<QKeyEvent *>(event);
    if (key->key() == Qt::Key_Escape) {
        hide();
        Q_EMIT closed();
        return true;
    }
    if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
        Q_EMIT findRequested(m_edit->text(), !(key->modifiers() & Qt::ShiftModifier));
        return true;
    }
    return QFrame::eventFilter(watched, event);
}

}  // namespace sonde::ui
