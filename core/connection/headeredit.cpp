// SPDX-License-Identifier: Apache-2.0
#include "core/connection/headeredit.h"

#include "core/connection/texts.h"
#include "core/json/document.h"
#include "core/redact/secretmarks.h"
#include "core/transport/eventfacts.h"
#include "core/transport/http/httppolicy.h"

#include <QUrl>

#include <algorithm>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

bool isSameName(const QString &left, const QString &right)
{
    return left.compare(right, Qt::CaseInsensitive) == 0;
}

// A mark of the redactor, or bytes that were no UTF-8.
bool isUnknown(const QString &value)
{
    return value.contains(QChar::ReplacementCharacter) || nextMark(value.toUtf8()) >= 0;
}

bool isLeftOut(const HeaderRow &row)
{
    return row.origin == HeaderRow::Origin::Lost || (row.origin == HeaderRow::Origin::Typed && row.value.isEmpty());
}

}  // namespace

bool isAddedByHttp(const QString &name, const QString &value, const QUrl &url)
{
    if (isSameName(name, u"Host"_s))
        return isSameName(value, QString::fromLatin1(http::hostHeader(url)));
    if (isSameName(name, u"Connection"_s))
        return isSameName(value, u"Keep-Alive"_s);
    return isSameName(name, u"Content-Length"_s) || isSameName(name, u"Proxy-Authorization"_s);
}

RecordedHeaders recordedHeaders(const QByteArray &facts, const QList<QByteArray> &ownNames)
{
    using Origin = HeaderRow::Origin;
    RecordedHeaders result;
    result.ownNames = ownNames;
    if (ownNames.isEmpty())
        return result;
    const EventFacts request = EventFacts::read(facts);
    result.isRecorded = request.headers.has_value();
    if (!result.isRecorded) {
        for (const QByteArray &name : ownNames)
            result.rows.append({QString::fromLatin1(name), {}, Origin::Own});
        return result;
    }
    const QUrl url = QUrl::fromEncoded(request.url.value_or(QString()).toUtf8());
    for (const auto &header : *request.headers) {
        const QString &name = header.first;
        const QString &value = header.second;
        const bool isOwn = std::any_of(ownNames.begin(), ownNames.end(), [&name](const QByteArray &own) {
            return isSameName(QString::fromLatin1(own), name);
        });
        if (!isOwn && isAddedByHttp(name, value, url))
            continue;
        if (isUnknown(value))
            result.rows.append({name, {}, isOwn ? Origin::Own : Origin::Lost});
        else
            result.rows.append({name, value, Origin::Typed});
    }
    return result;
}

MessageHeaders messageHeaders(const QList<HeaderRow> &rows, const QList<QByteArray> &ownNames)
{
    MessageHeaders headers;
    for (const HeaderRow &row : rows) {
        if (row.origin != HeaderRow::Origin::Own)
            headers.append({row.name.toUtf8(), isLeftOut(row) ? QByteArray() : row.value.toUtf8()});
    }
    for (const QByteArray &own : ownNames) {
        const QString name = QString::fromLatin1(own);
        if (std::none_of(rows.begin(), rows.end(), [&](const HeaderRow &row) { return isSameName(row.name, name); }))
            headers.append({own, {}});
    }
    return headers;
}

Error checkHeaderRows(const QList<HeaderRow> &rows)
{
    MessageHeaders headers;
    for (const HeaderRow &row : rows)
        headers.append({row.name.toUtf8(), row.value.toUtf8()});
    return checkMessageHeaders(headers);
}

QStringList headerFindings(const QList<HeaderRow> &rows, const QList<QByteArray> &ownNames)
{
    QStringList findings;
    QStringList needed;
    const MessageHeaders headers = messageHeaders(rows, ownNames);
    for (const auto &[name, value] : headers) {
        if (value.isEmpty() && isIndispensableHeader(name))
            needed.append(QString::fromUtf8(name));
    }
    if (!needed.isEmpty())
        findings.append(
            ConnectionText::tr(
                "%1 cannot be removed, only replaced; every HTTP request needs it. Its default value is sent.")
                .arg(needed.join(u", "_s)));
    for (const HeaderRow &row : rows) {
        if (row.origin == HeaderRow::Origin::Lost)
            findings.append(ConnectionText::tr("The value of %1 is redacted in the session and has no default. Enter a "
                                               "value, or the header is not sent.")
                                .arg(row.name));
    }
    return findings;
}

}  // namespace sonde
