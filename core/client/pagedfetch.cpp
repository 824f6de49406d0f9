// SPDX-License-Identifier: Apache-2.0
#include "core/client/pagedfetch.h"

#include "core/client/call.h"
#include "core/json/builder.h"
#include "core/protocol/error.h"

#include <algorithm>
#include <utility>

namespace sonde {

PagedFetch::PagedFetch(Client *client, QStringView method, QStringView member, QObject *parent)
    : QObject(parent), m_client(client), m_method(method), m_member(member)
{}

void PagedFetch::start(int pages, std::chrono::milliseconds pageTimeout)
{
    startOver();
    goOn(pages, pageTimeout);
}

void PagedFetch::goOn(int pages, std::chrono::milliseconds pageTimeout)
{
    m_wantedPages = std::min(m_pages + pages, MaxPages);
    m_pageTimeout = pageTimeout;
    m_mayStartOver = m_wantedPages == MaxPages;
    requestPage();
}

void PagedFetch::stop()
{
    if (!m_call)
        return;
    m_call->disconnect(this);
    m_call->cancel();
    m_call.clear();
}

void PagedFetch::clear()
{
    stop();
    startOver();
}

void PagedFetch::startOver()
{
    m_entries.clear();
    m_cursor.clear();
    m_cursors.clear();
    m_findings.clear();
    m_pages = 0;
    m_cache.reset();
}

void PagedFetch::requestPage()
{
    if (!m_client) {
        QMetaObject::invokeMethod(
            this, [this] { Q_EMIT ended(Error::local(tr("The connection was closed."))); }, Qt::QueuedConnection);
        return;
    }
    CallOptions options;
    options.timeout = m_pageTimeout;
    options.maxTotal = m_pageTimeout;
    options.askForProgress = false;
    const QByteArray params =
        hasMore() ? json::Builder().beginObject().rawMember(u"cursor", m_cursor).endObject().take() : QByteArray();
    m_call = m_client->request(m_method, params, options);
    connect(m_call, &Call::finished, this, &PagedFetch::onFinished);
}

void PagedFetch::onFinished(const Outcome &outcome)
{
    m_call.clear();
    if (outcome.kind == Outcome::Kind::Ok || outcome.kind == Outcome::Kind::ToolError) {
        addPage(outcome);
        if (hasMore() && m_pages < m_wantedPages)
            requestPage();
        else
            Q_EMIT ended({});
        return;
    }
    // Who owns the connection begins a new session and lists anew in it, or ends.
    if (outcome.error.reason == Error::Reason::SessionLost)
        return;
    const bool isCursorRefused =
        outcome.kind == Outcome::Kind::ProtocolError && hasMore() && outcome.error.code == errorcodes::InvalidParams;
    if (isCursorRefused)
        onRefused(outcome.error);
    else
        Q_EMIT ended(outcome.error);
}

// Cursors do not outlive a change of the list.
void PagedFetch::onRefused(const Error &error)
{
    if (std::exchange(m_mayStartOver, false)) {
        startOver();
        requestPage();
        return;
    }
    m_cursor.clear();
    Error refusal = error;
    refusal.message = tr("The server refused the cursor of page %1 (-32602): %2").arg(m_pages + 1).arg(error.message);
    refusal.hint = tr("The list may have changed. Refresh it to start again from the first page.");
    Q_EMIT ended(refusal);
}

void PagedFetch::addPage(const Outcome &outcome)
{
    const json::Value result = outcome.result();
    ++m_pages;
    const QDateTime received = outcome.startedAt.addMSecs(outcome.durationNs / 1'000'000);
    const std::optional<CacheHint> hint = CacheHint::of(result, received);
    m_cache = m_pages == 1 ? hint : CacheHint::shorter(m_cache, hint);
    for (const QString &finding : outcome.findings)
        m_findings.append(m_pages > 1 ? tr("Page %1: %2").arg(m_pages).arg(finding) : finding);
    const json::Value page = result[m_member];
    if (page.isArray()) {
        for (const json::Value &entry : page)
            m_entries.append(entry);
    }
    readCursor(result[u"nextCursor"]);
}

// The empty string is a cursor, too.
void PagedFetch::readCursor(const json::Value &next)
{
    m_cursor.clear();
    if (!next.exists() || next.isNull())
        return;
    const QByteArray cursor = next.bytes();
    if (!next.isString())
        m_findings.append(tr("'nextCursor' is not a string; the list may be incomplete."));
    else if (m_cursors.contains(cursor))
        m_findings.append(tr("The server repeated the cursor '%1'; the list was ended (pages loaded: %2).")
                              .arg(next.string())
                              .arg(m_pages));
    else if (m_pages >= MaxPages)
        m_findings.append(tr("The list was ended at the limit of %1 pages; the server has more.").arg(m_pages));
    else
        m_cursor = cursor;
    m_cursors.insert(cursor);
}

}  // namespace sonde
