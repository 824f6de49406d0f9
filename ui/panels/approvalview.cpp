// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/approvalview.h"

#include "core/connection/approval.h"
#include "core/protocol/visibletext.h"
#include "ui/theme/widgets.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr qsizetype MaxLabelLength = 32;  // on one line

QString shownValue(const LaunchLine &line)
{
    return line.isSecret ? ApprovalView::tr("(secret)") : revealedText(line.value);
}

TextLabel *valueLabel(const QString &text, const QString &name)
{
    auto *label = new TextLabel(text);
    label->setObjectName(name);
    label->setFont(monoFont());
    label->setWordWrap(true);
    label->setMinimumWidth(40);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

// A change is told in words and by its colour.
class LinesWriter {
public:
    explicit LinesWriter(QGridLayout *grid) : m_grid(grid) {}

    void add(const LaunchLine &line, const QString &text, const QString &mark, Tone tone)
    {
        auto *label = new TextLabel;
        label->setServerText(line.label());
        label->setDim(tone == Tone::Neutral);
        label->setTone(tone);
        label->setWordWrap(label->text().size() > MaxLabelLength);
        label->setMinimumWidth(40);
        auto *value = valueLabel(text, u"launchValue%1"_s.arg(m_row));
        value->setTone(tone);
        auto *change = new TextLabel(mark);
        change->setTone(tone);
        m_grid->addWidget(label, m_row, 0, Qt::AlignTop);
        m_grid->addWidget(value, m_row, 1, Qt::AlignTop);
        m_grid->addWidget(change, m_row, 2, Qt::AlignTop);
        ++m_row;
    }

private:
    QGridLayout *m_grid;
    int m_row = 0;
};

}  // namespace

ApprovalView::ApprovalView(QWidget *parent)
    : QWidget(parent),
      m_banner(new Banner),
      m_lines(new QWidget),
      m_note(new TextLabel),
      m_approve(new QPushButton(tr("Start"))),
      m_cancel(new QPushButton(tr("Cancel")))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, Grid, 0, Grid);
    column->setSpacing(Grid);
    m_banner->setObjectName(u"approvalBanner"_s);
    column->addWidget(m_banner);
    column->addWidget(m_lines);
    m_note->setDim(true);
    m_note->setWordWrap(true);
    m_note->setMinimumWidth(40);
    column->addWidget(m_note);
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(Grid);
    m_approve->setObjectName(u"approveStart"_s);
    m_cancel->setObjectName(u"declineStart"_s);
    for (QPushButton *button : {m_approve, m_cancel})
        button->setAutoDefault(true);  // Enter presses the one with the focus
    buttons->addWidget(m_cancel);
    buttons->addWidget(m_approve);
    buttons->addStretch(1);
    column->addLayout(buttons);
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        if (m_connection)
            m_connection->decline();
    });
    connect(m_approve, &QPushButton::clicked, this, [this] {
        if (!m_connection)
            return;
        if (const Error error = m_connection->approve())
            Q_EMIT notRemembered(error);
    });
    refresh();
}

void ApprovalView::setConnection(Connection *connection)
{
    if (m_connection == connection)
        return;
    if (m_connection)
        m_connection->disconnect(this);
    m_connection = connection;
    if (connection) {
        connect(connection, &Connection::approvalNeeded, this, &ApprovalView::refresh);
        connect(connection, &Connection::stateChanged, this, &ApprovalView::refresh);
    }
    m_isShown = false;
    refresh();
}

void ApprovalView::refresh()
{
    const Approval *approval = m_connection ? m_connection->approval() : nullptr;
    setVisible(approval);
    if (approval && !m_isShown)
        fill(*approval);
    m_isShown = approval;
}

void ApprovalView::fill(const Approval &approval)
{
    const bool isProcess = m_connection->spec().startsProcess();
    const bool isChange = !approval.before.isEmpty();
    const QString title = isChange    ? tr("This server has changed since you approved it")
                          : isProcess ? tr("Start this program?")
                                      : tr("Connect to this server?");
    m_banner->setContent(isChange ? Tone::ToolError : Tone::Asks, title,
                         isProcess ? tr("It runs with your rights: it can read, change and send whatever you can.")
                         : m_connection->spec().headers.isEmpty()
                             ? tr("Sonde sends requests to this address.")
                             : tr("It gets the headers below with every request."));
    qDeleteAll(m_lines->findChildren<QWidget *>(Qt::FindDirectChildrenOnly));
    delete m_lines->layout();
    auto *grid = new QGridLayout(m_lines);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(2 * Grid);
    grid->setVerticalSpacing(Grid / 2);
    grid->setColumnStretch(1, 1);
    LinesWriter writer(grid);
    for (const LaunchLine &line : approval.lines) {
        const LaunchLine *before = approval.beforeAt(line);
        if (!approval.isChanged(line)) {
            writer.add(line, shownValue(line), {}, Tone::Neutral);
            continue;
        }
        if (before)
            writer.add(*before, shownValue(*before), tr("before"), Tone::ProtocolError);
        writer.add(line, shownValue(line), before ? tr("now") : tr("new"), Tone::Ok);
    }
    for (const LaunchLine &line : approval.removed())
        writer.add(line, shownValue(line), tr("removed"), Tone::ProtocolError);
    m_note->setText(tr("Nothing was started or sent so far. Sonde asks again when any of this changes."));
    m_approve->setText(isProcess ? tr("Start") : tr("Connect"));
    m_cancel->setFocus();
}

}  // namespace sonde::ui
