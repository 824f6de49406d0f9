// SPDX-License-Identifier: Apache-2.0
#include "core/check/sessioncheck.h"

#include "core/protocol/methods.h"
#include "core/protocol/numbertext.h"
#include "core/protocol/worker.h"

#include <QRegularExpression>
#include <QSet>
#include <array>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

constexpr int JobSize = 256;
constexpr qint64 JobBytes = 32 * 1024 * 1024;
constexpr qint64 BytesAtEnd = 4 * 1024 * 1024;  // which nobody should have to wait for
constexpr int IntervalMs = 50;                  // between jobs while more arrives
constexpr int MaxKinds = 1000;
constexpr qsizetype MaxOpenRequests = 10'000;

// What the message itself says about the revision that its connection speaks from now on.
std::optional<std::optional<Revision>> statedRevision(const Message &message, Sender sender, const QString &method)
{
    json::Value stated;
    if (method == methods::Initialize && message.kind() == Message::Kind::Result)
        stated = message.result()[u"protocolVersion"];
    else if (method == methods::Initialize && message.kind() == Message::Kind::Request)
        stated = message.params()[u"protocolVersion"];
    else if (sender == Sender::Client && message.kind() == Message::Kind::Request)
        stated = message.params()[u"_meta"][u"io.modelcontextprotocol/protocolVersion"];
    if (!stated.isString())
        return std::nullopt;
    return revisionFromString(stated.string());
}

}  // namespace

struct SessionCheck::Conversation {
    std::optional<Revision> revision;
    QSet<QString> declared;  // capabilities of the client, by its handshake
    bool hasHandshake = false;
    bool isInitialized = false;  // the client said so
    // Methods of the requests that have no response yet, by who sent them. Only where a response may come in a batch,
    // of which the session does not know the requests.
    std::array<QHash<RequestId, QString>, 2> open;

    void follow(const Message &message, Sender sender)
    {
        if (sender != Sender::Client)
            return;
        if (message.kind() == Message::Kind::Request && message.method() == methods::Initialize) {
            hasHandshake = true;
            isInitialized = false;
            declared.clear();
            for (const json::Value &capability : message.params()[u"capabilities"])
                declared.insert(capability.key());
        } else if (message.kind() == Message::Kind::Notification && message.method() == methods::Initialized) {
            isInitialized = true;
        }
    }

    QString problemOf(const Message &message, Sender sender) const
    {
        const bool isServerRequest = sender == Sender::Server && message.kind() == Message::Kind::Request;
        return isServerRequest && hasHandshake
                   ? problemOfServerRequest(message.method(), declared, isInitialized, *revision)
                   : QString();
    }
};

struct SessionCheck::Item {
    qsizetype row = 0;
    int connection = 0;
    Sender sender = Sender::Server;
    QString method;
    std::function<QByteArray()> bytes;
};

struct SessionCheck::Found {
    qsizetype row = 0;
    Sender sender = Sender::Server;
    QString method;
    bool isResponse = false;
    Revision revision = Revision::R20251125;
    QStringList findings;
};

struct SessionCheck::Batch {
    Conversations conversations;
    qint64 count = 0;
    qint64 left = 0;  // elements that were not checked
    std::vector<Found> found;
};

SessionCheck::SessionCheck(Session *session, QObject *parent) : QObject(parent), m_session(session)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &SessionCheck::goOn);
    connect(session, &Session::appended, this, [this] {
        if (!m_timer.isActive() && !m_job)
            m_timer.start(IntervalMs);
    });
}

SessionCheck::~SessionCheck() = default;

bool SessionCheck::isDone() const
{
    return !m_job && m_next >= m_session->size();
}

std::vector<SessionCheck::Item> SessionCheck::take(int count, qint64 bytes)
{
    std::vector<Item> items;
    for (; m_next < m_session->size() && items.size() < size_t(count) && bytes > 0; ++m_next) {
        const RecordInfo &info = m_session->at(m_next);
        if (info.kind != WireEvent::Kind::Message || info.direction == Direction::Local)
            continue;
        if (info.wireLength > MaxBytes) {
            ++m_unchecked;
            continue;
        }
        bytes -= info.wireLength;
        items.push_back({m_next, info.connection,
                         info.direction == Direction::ToServer ? Sender::Client : Sender::Server,
                         m_session->name(info.method), m_session->bytesReader(m_next)});
    }
    return items;
}

