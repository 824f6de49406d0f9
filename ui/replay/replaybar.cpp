// SPDX-License-Identifier: Apache-2.0
#include "ui/replay/replaybar.h"

#include "core/protocol/numbertext.h"
#include "ui/replay/replaytext.h"
#include "ui/theme/roundedframe.h"
#include "ui/theme/widgets.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr std::array Shown{ReplayStep::Status::Same, ReplayStep::Status::Changed, ReplayStep::Status::Failed,
                           ReplayStep::Status::Skipped};

// A badge that filters the steps by its result when clicked.
class CountButton final : public QAbstractButton {
public:
    explicit CountButton(QWidget *parent = nullptr) : QAbstractButton(parent)
    {
        setCheckable(true);
        setFocusPolicy(Qt::StrongFocus);
        setCursor(Qt::PointingHandCursor);
        setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    }

    void setBadge(const StepBadge &badge)
    {
        m_tone = badge.tone;
        setText(badge.text);
        setAccessibleName(badge.words);
        updateGeometry();
        update();
    }

    QSize sizeHint() const override { return {Badge::widthFor(text()) + 6, 24}; }
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        Badge::paint(&painter, rect().adjusted(3, 0, -3, 0), text(), m_tone);
        if (!isChecked() && !hasFocus())
            return;
        const QColor line = isChecked() ? color(m_tone) : colors().accent;
        paintRoundedFrame(&painter, rect(), QPen(line, hasFocus() ? focusPen().width() : 1));
    }

private:
    Tone m_tone = Tone::Neutral;
};

}  // namespace

ReplayBar::ReplayBar(QWidget *parent, Subject subject)
    : QWidget(parent),
      m_subject(subject),
      m_rows(new QBoxLayout(QBoxLayout::LeftToRight, this)),
      m_left(new QWidget),
      m_right(new QWidget),
      m_run(new PrimaryButton(tr("Run again"))),
      m_counts{},
      m_facts(new TextLabel),
      m_rules(new QPushButton),
      m_report(new QToolButton),
      m_accept(new QPushButton(subject == Subject::Replay ? tr("Accept as baseline") : tr("Accept…")))
{
    m_rows->setContentsMargins(2 * Grid, Grid, 2 * Grid, Grid);
    m_rows->setSpacing(Grid);
    auto *left = new QHBoxLayout(m_left);
    left->setContentsMargins(0, 0, 0, 0);
    left->setSpacing(Grid / 2);
    m_run->setObjectName(u"replayRun"_s);
    m_run->setMinimumSize(86, 28);
    left->addWidget(m_run);
    left->addSpacing(Grid / 2);
    for (size_t i = 0; i < Shown.size(); ++i) {
        auto *button = new CountButton;
        button->setObjectName(u"replayCount:"_s + toString(Shown[i]));
        button->setToolTip(tr("Show only these steps"));
        button->hide();
        left->addWidget(button);
        m_counts[i] = button;
        connect(button, &QAbstractButton::toggled, this, [this, button](bool on) {
            for (QAbstractButton *other : m_counts) {
                const QSignalBlocker quiet(other);
                if (on && other != button)
                    other->setChecked(false);
            }
            Q_EMIT shownStatusChanged();
        });
    }
    m_facts->setObjectName(u"replayFacts"_s);
    m_facts->setDim(true);
    left->addSpacing(Grid / 2);
    left->addWidget(m_facts);
    left->addStretch(1);

    auto *right = new QHBoxLayout(m_right);
    right->setContentsMargins(0, 0, 0, 0);
    right->setSpacing(Grid);
    m_rules->setObjectName(u"replayRules"_s);
    m_report->setObjectName(u"replayReport"_s);
    m_report->setText(tr("JUnit report…"));
    m_report->setAccessibleName(tr("Export results"));
    m_report->setToolTip(tr("Export results for CI"));
    m_report->setPopupMode(QToolButton::MenuButtonPopup);
    auto *reports = new QMenu(m_report);
    reports->addAction(tr("JUnit (XML)…"), this, [this] { Q_EMIT reportRequested(Report::JUnit); });
    reports->addAction(tr("JSON…"), this, [this] { Q_EMIT reportRequested(Report::Json); });
    m_report->setMenu(reports);
    m_accept->setObjectName(u"replayAccept"_s);
    for (QWidget *control : QList<QWidget *>{m_rules, m_report, m_accept}) {
        control->setMinimumHeight(28);
        right->addWidget(control);
    }
    right->addStretch(1);
    m_rows->addWidget(m_left, 1);
    m_rows->addWidget(m_right);
    setRuleCount(0);
    m_rules->setVisible(subject == Subject::Replay);

    connect(m_run, &QPushButton::clicked, this, [this] {
        if (m_isRunning)
            Q_EMIT stopRequested();
        else
            Q_EMIT runRequested();
    });
    connect(m_rules, &QPushButton::clicked, this, &ReplayBar::rulesRequested);
    connect(m_report, &QToolButton::clicked, this, [this] { Q_EMIT reportRequested(Report::JUnit); });
    connect(m_accept, &QPushButton::clicked, this, &ReplayBar::acceptRequested);
}

