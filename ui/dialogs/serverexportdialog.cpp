// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/serverexportdialog.h"

#include "core/protocol/visibletext.h"
#include "core/server/serverexport.h"
#include "core/server/specsecrets.h"
#include "ui/json/textview.h"
#include "ui/theme/roundedframe.h"
#include "ui/theme/widgets.h"

#include <QCheckBox>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::ui {

ServerExportDialog::ServerExportDialog(const QList<ServerSpec> &servers, const QString &current,
                                       std::shared_ptr<SecretStore> secrets, QWidget *parent)
    : QDialog(parent),
      m_servers(servers),
      m_secrets(std::move(secrets)),
      m_list(new QListWidget),
      m_preview(new TextView),
      m_withSecrets(new QCheckBox(tr("&Include secret values"))),
      m_message(new TextLabel),
      m_copy(new QPushButton(tr("Copy"))),
      m_save(new PrimaryButton(tr("Save…")))
{
    setWindowTitle(tr("Export servers"));
    resize(820, 520);
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(2 * Grid, 2 * Grid, 2 * Grid, 2 * Grid);
    outer->setSpacing(Grid);
    auto *columns = new QHBoxLayout;
    columns->setSpacing(2 * Grid);
    m_list->setObjectName(u"exportServers"_s);
    m_list->setAccessibleName(tr("Servers to export"));
    m_list->setFixedWidth(scaled(210));
    m_list->setTextElideMode(Qt::ElideRight);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    for (const ServerSpec &server : servers) {
        auto *item = new QListWidgetItem(visibleLine(server.name, 200), m_list);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setSizeHint({0, rowHeight()});
        item->setCheckState(current.isEmpty() || server.name == current ? Qt::Checked : Qt::Unchecked);
    }
    columns->addWidget(m_list);
    m_preview->setObjectName(u"exportServersText"_s);
    m_preview->setAccessibleName(tr("mcpServers JSON"));
    m_preview->setWordWrap(true);
    columns->addWidget(framedData(m_preview), 1);
    outer->addLayout(columns, 1);
    m_withSecrets->setObjectName(u"exportServersSecrets"_s);
    m_withSecrets->setToolTip(tr("Otherwise a placeholder such as <API_KEY> is written"));
    outer->addWidget(m_withSecrets);
    auto *bottom = new QHBoxLayout;
    m_message->setObjectName(u"exportServersMessage"_s);
    m_message->setWordWrap(true);
    m_message->setDim(true);
    bottom->addWidget(m_message, 1);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    m_copy->setObjectName(u"exportServersCopy"_s);
    m_save->setObjectName(u"exportServersSave"_s);
    m_save->setMinimumSize(90, inputHeight());
    buttons->addButton(m_copy, QDialogButtonBox::ActionRole);
    buttons->addButton(m_save, QDialogButtonBox::ActionRole);
    bottom->addWidget(buttons);
    outer->addLayout(bottom);
    m_save->setDefault(true);

    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_copy, &QPushButton::clicked, this, &ServerExportDialog::copy);
    connect(m_save, &QPushButton::clicked, this, &ServerExportDialog::chooseFile);
    connect(m_list, &QListWidget::itemChanged, this, &ServerExportDialog::update);
    connect(m_withSecrets, &QCheckBox::toggled, this, [this] {
        m_unread = {};
        update();
    });
    update();
}

QList<ServerSpec> ServerExportDialog::chosen() const
{
    QList<ServerSpec> servers;
    for (int row = 0; row < m_list->count(); ++row) {
        if (m_list->item(row)->checkState() == Qt::Checked)
            servers.append(m_servers[row]);
    }
    return servers;
}

QList<ServerSpec> ServerExportDialog::exported() const
{
    QList<ServerSpec> servers = chosen();
    if (m_withSecrets->isChecked()) {
        for (ServerSpec &server : servers)
            server = withKeychainValues(server, m_values);
    }
    return servers;
}

QByteArray ServerExportDialog::text() const
{
    return toMcpServers(exported(), m_withSecrets->isChecked() ? SecretValues::Included : SecretValues::Placeholders);
}

// What is asked for and not known yet; not again after it has failed.
bool ServerExportDialog::readsSecrets()
{
    if (m_isReading || !m_withSecrets->isChecked() || m_unread)
        return m_isReading;
    QStringList names;
    const QList<ServerSpec> servers = chosen();
    for (const ServerSpec &server : servers)
        names += keychainNames(server);
    names.removeIf([this](const QString &name) { return m_values.contains(name); });
    if (names.isEmpty())
        return false;
    m_isReading = true;
    readSecrets(m_secrets, names, this, [this](const QHash<QString, QString> &values, const Error &error) {
        m_values.insert(values);
        m_unread = error;
        m_isReading = false;
        update();
    });
    return true;
}

void ServerExportDialog::update()
{
    const bool hasAny = !chosen().isEmpty();
    const bool isReading = hasAny && readsSecrets();
    m_preview->setText(hasAny ? text() : QByteArray(), TextView::Highlight::Json);
    m_copy->setEnabled(hasAny && !isReading);
    m_save->setEnabled(hasAny && !isReading);
    if (!hasAny)
        m_message->setText(tr("Choose at least one server."));
    else if (isReading)
        m_message->setText(tr("Waiting for the keychain"));
    else if (m_withSecrets->isChecked() && m_unread)
        m_message->setServerText(
            tr("%1 Values that could not be read are replaced by placeholders.").arg(visibleText(m_unread.message)));
    else
        m_message->setText(m_withSecrets->isChecked() ? tr("The text contains secrets. Do not share it.")
                                                      : tr("Secrets are replaced by placeholders."));
}

void ServerExportDialog::copy()
{
    QGuiApplication::clipboard()->setText(QString::fromUtf8(text()));
    m_message->setText(tr("Copied."));
}

void ServerExportDialog::chooseFile()
{
    const QString path = QFileDialog::getSaveFileName(this, tr("Export servers"), QDir::homePath() + u"/mcp.json"_s,
                                                      tr("mcpServers JSON (*.json)"));
    if (!path.isEmpty() && save(path))
        accept();
}

bool ServerExportDialog::save(const QString &path)
{
    const Error error = writeMcpServers(
        path, exported(), m_withSecrets->isChecked() ? SecretValues::Included : SecretValues::Placeholders);
    if (error)
        m_message->setServerText(error.message);
    return !error;
}

}  // namespace sonde::ui
