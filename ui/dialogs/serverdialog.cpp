// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/serverdialog.h"

#include "core/server/serveraddress.h"
#include "ui/dialogs/networkdialog.h"
#include "ui/dialogs/pairtable.h"
#include "ui/dialogs/signindialog.h"
#include "ui/dialogs/timeoutsdialog.h"
#include "ui/theme/lineinput.h"
#include "ui/theme/widgets.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

// The fields of all pages begin at the same place.
void alignLabels(QWidget *dialog, QLabel *first)
{
    QWidgetList labels{first};
    const QList<QFormLayout *> forms = dialog->findChildren<QFormLayout *>();
    for (const QFormLayout *form : forms) {
        for (int row = 0; row < form->rowCount(); ++row) {
            const QLayoutItem *item = form->itemAt(row, QFormLayout::LabelRole);
            if (item && item->widget())
                labels.append(item->widget());
        }
    }
    int width = 0;
    for (const QWidget *label : std::as_const(labels))
        width = qMax(width, label->sizeHint().width());
    for (QWidget *label : std::as_const(labels))
        label->setMinimumWidth(width);
}

// A folder is typed as a path and sent as a file:// URI. What has another scheme is shown and refused as it is.
QString pathOfRoot(const QString &uri)
{
    const QUrl url(uri);
    const QString path = url.toLocalFile();
    return QString::fromUtf8(QUrl::fromLocalFile(path).toEncoded()) == uri ? path : uri;
}

QString uriOfRoot(const QString &typed)
{
    if (typed.contains(u"://"_s))
        return typed;
    QString path = typed;
    if (path == u"~"_s || path.startsWith(u"~/"_s))
        path.replace(0, 1, QDir::homePath());
    return QString::fromUtf8(QUrl::fromLocalFile(path).toEncoded());
}

}  // namespace

