// About one server: how it was started, what it said of itself, and why it is not there.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/connection.h"

#include <QPointer>
#include <QWidget>

class QFormLayout;
class QPushButton;

namespace sonde::ui {

class Banner;
class JsonTreeView;
class TextLabel;
class TextView;

class ServerPanel : public QWidget {
    Q_OBJECT
public:
    explicit ServerPanel(Connection *connection, QWidget *parent = nullptr);
    Connection *connection() const { return m_connection; }
    void setEditable(bool editable);  // the built-in server is not

Q_SIGNALS:
    void editRequested();
    void restartRequested();
    void pingRequested();

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void refresh();
    void fitEvidence();
    void addRow(const QString &caption, const QString &text, bool mono = false);
    QPointer<Connection> m_connection;
    TextLabel *m_title;
    TextLabel *m_subtitle;
    Banner *m_banner;
    TextView *m_evidence;
    QFormLayout *m_rows;
    TextLabel *m_instructionsCaption;
    TextView *m_instructions;
    TextLabel *m_capabilitiesCaption;
    JsonTreeView *m_capabilities;
    QPushButton *m_restart;
    QPushButton *m_ping;
    QPushButton *m_edit;
};

}  // namespace sonde::ui
