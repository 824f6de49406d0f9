// SPDX-License-Identifier: Apache-2.0
#include "core/session/session.h"

#include "core/json/builder.h"
#include "core/session/sessionlibrary.h"
#include "core/session/sessionprivate.h"

#include <QEvent>
#include <QFileInfo>
#include <QPointer>
#include <cerrno>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {
constexpr int MaxOfOneName = 10'000;
}

Session::Session(QObject *parent)
    : QObject(parent), d(std::make_unique<Private>(this)), m_records(std::make_shared<RecordList>())
{
    d->start({});
}

Session::~Session()
{
    const QSignalBlocker quiet(this);
    if (d->loader)
        d->loader->stop();
    finish();
}

std::unique_ptr<Session> Session::create(const QString &path, const QString &serverName, std::shared_ptr<FileOps> calls,
                                         IfTaken ifTaken)
{
    auto session = std::make_unique<Session>();
    Private *d = session->d.get();
    d->start(serverName);
    Result<std::shared_ptr<SessionFile>> file = SessionFile::create(path, calls);
    for (int i = 2; !file && file.error().code == EEXIST && ifTaken == IfTaken::NumberIt && i < MaxOfOneName; ++i)
        file = SessionFile::create(SessionLibrary::numbered(path, i), calls);
    if (!file) {
        d->error = file.error();
        return session;
    }
    d->file = *file;
    d->path = d->file->path();
    session->m_records->setFolder(QFileInfo(d->path).absolutePath());
    d->headerLine = d->header.toLine();
    d->error = d->file->append(d->headerLine);
    if (d->error) {
        d->file->truncate(0);  // an empty file says less nonsense than half a header
        d->tryAgainLater();
    }
    d->updateLimit();
    return session;
}

Result<std::unique_ptr<Session>> Session::open(const QString &path, std::shared_ptr<FileOps> calls,
                                               std::shared_ptr<const std::atomic_bool> stop)
{
    return Private::open(path, std::move(calls), false, stop.get());
}

Result<std::unique_ptr<Session>> Session::openInBatches(const QString &path, std::shared_ptr<FileOps> calls)
{
    return Private::open(path, std::move(calls), true, nullptr);
}

void Session::setLimit(qint64 bytes)
{
    d->limit.setWanted(bytes);
    d->noteLeftOut();
    d->updateLimit();
}

qint64 Session::limit() const
{
    return d->limit.limit();
}

qint64 Session::recorded() const
{
    return d->recorded();
}

bool Session::isFull() const
{
    return d->limit.isFull();
}

LeftOut Session::leftOut() const
{
    return d->limit.leftOut();
}

void Session::addSecret(const QString &secret)
{
    d->teach([word = secret.toUtf8()](Redactor &redactor) { redactor.addSecret(word); });
}

void Session::addSecretMember(const QString &name, const QString &value)
{
    d->teach([member = name.toUtf8(), text = value.toUtf8()](Redactor &redactor) { redactor.addMember(member, text); });
}

QByteArray Session::masked(const QByteArray &text) const
{
    QByteArray result = text;
    QList<RedactionMark> ignored;
    if (d->redactor)
        d->redactor->redactPayload(result, ignored);
    return result;
}

QByteArray Session::markKey() const
{
    return d->header.key;
}

void Session::append(const WireEvent &event, int connection, const std::shared_ptr<void> &hold)
{
    d->record(event, connection, 0, hold);
}

void Session::remark(const QString &text, const RequestId &id, int connection)
{
    if (d->queue.mustWait())
        return d->queue.add([this, text, id, connection] { remark(text, id, connection); });
    WireEvent event;
    event.facts = json::Builder().beginObject().member(u"text", text).endObject().take();
    d->record(event, connection, d->index.linker().latest(id, connection));
}

void Session::giveUp(const RequestId &id, int connection)
{
    if (d->queue.mustWait())
        return d->queue.add([this, id, connection] { giveUp(id, connection); });
    if (!d->index.linker().isPending(id, connection))
        return;
    WireEvent event;
    event.facts = giveUpFacts(id);
    d->record(event, connection, d->index.linker().latest(id, connection));
}

QList<RequestId> Session::pendingRequests(int connection) const
{
    return d->index.linker().pending(connection);
}

void Session::flush()
{
    d->queue.finish();
    d->writePending();
    d->publish();
}

void Session::finish()
{
    if (!d->isLive)
        return;
    d->queue.finish();
    d->noteLeftOut();
    WireEvent event;
    event.kind = WireEvent::Kind::End;
    d->record(event, 0, 0);
    d->writePending();
    const bool hasResumed = d->catchUpAtOnce();
    d->isLive = false;
    d->syncTimer.stop();
    d->retryTimer.stop();
    d->leftOutTimer.stop();
    if (d->file && d->needsSync) {
        const Error error = d->file->sync();
        if (error && hasResumed)
            d->error = error;  // as was said before
        else if (error)
            d->fail(error);
    }
    if (d->file)
        d->file->release();
    d->dropEmptyFile();
    const QPointer<Session> alive = this;
    d->publish();
    if (alive && hasResumed && !d->error)
        Q_EMIT recordingResumed();
    if (alive)
        d->saveIndexFile();
}

