// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/serverpanel.h"

#include "core/json/builder.h"
#include "core/protocol/revision.h"
#include "core/protocol/visibletext.h"
#include "core/server/launchfacts.h"
#include "core/server/specsecrets.h"
#include "ui/json/fittedtextview.h"
#include "ui/json/jsontreeview.h"
#include "ui/panels/approvalview.h"
#include "ui/panels/factrows.h"
#include "ui/panels/keptinsight.h"
#include "ui/panels/loglevelrow.h"
#include "ui/panels/offericons.h"
#include "ui/panels/serverstatus.h"
#include "ui/panels/signinview.h"
#include "ui/panels/steprows.h"
#include "ui/panels/subscriptionrows.h"
#include "ui/panels/walkview.h"
#include "ui/result/outcometext.h"
#include "ui/theme/flowlayout.h"
#include "ui/theme/keys.h"
#include "ui/theme/widgets.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int PageMargin = 3 * Grid;
constexpr int ServerIconSide = 32;     // px
constexpr int MaxIconEntries = 200;    // of each list, looked at for hosts
constexpr qsizetype MaxIconHosts = 3;  // named
constexpr int MaxEvidenceHeight = 170;
constexpr int MaxInstructionsHeight = 260;
constexpr int MaxCapabilitiesHeight = 1000;  // the page scrolls
constexpr int ClockIntervalMs = 250;

TextLabel *caption(const QString &text)
{
    auto *label = new TextLabel(text);
    label->setStrong();
    return label;
}

// The capabilities of both sides as one document, shown in one tree.
QByteArray capabilitiesOf(const Connection &connection)
{
    json::Builder builder;
    builder.beginObject();
    const json::Value server = connection.serverInfo().capabilities;
    builder.key(u"server").raw(server.exists() ? server.bytes() : "{}"_ba);
    const QByteArray client = connection.clientCapabilities();
    builder.key(u"client (Sonde)").raw(client.isEmpty() ? "{}"_ba : client);
    return builder.endObject().take();
}

bool hasHandshake(const ServerInfo &info)
{
    const std::optional<Revision> revision = revisionFromString(info.protocolVersion);
    return !revision || !statelessRevisions().contains(*revision);
}

}  // namespace

