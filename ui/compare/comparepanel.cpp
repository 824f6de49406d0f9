// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/comparepanel.h"

#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "ui/compare/comparedetails.h"
#include "ui/compare/comparelist.h"
#include "ui/json/background.h"
#include "ui/result/outcometext.h"
#include "ui/theme/widgets.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

QString quoted(const QString &name)
{
    return u'“' + visibleLine(name, 60) + u'”';
}

QString listText(const QStringList &words)
{
    return words.size() < 2
               ? words.join(QString())
               : ComparePanel::tr("%1 and %2").arg(words.mid(0, words.size() - 1).join(u", "_s), words.last());
}

// "12 tools, 7 resources, the handshake and the environment"
QString whatWasCompared(const ComparedSides &sides)
{
    const ServerSnapshot &left = sides.left.snapshot;
    const ServerSnapshot &right = sides.right.snapshot;
    QStringList words;
    const auto add = [&](ServerSnapshot::List list, const QString &one, const QString &many) {
        if (left.isListed[size_t(list)] && right.isListed[size_t(list)] && !left.of(list).isEmpty())
            words.append(counted(left.of(list).size(), one, many));
    };
    add(ServerSnapshot::List::Tools, ComparePanel::tr("1 tool"), ComparePanel::tr("%1 tools"));
    add(ServerSnapshot::List::Resources, ComparePanel::tr("1 resource"), ComparePanel::tr("%1 resources"));
    add(ServerSnapshot::List::ResourceTemplates, ComparePanel::tr("1 template"), ComparePanel::tr("%1 templates"));
    add(ServerSnapshot::List::Prompts, ComparePanel::tr("1 prompt"), ComparePanel::tr("%1 prompts"));
    words.append(ComparePanel::tr("the handshake"));
    words.append(ComparePanel::tr("the capabilities"));
    if (sides.started() == 0)
        words.append(ComparePanel::tr("the launch settings"));
    return listText(words);
}

// What differs most often is first: a narrow page ends in "…".
QString detailOf(const CompareSide &side)
{
    const ServerSnapshot &snapshot = side.snapshot;
    QStringList words{visibleLine(snapshot.handshake[u"protocolVersion"].string(), 40)};
    const QString server = snapshot.handshake[u"serverInfo"][u"version"].string();
    if (!server.isEmpty())
        words.append(ComparePanel::tr("version %1").arg(visibleLine(server, 40)));
    words.append(side.isLive ? ComparePanel::tr("live") : ComparePanel::tr("recorded"));
    if (snapshot.handshakeAt.isValid())
        words.append(side.isLive ? QLocale().toString(snapshot.handshakeAt.toLocalTime(), u"HH:mm:ss"_s)
                                 : dateTimeText(snapshot.handshakeAt));
    words.removeAll(QString());
    return words.join(u" · "_s);
}

QString shortTitle(const CompareSide &side)
{
    return visibleLine(side.name, 60) + u" · "_s +
           (side.isLive ? ComparePanel::tr("live") : dateTimeText(side.snapshot.handshakeAt));
}

}  // namespace

// The name of one side above what is known about it.
class SideLabel final : public QWidget {
public:
    SideLabel(const QString &caption, const QString &name)
    {
        setAccessibleName(caption);
        auto *column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(1);
        m_name->setStrong();
        m_name->setObjectName(name);
        m_detail->setObjectName(name + u"Detail"_s);
        m_detail->setFont(smallFont());
        m_detail->setDim(true);
        for (TextLabel *label : {m_name, m_detail}) {
            label->setElided(true);
            label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
            column->addWidget(label);
        }
        setMinimumWidth(110);
    }

    void setSide(const QString &name, const QString &facts, Tone tone = Tone::Neutral)
    {
        m_facts = facts;
        m_tone = tone;
        m_name->setServerText(visibleLine(name));
        m_name->setToolTip(plainToolTip(name));
        setNote({});
    }

    void setNote(const QString &note)
    {
        const QString text = note.isEmpty() ? m_facts : note;
        m_detail->setServerText(text);
        m_detail->setToolTip(plainToolTip(text));
        m_detail->setTone(note.isEmpty() ? m_tone : Tone::ToolError);
    }

private:
    TextLabel *m_name = new TextLabel;
    TextLabel *m_detail = new TextLabel;
    QString m_facts;
    Tone m_tone = Tone::Neutral;
};

