// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/useindialog.h"

#include "core/json/builder.h"
#include "core/protocol/visibletext.h"
#include "ui/theme/widgets.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int FieldRole = Qt::UserRole;
constexpr qsizetype MaxShownBytes = 400;

QStringList typesOf(const json::Value &schema)
{
    const json::Value type = schema[u"type"];
    QStringList types;
    if (type.isString())
        types << type.string();
    for (const json::Value &each : type)
        types << each.string();
    return types;
}

}  // namespace

bool fitsType(const json::Value &schema, const json::Value &value)
{
    const QStringList types = typesOf(schema);
    switch (value.kind()) {
        case json::Kind::Null:
            return types.isEmpty() || types.contains(u"null"_s);
        case json::Kind::Bool:
            return types.isEmpty() || types.contains(u"boolean"_s);
        case json::Kind::Number:
            return types.isEmpty() || types.contains(u"number"_s) ||
                   (types.contains(u"integer"_s) && !value.slice().contains('.'));
        case json::Kind::String:
            return types.isEmpty() || types.contains(u"string"_s);
        case json::Kind::Array:
            return types.isEmpty() || types.contains(u"array"_s);
        case json::Kind::Object:
            return types.isEmpty() || types.contains(u"object"_s);
        case json::Kind::Missing:
            break;
    }
    return false;
}

QByteArray withMember(const QByteArray &object, const QString &name, const QByteArray &value)
{
    json::Builder builder;
    builder.beginObject();
    bool isWritten = false;
    for (const json::Value &member : json::parse(object)) {
        builder.rawKey(member.keySlice());
        if (member.key() == name && !std::exchange(isWritten, true))
            builder.raw(value);
        else
            builder.value(member);
    }
    if (!isWritten)
        builder.rawMember(name, value);
    return builder.endObject().take();
}

UseInDialog::UseInDialog(const json::Value &value, const QList<UseTarget> &targets, const QString &placeholder,
                         QWidget *parent)
    : FormDialog(u"useIn"_s, tr("Use"), parent, 460),
      m_value(value),
      m_targets(targets),
      m_placeholder(placeholder),
      m_target(new QComboBox),
      m_fields(new QListWidget),
      m_asPlaceholder(new QCheckBox(tr("As a &reference to the saved call")))
{
    setWindowTitle(tr("Use in"));
    setObjectName(u"useInDialog"_s);
    QFormLayout *form = makeForm();
    m_target->setObjectName(u"useInTarget"_s);
    m_target->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_target->setMinimumContentsLength(30);
    for (const UseTarget &target : m_targets)
        m_target->addItem(target.detail.isEmpty() ? visibleLine(target.name, 60)
                                                  : visibleLine(target.name, 60) + u" · "_s + target.detail);
    form->addRow(tr("&Tool"), m_target);
    m_fields->setObjectName(u"useInFields"_s);
    m_fields->setAccessibleName(tr("Field"));
    m_fields->setMinimumHeight(140);
    form->addRow(tr("&Field"), m_fields);
    m_asPlaceholder->setObjectName(u"useInReference"_s);
    m_asPlaceholder->setToolTip(plainToolTip(placeholder));
    form->addRow(QString(), m_asPlaceholder);
    m_column->addLayout(form, 1);
    addMessageAndButtons();
    connect(m_target, &QComboBox::currentIndexChanged, this, &UseInDialog::fillFields);
    connect(m_fields, &QListWidget::currentRowChanged, this, &UseInDialog::updateState);
    connect(m_fields, &QListWidget::itemActivated, this, [this] { m_ok->click(); });
    connect(m_asPlaceholder, &QCheckBox::toggled, this, &UseInDialog::updateState);
    fillFields();
    m_fields->setFocus();
}

int UseInDialog::target() const
{
    return m_target->currentIndex();
}

QString UseInDialog::field() const
{
    const QListWidgetItem *item = m_fields->currentItem();
    return item ? item->data(FieldRole).toString() : QString();
}

QByteArray UseInDialog::argument() const
{
    return m_asPlaceholder->isChecked() && m_asPlaceholder->isVisibleTo(this)
               ? json::Builder().string(m_placeholder).take()
               : m_value.bytes();
}

// Those whose type fits come first.
void UseInDialog::fillFields()
{
    m_fields->clear();
    const UseTarget target = m_targets.value(m_target->currentIndex());
    QList<json::Value> fields;
    for (const json::Value &property : target.schema[u"properties"])
        fields.append(property);
    std::stable_partition(fields.begin(), fields.end(),
                          [this](const json::Value &schema) { return fitsType(schema, m_value); });
    for (const json::Value &schema : std::as_const(fields)) {
        const QString types = typesOf(schema).join(tr(" or "));
        auto *item = new QListWidgetItem(types.isEmpty() ? visibleLine(schema.key(), 60)
                                                         : visibleLine(schema.key(), 60) + u" · "_s + types);
        item->setData(FieldRole, schema.key());
        if (!fitsType(schema, m_value))
            item->setForeground(colors().dim);
        m_fields->addItem(item);
    }
    m_fields->setCurrentRow(0);
    m_asPlaceholder->setVisible(target.isSaved && !m_placeholder.isEmpty());
    m_asPlaceholder->setChecked(target.isSaved && !m_placeholder.isEmpty());
    updateState();
}

void UseInDialog::updateState()
{
    m_ok->setEnabled(m_fields->currentItem());
    if (m_fields->count() == 0)
        m_message->setText(tr("This tool declares no arguments."));
    else
        m_message->setServerText(
            visibleLine(QString::fromUtf8(argument().left(MaxShownBytes)), int(MaxShownBytes) / 4));
}

}  // namespace sonde::ui
