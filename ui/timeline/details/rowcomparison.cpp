// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/details/rowcomparison.h"

#include "core/calls/recordedcalls.h"
#include "ui/timeline/details/recordwindow.h"

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

// The request and response of a row; the row itself if it is neither.
std::pair<qsizetype, qsizetype> halvesOf(const Session &session, qsizetype row)
{
    const RecordInfo &record = session.at(row);
    if (record.kind != WireEvent::Kind::Message || record.messageKind == Message::Kind::Batch)
        return {row, -1};
    const qsizetype partner = session.partnerOf(row);
    const bool isRequest = record.messageKind == Message::Kind::Request;
    return isRequest ? std::pair(row, partner) : std::pair(partner >= 0 ? partner : row, partner >= 0 ? row : -1);
}

// Of a batch, only the response to this request.
QByteArray responseBytes(const Session &session, qsizetype request, qsizetype response)
{
    const bool isShared = session.at(response).messageKind == Message::Kind::Batch;
    return isShared ? responseTo(session, request).raw() : session.bytes(response);
}

}  // namespace

RowComparison::RowComparison(const Session &session, qsizetype left, qsizetype right, QWidget *parent)
    : ComparisonWindow(rowTitle(session, left), rowTitle(session, right), parent)
{
    setObjectName(u"rowComparison"_s);
    const auto [leftRequest, leftResponse] = halvesOf(session, left);
    const auto [rightRequest, rightResponse] = halvesOf(session, right);
    if (leftResponse < 0 || rightResponse < 0) {
        setParts({{{}, session.bytes(left), session.bytes(right)}});
        return;
    }
    // Two requests are compared as requests.
    const bool asks = session.at(left).messageKind == Message::Kind::Request &&
                      session.at(right).messageKind == Message::Kind::Request;
    setParts({{tr("Response"), responseBytes(session, leftRequest, leftResponse),
               responseBytes(session, rightRequest, rightResponse)},
              {tr("Request"), session.bytes(leftRequest), session.bytes(rightRequest)}},
             asks ? 1 : 0);
}

}  // namespace sonde::ui