ServerDialog::ServerDialog(const ServerSpec &spec, bool isNew, std::function<QString(const QString &)> nameProblem,
                           QWidget *parent)
    : FormDialog(u"server"_s, isNew ? tr("Add and connect") : tr("Save"), parent),
      m_original(spec),
      m_nameProblem(std::move(nameProblem)),
      m_isNew(isNew),
      m_name(new LineInput(spec.name)),
      m_kind(new SegmentedControl),
      m_stdioPage(new QWidget),
      m_httpPage(new QWidget),
      m_command(new LineInput),
      m_directory(new LineInput(spec.workingDirectory)),
      m_environment(new PairTable(tr("Variable"), tr("Value"))),
      m_inherit(new QCheckBox(tr("Inherit Sonde's full environment"))),
      m_loginPath(new QCheckBox(tr("Use the login shell's PATH"))),
      m_revision(new QComboBox),
      m_roots(new PairTable(tr("Folder"), tr("Name"))),
      m_pageByPage(new QCheckBox(tr("Load lists page by page"))),
      m_url(new LineInput),
      m_transport(new QComboBox),
      m_headers(new PairTable(tr("Header"), tr("Value"))),
      m_network(spec.network),
      m_networkSummary(new TextLabel),
      m_oauth(spec.oauth),
      m_signInSummary(new TextLabel),
      m_timeouts(spec.timeouts),
      m_timeoutsSummary(new TextLabel)
{
    setWindowTitle(isNew ? tr("Add server") : tr("Edit %1").arg(spec.name));

    m_kind->addSegment(tr("Command"));
    m_kind->addSegment(tr("URL"));
    m_kind->setObjectName(u"serverKind"_s);
    auto *top = new QHBoxLayout;
    auto *nameLabel = new QLabel(tr("&Name"));
    nameLabel->setBuddy(m_name);
    m_name->setObjectName(u"serverName"_s);
    m_name->setAccessibleName(tr("Name"));
    top->setSpacing(2 * Grid);
    top->addWidget(nameLabel);
    top->addWidget(m_name, 1);
    top->addWidget(m_kind);
    m_column->addLayout(top);

    auto *stdio = makeForm(m_stdioPage);
    m_command->setObjectName(u"serverCommand"_s);
    m_command->setAccessibleName(tr("Command line"));
    m_command->setFont(monoFont());
    m_command->setPlaceholderText(u"npx -y @modelcontextprotocol/server-everything"_s);
    // The command line of a server without a command is a pair of quotes.
    m_command->setText(spec.kind == ServerSpec::Kind::Stdio && !spec.command.isEmpty() ? spec.line() : QString());
    m_command->setCursorPosition(0);  // the beginning of a long one says more
    stdio->addRow(tr("&Command line"), m_command);
    auto *directoryRow = new QHBoxLayout;
    directoryRow->setSpacing(Grid);
    m_directory->setObjectName(u"serverDirectory"_s);
    m_directory->setAccessibleName(tr("Working directory"));
    m_directory->setPlaceholderText(tr("home directory"));
    auto *browse = new QPushButton(tr("Choose…"));
    browse->setAutoDefault(false);  // Enter in a line saves
    directoryRow->addWidget(m_directory, 1);
    directoryRow->addWidget(browse);
    auto *directoryLabel = new QLabel(tr("&Working directory"));
    directoryLabel->setBuddy(m_directory);
    stdio->addRow(directoryLabel, directoryRow);
    m_environment->setObjectName(u"serverEnvironment"_s);
    m_environment->setAccessibleName(tr("Environment"));
    m_environment->setMinimumHeight(88);
    m_environment->setHasSecrets(NamePlace::Variable);
    m_environment->setPairs(spec.environment);
    stdio->addRow(tr("&Environment"), m_environment);
    m_inherit->setChecked(spec.inheritEnvironment);
    m_inherit->setObjectName(u"serverInherit"_s);
    m_inherit->setToolTip(tr("Otherwise the server gets HOME, PATH, LANG and a few others, plus the variables above."));
    stdio->addRow(QString(), m_inherit);
    m_loginPath->setChecked(spec.loginShellPath);
    m_loginPath->setObjectName(u"serverLoginPath"_s);
    m_loginPath->setToolTip(
        tr("PATH as in a terminal, where version managers set it. Your shell is run once to read it."));
    connect(m_loginPath, &QCheckBox::toggled, this, &ServerDialog::updateState);
    stdio->addRow(QString(), m_loginPath);

    auto *http = makeForm(m_httpPage);
    m_url->setObjectName(u"serverUrl"_s);
    m_url->setAccessibleName(tr("URL"));
    m_url->setFont(monoFont());
    m_url->setPlaceholderText(u"https://example.com/mcp"_s);
    m_url->setText(spec.kind == ServerSpec::Kind::Http ? spec.url.text() : QString());
    http->addRow(tr("&URL"), m_url);
    fillTransports();
    http->addRow(tr("&Transport"), m_transport);
    m_headers->setObjectName(u"serverHeaders"_s);
    m_headers->setAccessibleName(tr("Headers"));
    m_headers->setMinimumHeight(88);
    m_headers->setHasSecrets(NamePlace::Header);
    m_headers->setPairs(spec.headers);
    m_headers->setToolTip(tr("Sent with every request; secrets are masked in sessions."));
    http->addRow(tr("&Headers"), m_headers);
    http->addRow(tr("Sign-in"), makeSignInRow());
    http->addRow(tr("Network"), makeNetworkRow());

    m_column->addWidget(m_stdioPage, 1);
    m_column->addWidget(m_httpPage, 1);
    m_column->addWidget(makeClientPage(spec));
    addMessageAndButtons();

    connect(m_kind, &SegmentedControl::currentChanged, this, &ServerDialog::showKind);
    // After the mouse the line is typed. The arrow keys click too, and then take the focus to their segment themselves.
    for (const auto &[kind, line] : {std::pair(0, m_command), std::pair(1, m_url)})
        connect(m_kind->button(kind), &QAbstractButton::clicked, line, qOverload<>(&QWidget::setFocus));
    for (LineInput *line : {m_name, m_command, m_directory, m_url})
        connect(line, &QLineEdit::textChanged, this, &ServerDialog::updateState);
    for (QComboBox *box : {m_transport, m_revision})
        connect(box, &QComboBox::currentIndexChanged, this, &ServerDialog::updateState);
    for (PairTable *table : {m_environment, m_headers, m_roots})
        connect(table, &PairTable::edited, this, &ServerDialog::updateState);
    connect(browse, &QPushButton::clicked, this, [this] {
        const QString folder = QFileDialog::getExistingDirectory(this, tr("Working directory"), m_directory->text());
        if (!folder.isEmpty())
            m_directory->setText(folder);
    });
    connect(m_command, &QLineEdit::editingFinished, this, &ServerDialog::readAddCommand);
    if (isNew) {
        connect(m_name, &QLineEdit::textEdited, this, [this] { m_suggestsName = false; });
        for (LineInput *line : {m_command, m_url})
            connect(line, &QLineEdit::textEdited, this, &ServerDialog::suggestName);
        m_suggestsName = spec.name.isEmpty();
    }
    alignLabels(this, nameLabel);
    m_kind->setCurrent(spec.kind == ServerSpec::Kind::Http ? 1 : 0);
    showKind(m_kind->current());
    fitHeight();
    (isNew ? (spec.kind == ServerSpec::Kind::Http ? m_url : m_command) : m_name)->setFocus();
}

