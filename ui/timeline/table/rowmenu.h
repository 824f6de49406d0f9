// The context menu of a row of the timeline.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/session.h"

#include <QMenu>
#include <QPointer>
#include <functional>
#include <memory>
#include <optional>

namespace sonde {
class ServerStore;
}

namespace sonde::ui {

class TimelineModel;

struct RowMenuContext {
    const Session *session = nullptr;
    qsizetype row = -1;
    qsizetype sendable = -1;  // the message from us that the row is, or answers; -1: none
    bool canSend = false;
    std::shared_ptr<const ServerStore> servers;
    std::optional<std::pair<qsizetype, qsizetype>> two;  // exactly these are selected
    qsizetype marked = -1;                               // to be compared with another
};

// It copies by itself; all other actions are signals.
class RowMenu : public QMenu {
    Q_OBJECT
public:
    RowMenu(const RowMenuContext &context, QWidget *parent);

Q_SIGNALS:
    void sendRequested(const QByteArray &message);
    void editAndSendRequested(const QByteArray &message, const QByteArray &httpRequest);
    void rowRequested(qsizetype row);
    void windowRequested(qsizetype row);
    void comparisonRequested(qsizetype left, qsizetype right);
    void markRequested(qsizetype row);
    void saveCallRequested(qsizetype row);
    void replayRequested();  // of the rows that are selected
    void exportRequested();  // of the rows that are selected

private:
    void addCopying();
    void addSending();
    void addSaving();
    void addComparing();
    QString whyNoCliCommand() const;
    void addCopy(const QString &text, const QString &whyNot, const std::function<QString()> &make);

    RowMenuContext m_context;
    QPointer<const Session> m_session;
};

// The format of times.
void addTimeMenu(QMenu *menu, TimelineModel *model);

}  // namespace sonde::ui