ServerPanel::ServerPanel(QWidget *parent)
    : QWidget(parent),
      m_head(new QBoxLayout(QBoxLayout::LeftToRight)),
      m_buttons(new FlowLayout),
      m_icon(new OfferIconLabel(ServerIconSide)),
      m_title(new TextLabel),
      m_subtitle(new TextLabel),
      m_badge(new Badge),
      m_banner(new Banner),
      m_remedy(new QPushButton(titleOf(Remedy::EditServer))),
      m_doctorRows(new StepRows(StepRows::Lines::Between)),
      m_evidenceCaption(caption(tr("Diagnostics"))),
      m_evidence(new FittedTextView(MaxEvidenceHeight)),
      m_approval(new ApprovalView),
      m_signIn(new SignInView),
      m_walk(new WalkView),
      m_offer(new FactRows),
      m_rows(new FactRows),
      m_showLaunch(new FlatButton({})),
      m_launchArea(new QWidget),
      m_launch(new FactRows),
      m_startSteps(new StepRows(StepRows::Lines::None, this)),
      m_detect(new FlatButton(tr("Detect again"), this)),
      m_logLevel(new LogLevelRow),
      m_subscriptions(new SubscriptionRows),
      m_remoteIcons(new FlatButton({})),
      m_instructionsCaption(caption(tr("Instructions"))),
      m_instructions(new FittedTextView(MaxInstructionsHeight)),
      m_capabilitiesCaption(caption(tr("Capabilities"))),
      m_capabilities(new JsonTreeView),
      m_cancel(new QPushButton(tr("Cancel"))),
      m_restart(new PrimaryButton({})),
      m_ping(new QPushButton(tr("Ping"))),
      m_tasks(new QPushButton(tr("Tasks"))),
      m_refreshLists(new QPushButton(tr("Refresh lists"))),
      m_edit(new QPushButton(tr("Edit…")))
{
    auto *column = new QVBoxLayout(addScrolledPage(this));
    column->setContentsMargins(PageMargin, 2 * Grid, PageMargin, 2 * Grid);
    column->setSpacing(Grid);

    auto *identity = new QHBoxLayout;
    auto *names = new QVBoxLayout;
    names->setSpacing(2);
    m_title->setObjectName(u"serverTitle"_s);
    m_subtitle->setObjectName(u"serverStatus"_s);
    m_title->setFont(headingFont());
    m_subtitle->setDim(true);
    for (TextLabel *label : {m_title, m_subtitle}) {
        label->setElided(true);
        label->setMinimumWidth(40);
    }
    m_icon->setObjectName(u"serverIcon"_s);
    identity->addWidget(m_icon, 0, Qt::AlignTop);
    auto *titleRow = new QHBoxLayout;
    titleRow->setSpacing(Grid);
    titleRow->addWidget(m_title);
    m_badge->setObjectName(u"serverFailure"_s);
    titleRow->addWidget(m_badge);
    titleRow->addStretch(1);
    names->addLayout(titleRow);
    names->addWidget(m_subtitle);
    identity->addLayout(names, 1);
    m_ping->setObjectName(u"pingServer"_s);
    m_refreshLists->setObjectName(u"refreshLists"_s);
    m_refreshLists->setToolTip(tr("List tools, resources and prompts again"));
    m_cancel->setObjectName(u"cancelStart"_s);
    m_restart->setObjectName(u"restartServer"_s);
    m_edit->setObjectName(u"editServer"_s);
    m_tasks->setObjectName(u"showTasks"_s);
    m_buttons->setSpacing(Grid);
    for (QPushButton *button :
         std::initializer_list<QPushButton *>{m_cancel, m_tasks, m_ping, m_refreshLists, m_restart, m_edit})
        m_buttons->addWidget(button);
    m_head->setSpacing(Grid);
    m_head->addLayout(identity, 1);
    m_head->addLayout(m_buttons);
    column->addLayout(m_head);

    column->addWidget(m_banner);
    m_remedy->setObjectName(u"serverRemedy"_s);
    m_banner->addControl(m_remedy);
    m_doctorRows->setObjectName(u"doctorRows"_s);
    column->addWidget(m_doctorRows);
    column->addWidget(m_evidenceCaption);
    connect(m_doctorRows, &StepRows::actionChosen, this, [this](int row) {
        Q_EMIT remedyRequested(m_doctor->lines().at(row).remedy, m_doctor->refusedCertificate());
    });
    connect(m_remedy, &QPushButton::clicked, this, [this] {
        if (isExamined())
            Q_EMIT remedyRequested(m_doctor->remedy(), m_doctor->refusedCertificate());
    });
    m_evidence->setObjectName(u"evidence"_s);
    m_evidence->setAccessibleName(tr("Diagnostics"));
    m_evidence->setFlush();
    column->addWidget(m_evidence);

    m_approval->setObjectName(u"approvalView"_s);
    column->addWidget(m_approval);
    connect(m_approval, &ApprovalView::notRemembered, this, &ServerPanel::approvalNotRemembered);
    m_signIn->setObjectName(u"signInView"_s);
    column->addWidget(m_signIn);
    column->addWidget(m_walk);
    column->addLayout(m_offer);
    column->addWidget(m_instructionsCaption);
    m_instructions->setObjectName(u"instructions"_s);
    m_instructions->setAccessibleName(tr("Instructions"));
    m_instructions->setFlush();
    column->addWidget(m_instructions);
    column->addLayout(m_rows);
    m_detect->setObjectName(u"detectAgain"_s);
    m_detect->setFramed(true);
    // No higher than the rows around it.
    followFont(m_detect, [this] { m_detect->setFixedHeight(headerHeight()); });
    m_detect->setToolTip(tr("Reconnects and detects the protocol revision and transport again"));
    m_detect->hide();
    m_startSteps->setObjectName(u"startSteps"_s);
    m_startSteps->hide();
    connect(m_detect, &FlatButton::clicked, this, &ServerPanel::detectRequested);
    column->addWidget(m_logLevel);
    column->addWidget(m_subscriptions);
    m_remoteIcons->setObjectName(u"remoteIcons"_s);
    m_remoteIcons->setFlush(true);
    m_remoteIcons->setAccessibleName(tr("Load icons of this server"));
    m_remoteIcons->hide();
    column->addWidget(m_remoteIcons, 0, Qt::AlignLeft);
    connect(m_remoteIcons, &FlatButton::clicked, this, [this] {
        OfferIcons::shared()->setRemoteAllowed(m_spec.name, areIconsAllowed() ? QSet<QString>() : iconHosts());
        showIcons();
    });

    m_showLaunch->setObjectName(u"showLaunch"_s);
    m_showLaunch->setFlush(true);
    m_showLaunch->setCheckable(true);
    column->addWidget(m_showLaunch, 0, Qt::AlignLeft);
    m_launchArea->setObjectName(u"launchArea"_s);
    m_launch->setContentsMargins(0, 0, 0, 0);
    m_launchArea->setLayout(m_launch);
    column->addWidget(m_launchArea);
    connect(m_showLaunch, &QAbstractButton::toggled, this, &ServerPanel::foldLaunch);
    connect(m_showLaunch, &QAbstractButton::clicked, this, [this](bool isShown) {
        m_launchInSight.reset();
        if (isShown)
            m_launchInSight = std::make_unique<KeptInSight>(page(), m_launchArea);
    });

    column->addSpacing(Grid);
    column->addWidget(m_capabilitiesCaption);
    m_capabilities->setObjectName(u"capabilities"_s);
    m_capabilities->setAccessibleName(tr("Client and server capabilities"));
    connect(m_capabilities, &JsonTreeView::heightChanged, this,
            [this] { m_capabilities->setFixedHeight(m_capabilities->heightForRows(MaxCapabilitiesHeight)); });
    column->addWidget(m_capabilities);
    column->addStretch(1);

    connect(m_edit, &QPushButton::clicked, this, &ServerPanel::editRequested);
    connect(m_restart, &QPushButton::clicked, this, &ServerPanel::restartRequested);
    connect(m_ping, &QPushButton::clicked, this, &ServerPanel::pingRequested);
    connect(m_tasks, &QPushButton::clicked, this, &ServerPanel::tasksRequested);
    connect(m_refreshLists, &QPushButton::clicked, this, &ServerPanel::refreshLists);
    connect(m_cancel, &QPushButton::clicked, this, &ServerPanel::cancelRequested);
    m_clock.setInterval(ClockIntervalMs);
    connect(&m_clock, &QTimer::timeout, this, &ServerPanel::refreshClock);
}