void ServerDialog::fillTransports()
{
    m_transport->setObjectName(u"serverTransport"_s);
    m_transport->setAccessibleName(tr("Transport"));
    m_transport->setToolTip(
        tr("Automatic tries Streamable HTTP first, then HTTP+SSE. Takes effect at the next start."));
    m_transport->addItem(tr("Automatic"), int(ServerSpec::HttpKind::Automatic));
    m_transport->addItem(tr("Streamable HTTP"), int(ServerSpec::HttpKind::Streamable));
    m_transport->addItem(tr("HTTP+SSE"), int(ServerSpec::HttpKind::Sse));
    m_transport->setCurrentIndex(m_transport->findData(int(m_original.httpKind)));
}

void ServerDialog::fillRevisions()
{
    m_revision->setObjectName(u"serverRevision"_s);
    m_revision->setAccessibleName(tr("Protocol revision"));
    m_revision->setToolTip(
        tr("Automatic sends server/discover to see whether the server supports 2026-07-28, and falls back to "
           "initialize. Takes effect at the next start."));
    m_revision->addItem(tr("Automatic"));
    for (const Revision revision : statelessRevisions() + statefulRevisions())
        m_revision->addItem(toString(revision), int(revision));
    const QVariant wanted = m_original.revision ? QVariant(int(*m_original.revision)) : QVariant();
    m_revision->setCurrentIndex(m_revision->findData(wanted));
}

