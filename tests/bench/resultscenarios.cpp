// Large results in the view that shows them.
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/benchtools.h"
#include "tests/bench/scenarios.h"
#include "ui/result/resultview.h"
#include "ui/result/textblock.h"

#include <QBuffer>
#include <QImage>
#include <QScrollArea>
#include <QScrollBar>
#include <QThreadPool>

namespace sonde::bench {

using namespace Qt::StringLiterals;

namespace {

QByteArray ofSize(const QByteArray &piece, qint64 bytes)
{
    return piece.repeated(qsizetype(bytes) / piece.size());
}

void measureOneResult(QStringView kind, const QByteArray &start, const QByteArray &piece, const QByteArray &end,
                      qint64 bytes)
{
    Outcome outcome;
    outcome.kind = Outcome::Kind::Ok;
    outcome.message = Message::parse(R"({"jsonrpc":"2.0","id":1,"result":)" + start + ofSize(piece, bytes) + end + '}');
    ui::ResultView view;
    view.resize(720, 800);
    view.show();
    forgetPeakResident();
    const double base = residentMb() - double(outcome.message.raw().size()) / 1e6;
    const double before = wallMs();
    Turns turns;
    turns.measure([&] { view.showOutcome(ui::ResultView::Subject::Tool, outcome); });
    const auto isShown = [&] {
        const auto blocks = view.findChildren<ui::TextBlock *>();
        return !blocks.isEmpty() &&
               std::all_of(blocks.begin(), blocks.end(), [](const auto *block) { return block->isComplete(); }) &&
               QThreadPool::globalInstance()->activeThreadCount() == 0;
    };
    if (!turns.runUntil(isShown))
        giveUp(u"Nothing is shown."_s);
    const double shown = wallMs();
    turns.runUntil([&] { return wallMs() - shown > 300; });
    Report report(u"result");
    report.text(u"kind", kind);
    report.count(u"bytes", outcome.message.raw().size());
    report.figure(u"ms", shown - before);
    report.figure(u"longest_turn_cpu_ms", turns.longestCpuMs());
    report.figure(u"peak_rss_per_byte", (peakResidentMb() - base) * 1e6 / double(outcome.message.raw().size()));
}

// Small as they come, large as pixels.
void measureImages(int count, const QSize &size)
{
    QByteArray png;
    QBuffer buffer(&png);
    QImage image(size, QImage::Format_RGB32);
    image.fill(Qt::darkCyan);
    image.save(&buffer, "PNG");
    image = {};
    QByteArray content =
        (R"({"type":"image","mimeType":"image/png","data":")" + png.toBase64() + "\"},").repeated(count);
    content.chop(1);
    Outcome outcome;
    outcome.kind = Outcome::Kind::Ok;
    outcome.message = Message::parse(R"({"jsonrpc":"2.0","id":1,"result":{"content":[)" + content + "]}}");
    ui::ResultView view;
    view.resize(720, 800);
    view.show();
    forgetPeakResident();
    const double base = residentMb();
    const double before = wallMs();
    Turns turns;
    turns.measure([&] { view.showOutcome(ui::ResultView::Subject::Tool, outcome); });
    double idle = wallMs();
    const auto settle = [&] {
        turns.runUntil([&] {
            if (QThreadPool::globalInstance()->activeThreadCount() > 0)
                idle = wallMs();
            return wallMs() - idle > 300;
        });
    };
    settle();
    const double shown = idle;
    auto *bar = view.findChild<QScrollArea *>(u"resultPage"_s)->verticalScrollBar();
    const int steps = 3 * count;
    for (int step = 1; step <= steps; ++step) {
        bar->setValue(int(qint64(bar->maximum()) * step / steps));
        turns.runUntil([until = wallMs() + 20] { return wallMs() > until; });
    }
    settle();
    Report report(u"images");
    report.count(u"bytes", outcome.message.raw().size());
    report.count(u"images", view.findChildren<QWidget *>(u"image"_s).size());
    report.figure(u"ms", shown - before);
    report.figure(u"longest_turn_cpu_ms", turns.longestCpuMs());
    report.figure(u"peak_rss_over_base_mb", peakResidentMb() - base);
}

}  // namespace

void measureResult(const Settings &settings)
{
    const QByteArray text = R"({"content":[{"type":"text","text":")";
    measureOneResult(u"one line", text, "All work and no play makes a dull result. ", R"("}]})", settings.bytes);
    measureOneResult(u"lines", text, R"(All work and no play makes a dull result.\n)", R"("}]})", settings.bytes);
    measureOneResult(u"JSON text", text + '[', R"({\"name\":\"All work and no play\",\"number\":12345},)",
                     R"(null]"}]})", settings.bytes);
    measureOneResult(u"structured", R"({"content":[],"structuredContent":{"rows":[)",
                     R"({"name":"All work and no play","number":12345},)", "null]}}", settings.bytes);
    measureImages(50, {5600, 5600});
}

}  // namespace sonde::bench
