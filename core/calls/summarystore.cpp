// SPDX-License-Identifier: Apache-2.0
#include "core/calls/summarystore.h"

#include "core/files/filelimits.h"
#include "core/json/builder.h"
#include "core/protocol/worker.h"

#include <QFileInfo>
#include <array>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr qint64 CountedBy = 2;          // another number when the same file would get another summary
constexpr qint64 MaxNumber = 1LL << 60;  // more is invented, and sums of it would overflow
constexpr qsizetype SavedAtOnce = 50;    // so that little is read again when the program ends before all are known

struct SummaryNumber {
    QStringView name;
    qint64 SessionSummary::*value;
};
constexpr std::array SummaryNumbers{
    SummaryNumber{u"calls", &SessionSummary::calls},
    SummaryNumber{u"toolErrors", &SessionSummary::toolErrors},
    SummaryNumber{u"protocolErrors", &SessionSummary::protocolErrors},
    SummaryNumber{u"noResponse", &SessionSummary::unanswered},
    SummaryNumber{u"findings", &SessionSummary::findings},
    SummaryNumber{u"messages", &SessionSummary::messages},
    SummaryNumber{u"durationNs", &SessionSummary::durationNs},
    SummaryNumber{u"damaged", &SessionSummary::damaged},
};

std::optional<SessionSummary> readSummary(const json::Value &value)
{
    SessionSummary summary;
    for (const SummaryNumber &each : SummaryNumbers) {
        const std::optional<qint64> number = value[each.name].toInteger();
        if (!number || *number < 0 || *number > MaxNumber)
            return {};
        summary.*each.value = *number;
    }
    summary.isEnded = value[u"ended"].toBool();
    return summary;
}

QString nameOf(const SessionEntry &entry)
{
    return QFileInfo(entry.path).fileName();
}

}  // namespace

SummaryStore::SummaryStore(const QString &folder, QObject *parent)
    : QObject(parent),
      m_file(folder.isEmpty() ? QString() : folder + u"/summaries.json"_s, {.maxBytes = filelimits::SessionSummaries})
{
    load();
}

SummaryStore::~SummaryStore()
{
    if (m_stop)
        *m_stop = true;
    save();
}

void SummaryStore::load()
{
    const json::Value root = json::parse(m_file.read());
    if (root[u"countedBy"].toInteger() != CountedBy)
        return;
    for (const json::Value &member : root[u"sessions"]) {
        const std::optional<qint64> size = member[u"size"].toInteger();
        const std::optional<qint64> modified = member[u"modifiedMs"].toInteger();
        const std::optional<SessionSummary> summary = readSummary(member);
        if (size && modified && summary)
            m_known.insert(member.key(), {*size, *modified, *summary});
    }
}

// What another window has found meanwhile would be written over, and is read again there: nothing is lost but time.
void SummaryStore::save()
{
    if (m_unsaved.isEmpty())
        return;
    const QString folder = QFileInfo(m_file.path()).path();
    json::Builder builder;
    builder.beginObject().member(u"countedBy", CountedBy).key(u"sessions").beginObject();
    for (auto known = m_known.cbegin(); known != m_known.cend(); ++known) {
        if (!QFileInfo::exists(folder + u'/' + known.key()))
            continue;
        builder.key(known.key()).beginObject();
        builder.member(u"size", known->size).member(u"modifiedMs", known->modifiedMs);
        for (const SummaryNumber &each : SummaryNumbers)
            builder.member(each.name, known->summary.*each.value);
        builder.member(u"ended", known->summary.isEnded).endObject();
    }
    const QByteArray text = builder.endObject().endObject().take() + '\n';
    // Where it cannot be saved, the next list reads the sessions again.
    (void)m_file.change([&text](const QByteArray &) { return Result<QByteArray>(text); });
    m_unsaved.clear();
}

std::optional<SessionSummary> SummaryStore::summaryOf(const SessionEntry &entry) const
{
    const auto known = m_known.constFind(nameOf(entry));
    if (known == m_known.constEnd() || known->size != entry.size ||
        known->modifiedMs != entry.modifiedAt.toMSecsSinceEpoch())
        return {};
    return known->summary;
}

void SummaryStore::read(const QList<SessionEntry> &entries)
{
    m_queue.clear();
    for (const SessionEntry &entry : entries) {
        // What is still being recorded would be out of date with the next message.
        if (entry.problem.isEmpty() && !entry.isOpenElsewhere && !summaryOf(entry))
            m_queue.append(entry);
    }
    if (!m_reading)
        readNext();
}

void SummaryStore::readNext()
{
    if (m_queue.isEmpty()) {
        save();
        Q_EMIT finished();
        return;
    }
    if (m_unsaved.size() >= SavedAtOnce)
        save();
    const SessionEntry entry = m_queue.takeFirst();
    m_stop = std::make_shared<std::atomic_bool>(false);
    m_reading = runOnWorker(
        this, [path = entry.path, stop = m_stop] { return SessionSummary::read(path, stop); },
        [this, entry](const std::optional<Result<SessionSummary>> &read) {
            m_reading = nullptr;
            if (read && *read) {
                m_known.insert(nameOf(entry), {entry.size, entry.modifiedAt.toMSecsSinceEpoch(), **read});
                m_unsaved.append(nameOf(entry));
                Q_EMIT found(entry.path);
            }
            readNext();
        });
}

}  // namespace sonde
