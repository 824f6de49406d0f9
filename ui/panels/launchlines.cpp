// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/launchlines.h"

#include "core/protocol/numbertext.h"
#include "core/server/approval.h"
#include "ui/json/fittedtextview.h"
#include "ui/theme/roundedframe.h"
#include "ui/theme/widgets.h"

#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int MaxBoxHeight = 380;
constexpr qsizetype LongLine = 1'000;  // characters; more than can be taken in at a glance

// A change is told in words, by "+" or "−" and by its colour. What is new has not been judged: it gets no check mark.
Tone toneOfRow(Approval::Row::State state)
{
    using RowState = Approval::Row::State;
    switch (state) {
        case RowState::Same:
            break;
        case RowState::Before:
        case RowState::Removed:
            return Tone::ProtocolError;
        case RowState::Now:
        case RowState::NowWithOtherSecret:
        case RowState::OtherSecret:
        case RowState::Added:
            return Tone::Ok;
    }
    return Tone::Neutral;
}

// The text of the box, with the captions beside it.
class LinesWriter {
public:
    void add(const Approval::Row &row)
    {
        const Tone tone = toneOfRow(row.state);
        const QString line = row.line.text();
        const QString state = row.stateText();
        QString caption = state.isEmpty() ? row.line.label() : row.line.label() + u" · "_s + state;
        if (line.size() > LongLine)
            caption += u'\n' + LaunchLines::tr("%1 characters").arg(grouped(line.size()));
        const QByteArray bytes = line.toUtf8();
        m_captions.append({m_text.size(), caption, tone});
        if (tone != Tone::Neutral)
            m_tints.append({m_text.size(), bytes.size() + 1, tone, tone == Tone::Ok ? u"+"_s : u"−"_s});
        m_text += bytes + '\n';
    }

    void showIn(TextView *view)
    {
        m_text.chop(1);
        view->setText(m_text);
        view->setTints(m_tints);
        view->setCaptions(m_captions);
        if (!m_tints.isEmpty())
            view->showOffset(m_tints.first().offset);
    }

private:
    QByteArray m_text;
    QList<TextView::Caption> m_captions;
    QList<TextView::Tint> m_tints;
};

}  // namespace

LaunchLines::LaunchLines(QWidget *parent)
    : QWidget(parent), m_view(new FittedTextView(MaxBoxHeight)), m_note(new TextLabel)
{
    m_view->setObjectName(u"launchLines"_s);
    m_view->setAccessibleName(tr("What would be started"));
    m_note->setObjectName(u"launchNote"_s);
    m_note->setWordWrap(true);
    m_note->setDim(true);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Grid / 2);
    column->addWidget(framedData(m_view));
    column->addWidget(m_note);
    connect(m_view, &FittedTextView::fitted, this, [this] { m_note->setVisible(m_view->isScrolled()); });
}

void LaunchLines::setApproval(const Approval &approval)
{
    const QList<Approval::Row> rows = approval.rows();
    LinesWriter writer;
    qsizetype characters = 0;
    for (const Approval::Row &row : rows) {
        writer.add(row);
        characters += row.line.text().size();
    }
    writer.showIn(m_view);
    m_note->setText(tr("%1, %2. Scroll to see all of it.")
                        .arg(counted(rows.size(), tr("1 line"), tr("%1 lines")),
                             counted(characters, tr("1 character"), tr("%1 characters"))));
    m_view->fit();
}

void LaunchLines::setMaxHeight(int height)
{
    m_view->setMaxHeight(qMin(height, MaxBoxHeight));
}

}  // namespace sonde::ui