// What this server is told about Sonde, and what it may ask.
QWidget *ServerDialog::makeClientPage(const ServerSpec &spec)
{
    auto *page = new QWidget;
    auto *form = makeForm(page);
    fillRevisions();
    form->addRow(tr("&Protocol revision"), m_revision);
    m_roots->setObjectName(u"serverRoots"_s);
    m_roots->setAccessibleName(tr("Roots"));
    m_roots->setToolTip(tr("Folders to send to the server when it asks for roots"));
    m_roots->setFixedHeight(scaled(72));
    Pairs folders;
    for (const auto &[uri, name] : spec.roots)
        folders.append({pathOfRoot(uri), name});
    m_roots->setPairs(folders);
    form->addRow(tr("&Roots"), m_roots);
    auto *declared = new QWidget;
    auto *grid = new QGridLayout(declared);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(Grid / 2);
    const QStringList labels{tr("Elicitation: forms"),
                             tr("Elicitation: URLs"),
                             tr("Sampling"),
                             tr("Sampling: tools"),
                             tr("Roots"),
                             tr("Tasks"),
                             tr("Client info (2026-07-28)")};
    for (qsizetype i = 0; i < labels.size(); ++i) {
        const QString &name = ServerSpec::capabilityNames().at(i);
        auto *box = new QCheckBox(labels.at(i));
        box->setObjectName(u"declares:"_s + name);
        box->setChecked(!spec.undeclaredCapabilities.contains(name));
        m_capabilities.append(box);
        grid->addWidget(box, int(i) / 3, int(i) % 3);
    }
    auto *sampling = m_capabilities.at(2);
    auto *samplingTools = m_capabilities.at(3);
    samplingTools->setEnabled(sampling->isChecked());
    connect(sampling, &QCheckBox::toggled, samplingTools, &QWidget::setEnabled);
    auto *label = new QLabel(tr("Client capabilities"));
    label->setToolTip(
        tr("Switch one off to see how the server treats a client without it. Takes effect at the next "
           "start."));
    declared->setToolTip(label->toolTip());
    form->addRow(label, declared);
    m_pageByPage->setObjectName(u"serverPageByPage"_s);
    m_pageByPage->setChecked(spec.pageByPage);
    m_pageByPage->setToolTip(
        tr("Connecting loads only the first page of tools, resources and prompts; load more from the list in the side "
           "bar. Takes effect at the next start."));
    form->addRow(tr("Lists"), m_pageByPage);
    form->addRow(tr("Timeouts"), makeTimeoutsRow());
    return page;
}

ServerSpec ServerDialog::spec() const
{
    ServerSpec spec = m_original;
    spec.name = m_name->text().trimmed();
    spec.kind = m_kind->current() == 1 ? ServerSpec::Kind::Http : ServerSpec::Kind::Stdio;
    if (spec.kind == ServerSpec::Kind::Http) {
        const QString typed = m_url->text().trimmed();
        spec.url = addressFromText(typed).value_or(TypedUrl::fromText(typed));
        spec.network = m_network;
        spec.oauth = m_oauth;
        spec.headers = m_headers->pairs();
        spec.httpKind = ServerSpec::HttpKind(m_transport->currentData().toInt());
    } else {
        const QString folder = m_directory->text().trimmed();
        const Result<ServerSpec> parsed = ServerSpec::fromLine(m_command->text(), folder);
        spec.command.clear();
        spec.arguments.clear();
        spec.environment = m_environment->pairs();
        if (parsed && parsed->kind == ServerSpec::Kind::Stdio) {
            spec.command = parsed->command;
            spec.arguments = parsed->arguments;
            spec.environment += parsed->environment;  // NAME=value words in front of the command
        } else if (parsed) {
            spec.kind = ServerSpec::Kind::Http;
            spec.url = parsed->url;
            spec.headers = m_headers->pairs() + parsed->headers;
            spec.httpKind = parsed->httpKind;
        }
        // A "cd FOLDER && …" in the command is more specific than the folder field.
        spec.workingDirectory = parsed && !parsed->workingDirectory.isEmpty() ? parsed->workingDirectory : folder;
        spec.inheritEnvironment = m_inherit->isChecked();
        spec.loginShellPath = m_loginPath->isChecked();
    }
    const QVariant revision = m_revision->currentData();
    spec.revision = revision.isValid() ? std::optional(Revision(revision.toInt())) : std::nullopt;
    spec.roots.clear();
    const Pairs folders = m_roots->pairs();
    for (const auto &[folder, name] : folders)
        spec.roots.append({uriOfRoot(folder), name});
    spec.pageByPage = m_pageByPage->isChecked();
    spec.timeouts = m_timeouts;
    // Names that Sonde does not know stay.
    for (qsizetype i = 0; i < m_capabilities.size(); ++i) {
        const QString &name = ServerSpec::capabilityNames().at(i);
        if (m_capabilities.at(i)->isChecked())
            spec.undeclaredCapabilities.removeAll(name);
        else if (!spec.undeclaredCapabilities.contains(name))
            spec.undeclaredCapabilities.append(name);
    }
    return spec;
}

bool ServerDialog::isEdited() const
{
    // Also what is no command or URL yet.
    return !m_command->text().isEmpty() || !m_url->text().isEmpty() || spec() != m_original;
}

