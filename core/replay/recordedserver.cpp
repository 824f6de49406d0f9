// SPDX-License-Identifier: Apache-2.0
#include "core/replay/recordedserver.h"

#include "core/redact/secretmarks.h"
#include "core/session/recordline.h"
#include "core/session/sessionfile.h"

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr qsizetype Peek = 256 * 1024;  // the server is started right at the beginning

RecordedServer serverOf(const EventFacts &open)
{
    RecordedServer server;
    ServerSpec &spec = server.spec;
    if (open.url) {
        server.isUrlMasked = nextMark(open.url->toUtf8()) >= 0;
        if (!server.isUrlMasked) {
            spec.kind = ServerSpec::Kind::Http;
            spec.url = QUrl(*open.url);
        }
        return server;
    }
    spec.arguments = open.argv.value_or(QStringList());
    if (!spec.arguments.isEmpty())
        spec.command = spec.arguments.takeFirst();
    spec.workingDirectory = open.cwd.value_or(QString());
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
            return serverOf(EventFacts::read(record.facts));
        from = end + 1;
    }
    return {};
}

}  // namespace sonde