void ServerPanel::showSignIn()
{
    keepInSight(m_signIn->openButton());
}

void ServerPanel::keepInSight(QWidget *button)
{
    m_sight = std::make_unique<KeptInSight>(page(), button);
}

QScrollArea *ServerPanel::page() const
{
    return findChild<QScrollArea *>({}, Qt::FindDirectChildrenOnly);
}

void ServerPanel::setEditable(bool editable)
{
    m_isEditable = editable;
    m_edit->setVisible(editable);
}

void ServerPanel::setWalk(GuidedWalk *walk)
{
    m_walk->setWalk(walk);
}

ServerPanel::~ServerPanel() = default;

// The buttons are below the name where it would have to be cut for them; it is not for what the banner says too.
void ServerPanel::placeHead()
{
    const int room = width() - 2 * PageMargin;
    const int name = m_title->fontMetrics().horizontalAdvance(m_title->text()) + ServerIconSide + 2 * Grid;
    const int wholeBadge = m_badge->sizeHint().width() + Grid;
    m_badge->setVisible(isExamined() && name + wholeBadge <= room);
    const int badge = m_badge->isHidden() ? 0 : wholeBadge;
    const bool isWide = name + badge + m_buttons->sizeHint().width() <= room;
    m_head->setDirection(isWide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

void ServerPanel::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    placeHead();
    m_approval->setRoom(height() - m_head->sizeHint().height() - 3 * Grid);
}

void ServerPanel::setServer(const ServerSpec &spec, Connection *connection)
{
    m_spec = spec;
    if (m_connection != connection) {
        if (m_connection) {
            m_connection->disconnect(this);
            m_connection->catalog()->disconnect(this);
        }
        m_connection = connection;
        m_doctor.reset();
        if (connection) {
            connect(connection, &Connection::stateChanged, this, &ServerPanel::refresh);
            connect(connection->catalog(), &Catalog::changed, this, &ServerPanel::showRows);
            connect(connection->catalog(), &Catalog::loaded, this, &ServerPanel::showRows);  // the last step is done
            connect(connection->catalog(), &Catalog::changed, this, &ServerPanel::showIcons);
        }
        m_approval->setConnection(connection);
        m_signIn->setConnection(connection);
        m_logLevel->setConnection(connection);
        m_subscriptions->setConnection(connection);
    }
    refresh();
}

void ServerPanel::refreshClock()
{
    QString status = statusOf(m_connection).sentence();
    if (m_connection && m_connection->startingForMs() >= 0)
        status = tr("%1 %2 s").arg(status, QString::number(m_connection->startingForMs() / 1000));
    m_subtitle->setServerText(visibleLine(status));
    // Downloads, compilation and hangs show up here first.
    if (m_connection && m_connection->state() == Connection::State::Connecting)
        showEvidence(m_connection->stderrTail().join(u'\n'));
}

void ServerPanel::showEvidence(const QString &text)
{
    m_evidence->setVisible(!text.isEmpty());
    m_evidenceCaption->setVisible(!text.isEmpty() && isExamined());
    if (m_evidence->text() == text.toUtf8())
        return;
    m_evidence->setText(text.toUtf8());
    m_evidence->fit();
}

void ServerPanel::refresh()
{
    using State = Connection::State;
    const State state = m_connection ? m_connection->state() : State::Disconnected;
    const bool connected = state == State::Connected;
    const ServerInfo info = m_connection ? m_connection->serverInfo() : ServerInfo();
    // The name in the list comes first: several servers may report the same name.
    const QString own = info.implementation.title.isEmpty() ? info.implementation.name : info.implementation.title;
    const bool isNamedOtherwise = connected && !own.isEmpty() && own != m_spec.name;
    m_title->setServerText(visibleLine(isNamedOtherwise ? tr("%1 · %2").arg(m_spec.name, own) : m_spec.name));
    m_title->setToolTip(plainToolTip(m_title->text()));
    const bool isProcess = m_spec.startsProcess();
    const QString again = isProcess ? tr("Restart (%1)") : tr("Reconnect (%1)");
    const QString first = isProcess ? tr("Start (%1)") : tr("Connect (%1)");
    m_restart->setText((connected ? again : first).arg(keyText(keys::Restart)));
    m_restart->setPrimary(!connected);
    m_restart->setVisible(state == State::Connected || state == State::Disconnected);
    m_ping->setVisible(connected && hasHandshake(info));  // without one there is no ping either
    m_tasks->setVisible(connected && m_connection->taskSupport().calls);
    m_refreshLists->setVisible(connected);
    const bool isAsked = m_connection && m_connection->approval();
    m_cancel->setVisible(state == State::Connecting && !isAsked);  // the question has its own
    Q_EMIT approvalChanged(isAsked);
    if (isAsked && !m_sight)
        keepInSight(m_approval->cancelButton());

    const Error error = shownError();
    m_banner->setVisible(bool(error));
    examine();
    showEvidence(error.detail);
    refreshClock();
    if (m_connection && m_connection->startingForMs() >= 0)
        m_clock.start();
    else
        m_clock.stop();
    placeHead();
    showRows();
    showIcons();

    m_instructionsCaption->setVisible(connected && !info.instructions.isEmpty());
    m_instructions->setVisible(connected && !info.instructions.isEmpty());
    m_instructions->setText(info.instructions.toUtf8());
    m_instructions->fit();
    m_capabilitiesCaption->setVisible(connected);
    m_capabilities->setVisible(connected);
    if (connected)
        m_capabilities->setValue(json::parse(capabilitiesOf(*m_connection)), tr("capabilities"));
}

// Why there is no connection, or why it does not lead to the server at the moment.
Error ServerPanel::shownError() const
{
    if (!m_connection)
        return {};
    return m_connection->state() == Connection::State::Connected ? m_connection->trouble() : m_connection->error();
}

// Once for each start that failed.
void ServerPanel::examine()
{
    const bool hasFailed = m_connection && m_connection->error() &&
                           m_connection->state() == Connection::State::Disconnected &&
                           m_connection->error().kind != Error::Kind::Cancelled;
    if (!hasFailed) {
        m_doctor.reset();
    } else if (!m_doctor) {
        m_doctor = std::make_unique<Doctor>(m_connection);
        connect(m_doctor.get(), &Doctor::changed, this, &ServerPanel::showDoctor);
        m_doctor->examine();
    }
    showDoctor();
}

void ServerPanel::showDoctor()
{
    const Error error = shownError();
    const bool isShown = isExamined();
    m_doctorRows->setVisible(isShown);
    m_subtitle->setVisible(!isShown);
    m_remedy->setVisible(isShown && m_isEditable && m_doctor->remedy() != Remedy::None);
    // Not twice: the remedy opens the same dialog.
    m_edit->setVisible(m_isEditable && !(isShown && m_doctor->remedy() == Remedy::EditServer));
    if (error) {
        const bool isFailure = isShown || error.kind == Error::Kind::Remote;
        m_banner->setContent(isFailure ? Tone::ProtocolError : Tone::NoResponse, error.message,
                             isShown ? m_doctor->explanation() : error.hint);
    }
    if (!isShown)
        return;
    if (!m_doctor->hadHandshake())
        m_title->setServerText(visibleLine(m_spec.startsProcess() ? tr("%1 did not start").arg(m_spec.name)
                                                                  : tr("%1 did not connect").arg(m_spec.name)));
    m_badge->setContent(sign(Tone::ProtocolError) + u' ' + visibleLine(statusOf(m_connection).text, 60),
                        Tone::ProtocolError);
    m_remedy->setText(titleOf(m_doctor->remedy()));
    // What the banner says of the first failure, and its remedy, need not stand in the rows too.
    const DoctorLine *told = m_doctor->firstFailure();
    QList<StepRows::Row> rows;
    for (const DoctorLine &line : m_doctor->lines()) {
        const bool isTold = told && told->kind == line.kind;
        StepRows::Row row{line, isTold || !m_isEditable ? QString() : titleOf(line.remedy)};
        if (isTold)
            row.step.note.clear();
        rows.append(row);
    }
    m_doctorRows->setRows(rows);
    placeHead();
}

// Of the icons that would have to be fetched.
QSet<QString> ServerPanel::iconHosts() const
{
    QSet<QString> hosts;
    const auto add = [&hosts](const json::Value &icons) {
        const std::optional<Icon> icon = chooseIcon(icons, isDark(), [](const QString &) { return true; });
        if (icon && icon->isRemote())
            hosts.insert(icon->url.host());
    };
    const auto addAll = [&add](const auto &entries) {
        for (qsizetype i = 0; i < qMin<qsizetype>(entries.size(), MaxIconEntries); ++i)
            add(entries.at(i).value[u"icons"]);
    };
    const Catalog &catalog = *m_connection->catalog();
    add(m_connection->serverInfo().implementation.value[u"icons"]);
    addAll(catalog.tools());
    addAll(catalog.resources());
    addAll(catalog.resourceTemplates());
    addAll(catalog.prompts());
    return hosts;
}

// From each of the hosts that it names by now.
bool ServerPanel::areIconsAllowed() const
{
    const QSet<QString> hosts = iconHosts();
    return std::all_of(hosts.begin(), hosts.end(), [this](const QString &host) {
        return OfferIcons::shared()->isRemoteAllowed(m_spec.name, host);
    });
}

void ServerPanel::showIcons()
{
    const bool isConnected = m_connection && m_connection->state() == Connection::State::Connected;
    m_icon->setIcons(isConnected ? m_connection->serverInfo().implementation.value[u"icons"] : json::Value(),
                     m_spec.name);
    QStringList hosts;
    if (isConnected) {
        const QSet<QString> all = iconHosts();
        for (const QString &host : all)
            hosts += visibleLine(host, 40);
        hosts.sort();
    }
    m_remoteIcons->setVisible(!hosts.isEmpty());
    if (hosts.isEmpty())
        return;
    const qsizetype count = hosts.size();
    QString from = hosts.mid(0, MaxIconHosts).join(u", "_s);
    if (count > MaxIconHosts)
        from += counted(count - MaxIconHosts, tr(" and 1 other host"), tr(" and %1 other hosts"));
    m_remoteIcons->setText(visibleLine(areIconsAllowed() ? tr("Stop loading icons from %1").arg(from)
                                                         : tr("Load icons of this server from %1").arg(from)));
    m_remoteIcons->setAccessibleName(m_remoteIcons->text());
    m_remoteIcons->setToolTip(tr("Sonde sends nothing about you, but the host learns your IP address."));
}

// Of lists about which there is more to say than the tree does.
QString ServerPanel::listLines() const
{
    const Catalog &catalog = *m_connection->catalog();
    QStringList lines;
    for (const auto &[list, name] :
         {std::pair{Catalog::List::Tools, tr("Tools")}, std::pair{Catalog::List::Resources, tr("Resources")},
          std::pair{Catalog::List::ResourceTemplates, tr("Resource templates")},
          std::pair{Catalog::List::Prompts, tr("Prompts")}}) {
        const Catalog::Status &status = catalog.status(list);
        QStringList parts;
        if (status.hasMore)
            parts << tr("%1 loaded, more on the server").arg(grouped(catalog.count(list)));
        if (status.state == Catalog::State::Failed)
            parts << visibleLine(status.error.message + u' ' + status.error.hint).trimmed();
        if (status.cache)
            parts << freshnessText(*status.cache);
        for (const QString &finding : status.findings)
            parts << sign(Tone::Finding) + u' ' + visibleLine(finding);
        if (!parts.isEmpty())
            lines << tr("%1: %2").arg(name, parts.join(u" · "_s));
    }
    return lines.join(u'\n');
}

void ServerPanel::refreshLists()
{
    for (const Catalog::List list :
         {Catalog::List::Tools, Catalog::List::Resources, Catalog::List::ResourceTemplates, Catalog::List::Prompts}) {
        if (m_connection && m_connection->catalog()->status(list).state != Catalog::State::NotOffered)
            m_connection->catalog()->refresh(list);
    }
}

void ServerPanel::showRows()
{
    const bool isConnected = m_connection && m_connection->state() == Connection::State::Connected;
    m_offer->setFacts(isConnected ? offerFacts() : QList<Fact>());
    m_rows->setFacts(m_connection ? connectionFacts() : QList<Fact>());
    m_launch->setFacts(launchRows());
    foldLaunch();
}

// How it was started matters most until it runs.
void ServerPanel::foldLaunch()
{
    const bool isConnected = m_connection && m_connection->state() == Connection::State::Connected;
    m_showLaunch->setVisible(isConnected);
    const bool isShown = m_showLaunch->isChecked();
    m_showLaunch->setText(m_spec.startsProcess()
                              ? (isShown ? tr("Hide launch details") : tr("Show launch details"))
                              : (isShown ? tr("Hide connection details") : tr("Show connection details")));
    m_launchArea->setVisible(!isConnected || isShown);
}

QString ServerPanel::offeredText() const
{
    const Catalog &catalog = *m_connection->catalog();
    QStringList parts;
    const auto add = [&](Catalog::List list, const QString &one, const QString &many) {
        if (const qsizetype count = catalog.count(list); count > 0)
            parts << counted(count, one, many);
    };
    add(Catalog::List::Tools, tr("1 tool"), tr("%1 tools"));
    add(Catalog::List::Resources, tr("1 resource"), tr("%1 resources"));
    add(Catalog::List::ResourceTemplates, tr("1 resource template"), tr("%1 resource templates"));
    add(Catalog::List::Prompts, tr("1 prompt"), tr("%1 prompts"));
    return parts.join(u" · "_s);
}

QList<Fact> ServerPanel::offerFacts() const
{
    const Implementation &server = m_connection->serverInfo().implementation;
    return {
        {tr("Server"), server.version.isEmpty() ? server.name : tr("%1, version %2").arg(server.name, server.version)},
        {tr("About"), server.description},
        {tr("Website"), server.websiteUrl},
        {tr("Offers"), offeredText()}};
}

QList<Fact> ServerPanel::connectionFacts() const
{
    const Connection &c = *m_connection;
    QList<Fact> facts;
    if (c.state() == Connection::State::Connected) {
        const ServerInfo &info = c.serverInfo();
        const QString reason = c.revisionReason();
        facts.append({tr("Protocol revision"),
                      reason.isEmpty() ? info.protocolVersion : info.protocolVersion + u" · "_s + visibleText(reason),
                      false, m_spec.revision ? nullptr : m_detect});
        facts.append({hasHandshake(info) ? tr("Handshake") : tr("Discovery"),
                      c.latencyNs() >= 0 ? durationText(c.latencyNs()) : QString()});
        facts.append({tr("Lists"), listLines()});
    }
    QStringList findings;
    for (const QString &finding : c.findings())
        findings.append(sign(Tone::Finding) + u' ' + finding);
    facts.append({tr("Findings"), findings.join(u'\n')});
    facts.append({tr("Recording"), c.session()->path().isEmpty() ? tr("in memory only") : c.session()->path(), true});
    return facts;
}

QList<Fact> ServerPanel::launchRows() const
{
    QList<Fact> facts;
    if (!isExamined())
        facts.append({m_spec.startsProcess() ? tr("Command") : tr("URL"),
                      m_connection ? m_connection->resolvedTarget() : shownTarget(m_spec), true});
    if (m_spec.startsProcess()) {
        const LaunchFacts launch = launchFacts(m_spec);
        if (!isExamined())
            facts.append({tr("Working directory"), launch.workingFolder, true});
        facts.append({tr("PATH"), pathText(launch)});
        facts.append({tr("Environment"), environmentText(launch)});
    }
    if (m_connection && m_connection->processId() > 0)
        facts.append({tr("Process"), QString::number(m_connection->processId())});
    QList<StepRows::Row> steps;
    for (const StartStep &step : m_connection ? m_connection->startSteps() : QList<StartStep>()) {
        if (step.startedMs < 0 || isExamined())
            continue;
        steps.append({step});
        steps.last().step.text = visibleLine(step.text, 120);
    }
    m_startSteps->setRows(steps);
    if (!steps.isEmpty())
        facts.append({tr("Steps"), {}, false, m_startSteps});
    return facts;
}

}  // namespace sonde::ui
