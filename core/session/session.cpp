// SPDX-License-Identifier: Apache-2.0
#include "core/session/session.h"

#include "core/session/sessiondata.h"
#include "core/session/sessionlibrary.h"
#include "core/session/sessionopening.h"
#include "core/session/sessionwriter.h"

#include <cerrno>

namespace sonde {

namespace {
constexpr int MaxOfOneName = 10'000;
}

Session::Session(QObject *parent) : Session(SessionData(), parent)
{
    m_writer = std::make_unique<SessionWriter>(this, m_data.get(), QString());
}

Session::Session(SessionData &&data, QObject *parent)
    : QObject(parent), m_data(std::make_unique<SessionData>(std::move(data))), m_records(m_data->records)
{}

Session::~Session()
{
    const QSignalBlocker quiet(this);
    m_opening.reset();
    finish();
}

std::unique_ptr<Session> Session::create(const QString &path, const QString &serverName,
                                         const std::shared_ptr<FileOps> &calls, IfTaken ifTaken)
{
    std::unique_ptr<Session> session(new Session(SessionData()));
    session->m_writer = std::make_unique<SessionWriter>(session.get(), session->m_data.get(), serverName);
    Result<std::shared_ptr<SessionFile>> file = SessionFile::create(path, calls);
    for (int i = 2; !file && file.error().code == EEXIST && ifTaken == IfTaken::NumberIt && i < MaxOfOneName; ++i)
        file = SessionFile::create(SessionLibrary::numbered(path, i), calls);
    if (file)
        session->m_writer->setFile(*file);
    else
        session->m_data->error = file.error();
    return session;
}

Result<std::unique_ptr<Session>> Session::open(const QString &path, std::shared_ptr<FileOps> calls,
                                               const std::shared_ptr<const std::atomic_bool> &stop)
{
    return SessionOpening::open(path, std::move(calls), false, stop.get());
}

Result<std::unique_ptr<Session>> Session::openInBatches(const QString &path, std::shared_ptr<FileOps> calls)
{
    return SessionOpening::open(path, std::move(calls), true, nullptr);
}

void Session::setLimit(qint64 bytes)
{
    if (m_writer)
        m_writer->setLimit(bytes);
}

qint64 Session::limit() const
{
    return m_writer ? m_writer->limit().limit() : UsualLimit;
}

qint64 Session::recorded() const
{
    return m_writer ? m_writer->recorded() : fileSize();
}

bool Session::isFull() const
{
    return m_writer && m_writer->limit().isFull();
}

LeftOut Session::leftOut() const
{
    return m_writer ? m_writer->limit().leftOut() : LeftOut();
}

void Session::addSecret(const QString &secret)
{
    if (m_writer)
        m_writer->teach([word = secret.toUtf8()](Redactor &redactor) { redactor.addSecret(word); });
}

void Session::addSecretMember(const QString &name, const QString &value)
{
    if (m_writer)
        m_writer->teach(
            [member = name.toUtf8(), text = value.toUtf8()](Redactor &redactor) { redactor.addMember(member, text); });
}

QByteArray Session::masked(const QByteArray &text) const
{
    return m_writer ? m_writer->masked(text) : text;
}

QByteArray Session::markKey() const
{
    return m_data->header.key;
}

void Session::append(const WireEvent &event, int connection, const std::shared_ptr<void> &hold)
{
    if (m_writer)
        m_writer->record(event, connection, 0, hold);
}

void Session::addFinding(const QString &text, const RequestId &id, int connection)
{
    if (m_writer)
        m_writer->addFinding(text, id, connection);
}

void Session::addFindingAbout(qsizetype row, const QString &text)
{
    if (m_writer)
        m_writer->addRuleFinding(text, numberOf(row), at(row).connection);
}

void Session::giveUp(const RequestId &id, int connection, GiveUp why)
{
    if (m_writer)
        m_writer->giveUp(id, connection, why);
}

QList<RequestId> Session::pendingRequests(int connection) const
{
    return m_data->index.linker().pending(connection);
}

qsizetype Session::rowOfRequest(const RequestId &id, int connection, Direction requester) const
{
    const quint32 number = m_data->index.linker().requestOf(id, connection, requester);
    return number == 0 ? -1 : m_data->rowOf(number);
}

void Session::flush()
{
    if (m_writer)
        m_writer->flush();
}

void Session::finish()
{
    if (m_writer)
        m_writer->finish();
}

void Session::resumeRecording(Pace pace)
{
    if (m_writer)
        m_writer->resume(pace);
}

QByteArray Session::bytes(qsizetype row) const
{
    RecordLine record;
    QByteArray bytes;
    return readRecordLine(m_data->line(row), &record, bytes) == LineState::Good ? bytes : QByteArray();
}

std::function<QByteArray()> Session::bytesReader(qsizetype row) const
{
    const auto payload = [](QByteArrayView line) {
        RecordLine record;
        QByteArray bytes;
        const QByteArrayView text = line.endsWith('\n') ? line.chopped(1) : line;
        return readRecordLine(text, &record, bytes) == LineState::Good ? bytes : QByteArray();
    };
    const qint64 offset = at(row).fileOffset;
    const auto length = qsizetype(at(row).lineLength);
    if (offset < 0)
        return [payload, lines = m_data->memory, offset, length] { return payload(lines.read(-1 - offset, length)); };
    return [payload, file = m_data->file, offset, length] { return payload(file->read(offset, length)); };
}

QByteArray Session::outline(qsizetype row) const
{
    const auto known = m_data->outlines.constFind(numberOf(row));
    return known == m_data->outlines.constEnd() ? bytes(row) : *known;
}

QByteArray Session::facts(qsizetype row) const
{
    const std::optional<RecordLine> record = m_data->recordLine(row);
    return record ? record->facts.toByteArray() : QByteArray();
}

Message Session::message(qsizetype row) const
{
    return at(row).kind == WireEvent::Kind::Message ? Message::parse(bytes(row)) : Message();
}

QString Session::name(quint32 index) const
{
    return m_data->index.name(index);
}

qsizetype Session::partnerOf(qsizetype row) const
{
    const quint32 partner = at(row).partner;
    return partner == 0 ? -1 : m_data->rowOf(partner);
}

qint64 Session::durationNs(qsizetype row) const
{
    const qsizetype partner = partnerOf(row);
    if (partner < 0 || at(row).kind != WireEvent::Kind::Message || at(partner).kind != WireEvent::Kind::Message)
        return -1;
    return qAbs(at(partner).timeNs - at(row).timeNs);
}

QDateTime Session::wallTime(qsizetype row) const
{
    const std::optional<RecordLine> record = m_data->recordLine(row);
    return QDateTime::fromMSecsSinceEpoch(record ? record->wallUs / 1000 : 0, Qt::UTC);
}

quint32 Session::numberOf(qsizetype row) const
{
    return m_data->numbers.numberOf(quint32(row));
}

QString Session::path() const
{
    return m_data->path;
}
bool Session::isRecordedIn(const QString &file) const
{
    return m_data->file && m_data->file->isAt(file);
}
QString Session::serverName() const
{
    return m_data->header.serverName;
}
QDateTime Session::createdAt() const
{
    return m_data->header.createdAt;
}
qint64 Session::totalBytes() const
{
    return m_data->totalBytes;
}
qint64 Session::fileSize() const
{
    return m_data->file ? m_data->file->size() : 0;
}
qsizetype Session::messageCount() const
{
    return m_data->messageCount;
}
bool Session::isLive() const
{
    return m_writer && m_writer->isLive();
}
bool Session::isLoading() const
{
    return m_opening && m_opening->isLoading();
}
Error Session::error() const
{
    return m_data->error;
}
const QList<DamagedRange> &Session::damage() const
{
    return m_data->damage;
}

}  // namespace sonde
