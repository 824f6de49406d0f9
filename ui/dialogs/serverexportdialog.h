// Writes chosen servers as mcpServers JSON, to the clipboard or a file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/serverspec.h"

#include <QDialog>

class QCheckBox;
class QListWidget;
class QPushButton;

namespace sonde::ui {

class TextLabel;
class TextView;

class ServerExportDialog : public QDialog {
    Q_OBJECT
public:
    // current: the name of the server that is checked at first; empty: all of them.
    ServerExportDialog(const QList<ServerSpec> &servers, const QString &current, QWidget *parent = nullptr);

    bool save(const QString &path);  // what is chosen; says why not

private:
    QList<ServerSpec> chosen() const;
    QByteArray text() const;
    void copy();
    void chooseFile();
    void update();

    QList<ServerSpec> m_servers;
    QListWidget *m_list;
    TextView *m_preview;
    QCheckBox *m_withSecrets;
    TextLabel *m_message;
    QPushButton *m_copy;
    QPushButton *m_save;
};

}  // namespace sonde::ui
