// SPDX-License-Identifier: Apache-2.0
#include "ui/form/memberrow.h"

#include "core/json/builder.h"
#include "core/protocol/visibletext.h"
#include "ui/form/editor.h"
#include "ui/form/field.h"
#include "ui/form/inputs.h"
#include "ui/form/stacklayouts.h"
#include "ui/theme/lineinput.h"
#include "ui/theme/widgets.h"

#include <QLineEdit>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

MemberRow::MemberRow(FormContext *context, const Draft::Ptr &member, const Shape &object, QWidget *parent)
    : QWidget(parent),
      m_context(context),
      m_draft(member),
      m_object(object),
      m_row(new RowLayout(this)),
      m_key(new LineInput),
      m_box(new InputBox(m_key)),
      m_field(new Field(
          context,
          {member, context->reader().extraMember(object, member->name()), member->name(), Field::Role::Extra, false},
          this)),
      m_remove(new FlatButton({}))
{
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(Grid);
    m_key->setText(member->name());
    m_key->setFont(monoFont());
    m_key->setPlaceholderText(tr("name"));
    m_row->addWidget(m_box, 1);
    m_row->addWidget(m_field, 2);
    m_remove->setIcon(icon(u"close"_s));
    followFont(m_remove, [this] { m_remove->setFixedHeight(inputHeight()); });
    m_remove->setFocusPolicy(Qt::ClickFocus);
    m_row->addWidget(m_remove);
    connect(m_remove, &FlatButton::clicked, this, &MemberRow::removed);
    connect(m_key, &QLineEdit::textEdited, this, [this](const QString &text) {
        m_context->history.noteTyping(m_draft->parent());
        m_draft->rename(text);
        adaptField();
        rename();
        Q_EMIT keyChanged();
        Q_EMIT m_context->edited(m_draft->pointer());
    });
    m_context->watch(m_box);
    watchField();
    rename();
}

// The field shows what is wrong with the member; where that is its name, the name is marked.
void MemberRow::watchField()
{
    connect(m_field, &Field::issueShown, this, [this](bool isWrong) {
        const bool isOfName = isWrong && isNameRefused();
        m_box->setWrong(isOfName);
        if (isOfName && m_field->editor())
            m_field->editor()->setWrong(false);
    });
}

bool MemberRow::isNameRefused() const
{
    const ShapeReader &reader = m_context->reader();
    const json::Value member = reader.extraMember(m_object, m_draft->name()).node();
    if (member.isBool() && !member.toBool())
        return true;
    const json::Value name = json::parse(json::quoted(m_draft->name()));
    return std::any_of(m_object.layers.cbegin(), m_object.layers.cend(), [&](const json::Value &layer) {
        const json::Value names = layer[u"propertyNames"];
        return names.exists() && !reader.schema().validateAt(names, name, m_object.scope).isEmpty();
    });
}

// Patterns of names may ask for another kind of value. While a name matches none of them, the value stays as it is.
void MemberRow::adaptField()
{
    const Shape now = m_field->shape();
    const Shape shape = m_context->reader().extraMember(m_object, m_draft->name());
    const bool isRefused = shape.node().isBool() && !shape.node().toBool();
    if (isRefused || ShapeKey{shape.layers, {}, 0, shape.scope} == ShapeKey{now.layers, {}, 0, now.scope})
        return;
    const QByteArray untouched = m_context->values.starting(now);
    if (m_draft->bytes() == untouched) {
        if (const QByteArray starting = m_context->values.starting(shape); starting.isEmpty())
            m_draft->makeBlank();
        else
            m_draft->assign(starting);
    }
    delete m_field;
    m_field = new Field(m_context, {m_draft, shape, m_draft->name(), Field::Role::Extra, false}, this);
    watchField();
    m_row->insertWidget(1, m_field, 2);
    m_field->show();
    Q_EMIT m_context->built();
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

bool MemberRow::isKeyFocused() const
{
    return m_key->hasFocus();
}

void MemberRow::focusKey()
{
    QMetaObject::invokeMethod(
        m_key, [this] { m_key->setFocus(Qt::OtherFocusReason); }, Qt::QueuedConnection);
}

}  // namespace sonde::ui
