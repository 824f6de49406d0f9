// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/useindialog.h"

#include "core/json/builder.h"
#include "core/protocol/visibletext.h"
#include "ui/theme/lineinput.h"
#include "ui/theme/tonedelegate.h"
#include "ui/theme/widgets.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QFormLayout>
#include <QKeyEvent>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int PlaceRole = Qt::UserRole;  // its index
constexpr qsizetype MaxShownBytes = 400;

}  // namespace

UseInDialog::UseInDialog(const json::Value &value, const QList<UseTarget> &targets, const QString &placeholder,
                         QWidget *parent)
    : FormDialog(u"useIn"_s, tr("Use"), parent, 460),
      m_value(value),
      m_targets(targets),
      m_placeholder(placeholder),
      m_target(new QComboBox),
      m_filter(new LineInput),
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
    m_filter->setObjectName(u"useInFilter"_s);
    m_filter->setPlaceholderText(tr("Filter by name or type"));
    m_filter->setClearButtonEnabled(true);
    m_filter->installEventFilter(this);
    form->addRow(tr("&Field"), m_filter);
    m_fields->setObjectName(u"useInFields"_s);
    m_fields->setAccessibleName(tr("Fields"));
    m_fields->setMinimumHeight(200);
    m_fields->setUniformItemSizes(true);
    m_fields->setItemDelegate(new ToneDelegate(m_fields));
    m_fields->setTextElideMode(Qt::ElideRight);
    m_fields->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    form->addRow(QString(), m_fields);
    m_asPlaceholder->setObjectName(u"useInReference"_s);
    m_asPlaceholder->setToolTip(plainToolTip(placeholder));
    form->addRow(QString(), m_asPlaceholder);
    m_column->addLayout(form, 1);
    addMessageAndButtons();
    connect(m_target, &QComboBox::currentIndexChanged, this, &UseInDialog::findPlaces);
    connect(m_filter, &QLineEdit::textChanged, this, &UseInDialog::fillFields);
    connect(m_fields, &QListWidget::currentRowChanged, this, &UseInDialog::updateState);
    connect(m_fields, &QListWidget::itemActivated, this, [this] { m_ok->click(); });
    connect(m_asPlaceholder, &QCheckBox::toggled, this, &UseInDialog::updateState);
    findPlaces();
    m_filter->setFocus();
}

int UseInDialog::target() const
{
    return m_target->currentIndex();
}

FieldPlace UseInDialog::place() const
{
    const QListWidgetItem *item = m_fields->currentItem();
    return item ? m_places.value(item->data(PlaceRole).toInt()) : FieldPlace();
}

QByteArray UseInDialog::argument() const
{
    return m_asPlaceholder->isChecked() && m_asPlaceholder->isVisibleTo(this)
               ? json::Builder().string(m_placeholder).take()
               : m_value.bytes();
}

// The list is used from the filter's line as well.
bool UseInDialog::eventFilter(QObject *watched, QEvent *event)
{
    if (watched != m_filter || event->type() != QEvent::KeyPress)
        return FormDialog::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent *>(event)->key();
    if (key != Qt::Key_Up && key != Qt::Key_Down && key != Qt::Key_PageUp && key != Qt::Key_PageDown)
        return FormDialog::eventFilter(watched, event);
    QCoreApplication::sendEvent(m_fields, event);
    return true;
}

void UseInDialog::findPlaces()
{
    const UseTarget target = m_targets.value(m_target->currentIndex());
    m_places = fieldPlaces(target.schema, target.arguments, m_value);
    m_asPlaceholder->setVisible(target.isSaved && !m_placeholder.isEmpty());
    m_asPlaceholder->setChecked(target.isSaved && !m_placeholder.isEmpty());
    fillFields();
}

void UseInDialog::fillFields()
{
    const QStringList words = m_filter->text().split(u' ', Qt::SkipEmptyParts);
    m_fields->clear();
    for (qsizetype i = 0; i < m_places.size(); ++i) {
        const FieldPlace &place = m_places[i];
        const QString text = place.type.isEmpty() ? place.words : place.words + u" · "_s + place.type;
        if (!std::ranges::all_of(words,
                                 [&text](const QString &word) { return text.contains(word, Qt::CaseInsensitive); }))
            continue;
        auto *item = new QListWidgetItem(visibleLine(text, 200));
        item->setData(PlaceRole, int(i));
        if (!place.fits)
            item->setData(ToneDelegate::ToneRole, int(Tone::Neutral));
        m_fields->addItem(item);
    }
    m_fields->setCurrentRow(0);
    updateState();
}

void UseInDialog::updateState()
{
    const auto shown = [](const QByteArray &value) {
        return visibleLine(QString::fromUtf8(value.left(MaxShownBytes)), int(MaxShownBytes) / 4);
    };
    m_ok->setEnabled(m_fields->currentItem());
    if (m_places.isEmpty())
        m_message->setText(tr("This tool takes no arguments."));
    else if (m_fields->count() == 0)
        m_message->setText(tr("No field matches."));
    else if (const json::Value current = place().current; current.exists())
        m_message->setServerText(tr("%1\nreplaces %2").arg(shown(argument()), shown(json::compact(current))));
    else
        m_message->setServerText(shown(argument()));
}

}  // namespace sonde::ui