ComparePanel::ComparePanel(QWidget *parent)
    : QWidget(parent),
      m_left(new SideLabel(tr("Before"), u"compareLeft"_s)),
      m_right(new SideLabel(tr("After"), u"compareRight"_s)),
      m_swap(new QPushButton(u"⇄"_s)),
      m_refresh(new QPushButton(tr("Compare again"))),
      m_changed(new Badge),
      m_added(new Badge),
      m_removed(new Badge),
      m_verdict(new Banner),
      m_stack(new QStackedWidget),
      m_empty(new EmptyState({}, {})),
      m_list(new CompareList),
      m_details(new CompareDetails)
{
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeHeader());
    column->addWidget(new Line(Qt::Horizontal));

    auto *split = new QSplitter(Qt::Horizontal);
    split->setObjectName(u"compareSplitter"_s);
    split->setHandleWidth(1);
    split->setChildrenCollapsible(false);
    split->addWidget(m_list);
    split->addWidget(m_details);
    split->setStretchFactor(0, 2);
    split->setStretchFactor(1, 3);
    split->setSizes({460, 700});
    m_list->setMinimumWidth(240);
    m_details->setMinimumWidth(240);
    m_empty->setObjectName(u"compareEmpty"_s);
    m_empty->setContent(tr("Loading both sides…"), {});
    m_stack->addWidget(m_empty);
    m_stack->addWidget(split);
    column->addWidget(m_stack, 1);

    connect(m_swap, &QPushButton::clicked, this, &ComparePanel::swapRequested);
    connect(m_refresh, &QPushButton::clicked, this, &ComparePanel::refreshRequested);
    connect(m_list, &CompareList::currentChanged, this, [this] { m_details->setEntry(m_list->current()); });
    showBadges();
}

ComparePanel::~ComparePanel()
{
    cancel();
}

QWidget *ComparePanel::makeHeader()
{
    auto *header = new QWidget;
    auto *column = new QVBoxLayout(header);
    column->setContentsMargins(2 * Grid, Grid, 2 * Grid, Grid);
    column->setSpacing(Grid);
    auto *sides = new QHBoxLayout;
    sides->setSpacing(Grid);
    m_swap->setObjectName(u"compareSwap"_s);
    m_swap->setAccessibleName(tr("Swap sides"));
    m_swap->setToolTip(tr("Swap before and after"));
    m_swap->setFixedWidth(36);
    m_refresh->setObjectName(u"compareRefresh"_s);
    m_refresh->setToolTip(tr("Live servers are compared again automatically when their offering changes"));
    sides->addWidget(m_left, 1);
    sides->addWidget(m_swap);
    sides->addWidget(m_right, 1);
    sides->addWidget(m_refresh);
    column->addLayout(sides);

    auto *verdict = new QHBoxLayout;
    verdict->setSpacing(Grid);
    m_verdict->setObjectName(u"compareVerdict"_s);
    verdict->addWidget(m_verdict, 1);
    m_changed->setObjectName(u"compareChanged"_s);
    m_added->setObjectName(u"compareAdded"_s);
    m_removed->setObjectName(u"compareRemoved"_s);
    for (Badge *badge : {m_changed, m_added, m_removed})
        verdict->addWidget(badge);
    column->addLayout(verdict);
    m_verdict->hide();
    return header;
}

void ComparePanel::cancel()
{
    if (m_cancelled)
        *m_cancelled = true;
}

QString ComparePanel::title() const
{
    return tr("%1 ⇄ %2").arg(visibleLine(m_leftName, 30), visibleLine(m_rightName, 30));
}

void ComparePanel::setSides(const CompareSide &left, const CompareSide &right)
{
    cancel();
    m_cancelled = std::make_shared<std::atomic_bool>(false);
    const bool isRenamed = m_leftName != left.name || m_rightName != right.name;
    m_leftName = left.name;
    m_rightName = right.name;
    m_comparing = std::make_unique<QObject>();
    if (!m_sides || m_sides->error) {
        m_left->setSide(left.name, {});
        m_right->setSide(right.name, {});
        m_empty->setContent(tr("Comparing…"), tr("Both sides are being loaded and compared in the background."));
        m_stack->setCurrentIndex(0);
    }
    using Compared = std::shared_ptr<const ComparedSides>;
    runInBackground<Compared>(
        m_comparing.get(), [left, right, cancelled = m_cancelled] { return compareSides(left, right, cancelled); },
        [this](const Compared &sides) {
            if (!sides)
                return;
            m_comparing.reset();
            showSides(sides);
            Q_EMIT finished();
        });
    if (isRenamed)
        Q_EMIT titleChanged(title());
}

