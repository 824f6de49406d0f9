// SPDX-License-Identifier: Apache-2.0
#include "ui/form/checklisteditor.h"

#include "core/protocol/visibletext.h"
#include "ui/form/stacklayouts.h"
#include "ui/theme/widgets.h"

#include <QCheckBox>
#include <QResizeEvent>
#include <QSet>
#include <QStyle>
#include <QStyleOptionButton>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr qsizetype MaxBoxes = 100;  // with more of them, a list of rows that can be searched is easier to use

// The stock one is never narrower than its text.
class ElidedCheckBox : public QCheckBox {
public:
    ElidedCheckBox(const QString &label, QWidget *parent) : QCheckBox(parent), m_label(visibleLine(label, 200))
    {
        setAccessibleName(m_label);
        setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        elide();
    }
    QSize minimumSizeHint() const override { return {40, QCheckBox::minimumSizeHint().height()}; }

protected:
    void resizeEvent(QResizeEvent *event) override
    {
        QCheckBox::resizeEvent(event);
        elide();
    }

private:
    void elide()
    {
        QStyleOptionButton option;
        initStyleOption(&option);
        const int room = style()->subElementRect(QStyle::SE_CheckBoxContents, &option, this).width();
        const QString shown = fontMetrics().elidedText(m_label, Qt::ElideRight, room);
        setText(QString(shown).replace(u'&', "&&"_L1));
        setToolTip(shown == m_label ? QString() : plainToolTip(m_label));
    }
    const QString m_label;
};

}  // namespace

CheckListEditor::CheckListEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape,
                                 const QString &label, QWidget *parent)
    : Editor(context, draft, shape, parent), m_choices(context->reader().item(shape, 0).choices)
{
    setAccessibleName(visibleLine(label, 80));
    auto *column = new ColumnLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    json::ValueIndex chosen;
    for (const json::Value &item : m_draft->value())
        chosen.append(item);
    for (qsizetype i = 0; i < m_choices.size(); ++i) {
        auto *box = new ElidedCheckBox(m_choices.label(i), this);
        box->setAccessibleDescription(accessibleName());
        box->setChecked(chosen.contains(m_choices.value(i)));
        connect(box, &QCheckBox::clicked, this, &CheckListEditor::write);
        column->addWidget(box);
        m_boxes.append(box);
    }
}

bool CheckListEditor::canHold(const FormContext &context, const Draft::Ptr &draft, const Shape &shape)
{
    if (!context.isForPerson && !shape.keyword(u"uniqueItems").toBool())
        return false;
    if (shape.keyword(u"prefixItems").exists() || !shape.keyword(u"items").isObject())
        return false;
    const Shape item = context.reader().item(shape, 0);
    const bool isSet = item.kind == Shape::Kind::Choice || item.kind == Shape::Kind::Constant;
    if (!isSet || item.nullable || item.choices.isEmpty() || item.choices.size() > MaxBoxes)
        return false;
    if (!draft->isPresent() || draft->kind() == json::Kind::Null)
        return true;
    QSet<qsizetype> seen;
    for (const json::Value &value : draft->value()) {
        const qsizetype index = item.choices.indexOf(value);
        if (index < 0 || seen.contains(index))
            return false;
        seen.insert(index);
    }
    return true;
}

QWidget *CheckListEditor::control() const
{
    return m_boxes.constFirst();
}

void CheckListEditor::rename(const QString &pointer)
{
    Editor::rename(pointer);
    setObjectName("checks:"_L1 + pointer);
    for (qsizetype i = 1; i < m_boxes.size(); ++i)
        m_boxes.at(i)->setObjectName("field:"_L1 + pointer + u'/' + QString::number(i));
}

// In the order of the schema. Where a list must not be empty, none at all means that it is omitted.
void CheckListEditor::write()
{
    QByteArray list;
    for (qsizetype i = 0; i < m_boxes.size(); ++i) {
        if (m_boxes.at(i)->isChecked())
            list += (list.isEmpty() ? QByteArray() : ","_ba) + m_choices.json(i);
    }
    if (list.isEmpty() && m_shape.keyword(u"minItems").toDouble() > 0)
        writeNothing();
    else
        m_draft->assign('[' + list + ']');
    Q_EMIT edited();
}

}  // namespace sonde::ui
