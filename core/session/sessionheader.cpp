// SPDX-License-Identifier: Apache-2.0
#include "core/session/sessionheader.h"

#include "core/json/builder.h"
#include "core/session/recordline.h"

#include <QCoreApplication>
#include <QRandomGenerator>
#include <QSysInfo>
#include <QUuid>

namespace sonde {

using namespace Qt::StringLiterals;

SessionHeader SessionHeader::now(const QString &serverName)
{
    SessionHeader header;
    header.serverName = serverName;
    header.createdAt = QDateTime::currentDateTimeUtc();
    header.uuid = QUuid::createUuid().toString(QUuid::WithoutBraces);
    header.key.resize(16);
    QRandomGenerator::system()->generate(header.key.begin(), header.key.end());
    return header;
}

QByteArray SessionHeader::toLine() const
{
    json::Builder builder;
    builder.beginObject().member(u"mcpsession", qint64(Major)).member(u"minor", qint64(Minor));
    builder.member(u"uuid", uuid);
    builder.member(u"created", createdAt.toString(Qt::ISODateWithMs));
    builder.key(u"app").beginObject().member(u"name", u"Sonde").member(u"version", QStringLiteral(SONDE_VERSION));
    builder.member(u"qt", QString::fromLatin1(qVersion())).member(u"os", QSysInfo::prettyProductName()).endObject();
    builder.member(u"server", serverName).member(u"clock", u"boottime-ns").member(u"redaction", u"default");
    builder.member(u"key", QString::fromLatin1(key.toBase64()));
    QByteArray line = builder.endObject().take();
    line.chop(1);  // the checksum brings the brace
    appendChecksum(line, 0);
    line.append('\n');
    return line;
}

Result<SessionHeader> SessionHeader::fromLine(QByteArrayView line)
{
    if (!line.startsWith("{\"mcpsession\":"))
        return Error::local(QCoreApplication::translate("sonde::SessionHeader", "Not a Sonde session file."));
    SessionHeader header;
    header.isDamaged = !hasValidChecksum(line);
    const json::Value root = json::parse(line.toByteArray());
    const qint64 version = root[u"mcpsession"].toInteger().value_or(0);
    if (!header.isDamaged && version > Major) {
        return Error::local(
            QCoreApplication::translate("sonde::SessionHeader", "This session has format version %1.").arg(version),
            QCoreApplication::translate("sonde::SessionHeader", "A newer version of Sonde is needed to read it."));
    }
    header.serverName = root[u"server"].string();
    header.createdAt = QDateTime::fromString(root[u"created"].string(), Qt::ISODateWithMs).toUTC();
    header.uuid = root[u"uuid"].string();
    header.key = QByteArray::fromBase64(root[u"key"].string().toLatin1());
    return header;
}

}  // namespace sonde
