// SPDX-License-Identifier: Apache-2.0
#include "ui/form/memberrow.h"

#include "core/protocol/visibletext.h"
#include "ui/form/field.h"
#include "ui/form/inputs.h"
#include "ui/form/stacklayouts.h"
#include "ui/theme/lineinput.h"
#include "ui/theme/widgets.h"

#include <QLineEdit>

using namespace Qt::StringLiterals;

namespace sonde::ui {

MemberRow::MemberRow(FormContext *context, const Draft::Ptr &member, const Shape &shape, QWidget *parent)
    : QWidget(parent),
      m_context(context),
      m_draft(member),
      m_key(new LineInput),
      m_field(new Field(context, {member, shape, member->name(), Field::Role::Extra, false}, this)),
      m_remove(new FlatButton({}))
{
    auto *row = new RowLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(Grid);
    m_key->setText(member->name());
    m_key->setFont(monoFont());
    m_key->setPlaceholderText(tr("name"));
    auto *box = new InputBox(m_key);
    row->addWidget(box, 1);
    row->addWidget(m_field, 2);
    m_remove->setIcon(icon(u"close"_s));
    m_remove->setFixedHeight(InputHeight);
    m_remove->setFocusPolicy(Qt::ClickFocus);
    row->addWidget(m_remove);
    connect(m_remove, &FlatButton::clicked, this, &MemberRow::removed);
    connect(m_key, &QLineEdit::textEdited, this, [this](const QString &text) {
        m_context->history.noteTyping(m_draft->parent());
        m_draft->rename(text);
        rename();
        Q_EMIT keyChanged();
        Q_EMIT m_context->edited(m_draft->pointer());
    });
    m_context->watch(box);
    rename();
}

void MemberRow::rename()
{
    const QString pointer = m_draft->pointer().toString();
    const QString spoken = visibleLine(m_draft->name(), 60);
    m_key->setObjectName("key:"_L1 + pointer);
    m_key->setAccessibleName(tr("Name of property %1").arg(spoken));
    m_remove->setObjectName("remove:"_L1 + pointer);
    m_remove->setAccessibleName(tr("Remove %1").arg(spoken));
    m_remove->setToolTip(tr("Remove"));
    m_field->rename();
}

void MemberRow::focusKey()
{
    QMetaObject::invokeMethod(
        m_key, [this] { m_key->setFocus(Qt::OtherFocusReason); }, Qt::QueuedConnection);
}

}  // namespace sonde::ui