QPushButton *ReplayBar::addButton(const QString &text, const QString &objectName)
{
    auto *button = new QPushButton(text);
    button->setObjectName(objectName);
    button->setMinimumHeight(28);
    static_cast<QHBoxLayout *>(m_right->layout())->insertWidget(0, button);
    return button;
}

void ReplayBar::setRunning(bool running)
{
    m_isRunning = running;
    m_run->setText(running ? tr("Stop") : tr("Run again"));
    m_run->setToolTip(running ? tr("Make no further calls (Esc)") : QString());
}

void ReplayBar::setCounts(const std::array<qsizetype, 4> &counts)
{
    for (size_t i = 0; i < Shown.size(); ++i) {
        auto *button = static_cast<CountButton *>(m_counts[i]);
        button->setBadge(m_subject == Subject::Replay ? countBadge(Shown[i], counts[i])
                                                      : callCountBadge(Shown[i], counts[i]));
        if (counts[i] == 0)
            button->setChecked(false);
        button->setVisible(counts[i] > 0);
    }
    fit();
}

void ReplayBar::setFacts(const QString &facts)
{
    m_facts->setText(facts);
    fit();
}

void ReplayBar::setRuleCount(qsizetype count)
{
    m_rules->setText(count == 0 ? tr("Ignore rules") : tr("Ignore rules %1").arg(grouped(count)));
}

void ReplayBar::setReportable(bool reportable)
{
    m_report->setEnabled(reportable);
}

void ReplayBar::setAcceptProblem(const QString &problem)
{
    m_accept->setEnabled(problem.isEmpty());
    const QString use =
        m_subject == Subject::Replay
            ? tr("The new responses replace the recorded ones; the old session is kept")
            : tr("What came back becomes what is expected, in the files of the calls that did not pass");
    m_accept->setToolTip(plainToolTip(problem.isEmpty() ? use : problem));
    m_accept->setAccessibleDescription(problem);
}

std::optional<ReplayStep::Status> ReplayBar::shownStatus() const
{
    for (size_t i = 0; i < Shown.size(); ++i) {
        if (m_counts[i]->isChecked())
            return Shown[i];
    }
    return {};
}

void ReplayBar::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fit();
}

// Two lines if one is too narrow.
void ReplayBar::fit()
{
    const QMargins margins = m_rows->contentsMargins();
    const int wanted =
        m_left->sizeHint().width() + m_right->sizeHint().width() + 2 * Grid + margins.left() + margins.right();
    const auto direction = wanted > width() ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight;
    if (m_rows->direction() != direction)
        m_rows->setDirection(direction);
}

}  // namespace sonde::ui
