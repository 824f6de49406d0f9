// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/welcomepanel.h"

#include "core/protocol/visibletext.h"
#include "ui/result/outcometext.h"
#include "ui/theme/lineinput.h"
#include "ui/theme/roundedframe.h"
#include "ui/theme/widgets.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QLocale>
#include <QPainter>
#include <QVBoxLayout>
#include <QtMath>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int Margin = 6 * Grid;
constexpr int MinCardWidth = 28 * Grid;

RoundedFrame *titledFrame(const QString &title)
{
    auto *frame = new RoundedFrame(&Colors::panel);
    frame->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // all are as wide as each other
    auto *column = new QVBoxLayout(frame);
    column->setContentsMargins(Grid + Grid / 2, 2 * Grid, Grid + Grid / 2, 2 * Grid);
    column->setSpacing(Grid);
    auto *caption = new TextLabel(title);
    caption->setStrong();
    column->addWidget(caption);
    return frame;
}

QVBoxLayout *columnOf(const RoundedFrame *frame)
{
    return static_cast<QVBoxLayout *>(frame->layout());
}

// At the bottom, in one line with those of the other frames.
void addButton(const RoundedFrame *frame, QPushButton *button)
{
    columnOf(frame)->addStretch(1);
    columnOf(frame)->addWidget(button, 0, Qt::AlignLeft);
}

// The first ones.
void drop(QLayout *rows, int count)
{
    for (; count > 0; --count) {
        const QLayoutItem *item = rows->takeAt(0);
        // It may be the button that was just clicked.
        if (QWidget *old = item->widget()) {
            old->hide();
            old->deleteLater();
        }
        delete item;
    }
}

QString dayText(const QDateTime &when)
{
    const QDateTime local = when.toLocalTime();
    const qint64 days = local.date().daysTo(QDate::currentDate());
    if (days == 0)
        return WelcomePanel::tr("today %1").arg(local.toString(u"HH:mm"));
    if (days == 1)
        return WelcomePanel::tr("yesterday %1").arg(local.toString(u"HH:mm"));
    return QLocale().toString(local.date(), QLocale::ShortFormat);
}

// A server or a session. As narrow as it must be, so that a long name does not widen the page. Of a session, the name
// is shortened first: those of one server differ in what follows it.
class EntryButton final : public QToolButton {
public:
    enum class Shortened { Name, Details };
    EntryButton(const QString &name, const QString &details, Shortened first)
        : m_name(name), m_details(u"   "_s + details), m_first(first)
    {
        setText(m_name + m_details);
        setAccessibleName(m_name + m_details);
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    }
    QSize sizeHint() const override
    {
        // Without padding: its text is on the margin, like the title above it.
        const qreal width = QFontMetricsF(font()).horizontalAdvance(m_name + m_details);
        return {qCeil(width) + 2, QToolButton::sizeHint().height()};
    }
    QSize minimumSizeHint() const override { return {12 * Grid, QToolButton::sizeHint().height()}; }

protected:
    void resizeEvent(QResizeEvent *event) override
    {
        QToolButton::resizeEvent(event);
        const QFontMetricsF metrics(font());
        const qreal space = qMax(0, width() - 2);
        const qreal forName =
            m_first == Shortened::Name ? qMax(space - metrics.horizontalAdvance(m_details), space / 4) : space;
        const QString shown =
            metrics.elidedText(metrics.elidedText(m_name, Qt::ElideRight, forName) + m_details, Qt::ElideRight, space);
        if (shown != text())
            setText(shown);
    }

private:
    const QString m_name;
    const QString m_details;
    const Shortened m_first;
};

}  // namespace

