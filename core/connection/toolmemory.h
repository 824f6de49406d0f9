// What is known of a server's tools from earlier: how each was defined, and which may be called without asking.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/toolstore.h"
#include "core/protocol/types.h"

#include <QHash>
#include <QObject>
#include <QPointer>
#include <QSet>
#include <QTimer>
#include <memory>

namespace sonde {

class Catalog;

// What a tool says of itself. Spec: server/tools, "ToolAnnotations". A server is not bound to it.
enum class ToolRisk {
    ReadOnly,
    Writes,     // without destroying anything
    Unmarked,   // nothing: by the specification it may destroy
    MayDestroy  // it says so
};
ToolRisk riskOf(const ToolAnnotations &annotations);

// Of one server, through all its starts. Follows a catalog, which outlives it; a worker reads and writes the store, and
// compares lists: what is said of one tool holds at any time, changed() and isChanged() come soon after the list.
// Thread of the catalog.
class ToolMemory : public QObject {
    Q_OBJECT
public:
    // store: null: until this object goes.
    ToolMemory(const Catalog *catalog, std::shared_ptr<ToolStore> store, const QString &server,
               QObject *parent = nullptr);
    ~ToolMemory() override;  // writes what is not written yet

    void setServer(const QString &name);  // it was renamed, in the store, too

    // Whether a person is to be asked before this call. setAsksUnmarked(): also where the tool says nothing.
    bool asks(const Tool &tool) const;
    void setAsksUnmarked(bool asks) { m_asksUnmarked = asks; }
    // The first tool that is called by this message, or by one in this batch, and is to be asked for; null: none.
    const Tool *askedFor(const json::Value &message) const;
    void allowForSession(const Tool &tool);
    void allowAlways(const Tool &tool);  // as it is defined now

    // Its definition as it was before it changed; Missing where it has not, or the change was accepted.
    json::Value formerDefinition(const Tool &tool) const;
    bool isChanged(const QString &tool) const { return m_changed.contains(tool); }
    void accept(const Tool &tool);  // the change was seen

Q_SIGNALS:
    void changed();

private:
    using KnownTools = ToolStore::Tools;
    struct Comparison {
        KnownTools known;  // with those that were seen for the first time
        QStringList added;
        QSet<QString> changed;
    };

    void load();
    void look();
    void compare();
    static Comparison compared(const QList<Tool> &tools, KnownTools known, QSet<QString> changed);
    void take(const std::optional<KnownTools> &read);
    void take(const std::optional<Comparison> &comparison);
    void save();
    void learn(const QString &tool);
    void touch(const QStringList &tools);
    KnownTools takeTouched();

    const Catalog *const m_catalog;
    const std::shared_ptr<ToolStore> m_store;
    QString m_server;
    bool m_isLoaded = false;
    KnownTools m_known;
    QSet<QString> m_changed;               // not accepted yet: `m_known` has the former definition
    QHash<QString, QByteArray> m_session;  // definitions that are called without asking until the program ends
    QList<Tool> m_seen;                    // the list that was looked at last
    QPointer<QObject> m_comparing;         // waits for what a thread compares
    QTimer m_save;
    QSet<QString> m_touched;  // that are to be written
    bool m_asksUnmarked = false;
};

}  // namespace sonde