void ServerDialog::selectTyped()
{
    LineInput *line = m_kind->current() == 1 ? m_url : m_command;
    line->setFocus();
    line->selectAll();
    updateState();  // a name may be taken by now
}

QList<SecretPlace> ServerDialog::secrets() const
{
    const ServerSpec entered = spec();
    const QSet<QString> variables = m_environment->secretNames();
    const QSet<QString> headers = m_headers->secretNames();
    // What has no box: the sign-in, and variables in front of the command.
    const Pairs listed = m_environment->pairs();
    QList<SecretPlace> places;
    for (const SecretPlace &place : secretPlaces(entered)) {
        const bool hasBox =
            std::any_of(listed.begin(), listed.end(), [&place](const auto &pair) { return pair.first == place.name; });
        if (place.where == SecretPlace::Where::Authorization ||
            (place.where == SecretPlace::Where::Environment && !hasBox))
            places.append(place);
    }
    for (const QString &name : variables)
        places.append({SecretPlace::Where::Environment, name});
    for (const QString &name : headers)
        places.append({SecretPlace::Where::Header, name});
    return places;
}

void ServerDialog::setSecrets(const QList<SecretPlace> &places)
{
    QSet<QString> variables;
    QSet<QString> headers;
    for (const SecretPlace &place : places) {
        if (place.where == SecretPlace::Where::Environment)
            variables.insert(place.name);
        else if (place.where == SecretPlace::Where::Header)
            headers.insert(place.name);
    }
    m_environment->setSecretNames(variables);
    m_headers->setSecretNames(headers);
}

// A summary, and the button that opens the dialog behind it.
QWidget *ServerDialog::makeSummaryRow(TextLabel *summary, const QString &name, const QString &accessibleName,
                                      const QString &toolTip, const std::function<void()> &edit)
{
    auto *page = new QWidget;
    auto *row = new QHBoxLayout(page);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(Grid);
    summary->setObjectName(name + u"Summary"_s);
    summary->setElided(true);
    summary->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // a long one widens nothing
    auto *button = new QPushButton(tr("Edit…"));
    button->setObjectName(name);
    button->setAccessibleName(accessibleName);
    button->setToolTip(toolTip);
    button->setAutoDefault(false);
    row->addWidget(summary, 1);
    row->addWidget(button);
    connect(button, &QPushButton::clicked, this, edit);
    return page;
}

QWidget *ServerDialog::makeSignInRow()
{
    m_signInSummary->setServerText(SignInDialog::summary(m_oauth));
    return makeSummaryRow(m_signInSummary, u"serverSignIn"_s, tr("Edit sign-in settings"),
                          tr("Grant and client of the sign-in"), [this] {
                              SignInDialog dialog(m_oauth, m_name->text().trimmed(), this);
                              if (dialog.exec() != QDialog::Accepted)
                                  return;
                              m_oauth = dialog.settings();
                              m_signInSummary->setServerText(SignInDialog::summary(m_oauth));
                              updateState();
                          });
}

QWidget *ServerDialog::makeNetworkRow()
{
    m_networkSummary->setServerText(NetworkDialog::summary(m_network));
    return makeSummaryRow(m_networkSummary, u"serverNetwork"_s, tr("Edit network settings"),
                          tr("Proxy, certificates and allowed hosts"), [this] {
                              NetworkDialog dialog(spec(), this);
                              if (dialog.exec() != QDialog::Accepted)
                                  return;
                              m_network = dialog.network();
                              m_networkSummary->setServerText(NetworkDialog::summary(m_network));
                              updateState();
                          });
}

QWidget *ServerDialog::makeTimeoutsRow()
{
    showTimeouts();
    return makeSummaryRow(m_timeoutsSummary, u"serverTimeouts"_s, tr("Edit timeouts"),
                          tr("How long to wait for this server"), [this] {
                              TimeoutsDialog dialog(m_timeouts, m_generalTimeouts, m_name->text().trimmed(), this);
                              if (dialog.exec() != QDialog::Accepted)
                                  return;
                              m_timeouts = dialog.timeouts();
                              showTimeouts();
                              updateState();
                          });
}

