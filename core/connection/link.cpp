// SPDX-License-Identifier: Apache-2.0
#include "core/connection/link.h"

namespace sonde {

namespace {

class Passing {
public:
    explicit Passing(std::shared_ptr<int> depth) : m_depth(std::move(depth)) { ++*m_depth; }
    ~Passing() { --*m_depth; }
    Q_DISABLE_COPY_MOVE(Passing)

private:
    std::shared_ptr<int> m_depth;
};

}  // namespace

Link::Link(QObject *parent) : Transport(parent) {}

Link::~Link()
{
    dropInner();
}

void Link::setInner(std::unique_ptr<Transport> inner)
{
    Q_ASSERT(state() == State::Closed);
    dropInner();
    m_inner = std::move(inner);
    connect(m_inner.get(), &Transport::opened, this, [this] {
        const Passing passing(m_passing);
        setState(State::Open);
        Q_EMIT opened();
    });
    connect(m_inner.get(), &Transport::received, this, [this](const Message &message) {
        const Passing passing(m_passing);
        Q_EMIT received(message);
    });
    connect(m_inner.get(), &Transport::failed, this, [this](const RequestId &id, const Error &error) {
        const Passing passing(m_passing);
        Q_EMIT failed(id, error);
    });
    connect(m_inner.get(), &Transport::closed, this, [this](const Error &error) {
        const Passing passing(m_passing);
        setState(State::Closed);
        Q_EMIT closed(error);
    });
}

// A transport must not be deleted within its own signal: what emits it may still have something to do.
void Link::dropInner()
{
    if (!m_inner)
        return;
    m_inner->disconnect(this);
    if (*m_passing > 0)
        m_inner.release()->deleteLater();
    else
        m_inner.reset();
}

void Link::open()
{
    if (state() != State::Closed || !m_inner)
        return;
    setState(State::Opening);
    m_inner->open();
}

void Link::close()
{
    if (state() == State::Closed || state() == State::Closing)
        return;
    setState(State::Closing);
    m_inner->close();
}

void Link::setRevision(Revision revision)
{
    Transport::setRevision(revision);
    if (m_inner)
        m_inner->setRevision(revision);
}

void Link::sessionReady()
{
    if (m_inner)
        m_inner->sessionReady();
}

QString Link::name() const
{
    return m_inner ? m_inner->name() : QString();
}

std::shared_ptr<void> Link::holdReading()
{
    return m_inner ? m_inner->holdReading() : nullptr;
}

QStringList Link::stderrTail() const
{
    return m_inner ? m_inner->stderrTail() : QStringList();
}

qint64 Link::processId() const
{
    return m_inner ? m_inner->processId() : 0;
}

QList<QByteArray> Link::headerNames() const
{
    return m_inner ? m_inner->headerNames() : QList<QByteArray>();
}

Error Link::write(const Message &message)
{
    return m_inner->send(message);
}

Error Link::writeWith(const MessageHeaders &headers, const Message &message)
{
    return m_inner->send(message, headers);
}

}  // namespace sonde
