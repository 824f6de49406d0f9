// SPDX-License-Identifier: Apache-2.0
#include "app/gui/sendcontroller.h"

#include "app/gui/mainwindow.h"
#include "app/gui/warningbar.h"
#include "core/connection/toolmemory.h"
#include "core/json/builder.h"
#include "core/protocol/message.h"
#include "core/protocol/visibletext.h"
#include "core/replay/rules.h"
#include "ui/timeline/timelinepanel.h"

#include <QPointer>
#include <limits>

#include <QMessageBox>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

constexpr qsizetype MaxRowsLookedAt = 20'000;
constexpr int MaxRequestsLookedAt = 200;
constexpr qint64 MaxLookedAtBytes = 64 * 1024;

// One more than the highest recent id, so that an id that was typed by hand is not used again.
QByteArray freshId(const Session &session)
{
    qint64 largest = 0;
    int seen = 0;
    const qsizetype first = qMax<qsizetype>(0, session.size() - MaxRowsLookedAt);
    for (qsizetype row = session.size() - 1; row >= first && seen < MaxRequestsLookedAt; --row) {
        const RecordInfo &record = session.at(row);
        if (record.direction != Direction::ToServer || record.messageKind != Message::Kind::Request ||
            record.kind != WireEvent::Kind::Message || record.wireLength > MaxLookedAtBytes)
            continue;
        ++seen;
        bool isNumber = false;
        const qint64 id = session.message(row).id().toJson().toLongLong(&isNumber);
        if (isNumber && id < std::numeric_limits<qint32>::max())
            largest = qMax(largest, id);
    }
    return QByteArray::number(largest + 1);
}

// The params without Sonde's own progress token, the request's id: a repeated request gets its own. A token that the
// user chose stays.
QByteArray withoutOwnToken(const Message &request)
{
    const json::Value params = request.params();
    const json::Value meta = params[u"_meta"];
    const json::Value token = meta[u"progressToken"];
    if (!token.exists() || RequestId::fromValue(token) != request.id())
        return params.bytes();
    json::Builder builder;
    builder.beginObject();
    for (const json::Value &member : params) {
        if (!member.isSameNode(meta)) {
            builder.rawKey(member.keySlice()).value(member);
            continue;
        }
        if (meta.size() == 1)
            continue;
        builder.rawKey(member.keySlice()).beginObject();
        for (const json::Value &entry : meta) {
            if (!entry.isSameNode(token))
                builder.rawKey(entry.keySlice()).value(entry);
        }
        builder.endObject();
    }
    return builder.endObject().take();
}

}  // namespace

SendController::SendController(Workspace *workspace, MainWindow *window, QObject *parent)
    : QObject(parent), m_workspace(workspace), m_window(window)
{}

void SendController::sendAgain(const QByteArray &message)
{
    Connection *connection = m_workspace->currentConnection();
    if (!connection)
        return;
    // Only the user knows the redacted secret.
    if (holdsSecretMark(QString::fromUtf8(message))) {
        editAndSend(message, {});
        return;
    }
    confirm(connection, message, [this, connection, message] {
        const qsizetype before = connection->session()->size();
        const Message parsed = Message::parse(message);
        // A request gets a new id, so that its response can be distinguished; everything else is sent unchanged.
        if (parsed.kind() == Message::Kind::Request)
            watch(connection, connection->request(parsed.method(), withoutOwnToken(parsed)), before);
        else
            watch(connection, connection->sendRaw(message), before);
    });
}

void SendController::confirm(Connection *connection, const QByteArray &message, const std::function<void()> &send)
{
    const Tool *tool = connection->toolMemory()->askedFor(json::parse(message));
    if (!tool)
        return send();
    auto *box =
        new QMessageBox(QMessageBox::Warning, tr("Call %1?").arg(visibleLine(tool->title, 80)),
                        tr("This message calls “%1”, which may be destructive.").arg(visibleLine(tool->title, 80)),
                        QMessageBox::Cancel, m_window);
    box->setObjectName(u"confirmSend"_s);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    QPushButton *yes = box->addButton(tr("Send anyway"), QMessageBox::AcceptRole);
    box->setDefaultButton(QMessageBox::Cancel);
    connect(connection, &QObject::destroyed, box, &QWidget::close);
    connect(box, &QMessageBox::buttonClicked, connection,
            [yes, send, connection, asked = *tool](QAbstractButton *clicked) {
                if (clicked != yes)
                    return;
                connection->toolMemory()->allowForSession(asked);
                send();
            });
    box->open();
}

void SendController::editAndSend(const QByteArray &message, const QByteArray &httpRequest)
{
    Connection *connection = m_workspace->currentConnection();
    if (!connection)
        return;
    ui::SendDialog dialog(message, freshId(*connection->session()), m_drafts.value(message),
                          recordedHeaders(httpRequest, connection->headerNames()), m_window);
    const QPointer<Connection> guard = connection;
    const bool isSent = dialog.exec() == QDialog::Accepted;
    // Whether sent or not, editing the message again continues from here.
    const ui::SendDraft draft = dialog.draft();
    if (draft.isEmpty())
        m_drafts.remove(message);
    else
        m_drafts.insert(message, draft);
    if (!isSent || !guard)
        return;
    confirm(guard, dialog.message(), [this, guard, bytes = dialog.message(), headers = dialog.headers()] {
        const qsizetype before = guard->session()->size();
        watch(guard, guard->sendRaw(bytes, headers), before);
    });
}

// Shows the row of the sent message, or why nothing was sent.
void SendController::watch(Connection *connection, Call *call, qsizetype before)
{
    Session *session = connection->session();
    session->flush();
    for (qsizetype row = before; row < session->size(); ++row) {
        const RecordInfo &record = session->at(row);
        if (record.kind == WireEvent::Kind::Message && record.direction == Direction::ToServer) {
            if (session == m_workspace->shownSession())
                m_window->timeline->showSent(row);
            return;
        }
    }
    connect(call, &Call::finished, this, [this](const Outcome &outcome) {
        m_window->notice->say(tr("The message could not be sent"), outcome.error);
    });
}

}  // namespace sonde::app