void ServerDialog::showTimeouts()
{
    const QString own = m_timeouts.summary();
    m_timeoutsSummary->setText(own.isEmpty() ? tr("as in the preferences") : own);
}

void ServerDialog::showKind(int kind)
{
    m_stdioPage->setVisible(kind == 0);
    m_httpPage->setVisible(kind == 1);
    updateState();
}

// Until the user types a name, it follows the command or URL.
void ServerDialog::suggestName(const QString &line)
{
    if (!m_suggestsName)
        return;
    const Result<ServerSpec> parsed = ServerSpec::fromLine(line.trimmed());
    const QString stem = parsed ? parsed->name : QString();
    QString name = stem;
    for (int i = 2; !name.isEmpty() && !m_nameProblem(name).isEmpty(); ++i)
        name = stem + u' ' + QString::number(i);
    m_name->setText(name);
}

// What is being typed continues in the other field, as it is.
void ServerDialog::continueAsUrl()
{
    m_hasSwitched = true;
    const bool hadFocus = m_command->hasFocus();
    const QString typed = m_command->text();
    const int cursor = m_command->cursorPosition();
    m_command->clear();
    m_kind->setCurrent(1);
    m_url->setText(typed);
    m_url->setCursorPosition(cursor);
    if (hadFocus)
        m_url->setFocus();
}

// A command such as "claude mcp add --transport http …" names a URL, and perhaps headers. They get their fields when
// the line is complete: that what is typed so far could be a URL does not say that it is the whole one.
void ServerDialog::readAddCommand()
{
    const Result<ServerSpec> typed = ServerSpec::fromLine(m_command->text());
    if (m_kind->current() == 1 || !typed || typed->kind != ServerSpec::Kind::Http)
        return;
    m_hasSwitched = true;
    m_command->clear();
    m_kind->setCurrent(1);
    m_url->setText(typed->url.text());
    if (!typed->headers.isEmpty())
        m_headers->setPairs(m_headers->pairs() + typed->headers);
    if (typed->httpKind != ServerSpec::HttpKind::Automatic)
        m_transport->setCurrentIndex(m_transport->findData(int(typed->httpKind)));
}

void ServerDialog::updateState()
{
    const bool http = m_kind->current() == 1;
    const QString typed = (http ? m_url : m_command)->text().trimmed();
    QString problem;
    QString note;
    if (typed.isEmpty()) {
        problem = http ? tr("Enter the server's URL.") : tr("Enter the command that starts the server.");
    } else if (!http) {
        const Result<ServerSpec> parsed = ServerSpec::fromLine(typed);
        if (!parsed)
            problem = parsed.error().message;
        else if (parsed->kind == ServerSpec::Kind::Http && addressFromText(typed))
            return continueAsUrl();
        else if (parsed->kind == ServerSpec::Kind::Http && !m_command->hasFocus())
            return readAddCommand();
    }
    const ServerSpec current = spec();
    if (problem.isEmpty())
        problem = current.problems().value(0);
    const bool nameChanged = current.name != m_original.name || m_original.name.isEmpty();
    if (problem.isEmpty() && current.name.isEmpty())
        problem = tr("Enter a name for the server.");
    else if (problem.isEmpty() && nameChanged)
        problem = m_nameProblem(current.name);
    if (problem.isEmpty())
        note = (http && m_hasSwitched ? tr("That looks like a URL; switched to URL.") + u' ' : QString()) +
               current.preview(m_isNew ? ServerSpec::Start::OnConnect : ServerSpec::Start::Later);
    m_ok->setEnabled(problem.isEmpty());
    m_message->setTone(problem.isEmpty() || typed.isEmpty() ? Tone::Neutral : Tone::ProtocolError);
    m_message->setDim(true);
    m_message->setServerText(problem.isEmpty() ? note : problem);
}

}  // namespace sonde::ui
