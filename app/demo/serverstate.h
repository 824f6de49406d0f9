// What all clients of one demo server share, whatever they speak.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/demo/options.h"

#include <QByteArray>
#include <QObject>
#include <memory>

namespace sonde::demo {

struct Offer;
class TaskStore;

class ServerState : public QObject {
    Q_OBJECT
public:
    ServerState(const Options &options, const Offer &offer, QObject *parent = nullptr);  // the offer outlives it
    ~ServerState() override;

    const Options &options() const { return m_options; }
    const Offer &offer() const { return m_offer; }
    TaskStore &tasks() { return *m_tasks; }

    bool extraTool() const { return m_extraTool; }
    void setExtraTool(bool on);             // announced
    int touchResource(const QString &uri);  // how many heard of it

    // A text that the client keeps for us; opened() gives nothing when it was changed, or is not ours.
    QString sealed(const QByteArray &text) const;
    QByteArray opened(const QString &sealed) const;

Q_SIGNALS:
    void toolsChanged();
    void promptsChanged();
    void resourceUpdated(const QString &uri, int *heard);
    void subscriptionsEnded();

private:
    Options m_options;
    const Offer &m_offer;
    std::unique_ptr<TaskStore> m_tasks;
    QByteArray m_key;
    bool m_extraTool = false;
};

}  // namespace sonde::demo
