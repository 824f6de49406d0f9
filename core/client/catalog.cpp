// SPDX-License-Identifier: Apache-2.0
#include "core/client/catalog.h"

#include "core/json/builder.h"
#include "core/protocol/error.h"
#include "core/protocol/methods.h"
#include "core/protocol/worker.h"
#include "core/transport/monotonicclock.h"

#include <QPointer>
#include <QSet>
#include <QTimer>
#include <algorithm>
#include <array>
#include <limits>
#include <optional>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr int MaxPages = 1000;
constexpr int MaxDuplicatesNamed = 10;
constexpr int RetryGrowth = 3;
// Reading more than these would be felt in the event loop.
constexpr qsizetype WorkerThresholdEntries = 200;

struct ListInfo {
    Catalog::List list;
    QStringView method;
    QStringView member;      // of the result
    QStringView capability;  // that offers it
    QStringView changed;     // the notification that it is out of date
    QStringView identity;    // the member of an entry that must be unique
};
constexpr std::array<ListInfo, 4> Infos = {{
    {Catalog::List::Tools, methods::ListTools, u"tools", u"tools", methods::ToolsChanged, u"name"},
    {Catalog::List::Resources, methods::ListResources, u"resources", u"resources", methods::ResourcesChanged, u"uri"},
    {Catalog::List::ResourceTemplates, methods::ListResourceTemplates, u"resourceTemplates", u"resources",
     methods::ResourcesChanged, u"uriTemplate"},
    {Catalog::List::Prompts, methods::ListPrompts, u"prompts", u"prompts", methods::PromptsChanged, u"name"},
}};

template <typename Entry>
QList<Entry> readAll(const QList<json::Value> &values, Entry (*read)(const json::Value &))
{
    QList<Entry> entries;
    entries.reserve(values.size());
    for (const json::Value &value : values)
        entries.append(read(value));
    return entries;
}

QStringList duplicatesIn(const QList<json::Value> &values, QStringView identity)
{
    QStringList findings;
    QSet<QString> seen;
    QSet<QString> twice;
    for (const json::Value &value : values) {
        const json::Value name = value[identity];
        if (!name.isString())
            continue;
        const QString text = name.string();
        if (seen.contains(text))
            twice.insert(text);
        seen.insert(text);
    }
    QStringList names(twice.cbegin(), twice.cend());
    names.sort();
    for (const QString &name : std::as_const(names).first(std::min<qsizetype>(names.size(), MaxDuplicatesNamed)))
        findings.append(Catalog::tr("The %1 '%2' occurs more than once.").arg(identity, name));
    if (names.size() > MaxDuplicatesNamed)
        findings.append(Catalog::tr("More duplicate names, not listed: %1").arg(names.size() - MaxDuplicatesNamed));
    return findings;
}

// What the entries of one list say; the lists of other kinds stay empty.
struct Reading {
    QStringList findings;
    QList<Tool> tools;
    QList<Resource> resources;
    QList<ResourceTemplate> templates;
    QList<Prompt> prompts;
};

Reading read(const ListInfo &info, const QList<json::Value> &values)
{
    Reading reading;
    reading.findings = duplicatesIn(values, info.identity);
    switch (info.list) {
        case Catalog::List::Tools:
            reading.tools = readAll(values, readTool);
            break;
        case Catalog::List::Resources:
            reading.resources = readAll(values, readResource);
            break;
        case Catalog::List::ResourceTemplates:
            reading.templates = readAll(values, readResourceTemplate);
            break;
        case Catalog::List::Prompts:
            reading.prompts = readAll(values, readPrompt);
            break;
    }
    return reading;
}

}  // namespace

class Catalog::Private {
public:
    // One list and its fetch through the pages.
    struct PagedFetch {
        Status status;
        QTimer *pause = nullptr;  // running while a refresh waits for its turn
        int retries = 0;          // by itself, since it was last wanted
        QPointer<Call> call;
        QPointer<QObject> worker;  // waits for what a thread reads
        bool inFlight = false;
        bool refreshWaiting = false;
        bool isFirst = false;    // the load that load() began
        bool hasLoaded = false;  // entries are a complete list, to be kept until there is a newer one
        bool restarted = false;
        qint64 startedNs = 0;
        QList<json::Value> entries;
        QSet<QString> cursors;
        QStringList findings;
        int pages = 0;
        std::optional<CacheHint> cache;
    };

    Private(Catalog *catalog, Client *client_) : q(catalog), client(client_) {}

    PagedFetch &fetch(List list) { return fetches[size_t(list)]; }
    static const ListInfo &info(List list) { return Infos[size_t(list)]; }

