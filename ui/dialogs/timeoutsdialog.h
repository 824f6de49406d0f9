// The timeouts of one server, where they are not those of all servers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/server/servertimeouts.h"
#include "ui/dialogs/formdialog.h"

#include <QList>

namespace sonde::ui {

class LineInput;

class TimeoutsDialog : public FormDialog {
    Q_OBJECT
public:
    // general: what applies where nothing is entered; server: its name, or empty while it has none.
    TimeoutsDialog(const ServerTimeouts &timeouts, const ServerTimeouts &general, const QString &server,
                   QWidget *parent = nullptr);
    ServerTimeouts timeouts() const;

private:
    struct Field {
        ServerTimeouts::Member member;
        LineInput *line;
    };
    QString problem() const;  // with the first of them that cannot be used; empty: all can
    void updateState();

    QList<Field> m_fields;
};

}  // namespace sonde::ui