// On a worker, or at the end.
SessionCheck::Batch SessionCheck::check(const std::vector<Item> &items, Conversations conversations)
{
    Batch batch;
    const auto examine = [&batch](const Item &item, Conversation *conversation, const Message &message,
                                  const QString &knownMethod) {
        auto &own = conversation->open[size_t(item.sender)];
        auto &others = conversation->open[size_t(item.sender == Sender::Client ? Sender::Server : Sender::Client)];
        QString method = knownMethod;
        if (message.isResponse() && !others.isEmpty()) {
            const QString asked = others.take(message.id());
            method = method.isEmpty() ? asked : method;
        }
        std::optional<Revision> &revision = conversation->revision;
        if (const auto stated = statedRevision(message, item.sender, method))
            revision = *stated;
        if (!revision)
            return;
        if (message.kind() == Message::Kind::Request && message.id().isMatchable() &&
            supports(*revision, Feature::Batches) && own.size() < MaxOpenRequests)
            own.insert(message.id(), method);
        conversation->follow(message, item.sender);
        QStringList findings = messageFindings(message, item.sender, method, *revision);
        if (const QString problem = conversation->problemOf(message, item.sender); !problem.isEmpty())
            findings.append(problem);
        if (!findings.isEmpty())
            batch.found.push_back({item.row, item.sender, method, message.isResponse(), *revision, findings});
    };
    for (const Item &item : items) {
        Conversation &conversation = conversations[item.connection];
        const Message message = Message::parse(item.bytes());
        examine(item, &conversation, message, item.method);
        const qsizetype size = message.kind() == Message::Kind::Batch ? message.batchSize() : qsizetype(0);
        const qsizetype elements = qMin(size, MaxElements);
        batch.left += size - elements;
        for (qsizetype index = 0; index < elements; ++index) {
            const Message element = Message::parse(message.batchBytes(index));
            examine(item, &conversation, element, element.method());
        }
    }
    batch.count = qint64(items.size());
    batch.conversations = std::move(conversations);
    return batch;
}

void SessionCheck::goOn()
{
    m_jobBegin = m_next;
    m_jobUnchecked = m_unchecked;
    m_seen = m_session->size();
    auto items = take(JobSize, JobBytes);
    if (items.empty()) {
        Q_EMIT caughtUp();
        return;
    }
    const size_t count = items.size();
    m_job = runOnWorker(
        this, [items = std::move(items), conversations = m_conversations] { return check(items, conversations); },
        [this, count = qint64(count)](const std::optional<Batch> &batch) {
            m_job = nullptr;
            const bool isFlood = m_session->size() > m_seen;
            if (batch)
                report(*batch);
            else
                m_unchecked += count;  // there was no memory for them
            if (m_next < m_session->size())
                m_timer.start(isFlood ? IntervalMs : 0);
            else
                Q_EMIT caughtUp();
        });
}

void SessionCheck::finish()
{
    m_session->flush();
    m_timer.stop();
    if (m_job) {
        delete std::exchange(m_job, nullptr);
        m_next = m_jobBegin;
        m_unchecked = m_jobUnchecked;
    }
    report(check(take(MaxAtEnd, BytesAtEnd), m_conversations));
}

void SessionCheck::report(const Batch &batch)
{
    m_conversations = batch.conversations;
    m_checked += batch.count;
    m_unchecked += batch.left;
    for (const Found &found : batch.found) {
        QStringList listed;
        for (const QString &text : found.findings) {
            const int kind = kindOf(found, text);
            if (kind < 0)
                continue;
            ++m_findings[kind].count;
            RepeatLimit &limit = m_limits[size_t(kind)];
            if (!limit.admit())
                continue;
            listed.append(limit.isNumbered()
                              ? tr("%1 (Findings of this kind so far: %2; further ones are mostly only counted.)")
                                    .arg(text, grouped(limit.count()))
                              : text);
        }
        if (listed.isEmpty())
            continue;
        const QString what = found.isResponse ? tr("Response to %1").arg(found.method) : found.method;
        m_session->addFindingAbout(found.row,
                                   tr("%1, revision %2: %3").arg(what, toString(found.revision), listed.join(u' ')));
    }
}

// Its place among the findings; -1: there are too many already.
int SessionCheck::kindOf(const Found &found, const QString &text)
{
    static const QRegularExpression index(u"\\[\\d+\\]"_s);
    static const QRegularExpression value(u"(it is|has) .*"_s);
    QString key = text;
    key.replace(index, u"[]"_s).remove(value);
    key.prepend(QString::number(int(found.sender)) + u' ' + found.method + u' ');
    if (const auto known = m_kinds.constFind(key); known != m_kinds.constEnd())
        return *known;
    if (m_findings.size() >= MaxKinds)
        return -1;
    m_findings.append({found.sender, found.method, text, m_session->numberOf(found.row), 0});
    m_limits.emplace_back();
    const int place = int(m_findings.size()) - 1;
    m_kinds.insert(key, place);
    return place;
}

}  // namespace sonde
