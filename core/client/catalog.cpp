// SPDX-License-Identifier: Apache-2.0
#include "core/client/catalog.h"

#include "core/client/pagedfetch.h"
#include "core/protocol/error.h"
#include "core/protocol/worker.h"
#include "core/transport/monotonicclock.h"

#include <QPointer>
#include <QSet>
#include <QTimer>
#include <algorithm>
#include <limits>
#include <optional>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr int MaxDuplicatesNamed = 10;
constexpr int RetryGrowth = 3;
// Reading more than these would be felt in the event loop.
constexpr qsizetype WorkerThresholdEntries = 200;

QString duplicateText(QStringView identity, const QString &name)
{
    return Catalog::tr("The %1 '%2' occurs more than once.").arg(identity, name);
}

// Each of several with one name tells of the others.
template <typename Entry>
QList<Entry> readAll(const QList<json::Value> &values, Entry (*read)(const json::Value &), QStringView identity,
                     const QSet<QString> &duplicates)
{
    QList<Entry> entries;
    entries.reserve(values.size());
    for (const json::Value &value : values) {
        Entry entry = read(value);
        if (const QString name = duplicates.isEmpty() ? QString() : value[identity].string(); duplicates.contains(name))
            entry.findings.append(duplicateText(identity, name));
        entries.append(entry);
    }
    return entries;
}

template <typename Entry, typename Key>
const Entry *listedAs(const QList<Entry> &entries, Key member, QStringView key, int number)
{
    const Entry *last = nullptr;
    for (const Entry &entry : entries) {
        if (entry.*member != key)
            continue;
        last = &entry;
        if (number-- == 0)
            break;
    }
    return last;
}

QSet<QString> duplicatesIn(const QList<json::Value> &values, QStringView identity)
{
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
    return twice;
}

QStringList findingsAbout(const QSet<QString> &duplicates, QStringView identity)
{
    QStringList findings;
    QStringList names(duplicates.cbegin(), duplicates.cend());
    names.sort();
    for (const QString &name : std::as_const(names).first(std::min<qsizetype>(names.size(), MaxDuplicatesNamed)))
        findings.append(duplicateText(identity, name));
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

Reading read(const Catalog::ListInfo &info, const QList<json::Value> &values)
{
    Reading reading;
    const QSet<QString> duplicates = duplicatesIn(values, info.identity);
    reading.findings = findingsAbout(duplicates, info.identity);
    switch (info.list) {
        case Catalog::List::Tools:
            reading.tools = readAll(values, readTool, info.identity, duplicates);
            break;
        case Catalog::List::Resources:
            reading.resources = readAll(values, readResource, info.identity, duplicates);
            break;
        case Catalog::List::ResourceTemplates:
            reading.templates = readAll(values, readResourceTemplate, info.identity, duplicates);
            break;
        case Catalog::List::Prompts:
            reading.prompts = readAll(values, readPrompt, info.identity, duplicates);
            break;
    }
    return reading;
}

}  // namespace

class Catalog::Private {
public:
    struct ListState {
        Status status;
        PagedFetch *pages = nullptr;
        QTimer *pause = nullptr;   // running while a refresh waits for its turn
        int retries = 0;           // by itself, since it was last wanted
        QPointer<QObject> worker;  // waits for what a thread reads
        bool inFlight = false;
        bool refreshWaiting = false;
        int refreshPages = 1;    // where lists are loaded page by page
        bool isAdding = false;   // further pages to those that are there
        bool isFirst = false;    // the load that load() began
        bool hasLoaded = false;  // entries are to be kept until there is a newer list
        qint64 startedNs = 0;
    };

    Private(Catalog *catalog, Client *client_) : q(catalog), client(client_) {}

    ListState &state(List list) { return states[size_t(list)]; }

    void begin(const json::Value &capabilities);
    void start(List list);
    void onEnded(List list, const Error &error);
    void conclude(List list, const Error &failure, const Reading &reading);
    void publish(List list, const Reading &reading);
    std::optional<std::chrono::milliseconds> takeRetry(ListState &current, const Error &error) const;
    void checkLoaded();
    void onNotified(const Message &notification);

