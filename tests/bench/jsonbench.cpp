// Figures of core/json against QJsonDocument: one JSON object a line. Only an optimised build says anything.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "core/json/compare.h"
#include "core/json/document.h"
#include "core/json/scan.h"
#include "core/protocol/message.h"

#include <malloc.h>
#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <cstdio>
#include <functional>

using namespace sonde;
using namespace Qt::StringLiterals;

namespace {

constexpr int Rounds = 7;

qsizetype heapInUse()
{
    const struct mallinfo2 info = mallinfo2();
    return qsizetype(info.uordblks + info.hblkhd);
}

// Records of the kind that tools answer with, about `bytes` long.
QByteArray records(qsizetype bytes)
{
    QByteArray text = "[";
    for (int i = 0; text.size() < bytes; ++i) {
        json::Builder record;
        record.beginObject();
        record.member(u"id", qint64(i)).member(u"name", QStringLiteral("Person number %1").arg(i));
        record.member(u"active", i % 3 == 0);
        record.key(u"balance").number(i * 1.25);
        record.member(u"about", u"Lives in a house by the sea,\nwrites \"letters\" and reads them aloud.");
        record.key(u"tags").beginArray().string(u"north").string(u"früh").endArray();
        record.key(u"place").beginObject().member(u"city", u"Kiel").key(u"zip").null().endObject();
        record.endObject();
        text.append(i == 0 ? "" : ",").append(record.take());
    }
    return text.append(']');
}

// The median over some rounds, in milliseconds.
double median(const std::function<void()> &work)
{
    QList<double> times;
    for (int round = 0; round < Rounds; ++round) {
        QElapsedTimer timer;
        timer.start();
        work();
        times.append(double(timer.nsecsElapsed()) / 1e6);
    }
    std::sort(times.begin(), times.end());
    return times[Rounds / 2];
}

void report(QStringView figure, double value, QStringView unit)
{
    json::Builder line;
    line.beginObject().member(u"figure", figure).key(u"value").number(value).member(u"unit", unit).endObject();
    std::puts(line.take().constData());
}

void compareParsers(const QString &what, const QByteArray &text)
{
    const double megabytes = double(text.size()) / 1e6;
    json::Document document;
    const double ours = median([&] { document = json::Document::parse(text); });
    document = {};
    qsizetype before = heapInUse();
    document = json::Document::parse(text);
    const double ourHeap = double(heapInUse() - before);

    QJsonDocument other;
    const double theirs = median([&] { other = QJsonDocument::fromJson(text); });
    other = {};
    before = heapInUse();
    other = QJsonDocument::fromJson(text);
    const double theirHeap = double(heapInUse() - before);

    report(what + u": sonde"_s, megabytes / ours * 1000, u"MB/s");
    report(what + u": QJsonDocument"_s, megabytes / theirs * 1000, u"MB/s");
    report(what + u": times as fast"_s, theirs / ours, u"");
    report(what + u": sonde, heap"_s, ourHeap / double(text.size()), u"bytes per byte");
    report(what + u": QJsonDocument, heap"_s, theirHeap / double(text.size()), u"bytes per byte");
    report(what + u": nodes"_s, double(document.nodeCount()), u"");
}

}  // namespace

int main()
{
    const QByteArray text = records(10'000'000);
    if (!json::Document::parse(text).isValid()) {
        std::fputs("the records are not valid\n", stderr);
        return 1;
    }
    compareParsers(QStringLiteral("10 MB of records"), text);
    compareParsers(QStringLiteral("10 MB in one string"), "[" + json::quoted(QString::fromUtf8(text)) + "]");

    const QByteArray large = R"({"jsonrpc":"2.0","id":1,"result":{"records":)" + text + "}}";
    report(u"envelope of 10 MB", median([&] { Message::parse(large); }), u"ms");

    const QByteArray small = R"({"jsonrpc":"2.0","id":123,"result":{"content":[{"type":"text","text":")" +
                             QByteArray(90, 'x') +
                             R"("}],"structuredContent":{"a":1,"b":[true,null]},"isError":false}})";
    constexpr int many = 100'000;
    report(u"message of %1 bytes"_s.arg(small.size()),
           median([&] {
               for (int i = 0; i < many; ++i)
                   Message::parse(small);
           }) * 1000 /
               many,
           u"µs");
    report(u"the same, QJsonDocument",
           median([&] {
               for (int i = 0; i < many; ++i)
                   QJsonDocument::fromJson(small).object().value(QLatin1String("id"));
           }) * 1000 /
               many,
           u"µs");

    for (const char *unit : {"[", "{\"a\":", ",", "[\"\\x\",", "{\"k\":0},"}) {
        const QByteArray hostile = "[" + QByteArray(unit).repeated(10'000'000 / int(qstrlen(unit)));
        report(u"10 MB of '%1'"_s.arg(QLatin1String(unit)), median([&] { json::Document::parse(hostile); }), u"ms");
    }

    const json::Document document = json::Document::parse(text);
    report(u"indented, 10 MB", median([&] { json::indented(document.root()); }), u"ms");
    const json::Document spread = json::Document::parse(json::indented(document.root()));
    report(u"equal, 10 MB against its indented form", median([&] {
               if (!json::equal(document.root(), spread.root()))
                   std::abort();
           }),
           u"ms");
    return 0;
}
