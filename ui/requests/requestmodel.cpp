// SPDX-License-Identifier: Apache-2.0
#include "ui/requests/requestmodel.h"

#include "core/client/call.h"
#include "core/client/taskstate.h"
#include "core/json/builder.h"
#include "core/protocol/visibletext.h"
#include "ui/theme/widgets.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

QByteArray ruleKeyOf(const InputRequest &request)
{
    const json::Value params = request.params();
    if (request.kind() == InputRequest::Kind::Sampling)
        return "sampling/createMessage";
    if (request.kind() != InputRequest::Kind::Elicitation || params[u"mode"].string() == u"url")
        return {};
    // The same content fits only the same form.
    return "elicitation/create " + json::compact(params[u"requestedSchema"]);
}

QString kindOf(const InputRequest &request)
{
    if (request.kind() == InputRequest::Kind::Elicitation && request.params()[u"mode"].string() == u"url")
        return RequestModel::tr("elicitation · URL");
    return InputRequest::capabilityOf(request.kind());
}

QString messageOf(const InputRequest &request)
{
    constexpr qsizetype maxLength = 200;
    const json::Value params = request.params();
    if (request.kind() != InputRequest::Kind::Sampling)
        return visibleLine(params[u"message"].string(), maxLength);
    const json::Value messages = params[u"messages"];
    const json::Value content = messages.isEmpty() ? json::Value() : messages.at(messages.size() - 1)[u"content"];
    const json::Value block = content.isArray() ? content.at(0) : content;
    return visibleLine(block[u"text"].isString() ? block[u"text"].string() : block[u"type"].string(), maxLength);
}

bool isRequiredByError(const InputRequest &request)
{
    return request.message().kind() == Message::Kind::Error;
}

bool WaitingRequest::isDuring(const Call &call) const
{
    if (!request)
        return false;
    if (request->call())
        return request->call() == &call;
    const QString task = request->params()[u"_meta"][u"io.modelcontextprotocol/related-task"][u"taskId"].string();
    return (call.task() && call.task()->id == task) || (origin.callId.isMatchable() && origin.callId == call.id());
}

QString WaitingRequest::waiting() const
{
    switch (state) {
        case State::Open:
            break;
        case State::Ended:
            return RequestModel::tr("ended");
        case State::Opened:
            return RequestModel::tr("opened");
        case State::Completed:
            return RequestModel::tr("completed");
    }
    if (seconds < 60)
        return RequestModel::tr("%1 s").arg(seconds);
    return seconds < 3600 ? RequestModel::tr("%1 min").arg(seconds / 60) : RequestModel::tr("%1 h").arg(seconds / 3600);
}

RequestModel::RequestModel(QObject *parent) : QAbstractTableModel(parent) {}

void RequestModel::append(const WaitingRequest &request)
{
    const bool isOpen = request.state == WaitingRequest::State::Open;
    const int row = isOpen ? openCount() : rowCount();
    beginInsertRows({}, row, row);
    m_requests.insert(row, request);
    m_openCount += isOpen ? 1 : 0;
    endInsertRows();
    compareWithFirst(request);
}

void RequestModel::compareWithFirst(const WaitingRequest &request)
{
    const WaitingRequest &first = m_requests.constFirst();
    m_differs[ServerColumn] |= request.origin.server != first.origin.server;
    m_differs[KindColumn] |= request.kind != first.kind;
    m_differs[CallColumn] |= request.origin.call != first.origin.call;
}

void RequestModel::remove(int row)
{
    beginRemoveRows({}, row, row);
    m_openCount -= m_requests.at(row).state == WaitingRequest::State::Open ? 1 : 0;
    m_requests.removeAt(row);
    endRemoveRows();
    if (m_requests.isEmpty())
        m_differs = {};
}

int RequestModel::rowOf(int number) const
{
    const auto found = std::find_if(m_requests.begin(), m_requests.end(),
                                    [number](const WaitingRequest &each) { return each.number == number; });
    return found == m_requests.end() ? -1 : int(found - m_requests.begin());
}

void RequestModel::setState(int row, WaitingRequest::State state)
{
    const auto openBefore = int(m_requests.at(row).state == WaitingRequest::State::Open);
    m_requests[row].state = state;
    m_openCount += int(state == WaitingRequest::State::Open) - openBefore;
    Q_EMIT dataChanged(index(row, 0), index(row, Columns - 1));
    const int last = openCount();  // the row behind those that wait, once this one has left them
    if (state == WaitingRequest::State::Open || row >= last)
        return;
    beginMoveRows({}, row, row, {}, last + 1);
    m_requests.move(row, last);
    endMoveRows();
}

void RequestModel::setCall(int row, const QString &call, const RequestId &id)
{
    m_requests[row].origin.call = call;
    m_requests[row].origin.callId = id;
    compareWithFirst(m_requests.at(row));
    Q_EMIT dataChanged(index(row, CallColumn), index(row, CallColumn));
}

QList<int> RequestModel::openNumbers() const
{
    QList<int> numbers;
    for (const WaitingRequest &each : m_requests) {
        if (each.state == WaitingRequest::State::Open)
            numbers.append(each.number);
    }
    return numbers;
}

QList<int> RequestModel::alikeNumbers(int number) const
{
    const int row = rowOf(number);
    QList<int> numbers;
    if (row < 0 || m_requests[row].ruleKey.isEmpty())
        return numbers;
    const WaitingRequest &one = m_requests[row];
    for (const WaitingRequest &each : m_requests) {
        if (each.number != number && each.state == WaitingRequest::State::Open && each.connection == one.connection &&
            each.ruleKey == one.ruleKey)
            numbers.append(each.number);
    }
    return numbers;
}

void RequestModel::refreshTimes()
{
    for (WaitingRequest &each : m_requests)
        each.seconds = each.since.elapsed() / 1000;
    if (!m_requests.isEmpty())
        Q_EMIT dataChanged(index(0, TimeColumn), index(rowCount() - 1, TimeColumn));
}

int RequestModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_requests.size());
}

int RequestModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : Columns;
}

QVariant RequestModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())  // as when Ctrl+C is pressed without a current row
        return {};
    const WaitingRequest &request = m_requests.at(index.row());
    const QString server = visibleLine(request.origin.server, 60);
    const QString call = visibleLine(request.origin.call, 60);
    if (role == Qt::AccessibleTextRole && index.column() == MessageColumn)
        return QStringList{
            request.message, server, request.kind, call,
            request.state == WaitingRequest::State::Open ? tr("waiting %1").arg(request.waiting()) : request.waiting()}
            .join(u", "_s);
    if (role == Qt::ToolTipRole) {
        const QString during = call.isEmpty() ? QString() : tr("during %1").arg(call);
        QStringList lines{request.message, server, request.kind, during};
        lines.removeAll(QString());
        return plainToolTip(lines.join(u'\n'));
    }
    if (role == Qt::TextAlignmentRole && index.column() == TimeColumn)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
        case MessageColumn:
            return request.message;
        case ServerColumn:
            return server;
        case KindColumn:
            return request.kind;
        case CallColumn:
            return call;
        default:
            return request.waiting();
    }
}

}  // namespace sonde::ui