    Catalog *const q;
    QPointer<Client> client;
    std::array<ListState, Lists.size()> states;
    std::chrono::milliseconds listTimeout{30'000};
    std::chrono::milliseconds refreshInterval{1'000};
    std::chrono::milliseconds retryInterval{5'000};
    int maxRetries = 3;
    bool isPageByPage = false;
    bool isOffering = false;  // between load() and loaded()
};

Catalog::Catalog(Client *client, QObject *parent) : QObject(parent), d(std::make_unique<Private>(this, client))
{
    for (const ListInfo &info : Lists) {
        auto *pause = new QTimer(this);
        pause->setSingleShot(true);
        connect(pause, &QTimer::timeout, this, [this, list = info.list] { d->start(list); });
        d->state(info.list).pause = pause;
        auto *pages = new PagedFetch(client, info.method, info.member, this);
        connect(pages, &PagedFetch::ended, this,
                [this, list = info.list](const Error &error) { d->onEnded(list, error); });
        d->state(info.list).pages = pages;
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

qsizetype Catalog::count(List list) const
{
    switch (list) {
        case List::Tools:
            return m_tools.size();
        case List::Resources:
            return m_resources.size();
        case List::ResourceTemplates:
            return m_templates.size();
        case List::Prompts:
            break;
    }
    return m_prompts.size();
}

void Catalog::forEach(List list, const std::function<void(const Entry &)> &visit) const
{
    const auto visitAll = [&visit](const auto &entries) {
        for (const Entry &entry : entries)
            visit(entry);
    };
    switch (list) {
        case List::Tools:
            return visitAll(m_tools);
        case List::Resources:
            return visitAll(m_resources);
        case List::ResourceTemplates:
            return visitAll(m_templates);
        case List::Prompts:
            break;
    }
    visitAll(m_prompts);
}

const Catalog::Status &Catalog::status(List list) const
{
    return d->state(list).status;
}

bool Catalog::isLoading() const
{
    return std::any_of(d->states.cbegin(), d->states.cend(),
                       [](const Private::ListState &each) { return each.status.state == State::Loading; });
}

const Tool *Catalog::tool(QStringView name, int number) const
{
    return listedAs(m_tools, &Tool::name, name, number);
}

const Prompt *Catalog::prompt(QStringView name, int number) const
{
    return listedAs(m_prompts, &Prompt::name, name, number);
}

const Resource *Catalog::resource(QStringView uri, int number) const
{
    return listedAs(m_resources, &Resource::uri, uri, number);
}

const ResourceTemplate *Catalog::resourceTemplate(QStringView uriTemplate, int number) const
{
    return listedAs(m_templates, &ResourceTemplate::uriTemplate, uriTemplate, number);
}

void Catalog::load(const json::Value &capabilities)
{
    for (const ListInfo &info : Lists)
        d->publish(info.list, {});
    d->begin(capabilities);
}

void Catalog::restore(List list, const QList<json::Value> &entries)
{
    const Reading reading = read(info(list), entries);
    Status &status = d->state(list).status;
    status = {};
    status.state = State::Ready;
    status.findings = reading.findings;
    d->publish(list, reading);
    Q_EMIT changed(list);
}

void Catalog::suspend()
{
    d->begin({});
}

void Catalog::Private::begin(const json::Value &capabilities)
{
    isOffering = true;
    QList<List> offered;
    for (const ListInfo &info : Lists) {
        ListState &current = state(info.list);
        current.pages->clear();
        delete current.worker;
        current.inFlight = false;
        current.isFirst = false;
        current.refreshWaiting = false;
        current.pause->stop();
        current.retries = 0;
        current.hasLoaded = false;
        current.status = {};
        if (!capabilities[info.capability].exists())
            continue;
        current.status.state = State::Loading;
        current.isFirst = true;
        offered.append(info.list);
    }
    // All are Loading before anybody hears of the first.
    const QPointer<Catalog> alive(q);
    for (const ListInfo &info : Lists) {
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
    Private::ListState &current = d->state(list);
    if (current.inFlight) {
        current.refreshWaiting = true;
        return;
    }
    current.retries = 0;
    const qint64 sinceMs = (monotonicNs() - current.startedNs) / 1'000'000;
    const qint64 waitMs = current.startedNs == 0 ? 0 : d->refreshInterval.count() - sinceMs;
    if (waitMs <= 0)
        d->start(list);
    else if (!current.pause->isActive() || current.pause->remainingTime() > waitMs)
        current.pause->start(int(std::min<qint64>(waitMs, std::numeric_limits<int>::max())));
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
        if (changedList != list || d->state(list).inFlight)
            return;
        disconnect(this, nullptr, once, nullptr);
        once->deleteLater();
        done();
    });
    d->state(list).refreshPages = std::max(1, d->state(list).status.pages);
    refresh(list);
}

void Catalog::setPageByPage(bool isPageByPage)
{
    d->isPageByPage = isPageByPage;
}

void Catalog::loadMore(List list, Extent extent)
{
    Private::ListState &current = d->state(list);
    if (current.inFlight || !current.status.hasMore)
        return;
    // A refresh that waits for its turn comes after it; a retry is not needed any more.
    current.refreshWaiting = current.pause->isActive() && current.retries == 0;
    current.pause->stop();
    current.inFlight = true;
    current.isAdding = true;
    current.status.state = State::Loading;
    current.pages->goOn(extent == Extent::NextPage ? 1 : PagedFetch::MaxPages, d->listTimeout);
    Q_EMIT changed(list);
}

void Catalog::Private::onNotified(const Message &notification)
{
    const QString method = notification.method();
    const QPointer<Catalog> alive(q);
    for (const ListInfo &info : Lists) {
        if (method == info.changed && state(info.list).status.state != State::NotOffered) {
            state(info.list).status.cache.reset();
            q->refresh(info.list);
        }
        if (!alive)
            return;
    }
}

void Catalog::Private::start(List list)
{
    ListState &current = state(list);
    const int wanted = std::exchange(current.refreshPages, 1);
    current.refreshWaiting = false;
    current.pause->stop();
    current.inFlight = true;
    current.isAdding = false;
    current.startedNs = monotonicNs();
    current.status.state = State::Loading;
    current.pages->start(isPageByPage ? wanted : PagedFetch::MaxPages, listTimeout);
    Q_EMIT q->changed(list);
}

void Catalog::Private::onEnded(List list, const Error &failure)
{
    const QList<json::Value> entries = state(list).pages->entries();
    if (entries.size() <= WorkerThresholdEntries) {
        conclude(list, failure, read(info(list), entries));
        return;
    }
    const auto work = [list, entries] { return read(info(list), entries); };
    state(list).worker = runOnWorker(q, work, [this, list, failure](const std::optional<Reading> &reading) {
        state(list).worker.clear();
        if (reading)
            conclude(list, failure, *reading);
        else
            conclude(list, Error::local(Catalog::tr("Not enough memory for this list.")), {});
    });
}

void Catalog::Private::conclude(List list, const Error &failure, const Reading &reading)
{
    ListState &current = state(list);
    const PagedFetch &pages = *current.pages;
    const bool isUnknownMethod =
        failure.kind == Error::Kind::Remote && pages.pages() == 0 && failure.code == errorcodes::MethodNotFound;
    const bool isReady = !failure || isUnknownMethod;
    QStringList findings = pages.findings();
    if (isUnknownMethod)
        findings.append(Catalog::tr("The server declares '%1' but does not implement %2 (-32601).")
                            .arg(info(list).capability, info(list).method));
    else if (failure && pages.pages() > 0)
        findings.append(Catalog::tr("The list ended early (pages loaded: %1).").arg(pages.pages()));
    current.status = {isReady ? State::Ready : State::Failed,
                      isReady ? Error() : failure,
                      findings + reading.findings,
                      pages.pages(),
                      isReady ? pages.cache() : std::nullopt,
                      pages.hasMore(),
                      isUnknownMethod};
    const bool areKept = current.isAdding || !current.hasLoaded;
    if (isReady || (areKept && !pages.entries().isEmpty()))
        publish(list, reading);
    if (isReady) {
        current.hasLoaded = true;
        current.retries = 0;
    }
    if (!pages.hasMore())
        current.pages->clear();
    current.inFlight = false;
    current.isFirst = false;
    const bool again = std::exchange(current.refreshWaiting, false);
    if (const auto retry = again ? std::nullopt : takeRetry(current, failure)) {
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
std::optional<std::chrono::milliseconds> Catalog::Private::takeRetry(ListState &current, const Error &error) const
{
    if (error.kind != Error::Kind::Timeout || current.isAdding || current.retries >= maxRetries)
        return std::nullopt;
    std::chrono::milliseconds pause = retryInterval;
    for (int i = 0; i < current.retries; ++i)
        pause *= RetryGrowth;
    ++current.retries;
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
    const auto isPending = [](const ListState &each) { return each.isFirst; };
    if (!isOffering || std::any_of(states.cbegin(), states.cend(), isPending))
        return;
    isOffering = false;
    Q_EMIT q->loaded();
}

}  // namespace sonde
