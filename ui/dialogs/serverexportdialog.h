// Writes chosen servers as mcpServers JSON, to the clipboard or a file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/secrets/secretstore.h"
#include "core/server/serverspec.h"

#include <QDialog>
#include <QHash>
#include <memory>

class QCheckBox;
class QListWidget;
class QPushButton;

namespace sonde::ui {

class TextLabel;
class TextView;

class ServerExportDialog : public QDialog {
    Q_OBJECT
public:
    // current: the name of the server that is checked at first; empty: all of them. secrets: read only when the person
    // wants secret values included.
    ServerExportDialog(const QList<ServerSpec> &servers, const QString &current, std::shared_ptr<SecretStore> secrets,
                       QWidget *parent = nullptr);

    bool save(const QString &path);  // what is chosen; says why not

private:
    QList<ServerSpec> chosen() const;
    QList<ServerSpec> exported() const;
    QByteArray text() const;
    bool readsSecrets();
    void copy();
    void chooseFile();
    void update();

    QList<ServerSpec> m_servers;
    std::shared_ptr<SecretStore> m_secrets;
    QHash<QString, QString> m_values;  // of the keychain, read so far
    Error m_unread;
    bool m_isReading = false;
    QListWidget *m_list;
    TextView *m_preview;
    QCheckBox *m_withSecrets;
    TextLabel *m_message;
    QPushButton *m_copy;
    QPushButton *m_save;
};

}  // namespace sonde::ui
