// SPDX-License-Identifier: Apache-2.0
#include "ui/diff/comparisonwindow.h"

#include "core/protocol/differencetext.h"
#include "ui/diff/differencemodel.h"
#include "ui/diff/differencetable.h"
#include "ui/diff/sidebyside.h"
#include "ui/json/background.h"
#include "ui/theme/widgets.h"

#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QSplitter>

using namespace Qt::StringLiterals;

namespace sonde::ui {

ComparisonWindow::ComparisonWindow(const QString &left, const QString &right, QWidget *parent)
    : QWidget(parent, Qt::Dialog | Qt::WindowMinMaxButtonsHint | Qt::WindowCloseButtonHint),
      m_left(left),
      m_right(right),
      m_splitter(new QSplitter(Qt::Vertical)),
      m_choice(new SegmentedControl),
      m_summary(new TextLabel),
      m_table(new DifferenceTable),
      m_sides(new SideBySide)
{
    layOut();
}

void ComparisonWindow::setParts(const QList<Part> &parts, int shown)
{
    m_parts = parts;
    for (const Part &part : parts)
        m_choice->addSegment(part.name);
    m_choice->setVisible(parts.size() > 1);
    connect(m_choice, &SegmentedControl::currentChanged, this, &ComparisonWindow::compare);
    if (m_choice->current() == shown)
        compare(shown);
    else
        m_choice->setCurrent(shown);
}

void ComparisonWindow::layOut()
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("%1 and %2").arg(m_left, m_right));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    resize(920, 640);
    m_choice->setObjectName(u"comparedHalves"_s);
    m_choice->setAccessibleName(tr("Compared part"));
    m_summary->setObjectName(u"comparisonSummary"_s);
    m_summary->setElided(true);
    m_summary->setMinimumWidth(40);
    m_table->setObjectName(u"differences"_s);
    m_table->differences()->setTitles(m_left, m_right);
    m_table->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    m_table->setMinimumHeight(4 * rowHeight());
    m_sides->setTitles(m_left, m_right);

    auto *head = new QHBoxLayout;
    head->setSpacing(Grid);
    head->addWidget(m_summary, 1);
    head->addWidget(m_choice);
    m_splitter->setObjectName(u"comparisonSplitter"_s);
    m_splitter->setHandleWidth(Grid);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->addWidget(m_table);
    m_splitter->addWidget(m_sides);
    m_splitter->setStretchFactor(1, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(Grid + 4, Grid, Grid + 4, Grid + 4);
    layout->setSpacing(Grid);
    layout->addLayout(head);
    layout->addWidget(m_splitter, 1);

    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &now) { m_sides->showDifference(now.row()); });
    connect(m_sides, &SideBySide::differenceClicked, this,
            [this](qsizetype index) { m_table->setCurrentIndex(m_table->model()->index(int(index), 0)); });
}

ComparisonWindow::Compared ComparisonWindow::compared(const Part &part)
{
    Compared result{json::Document::parse(part.left), json::Document::parse(part.right), {}};
    if (result.left.isValid() && result.right.isValid())
        result.diff = json::diff(result.left.root(), result.right.root());
    return result;
}

void ComparisonWindow::compare(int index)
{
    const Part part = m_parts[index];
    m_comparing.reset();
    if (part.left.size() + part.right.size() <= BackgroundBytes) {
        showCompared(compared(part));
        return;
    }
    m_summary->setText(tr("Comparing…"));
    m_comparing = std::make_unique<QObject>();
    runInBackground<Compared>(
        m_comparing.get(), [part] { return compared(part); }, [this](const Compared &result) { showCompared(result); });
}

void ComparisonWindow::showCompared(const Compared &result)
{
    const QList<json::Difference> &differences = result.diff.differences;
    m_table->differences()->setDifferences(differences);
    m_table->setVisible(!differences.isEmpty());
    // The differences get what they need, up to a part of the window.
    const int rows = qMin(m_table->sizeHint().height(), height() * 3 / 10);
    m_splitter->setSizes({rows, qMax(1, height() - rows)});
    m_sides->setSides(result.left, result.right, differences);
    QString text;
    if (!result.left.isValid() || !result.right.isValid())
        text = tr("Not compared: both sides must be JSON.");
    else if (differences.isEmpty())
        text = result.left.text() == result.right.text() ? tr("Identical bytes")
                                                         : tr("Identical except for whitespace or key order");
    else
        text = countText(differences, result.diff.isCut);
    m_summary->setText(text);
}

void ComparisonWindow::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape)
        close();
    else
        QWidget::keyPressEvent(event);
}

}  // namespace sonde::ui
