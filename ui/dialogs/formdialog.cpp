// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/formdialog.h"

#include "ui/theme/widgets.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace sonde::ui {

using namespace Qt::StringLiterals;

FormDialog::FormDialog(const QString &name, const QString &action, QWidget *parent, int width)
    : QDialog(parent), m_column(new QVBoxLayout(this)), m_message(new TextLabel), m_ok(new PrimaryButton(action))
{
    setMinimumWidth(width);
    m_column->setContentsMargins(2 * Grid, 2 * Grid, 2 * Grid, 2 * Grid);
    m_column->setSpacing(Grid + 4);
    m_message->setObjectName(name + u"Message"_s);
    m_message->setWordWrap(true);
    m_message->setMinimumHeight(m_message->fontMetrics().height() * 2);
    m_message->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_ok->setObjectName(name + u"Ok"_s);
    m_ok->setMinimumSize(120, 28);
}

QFormLayout *FormDialog::makeForm(QWidget *page)
{
    auto *form = new QFormLayout(page);
    if (page)
        form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(2 * Grid);
    form->setVerticalSpacing(Grid);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    return form;
}

void FormDialog::addMessageAndButtons()
{
    auto *end = new QVBoxLayout;  // stays in sight where the rest is scrolled
    end->setSpacing(m_column->spacing());
    end->addWidget(m_message);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    buttons->addButton(m_ok, QDialogButtonBox::AcceptRole);
    end->addWidget(buttons);
    m_column->addLayout(end);
    m_ok->setDefault(true);  // only a button within the dialog becomes its default
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void FormDialog::fitHeight()
{
    constexpr int maxHeight = 640;  // on a screen of 1000x700, with a title bar
    const int width = minimumWidth();
    const int height =
        m_column->hasHeightForWidth() ? m_column->totalHeightForWidth(width) : m_column->sizeHint().height();
    resize(width, qMin(height, maxHeight));
}

}  // namespace sonde::ui