    void begin(const json::Value &capabilities);
    void start(List list);
    void startOver(PagedFetch &fetch);
    void requestPage(List list, const QByteArray &params);
    void onPage(List list, const Outcome &outcome);
    void onFailure(List list, const Outcome &outcome);
    std::optional<QString> nextCursor(PagedFetch &fetch, const json::Value &result) const;
    void end(List list, State state, const Error &error = {});
    void conclude(List list, State state, const Error &error, const Reading &reading);
    void publish(List list, const Reading &reading);
    std::optional<std::chrono::milliseconds> takeRetry(PagedFetch &fetch, const Error &error) const;
    void checkLoaded();
    void onNotified(const Message &notification);

    Catalog *const q;
    QPointer<Client> client;
    std::array<PagedFetch, 4> fetches;
    std::chrono::milliseconds listTimeout{30'000};
    std::chrono::milliseconds refreshInterval{1'000};
    std::chrono::milliseconds retryInterval{5'000};
    int maxRetries = 3;
    bool isOffering = false;  // between load() and loaded()
};

Catalog::Catalog(Client *client, QObject *parent) : QObject(parent), d(std::make_unique<Private>(this, client))
{
    for (const ListInfo &info : Infos) {
        auto *pause = new QTimer(this);
        pause->setSingleShot(true);
        connect(pause, &QTimer::timeout, this, [this, list = info.list] { d->start(list); });
        d->fetch(info.list).pause = pause;
    }
    if (!client)
        return;
    connect(client, &Client::notified, this, [this](const Message &message) { d->onNotified(message); });
    client->setToolLister([catalog = QPointer<Catalog>(this)](const std::function<void()> &whenListed) {
        if (catalog)
            catalog->refreshThen(List::Tools, whenListed);
        else
            whenListed();
    });
}

Catalog::~Catalog() = default;

void Catalog::setListTimeout(std::chrono::milliseconds timeout)
{
    d->listTimeout = timeout;
}

void Catalog::setRefreshInterval(std::chrono::milliseconds interval)
{
    d->refreshInterval = interval;
}

void Catalog::setRetryInterval(std::chrono::milliseconds interval)
{
    d->retryInterval = interval;
}

void Catalog::setMaxRetries(int count)
{
    d->maxRetries = count;
}

const Catalog::Status &Catalog::status(List list) const
{
    return d->fetch(list).status;
}

bool Catalog::isLoading() const
{
    return std::any_of(d->fetches.cbegin(), d->fetches.cend(),
                       [](const Private::PagedFetch &fetch) { return fetch.status.state == State::Loading; });
}

const Tool *Catalog::tool(QStringView name) const
{
    const auto found =
        std::find_if(m_tools.cbegin(), m_tools.cend(), [name](const Tool &tool) { return tool.name == name; });
    return found == m_tools.cend() ? nullptr : &*found;
}

const Prompt *Catalog::prompt(QStringView name) const
{
    const auto found = std::find_if(m_prompts.cbegin(), m_prompts.cend(),
                                    [name](const Prompt &prompt) { return prompt.name == name; });
    return found == m_prompts.cend() ? nullptr : &*found;
}

void Catalog::load(const json::Value &capabilities)
{
    for (const ListInfo &info : Infos)
        d->publish(info.list, {});
    d->begin(capabilities);
}

void Catalog::suspend()
{
    d->begin({});
}

void Catalog::Private::begin(const json::Value &capabilities)
{
    isOffering = true;
    QList<List> offered;
    for (const ListInfo &info : Infos) {
        PagedFetch &current = fetch(info.list);
        if (current.call) {
            current.call->disconnect(q);
            current.call->cancel();
        }
        delete current.worker;
        current.inFlight = false;
        current.isFirst = false;
        current.refreshWaiting = false;
        current.pause->stop();
        current.retries = 0;
        current.hasLoaded = false;
        current.entries.clear();
        current.status = {};
        if (!capabilities[info.capability].exists())
            continue;
        current.status.state = State::Loading;
        current.isFirst = true;
        offered.append(info.list);
    }
    // All are Loading before anybody hears of the first.
    const QPointer<Catalog> alive(q);
    for (const ListInfo &info : Infos) {
        if (!alive)
            return;
        if (offered.contains(info.list))
            start(info.list);
        else
            Q_EMIT q->changed(info.list);
    }
    if (alive && offered.isEmpty())
        QMetaObject::invokeMethod(
            q, [this] { checkLoaded(); }, Qt::QueuedConnection);
}

void Catalog::refresh(List list)
{
    Private::PagedFetch &fetch = d->fetch(list);
    if (fetch.inFlight) {
        fetch.refreshWaiting = true;
        return;
    }
    fetch.retries = 0;
    const qint64 sinceMs = (monotonicNs() - fetch.startedNs) / 1'000'000;
    const qint64 waitMs = fetch.startedNs == 0 ? 0 : d->refreshInterval.count() - sinceMs;
    if (waitMs <= 0)
        d->start(list);
    else if (!fetch.pause->isActive() || fetch.pause->remainingTime() > waitMs)
        fetch.pause->start(int(std::min<qint64>(waitMs, std::numeric_limits<int>::max())));
}

void Catalog::refreshUnlessFresh(List list)
{
    const Status &known = status(list);
    if (known.state != State::Ready || !known.cache || !known.cache->isFreshAt(QDateTime::currentDateTimeUtc()))
        refresh(list);
}

void Catalog::refreshThen(List list, std::function<void()> done)
{
    auto *once = new QObject(this);
    connect(this, &Catalog::changed, once, [this, list, once, done = std::move(done)](List changedList) {
        if (changedList != list || d->fetch(list).inFlight)
            return;
        disconnect(this, nullptr, once, nullptr);
        once->deleteLater();
        done();
    });
    refresh(list);
}

void Catalog::Private::onNotified(const Message &notification)
{
    const QString method = notification.method();
    const QPointer<Catalog> alive(q);
    for (const ListInfo &info : Infos) {
        if (method == info.changed && fetch(info.list).status.state != State::NotOffered) {
            fetch(info.list).status.cache.reset();
            q->refresh(info.list);
        }
        if (!alive)
            return;
    }
}

void Catalog::Private::startOver(PagedFetch &fetch)
{
    fetch.entries.clear();
    fetch.cursors.clear();
    fetch.findings.clear();
    fetch.pages = 0;
}

void Catalog::Private::start(List list)
{
    PagedFetch &current = fetch(list);
    startOver(current);
    current.restarted = false;
    current.refreshWaiting = false;
    current.pause->stop();
    current.inFlight = true;
    current.startedNs = monotonicNs();
    current.status.state = State::Loading;
    requestPage(list, {});
    Q_EMIT q->changed(list);
}

void Catalog::Private::requestPage(List list, const QByteArray &params)
{
    if (!client) {
        // Never from within refresh(), like any other end of a list.
        QMetaObject::invokeMethod(
            q, [this, list] { end(list, State::Failed, Error::local(Catalog::tr("The connection was closed."))); },
            Qt::QueuedConnection);
        return;
    }
    CallOptions options;
    options.timeout = listTimeout;
    options.maxTotal = listTimeout;
    options.askForProgress = false;
    Call *call = client->request(info(list).method, params, options);
    fetch(list).call = call;
    QObject::connect(call, &Call::finished, q, [this, list](const Outcome &outcome) {
        if (outcome.kind == Outcome::Kind::Ok || outcome.kind == Outcome::Kind::ToolError)
            onPage(list, outcome);
        else
            onFailure(list, outcome);
    });
}

void Catalog::Private::onPage(List list, const Outcome &outcome)
{
    PagedFetch &current = fetch(list);
    const json::Value result = outcome.result();
    ++current.pages;
    const QDateTime received = outcome.startedAt.addMSecs(outcome.durationNs / 1'000'000);
    const std::optional<CacheHint> hint = CacheHint::of(result, received);
    current.cache = current.pages == 1 ? hint : CacheHint::shorter(current.cache, hint);
    for (const QString &finding : outcome.findings)
        current.findings.append(current.pages > 1 ? Catalog::tr("Page %1: %2").arg(current.pages).arg(finding)
                                                  : finding);
    const json::Value page = result[info(list).member];
    if (page.isArray()) {
        for (const json::Value &entry : page)
            current.entries.append(entry);
    }
    if (const std::optional<QString> cursor = nextCursor(current, result))
        requestPage(list, json::Builder().beginObject().member(u"cursor", *cursor).endObject().take());
    else
        end(list, State::Ready);
}

// The cursor of the next page, the empty one included; nothing when this was the last page or must be.
std::optional<QString> Catalog::Private::nextCursor(PagedFetch &fetch, const json::Value &result) const
{
    const json::Value next = result[u"nextCursor"];
    if (!next.exists() || next.isNull())
        return std::nullopt;
    if (!next.isString()) {
        fetch.findings.append(Catalog::tr("'nextCursor' is not a string; the list may be incomplete."));
        return std::nullopt;
    }
    const QString cursor = next.string();
    if (fetch.cursors.contains(cursor)) {
        fetch.findings.append(Catalog::tr("The server repeated the cursor '%1'; the list was ended (pages loaded: %2).")
                                  .arg(cursor)
                                  .arg(fetch.pages));
        return std::nullopt;
    }
    if (fetch.pages >= MaxPages) {
        fetch.findings.append(
            Catalog::tr("The list was ended at the limit of %1 pages; the server has more.").arg(fetch.pages));
        return std::nullopt;
    }
    fetch.cursors.insert(cursor);
    return cursor;
}

void Catalog::Private::onFailure(List list, const Outcome &outcome)
{
    PagedFetch &current = fetch(list);
    const bool isRemote = outcome.kind == Outcome::Kind::ProtocolError;
    if (isRemote && outcome.error.code == errorcodes::MethodNotFound && current.pages == 0) {
        current.findings.append(Catalog::tr("The server declares '%1' but does not implement %2 (-32601).")
                                    .arg(info(list).capability, info(list).method));
        end(list, State::Ready);
        return;
    }
    // Cursors do not outlive a change of the list (spec: utilities/pagination), so once from the beginning again.
    if (isRemote && outcome.error.code == errorcodes::InvalidParams && current.pages > 0 && !current.restarted) {
        startOver(current);
        current.restarted = true;
        requestPage(list, {});
        return;
    }
    if (current.pages > 0)
        current.findings.append(Catalog::tr("The list ended early (pages loaded: %1).").arg(current.pages));
    end(list, State::Failed, outcome.error);
}

void Catalog::Private::end(List list, State state, const Error &error)
{
    PagedFetch &current = fetch(list);
    if (current.entries.size() <= WorkerThresholdEntries) {
        conclude(list, state, error, read(info(list), current.entries));
        return;
    }
    const auto work = [list, entries = current.entries] { return read(info(list), entries); };
    current.worker = runOnWorker(q, work, [this, list, state, error](const std::optional<Reading> &reading) {
        fetch(list).worker.clear();
        if (reading)
            conclude(list, state, error, *reading);
        else
            conclude(list, State::Failed, Error::local(Catalog::tr("Not enough memory for this list.")), {});
    });
}

void Catalog::Private::conclude(List list, State state, const Error &error, const Reading &reading)
{
    PagedFetch &current = fetch(list);
    current.findings += reading.findings;
    current.status = {state, error, current.findings, current.pages,
                      state == State::Ready ? current.cache : std::nullopt};
    if (state == State::Ready || (!current.hasLoaded && !current.entries.isEmpty()))
        publish(list, reading);
    if (state == State::Ready) {
        current.hasLoaded = true;
        current.retries = 0;
    }
    startOver(current);
    current.inFlight = false;
    current.isFirst = false;
    const bool again = std::exchange(current.refreshWaiting, false);
    if (const auto retry = again ? std::nullopt : takeRetry(current, error)) {
        current.pause->start(*retry);
        const double seconds = std::chrono::duration<double>(*retry).count();
        current.status.error.hint = Catalog::tr("Retrying in %1 s.").arg(seconds, 0, 'g', 3);
    }

    const QPointer<Catalog> alive(q);
    Q_EMIT q->changed(list);
    if (alive && again)
        q->refresh(list);
    if (alive)
        checkLoaded();
}

// In how long, where nothing came in time and it may be asked once more.
std::optional<std::chrono::milliseconds> Catalog::Private::takeRetry(PagedFetch &fetch, const Error &error) const
{
    if (error.kind != Error::Kind::Timeout || fetch.retries >= maxRetries)
        return std::nullopt;
    std::chrono::milliseconds pause = retryInterval;
    for (int i = 0; i < fetch.retries; ++i)
        pause *= RetryGrowth;
    ++fetch.retries;
    return pause;
}

void Catalog::Private::publish(List list, const Reading &reading)
{
    switch (list) {
        case List::Tools:
            q->m_tools = reading.tools;
            break;
        case List::Resources:
            q->m_resources = reading.resources;
            break;
        case List::ResourceTemplates:
            q->m_templates = reading.templates;
            break;
        case List::Prompts:
            q->m_prompts = reading.prompts;
            break;
    }
}

void Catalog::Private::checkLoaded()
{
    const auto isPending = [](const PagedFetch &fetch) { return fetch.isFirst; };
    if (!isOffering || std::any_of(fetches.cbegin(), fetches.cend(), isPending))
        return;
    isOffering = false;
    Q_EMIT q->loaded();
}

}  // namespace sonde
