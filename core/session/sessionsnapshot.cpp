// SPDX-License-Identifier: Apache-2.0
#include "core/session/sessionsnapshot.h"

#include "core/session/sessionprivate.h"

namespace sonde {

struct SessionSnapshot::Data {
    QString path;
    SessionHeader header;
    Error error;
    std::shared_ptr<RecordList> records;
    QList<QByteArray> names;
    RowNumbers numbers;
    LineStore memory;
    std::shared_ptr<SessionFile> file;
    QList<DamagedRange> damage;
    quint32 lastNumber = 0;
    qint64 totalBytes = 0;
    qsizetype messageCount = 0;
};

SessionSnapshot::SessionSnapshot(const Session &session)
{
    const Session::Private &d = *session.d;
    const bool grows = d.isLive || d.loader;
    m_data = std::make_shared<const Data>(
        Data{d.path, d.header, d.error, grows ? std::make_shared<RecordList>(*session.m_records) : session.m_records,
             d.index.names(), d.numbers, d.memory, d.file, d.damage, d.lastNumber, d.totalBytes, d.messageCount});
}

std::unique_ptr<Session> SessionSnapshot::open() const
{
    auto session = std::make_unique<Session>();
    Session::Private &d = *session->d;
    d.isLive = false;
    d.path = m_data->path;
    d.header = m_data->header;
    d.error = m_data->error;
    session->m_records = m_data->records;
    d.index.appendNames(m_data->names.sliced(1));  // the first is the empty one, which every index has
    d.numbers = m_data->numbers;
    d.memory = m_data->memory;
    d.file = m_data->file;
    d.damage = m_data->damage;
    d.lastNumber = m_data->lastNumber;
    d.totalBytes = m_data->totalBytes;
    d.messageCount = m_data->messageCount;
    return session;
}

}  // namespace sonde
