// SPDX-License-Identifier: Apache-2.0
#include "core/filter/filtermatcher.h"
#include "core/session/recordline.h"
#include "tests/fuzz/targets.h"

#include <sys/mman.h>
#include <unistd.h>

namespace sonde::fuzz {

namespace {

// Otherwise hardly anything would get past the checksums.
QByteArray sealed(QByteArrayView file)
{
    QByteArray out;
    const QList<QByteArray> lines = file.toByteArray().split('\n');
    for (const QByteArray &line : lines) {
        const qsizetype start = out.size();
        const qsizetype checksum = line.lastIndexOf(",\"crc\":\"");
        out += checksum < 0 ? line : line.first(checksum);
        appendChecksum(out, start);
        out += '\n';
    }
    return out;
}

void readAll(QByteArrayView bytes)
{
    const int descriptor = ::memfd_create("session", MFD_CLOEXEC);
    expect(descriptor >= 0 && ::write(descriptor, bytes.data(), size_t(bytes.size())) == bytes.size());
    const auto opened = Session::open(QStringLiteral("/proc/self/fd/%1").arg(descriptor));
    ::close(descriptor);
    if (!opened)
        return;
    const Session &session = **opened;
    // What is searched where it stands in the line has to be what is read from it.
    const Filter::Parsed word = Filter::parse(QStringLiteral("a"));
    FilterMatcher matcher(word.filter, &session);
    const CaseInsensitiveMatcher needle("a");
    for (qsizetype row = 0; row < session.size(); ++row) {
        const RecordInfo &info = session.at(row);
        const QByteArray payload = session.bytes(row);
        const bool isThere = needle.isIn(payload) || needle.isIn(session.facts(row)) ||
                             needle.isIn(session.name(info.method).toUtf8()) ||
                             needle.isIn(session.name(info.target).toUtf8());
        expect(matcher.matches(row) == isThere);
        (void)session.message(row);
        (void)session.wallTime(row);
        expect(session.partnerOf(row) >= -1 && session.partnerOf(row) < session.size());
        expect(session.durationNs(row) >= -1);
    }
    for (const DamagedRange &range : session.damage())
        expect(range.offset >= 0 && range.length >= 0 && range.offset + range.length <= bytes.size());
}

}  // namespace

void session(QByteArrayView file)
{
    readAll(file);
    readAll(sealed(file));
}

}  // namespace sonde::fuzz