WelcomePanel::WelcomePanel(QWidget *parent)
    : QWidget(parent),
      m_line(new LineInput),
      m_preview(new TextLabel),
      m_connect(new PrimaryButton(tr("Connect"))),
      m_grid(new QGridLayout),
      m_servers(new QVBoxLayout),
      m_found(new TextLabel),
      m_sessions(new QVBoxLayout)
{
    auto *column = new QVBoxLayout(addScrolledPage(this));
    column->setContentsMargins(Margin, 3 * Grid, Margin, 2 * Grid);
    column->setSpacing(Grid);

    auto *title = new TextLabel(tr("Explore an MCP server"));
    QFont big = headingFont();
    big.setPointSizeF(big.pointSizeF() + 4);
    title->setFont(big);
    column->addWidget(title);
    auto *lead = new TextLabel(tr("Paste the command you would run in a terminal, or the URL of a remote server."));
    lead->setDim(true);
    lead->setWordWrap(true);
    column->addWidget(lead);
    column->addSpacing(Grid);

    auto *row = new QHBoxLayout;
    row->setSpacing(Grid);
    m_line->setObjectName(u"connectLine"_s);
    m_line->setAccessibleName(tr("Command or URL"));
    m_line->setPlaceholderText(u"npx -y @modelcontextprotocol/server-everything"_s);
    m_line->setFont(monoFont());
    m_line->setMinimumHeight(36);
    m_connect->setObjectName(u"connectButton"_s);
    m_connect->setMinimumSize(110, 36);
    row->addWidget(m_line, 1);
    row->addWidget(m_connect);
    column->addLayout(row);
    m_preview->setObjectName(u"connectPreview"_s);
    m_preview->setDim(true);
    m_preview->setFont(smallFont());
    m_preview->setWordWrap(true);
    m_preview->setMinimumHeight(QFontMetrics(smallFont()).height());  // a first line moves nothing
    m_preview->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    column->addWidget(m_preview);

    m_grid->setSpacing(Grid);
    RoundedFrame *servers = titledFrame(tr("Your servers"));
    servers->setObjectName(u"welcomeServers"_s);
    m_servers->setSpacing(Grid / 2);
    columnOf(servers)->addLayout(m_servers);
    columnOf(servers)->addStretch(1);

    RoundedFrame *found = titledFrame(tr("Found on this computer"));
    m_found->setObjectName(u"foundHosts"_s);
    m_found->setWordWrap(true);
    columnOf(found)->addWidget(m_found);
    auto *import = new QPushButton(tr("Import…"));
    import->setObjectName(u"importServers"_s);
    addButton(found, import);

    RoundedFrame *sessions = titledFrame(tr("Recent sessions"));
    m_sessions->setSpacing(Grid / 2);
    columnOf(sessions)->addLayout(m_sessions);
    auto *all = new QPushButton(tr("All sessions…"));
    all->setObjectName(u"allSessions"_s);
    addButton(sessions, all);

    RoundedFrame *trials = titledFrame(tr("Three things to try"));
    auto *about = new TextLabel(tr("With the built-in demo server, which changes nothing."));
    about->setDim(true);
    about->setWordWrap(true);
    columnOf(trials)->addWidget(about);
    columnOf(trials)->addStretch(1);
    const auto addTrial = [this, trials](const QString &text, const QString &name, const QString &toolTip,
                                         void (WelcomePanel::*requested)()) {
        auto *button = new QPushButton(text);
        button->setObjectName(name);
        button->setToolTip(toolTip);
        columnOf(trials)->addWidget(button, 0, Qt::AlignLeft);
        connect(button, &QPushButton::clicked, this, requested);
    };
    addTrial(tr("Take the guided tour"), u"takeWalk"_s, tr("Eight steps, from the first call to a replay"),
             &WelcomePanel::walkRequested);
    addTrial(tr("Call a tool"), u"openDemo"_s, tr("Opens the first tool of the demo server"),
             &WelcomePanel::demoRequested);
    addTrial(tr("Respond to a server request"), u"seeRequest"_s,
             tr("Opens a tool that asks you for something in the middle of its call"), &WelcomePanel::askRequested);
    m_cards = {servers, found, sessions, trials};
    for (QWidget *card : std::as_const(m_cards))
        m_grid->addWidget(card, 0, int(m_grid->count()));
    column->addLayout(m_grid);
    column->addStretch(1);

    connect(m_line, &QLineEdit::textChanged, this, &WelcomePanel::updatePreview);
    connect(m_line, &QLineEdit::returnPressed, this, &WelcomePanel::connectNow);
    connect(m_connect, &QPushButton::clicked, this, &WelcomePanel::connectNow);
    connect(all, &QPushButton::clicked, this, &WelcomePanel::allSessionsRequested);
    connect(import, &QPushButton::clicked, this, &WelcomePanel::importRequested);
    setServers({});
    setFound({});
    setSessions({});
    updatePreview();
}

// As many beside each other as there is room for, all as wide as each other.
void WelcomePanel::placeCards()
{
    QList<QWidget *> shown = m_cards;
    shown.removeIf([](const QWidget *card) { return card->isHidden(); });
    const int room = width() - 2 * Margin;
    const int fitting = qBound(1, (room + Grid) / (MinCardWidth + Grid), int(shown.size()));
    // No card alone in a row of its own, where two rows of equal length will do.
    const int columns = fitting < shown.size() && fitting > 2 ? int(shown.size() + 1) / 2 : fitting;
    for (int i = 0; i < m_grid->columnCount(); ++i)
        m_grid->setColumnStretch(i, i < columns ? 1 : 0);
    for (int i = 0; i < shown.size(); ++i)
        m_grid->addWidget(shown.at(i), i / columns, i % columns);
}

void WelcomePanel::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    placeCards();
}

void WelcomePanel::setServers(const QList<ServerItem> &servers)
{
    const QList<ServerItem> former = std::exchange(m_shownServers, servers.first(qMin(servers.size(), ServersShown)));
    const bool isSame = std::equal(former.begin(), former.end(), m_shownServers.begin(), m_shownServers.end(),
                                   [](const ServerItem &left, const ServerItem &right) {
                                       return left.name == right.name && left.detail == right.detail;
                                   });
    if (!isSame)
        fillServers(former);
    if (m_cards.first()->isHidden() == servers.isEmpty())
        return;
    m_cards.first()->setHidden(servers.isEmpty());
    placeCards();
}

