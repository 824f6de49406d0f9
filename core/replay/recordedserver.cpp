// SPDX-License-Identifier: Apache-2.0
#include "core/replay/recordedserver.h"

#include "core/session/recordline.h"
#include "core/session/sessionfile.h"

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr qsizetype Peek = 256 * 1024;  // the server is started right at the beginning

ServerSpec specOf(const json::Value &open)
{
    ServerSpec spec;
    if (open[u"url"].isString()) {
        spec.kind = ServerSpec::Kind::Http;
        spec.url = QUrl(open[u"url"].string());
        return spec;
    }
    for (const json::Value &word : open[u"argv"])
        spec.arguments.append(word.string());
    if (!spec.arguments.isEmpty())
        spec.command = spec.arguments.takeFirst();
    spec.workingDirectory = open[u"cwd"].string();
    return spec;
}

}  // namespace

ServerSpec recordedServer(const QString &sessionPath)
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
            return specOf(json::parse(record.facts.toByteArray()));
        from = end + 1;
    }
    return {};
}

}  // namespace sonde