void Session::resumeRecording()
{
    if (!d->isLive || !d->file || !d->error || d->isCatchingUp)
        return;
    d->isAsked = true;
    d->retryTimer.stop();
    d->catchUp();
}

QByteArray Session::bytes(qsizetype row) const
{
    RecordLine record;
    QByteArray bytes;
    return readRecordLine(d->line(row), &record, bytes) == LineState::Good ? bytes : QByteArray();
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
        return [payload, lines = d->memory, offset, length] { return payload(lines.read(-1 - offset, length)); };
    return [payload, file = d->file, offset, length] { return payload(file->read(offset, length)); };
}

QByteArray Session::outline(qsizetype row) const
{
    const auto known = d->outlines.constFind(numberOf(row));
    return known == d->outlines.constEnd() ? bytes(row) : *known;
}

QByteArray Session::facts(qsizetype row) const
{
    const std::optional<RecordLine> record = d->recordLine(row);
    return record ? record->facts.toByteArray() : QByteArray();
}

Message Session::message(qsizetype row) const
{
    return at(row).kind == WireEvent::Kind::Message ? Message::parse(bytes(row)) : Message();
}

QString Session::name(quint32 index) const
{
    return d->index.name(index);
}

qsizetype Session::partnerOf(qsizetype row) const
{
    const quint32 partner = at(row).partner;
    return partner == 0 ? -1 : d->rowOf(partner);
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
    const std::optional<RecordLine> record = d->recordLine(row);
    return QDateTime::fromMSecsSinceEpoch(record ? record->wallUs / 1000 : 0, Qt::UTC);
}

quint32 Session::numberOf(qsizetype row) const
{
    return d->numbers.numberOf(quint32(row));
}

QString Session::path() const
{
    return d->path;
}
bool Session::isRecordedIn(const QString &file) const
{
    return d->file && d->file->isAt(file);
}
QString Session::serverName() const
{
    return d->header.serverName;
}
QDateTime Session::createdAt() const
{
    return d->header.createdAt;
}
qint64 Session::totalBytes() const
{
    return d->totalBytes;
}
qint64 Session::fileSize() const
{
    return d->file ? d->file->size() : 0;
}
qsizetype Session::messageCount() const
{
    return d->messageCount;
}
bool Session::isLive() const
{
    return d->isLive;
}
bool Session::isLoading() const
{
    return d->loader != nullptr;
}
Error Session::error() const
{
    return d->error;
}
const QList<DamagedRange> &Session::damage() const
{
    return d->damage;
}

bool Session::event(QEvent *event)
{
    if (event->type() == Private::flushEvent()) {
        d->isFlushScheduled = false;
        d->writePending();
        d->publish();
    } else if (event->type() == Private::catchUpEvent()) {
        d->catchUp();
    } else if (event->type() == SessionLoader::eventType()) {
        d->load();
    } else {
        return QObject::event(event);
    }
    return true;
}

qsizetype Session::Private::rowOf(quint32 number) const
{
    return numbers.rowOf(number, q->size());
}

// Without its newline. The last line read is kept, since whoever shows a row asks for one thing after the other.
QByteArrayView Session::Private::line(qsizetype row) const
{
    const RecordInfo &info = q->at(row);
    const auto withoutEnd = [](QByteArrayView text) { return text.endsWith('\n') ? text.chopped(1) : text; };
    if (info.fileOffset < 0)
        return withoutEnd(memory.read(-1 - info.fileOffset, qsizetype(info.lineLength)));
    if (cachedOffset != info.fileOffset) {
        cachedLine = file->read(info.fileOffset, qsizetype(info.lineLength));
        cachedOffset = info.fileOffset;
    }
    return withoutEnd(cachedLine);
}

std::optional<RecordLine> Session::Private::recordLine(qsizetype row) const
{
    RecordLine record;
    const RecordInfo &info = q->at(row);
    if (info.lineLength > Message::LargeBytes && readRecordHead(beginning(info), &record))
        return record;
    if (readRecordLine(line(row), &record) != LineState::Good)
        return std::nullopt;
    return record;
}

// As much of a large record's line as all but its payload takes, nearly always.
QByteArrayView Session::Private::beginning(const RecordInfo &info) const
{
    constexpr qsizetype enough = 64 * 1024;
    if (info.fileOffset < 0)
        return memory.read(-1 - info.fileOffset, enough);
    cachedBeginning = file->read(info.fileOffset, enough);
    return cachedBeginning;
}

}  // namespace sonde