// The focus stays at the server that it is on: Qt would move it on from a button that goes.
void WelcomePanel::fillServers(const QList<ServerItem> &former)
{
    QString focused;
    for (int i = 0; i < m_servers->count(); ++i) {
        if (m_servers->itemAt(i)->widget()->hasFocus())
            focused = former.at(i).name;
    }
    const int formerCount = m_servers->count();
    for (const ServerItem &server : std::as_const(m_shownServers)) {
        auto *button = new EntryButton(visibleLine(server.name, 40), visibleLine(server.detail, 80),
                                       EntryButton::Shortened::Details);
        button->setAutoRaise(true);
        button->setToolTip(plainToolTip(visibleLine(server.name) + u'\n' + visibleLine(server.detail)));
        connect(button, &QToolButton::clicked, this, [this, name = server.name] { Q_EMIT serverRequested(name); });
        m_servers->addWidget(button, 0, Qt::AlignLeft);
        if (!focused.isEmpty() && server.name == focused) {
            button->show();
            button->setFocus();
        }
    }
    drop(m_servers, formerCount);
}

void WelcomePanel::setSessions(const QList<SessionEntry> &sessions, const QHash<QString, SessionNote> &notes)
{
    drop(m_sessions, m_sessions->count());
    QList<SessionEntry> readable = sessions;
    readable.removeIf([](const SessionEntry &entry) { return !entry.problem.isEmpty(); });
    for (const SessionEntry &entry : readable.first(qMin<qsizetype>(readable.size(), SessionsShown))) {
        const QString details = entry.isReplay ? tr("replayed %1 · %2") : tr("%1 · %2");
        const QString given = notes.value(entry.id).name;
        auto *button =
            new EntryButton(visibleLine(given.isEmpty() ? entry.serverName : given, 40),
                            details.arg(dayText(entry.createdAt), sizeText(entry.size)), EntryButton::Shortened::Name);
        button->setAutoRaise(true);
        button->setToolTip(plainToolTip(entry.path));
        connect(button, &QToolButton::clicked, this, [this, path = entry.path] { Q_EMIT sessionRequested(path); });
        m_sessions->addWidget(button, 0, Qt::AlignLeft);
    }
    if (readable.isEmpty()) {
        auto *none = new TextLabel(tr("All traffic between Sonde and a server is recorded here, from the first byte."));
        none->setDim(true);
        none->setWordWrap(true);
        m_sessions->addWidget(none);
    }
}

void WelcomePanel::setFound(const QList<HostConfig> &found)
{
    struct Found {
        QString host;
        qsizetype count = 0;
        bool isBroken = false;
    };
    QList<Found> hosts;
    for (const HostConfig &config : found) {
        const QString host = config.title();
        auto it = std::find_if(hosts.begin(), hosts.end(), [&](const Found &each) { return each.host == host; });
        if (it == hosts.end())
            it = hosts.insert(hosts.end(), {host});
        it->count += config.servers.size();
        it->isBroken = it->isBroken || config.error;
    }
    QStringList lines;
    for (const Found &each : hosts.first(qMin(hosts.size(), HostsShown))) {
        const bool isUnread = each.isBroken && each.count == 0;
        lines.append(
            u"%1   %2"_s.arg(visibleLine(each.host, 40),
                             isUnread ? tr("cannot be read") : counted(each.count, tr("1 server"), tr("%1 servers"))));
    }
    if (hosts.size() > HostsShown)
        lines.append(tr("and %1 more").arg(hosts.size() - HostsShown));
    m_found->setDim(lines.isEmpty());
    m_found->setText(lines.isEmpty()
                         ? tr("No servers from other MCP clients found. Import them from a file or the clipboard.")
                         : lines.join(u'\n'));
}

void WelcomePanel::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    focusLine();
    Q_EMIT shown();
}

void WelcomePanel::focusLine()
{
    m_line->setFocus();
}

void WelcomePanel::updatePreview()
{
    const QString line = m_line->text().trimmed();
    m_connect->setEnabled(!line.isEmpty());
    if (line.isEmpty()) {
        m_preview->setText({});
        return;
    }
    const Result<ServerSpec> spec = ServerSpec::fromLine(line);
    m_preview->setServerText(spec ? spec->preview() : spec.error().message);
}

void WelcomePanel::connectNow()
{
    const QString line = m_line->text().trimmed();
    if (line.isEmpty())
        return;
    const Result<ServerSpec> spec = ServerSpec::fromLine(line);
    if (!spec) {
        m_preview->setServerText(spec.error().message);
        return;
    }
    m_line->clear();
    Q_EMIT connectRequested(*spec);
}

}  // namespace sonde::ui