void ComparePanel::setNote(bool isLeft, const QString &note)
{
    (isLeft ? m_left : m_right)->setNote(note);
}

void ComparePanel::showSides(const std::shared_ptr<const ComparedSides> &sides)
{
    // List and details point into the old entries until they get the new ones.
    const std::shared_ptr<const ComparedSides> before = std::exchange(m_sides, sides);
    const auto tell = [](SideLabel *label, const CompareSide &side) {
        label->setSide(side.name, side.error ? side.error.message : detailOf(side),
                       side.error ? Tone::NoResponse : Tone::Neutral);
    };
    tell(m_left, sides->left);
    tell(m_right, sides->right);
    m_details->setTitles(shortTitle(sides->left), shortTitle(sides->right));
    m_list->setSides(sides);
    m_details->setEntry(m_list->current());
    showBadges();
    showVerdict();
}

// Each difference is counted once; the number of breaking ones is shown next to it.
void ComparePanel::showBadges()
{
    const auto set = [this](Badge *badge, qsizetype count, const QString &text, Tone tone) {
        badge->setContent(m_sides && count > 0 ? text.arg(grouped(count)) : QString(), tone);
    };
    const auto of = [this](CompareEntry::Kind kind) { return m_sides ? m_sides->count(kind) : 0; };
    set(m_changed, of(CompareEntry::Kind::Changed), tr("≠ %1 changed"), Tone::ToolError);
    set(m_added, of(CompareEntry::Kind::Added), tr("+ %1 added"), Tone::Ok);
    set(m_removed, of(CompareEntry::Kind::Removed), tr("− %1 removed"), Tone::NoResponse);
}

void ComparePanel::showVerdict()
{
    const ComparedSides &sides = *m_sides;
    const bool isSame = sides.entries.isEmpty();
    m_stack->setCurrentIndex(isSame ? 0 : 1);
    m_verdict->setVisible(!isSame && !sides.error);
    if (sides.error) {
        const QString which = sides.left.error ? tr("Before: %1 cannot be compared").arg(quoted(sides.left.name))
                                               : tr("After: %1 cannot be compared").arg(quoted(sides.right.name));
        m_empty->setContent(which,
                            sides.error.message + (sides.error.hint.isEmpty() ? QString() : u' ' + sides.error.hint));
        return;
    }
    if (isSame) {
        m_empty->setContent(tr("✓ No differences"), tr("Identical on both sides: %1.").arg(whatWasCompared(sides)));
        return;
    }
    if (sides.isComplete && sides.count(CompareEntry::Kind::NotCompared) == sides.entries.size()) {
        m_verdict->setContent(Tone::Ok, tr("✓ No differences in what could be compared."),
                              tr("Identical on both sides: %1.").arg(whatWasCompared(sides)));
        return;
    }
    const QString started = sides.started() == 0 ? tr("Identical launch settings.")
                                                 : counted(sides.started(), tr("Launch settings differ in 1 place."),
                                                           tr("Launch settings differ in %1 places."));
    // What breaks is certain, whatever else is not known.
    if (!sides.isComplete && sides.breaking() == 0) {
        m_verdict->setContent(Tone::ToolError,
                              tr("? Unknown whether this can break clients of %1: not all lists could be compared.")
                                  .arg(quoted(sides.left.name)),
                              started);
    } else if (sides.isOfferSame) {
        m_verdict->setContent(Tone::Ok, tr("✓ Same offering: %1.").arg(whatWasCompared(sides)), started);
    } else if (sides.breaking() > 0) {
        m_verdict->setContent(Tone::ProtocolError,
                              counted(sides.breaking(), tr("✕ 1 difference can break clients of %1."),
                                      tr("✕ %1 differences can break clients of %2."))
                                  .arg(quoted(sides.left.name)),
                              started);
    } else if (sides.unclear() > 0) {
        m_verdict->setContent(Tone::ToolError,
                              counted(sides.unclear(), tr("? No certain breaking changes; 1 difference needs review."),
                                      tr("? No certain breaking changes; %1 differences need review.")),
                              started);
    } else {
        m_verdict->setContent(Tone::Ok, tr("✓ No breaking changes for clients of %1.").arg(quoted(sides.left.name)),
                              started);
    }
}

}  // namespace sonde::ui
