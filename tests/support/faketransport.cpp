// SPDX-License-Identifier: Apache-2.0
#include "tests/support/faketransport.h"

#include "tests/support/testregistry.h"

#include <QCoreApplication>
#include <QEvent>
#include <QTest>

using namespace Qt::StringLiterals;

namespace sonde::test {

FakeTransport::FakeTransport(QObject *parent) : Transport(parent) {}

void FakeTransport::open()
{
    m_history.append(u"open"_s);
    setState(State::Opening);
    if (m_holdsOpening)
        return;
    QMetaObject::invokeMethod(
        this,
        [this] {
            if (m_openingError)
                closeWithError(m_openingError);
            else
                finishOpening();
        },
        Qt::QueuedConnection);
}

void FakeTransport::openNow()
{
    setState(State::Opening);
    finishOpening();
}

void FakeTransport::finishOpening()
{
    if (state() != State::Opening)
        return;
    setState(State::Open);
    Q_EMIT opened();
}

void FakeTransport::close()
{
    if (state() == State::Closed || state() == State::Closing)
        return;
    m_history.append(u"close"_s);
    setState(State::Closing);
    if (m_holdsClosing)
        return;
    QMetaObject::invokeMethod(
        this, [this] { closeWithError({}); }, Qt::QueuedConnection);
}

void FakeTransport::closeWithError(const Error &error)
{
    setState(State::Closed);
    Q_EMIT closed(error);
}

void FakeTransport::failMessage(const RequestId &id, const Error &error)
{
    Q_EMIT failed(id, error);
}

void FakeTransport::inject(const QByteArray &bytes, const RequestId &carrier)
{
    deliver(bytes, 1, {}, {{}, {}, carrier});
}

void FakeTransport::response(const Message &request, const QByteArray &result)
{
    inject(Message::response(request.id(), result).raw());
}

void FakeTransport::responseError(const Message &request, int code, const QString &text, const QByteArray &data)
{
    inject(Message::errorResponse(request.id(), code, text, data).raw());
}

Message FakeTransport::expectSent(QStringView method)
{
    if (!QTest::qWaitFor([this] { return !m_sent.isEmpty(); }, Patience)) {
        qWarning("nothing was sent where '%s' was expected", qUtf8Printable(method.toString()));
        return {};
    }
    const Message message = takeSent();
    if (message.method() == method)
        return message;
    qWarning("sent where '%s' was expected: %s", qUtf8Printable(method.toString()), message.raw().constData());
    return {};
}

Message FakeTransport::takeSent()
{
    return m_sent.isEmpty() ? Message() : m_sent.takeFirst();
}

bool FakeTransport::sendsNothing()
{
    QCoreApplication::sendPostedEvents();
    QCoreApplication::processEvents();
    for (const Message &message : std::as_const(m_sent))
        qWarning("sent although nothing was expected: %s", message.raw().constData());
    return m_sent.isEmpty();
}

void FakeTransport::setRevision(Revision revision)
{
    m_history.append(u"revision "_s + toString(revision));
    Transport::setRevision(revision);
}

void FakeTransport::sessionReady()
{
    m_history.append(u"ready"_s);
}

Error FakeTransport::write(const Message &message, const OutgoingHeaders &)
{
    if (m_sendError)
        return m_sendError;
    m_history.append(u"send "_s + message.method());
    m_sent.append(message);
    return {};
}

}  // namespace sonde::test
