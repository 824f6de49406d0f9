// SPDX-License-Identifier: Apache-2.0
#include "core/replay/recordedserver.h"

#include "core/redact/secretmarks.h"
#include "core/session/recordline.h"
#include "core/session/sessionfile.h"

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr qsizetype Peek = 256 * 1024;  // the server is started right at the beginning

RecordedServer serverOf(const json::Value &open)
{
    RecordedServer server;
    ServerSpec &spec = server.spec;
    if (open[u"url"].isString()) {
        const QString url = open[u"url"].string();
        server.isUrlMasked = nextMark(url.toUtf8()) >= 0;
        if (!server.isUrlMasked) {
            spec.kind = ServerSpec::Kind::Http;
            spec.url = QUrl(url);
        }
        return server;
    }
    for (const json::Value &word : open[u"argv"])
        spec.arguments.append(word.string());
    if (!spec.arguments.isEmpty())
        spec.command = spec.arguments.takeFirst();
    spec.workingDirectory = open[u"cwd"].string();
    return server;
}

}  // namespace

RecordedServer recordedServer(const QString &sessionPath)
{
    const Result<std::shared_ptr<SessionFile>> file = SessionFile::open(sessionPath);
    if (!file)
        return {};
    const QByteArray start = (*file)->read(0, Peek);
    qsizetype from = 0;
    for (qsizetype end = start.indexOf('\n'); end >= 0; end = start.indexOf('\n', from)) {
        RecordLine record;
        const QByteArrayView line = QByteArrayView(start).sliced(from, end - from);
        if (readRecordLine(line, &record) == LineState::Good && record.kind == WireEvent::Kind::Open)
            return serverOf(json::parse(record.facts.toByteArray()));
        from = end + 1;
    }
    return {};
}

}  // namespace sonde
