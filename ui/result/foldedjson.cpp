// SPDX-License-Identifier: Apache-2.0
#include "ui/result/foldedjson.h"

#include "ui/json/bytestext.h"
#include "ui/result/textblock.h"
#include "ui/theme/widgets.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QVBoxLayout>

namespace sonde::ui {

namespace {

constexpr qsizetype MaxFoldedBytes = 600;

}  // namespace

FoldedJson::FoldedJson(const QString &name, const json::Value &value, QWidget *parent) : QWidget(parent), m_value(value)
{
    auto *words = new TextLabel({}, this);
    words->setObjectName(QStringLiteral("foldedText"));
    words->setDim(true);
    words->setFont(smallFont());
    words->setElided(true);
    words->setMinimumWidth(20);
    words->setServerText(name + QLatin1Char(' ') +
                         decodedUtf8(value.slice().first(qMin(MaxFoldedBytes, value.slice().size()))).simplified());
    auto *toggle = new FlatButton(tr("Show"), this);
    toggle->setObjectName(QStringLiteral("unfold"));
    toggle->setAccessibleName(tr("Show %1").arg(name));
    auto *row = new QHBoxLayout;
    row->setSpacing(Grid / 2);
    row->addWidget(words, 1);
    row->addWidget(toggle);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Grid / 2);
    column->addLayout(row);
    connect(toggle, &QAbstractButton::clicked, this, [this, toggle] {
        const bool unfolds = !m_block || m_block->isHidden();
        setUnfolded(unfolds);
        toggle->setText(unfolds ? tr("Hide") : tr("Show"));
    });
}

void FoldedJson::setUnfolded(bool isUnfolded)
{
    if (!m_block) {
        m_block = new TextBlock(m_value, TextBlock::Pretty::Never, this);
        connect(m_block, &TextBlock::menuRequested, this, &FoldedJson::menuRequested);
        layout()->addWidget(m_block);
    }
    m_block->setVisible(isUnfolded);
}

}  // namespace sonde::ui
