// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/callquestion.h"

#include "core/connection/toolmemory.h"
#include "core/json/builder.h"
#include "core/protocol/visibletext.h"
#include "ui/diff/differencemodel.h"
#include "ui/diff/differencetable.h"
#include "ui/diff/linedifference.h"
#include "ui/json/textview.h"
#include "ui/theme/flowlayout.h"
#include "ui/theme/widgets.h"

#include <QCheckBox>
#include <QDialog>
#include <QKeyEvent>
#include <QPushButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr QSize DifferenceSize(760, 520);
constexpr int MaxChangeRows = 8;  // the rest is for the whole definition

QString riskText(const Tool &tool, const json::Value &former)
{
    const bool wasReadOnly = former.exists() && riskOf(readTool(former).annotations) == ToolRisk::ReadOnly;
    switch (riskOf(tool.annotations)) {
        case ToolRisk::MayDestroy:
            return CallQuestion::tr("It is annotated as destructive (destructiveHint).");
        case ToolRisk::Unmarked:
            return wasReadOnly ? CallQuestion::tr("It is no longer annotated as read-only, so it may be destructive.")
                               : CallQuestion::tr("It has no annotations, so it may be destructive.");
        case ToolRisk::Writes:
            return CallQuestion::tr("It is annotated as writing, but not as destructive.");
        case ToolRisk::ReadOnly:
            break;
    }
    return CallQuestion::tr("It is annotated as read-only.");
}

}  // namespace

CallQuestion::CallQuestion(QWidget *parent)
    : QWidget(parent),
      m_banner(new Banner),
      m_show(new FlatButton(tr("Show what changed"))),
      m_window(new QDialog(this)),
      m_changes(new DifferenceTable),
      m_difference(new TextView),
      m_always(new QCheckBox(tr("Do not ask again for this tool"))),
      m_cancel(new QPushButton(tr("Cancel"))),
      m_confirm(new QPushButton(tr("Call anyway"))),
      m_seen(new QPushButton(tr("Mark as seen")))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Grid);
    m_banner->setObjectName(u"callQuestion"_s);
    column->addWidget(m_banner);
    m_show->setObjectName(u"showToolChange"_s);
    m_show->setFlush(true);
    column->addWidget(m_show, 0, Qt::AlignLeft);
    m_difference->setObjectName(u"toolChange"_s);
    m_difference->setAccessibleName(tr("What changed about the tool"));
    auto *whole = new QVBoxLayout(m_window);
    whole->setContentsMargins(2 * Grid, 2 * Grid, 2 * Grid, 2 * Grid);
    whole->setSpacing(Grid);
    m_window->setBackgroundRole(QPalette::Base);
    m_window->setAutoFillBackground(true);
    m_changes->setMaximumHeight(MaxChangeRows * rowHeight());
    whole->addWidget(m_changes);
    whole->addWidget(m_difference, 1);
    m_window->resize(DifferenceSize);
    m_always->setObjectName(u"allowTool"_s);
    m_always->setToolTip(tr("Sonde asks again when its definition changes."));
    column->addWidget(m_always);
    auto *buttons = new FlowLayout;
    buttons->setSpacing(Grid);
    m_cancel->setObjectName(u"declineCall"_s);
    m_confirm->setObjectName(u"confirmCall"_s);
    m_seen->setObjectName(u"toolChangeSeen"_s);
    for (QPushButton *button : {m_cancel, m_confirm, m_seen})
        buttons->addWidget(button);
    column->addLayout(buttons);
    connect(m_show, &FlatButton::clicked, m_window, &QWidget::show);
    connect(m_cancel, &QPushButton::clicked, this, &CallQuestion::declined);
    connect(m_confirm, &QPushButton::clicked, this, [this] { Q_EMIT confirmed(m_always->isChecked()); });
    connect(m_seen, &QPushButton::clicked, this, &CallQuestion::seen);
    clear();
}

void CallQuestion::clear()
{
    m_isAsking = false;
    m_window->hide();
    hide();
}

void CallQuestion::ask(const Tool &tool, const json::Value &former)
{
    m_isAsking = true;
    m_banner->setContent(
        Tone::ToolError, tr("Call %1?").arg(visibleLine(tool.title, 80)),
        riskText(tool, former) + (former.exists() ? u' ' + tr("It has changed since you last saw it.") : QString()));
    fill(tool, former);
    m_cancel->setFocus();
}

void CallQuestion::tellChange(const Tool &tool, const json::Value &former)
{
    m_isAsking = false;
    m_banner->setContent(Tone::Finding, tr("This tool has changed since you last saw it"), riskText(tool, former));
    fill(tool, former);
}

void CallQuestion::fill(const Tool &tool, const json::Value &former)
{
    m_tool = tool;
    m_always->setChecked(false);
    m_always->setVisible(m_isAsking);
    m_cancel->setVisible(m_isAsking);
    m_confirm->setVisible(m_isAsking);
    m_seen->setVisible(!m_isAsking);
    m_show->setVisible(former.exists());
    if (former.exists()) {
        const QList<json::Difference> differences = json::diff(former, tool.value).differences;
        m_changes->differences()->setDifferences(differences);
        m_changes->setVisible(!differences.isEmpty());
        showLineDifference(m_difference, differenceOfLines(json::indented(former), json::indented(tool.value)));
        m_window->setWindowTitle(tr("What changed about %1").arg(visibleLine(tool.title, 80)));
    }
    show();
}

void CallQuestion::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape && m_isAsking)
        Q_EMIT declined();
    else
        QWidget::keyPressEvent(event);
}

}  // namespace sonde::ui
