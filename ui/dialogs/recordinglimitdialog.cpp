// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/recordinglimitdialog.h"

#include "ui/result/outcometext.h"
#include "ui/theme/widgets.h"

#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr double Gigabyte = 1e9;
constexpr int Width = 440;

TextLabel *wrapped(const QString &text)
{
    auto *label = new TextLabel(text);
    label->setWordWrap(true);
    label->setDim(true);
    return label;
}

}  // namespace

RecordingLimitDialog::RecordingLimitDialog(qint64 bytes, qint64 freeBytes, QWidget *parent)
    : QDialog(parent), m_limit(new QDoubleSpinBox)
{
    setObjectName(u"recordingLimitDialog"_s);
    setWindowTitle(tr("Session size limit"));
    m_limit->setObjectName(u"recordingLimit"_s);
    m_limit->setAccessibleName(tr("Limit per session"));
    m_limit->setDecimals(1);
    m_limit->setRange(0.1, 10'000);
    m_limit->setSingleStep(0.5);
    m_limit->setSuffix(tr(" GB"));
    m_limit->setValue(double(bytes) / Gigabyte);

    auto *form = new QFormLayout;
    form->setHorizontalSpacing(2 * Grid);
    form->addRow(tr("Limit per session"), m_limit);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(2 * Grid, 2 * Grid, 2 * Grid, 2 * Grid);
    column->setSpacing(Grid);
    column->addLayout(form);
    column->addWidget(
        wrapped(tr("Beyond the limit, calls are still recorded. Notifications, standard error and other "
                   "unsolicited output of the server are counted, not stored.")));
    column->addWidget(wrapped(freeBytes < 0 ? tr("A session uses at most a tenth of the free disk space.")
                                            : tr("A session uses at most a tenth of the free disk space, currently %1.")
                                                  .arg(sizeText(freeBytes / 10))));
    column->addStretch(1);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    auto *save = new PrimaryButton(tr("Save"));
    save->setDefault(true);
    buttons->addButton(save, QDialogButtonBox::AcceptRole);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    resize(Width, column->totalHeightForWidth(Width));
}

qint64 RecordingLimitDialog::bytes() const
{
    return qint64(m_limit->value() * Gigabyte);
}

}  // namespace sonde::ui
