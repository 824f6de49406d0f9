// The pages of one list, fetched one after the other.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/cachehint.h"
#include "core/client/client.h"
#include "core/json/document.h"

#include <QObject>
#include <QPointer>
#include <QSet>
#include <chrono>
#include <optional>

namespace sonde {

class Call;
struct Outcome;

// Cursors are opaque and go back to the server as they were written. A repeated one, and more than MaxPages, end the
// list with a finding. One that the server refuses (-32602) is not used again: all pages are then fetched once more
// from the first, where all are wanted. Lives on the client's thread. Spec: server/utilities/pagination.
class PagedFetch : public QObject {
    Q_OBJECT
public:
    static constexpr int MaxPages = 1000;

    // client: not owned; null, or one that is gone, makes every fetch fail.
    PagedFetch(Client *client, QStringView method, QStringView member, QObject *parent);

    // From the first page on, until there are this many or the list ends. What was fetched before is gone.
    void start(int pages, std::chrono::milliseconds pageTimeout);
    // From where the last one ended; only while hasMore().
    void goOn(int pages, std::chrono::milliseconds pageTimeout);
    void stop();  // ended() does not come
    void clear();

    const QList<json::Value> &entries() const { return m_entries; }
    const QStringList &findings() const { return m_findings; }
    int pages() const { return m_pages; }
    bool hasMore() const { return !m_cursor.isEmpty(); }  // and the cursor of the next page is known
    // For all pages; nothing where one of them has none.
    const std::optional<CacheHint> &cache() const { return m_cache; }

Q_SIGNALS:
    // Never from within start() or goOn(). Error::Kind::None: all that was wanted is there. The pages that came before
    // an error are kept.
    void ended(const sonde::Error &error);

private:
    void startOver();
    void requestPage();
    void onFinished(const Outcome &outcome);
    void addPage(const Outcome &outcome);
    void readCursor(const json::Value &next);
    void onRefused(const Error &error);

    QPointer<Client> m_client;
    const QStringView m_method;
    const QStringView m_member;  // of the result
    QPointer<Call> m_call;
    std::chrono::milliseconds m_pageTimeout{};
    int m_wantedPages = 0;
    bool m_mayStartOver = false;
    QList<json::Value> m_entries;
    QByteArray m_cursor;  // JSON; empty: there is no next page
    QSet<QByteArray> m_cursors;
    QStringList m_findings;
    int m_pages = 0;
    std::optional<CacheHint> m_cache;
};

}  // namespace sonde
