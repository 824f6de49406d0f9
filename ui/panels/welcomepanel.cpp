// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/welcomepanel.h"

#include "core/protocol/visibletext.h"
#include "ui/result/outcometext.h"
#include "ui/theme/lineinput.h"
#include "ui/theme/roundedframe.h"
#include "ui/theme/widgets.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QLocale>
#include <QPainter>
#include <QVBoxLayout>
#include <QtMath>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

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

// As narrow as it must be, so that a long name does not widen the page. The name gives way first: sessions of one
// server differ in what follows it.
class SessionButton final : public QToolButton {
public:
    SessionButton(const QString &name, const QString &details) : m_name(name), m_details(u"   "_s + details)
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
        const qreal forName = qMax(space - metrics.horizontalAdvance(m_details), space / 4);
        const QString shown =
            metrics.elidedText(metrics.elidedText(m_name, Qt::ElideRight, forName) + m_details, Qt::ElideRight, space);
        if (shown != text())
            setText(shown);
    }

private:
    const QString m_name;
    const QString m_details;
};

}  // namespace

WelcomePanel::WelcomePanel(QWidget *parent)
    : QWidget(parent),
      m_line(new LineInput),
      m_preview(new TextLabel),
      m_connect(new PrimaryButton(tr("Connect"))),
      m_found(new TextLabel),
      m_sessions(nullptr)
{
    auto *column = new QVBoxLayout(addScrolledPage(this));
    column->setContentsMargins(6 * Grid, 3 * Grid, 6 * Grid, 2 * Grid);
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
    m_preview->setMinimumHeight(QFontMetrics(smallFont()).height() * 2);
    m_preview->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    column->addWidget(m_preview);
    column->addSpacing(Grid);

    auto *cards = new QHBoxLayout;
    cards->setSpacing(Grid);
    RoundedFrame *found = titledFrame(tr("Found on this computer"));
    auto *foundColumn = static_cast<QVBoxLayout *>(found->layout());
    m_found->setObjectName(u"foundHosts"_s);
    m_found->setWordWrap(true);
    foundColumn->addWidget(m_found);
    foundColumn->addStretch(1);
    auto *import = new QPushButton(tr("Import…"));
    import->setObjectName(u"importServers"_s);
    foundColumn->addWidget(import, 0, Qt::AlignLeft);
    cards->addWidget(found, 1);

    RoundedFrame *sessions = titledFrame(tr("Recent sessions"));
    auto *sessionsColumn = static_cast<QVBoxLayout *>(sessions->layout());
    m_sessions = new QVBoxLayout;
    m_sessions->setSpacing(Grid / 2);
    sessionsColumn->addLayout(m_sessions);
    sessionsColumn->addStretch(1);
    auto *all = new QPushButton(tr("All sessions…"));
    all->setObjectName(u"allSessions"_s);
    sessionsColumn->addWidget(all, 0, Qt::AlignLeft);
    cards->addWidget(sessions, 1);

    RoundedFrame *demo = titledFrame(tr("Try the demo server"));
    auto *demoColumn = static_cast<QVBoxLayout *>(demo->layout());
    auto *about =
        new TextLabel(tr("One tool for each kind of field and result. It is built in and changes nothing on this "
                         "computer."));
    about->setDim(true);
    about->setWordWrap(true);
    demoColumn->addWidget(about);
    demoColumn->addStretch(1);
    auto *open = new QPushButton(tr("Open the demo server"));
    open->setObjectName(u"openDemo"_s);
    demoColumn->addWidget(open, 0, Qt::AlignLeft);
    cards->addWidget(demo, 1);
    column->addLayout(cards);
    column->addStretch(1);

    connect(m_line, &QLineEdit::textChanged, this, &WelcomePanel::updatePreview);
    connect(m_line, &QLineEdit::returnPressed, this, &WelcomePanel::connectNow);
    connect(m_connect, &QPushButton::clicked, this, &WelcomePanel::connectNow);
    connect(all, &QPushButton::clicked, this, &WelcomePanel::allSessionsRequested);
    connect(open, &QPushButton::clicked, this, &WelcomePanel::demoRequested);
    connect(import, &QPushButton::clicked, this, &WelcomePanel::importRequested);
    setFound({});
    setSessions({});
    updatePreview();
}

void WelcomePanel::setSessions(const QList<SessionEntry> &sessions)
{
    while (QLayoutItem *item = m_sessions->takeAt(0)) {
        // It may be the button that was just clicked.
        if (QWidget *old = item->widget()) {
            old->hide();
            old->deleteLater();
        }
        delete item;
    }
    QList<SessionEntry> readable = sessions;
    readable.removeIf([](const SessionEntry &entry) { return !entry.problem.isEmpty(); });
    for (const SessionEntry &entry : readable.first(qMin<qsizetype>(readable.size(), SessionsShown))) {
        const QString details = entry.isReplay ? tr("replayed %1 · %2") : tr("%1 · %2");
        auto *button = new SessionButton(visibleLine(entry.serverName, 40),
                                         details.arg(dayText(entry.createdAt), sizeText(entry.size)));
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
