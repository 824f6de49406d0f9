// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/comparedetails.h"

#include "core/json/diff.h"
#include "core/protocol/visibletext.h"
#include "ui/diff/sidebyside.h"
#include "ui/theme/tonedelegate.h"
#include "ui/theme/widgets.h"

#include <QHBoxLayout>
#include <QListWidget>
#include <QVBoxLayout>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int MaxLines = 6;  // changes that are seen without scrolling

}  // namespace

CompareDetails::CompareDetails(QWidget *parent)
    : QWidget(parent),
      m_name(new TextLabel),
      m_part(new TextLabel),
      m_impact(new Badge),
      m_changes(new QListWidget),
      m_sides(new SideBySide)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(2 * Grid, Grid, 2 * Grid, Grid);
    column->setSpacing(Grid);
    auto *head = new QHBoxLayout;
    head->setSpacing(Grid);
    m_name->setObjectName(u"compareName"_s);
    m_name->setFont(headingFont());
    m_name->setElided(true);
    m_name->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_impact->setObjectName(u"compareImpact"_s);
    m_part->setDim(true);
    head->addWidget(m_name, 1);
    head->addWidget(m_part);
    head->addWidget(m_impact);
    column->addLayout(head);

    m_changes->setObjectName(u"compareChanges"_s);
    m_changes->setAccessibleName(tr("What changed"));
    m_changes->setFrameShape(QFrame::NoFrame);
    m_changes->setItemDelegate(new ToneDelegate(m_changes));
    m_changes->setUniformItemSizes(true);
    m_changes->setTextElideMode(Qt::ElideRight);
    m_changes->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    column->addWidget(m_changes);
    m_sides->setObjectName(u"compareSides"_s);
    column->addWidget(m_sides, 1000);
    column->addStretch(1);  // for what has no sides
    connect(m_changes, &QListWidget::currentRowChanged, this, &CompareDetails::showChange);
    setEntry(nullptr);
}

void CompareDetails::setTitles(const QString &left, const QString &right)
{
    m_sides->setTitles(left, right);
}

void CompareDetails::setEntry(const CompareEntry *entry)
{
    const bool isShown = entry != nullptr;
    const bool isValue = isShown && (entry->left.exists() || entry->right.exists());
    m_name->setVisible(isShown);
    m_part->setVisible(isShown && entry->kind != CompareEntry::Kind::NotCompared);
    m_changes->setVisible(isShown && !entry->changes.isEmpty());
    m_sides->setVisible(isValue);
    m_impact->setContent(isShown ? impactText(*entry) : QString(), isShown ? impactTone(*entry) : Tone::Neutral);
    if (!isShown)
        return;
    const bool isNote = entry->kind == CompareEntry::Kind::NotCompared;
    m_name->setText(entry->name);
    m_name->setToolTip(plainToolTip(entry->name));
    m_name->setElided(!isNote);
    m_name->setWordWrap(isNote);
    m_name->setFont(isNote ? font() : headingFont());
    m_name->setSizePolicy(QSizePolicy::Ignored, isNote ? QSizePolicy::MinimumExpanding : QSizePolicy::Fixed);
    m_part->setText(partTitle(entry->part));
    showChanges(*entry);
    if (!isValue)
        return;
    m_differences = json::diff(entry->left, entry->right).differences;
    if (m_differences.isEmpty())  // secrets of which only is known that they are not the same
        m_differences.append({json::Difference::Kind::Changed, {}, entry->left, entry->right});
    m_sides->setSides(entry->left, entry->right, m_differences);
}

void CompareDetails::showChanges(const CompareEntry &entry)
{
    const QSignalBlocker quiet(m_changes);
    m_changes->clear();
    m_pointers.clear();
    for (const CompareEntry::Change &change : entry.changes) {
        auto *item = new QListWidgetItem(impactSign(change.impact, entry.isEnvironment()) + u"  "_s + change.words);
        item->setToolTip(plainToolTip(change.words));
        if (change.impact == Impact::Breaking)
            item->setData(ToneDelegate::ToneRole, int(Tone::ProtocolError));
        m_changes->addItem(item);
        m_pointers.append(change.pointer);
    }
    const int lines = qBound(1, int(entry.changes.size()), MaxLines);
    m_changes->setFixedHeight(lines * qMax(m_changes->sizeHintForRow(0), 18) + 2);
}

// One change may cover several places, such as all of a list of names.
void CompareDetails::showChange(int row)
{
    const QString pointer = m_pointers.value(row);
    const auto found =
        std::find_if(m_differences.begin(), m_differences.end(), [&pointer](const json::Difference &difference) {
            return difference.pointer == pointer || difference.pointer.startsWith(pointer + u'/');
        });
    if (row >= 0 && found != m_differences.end())
        m_sides->showDifference(found - m_differences.begin());
}

}  // namespace sonde::ui
