// The scenarios on a session that is as long as sessions get.
// SPDX-License-Identifier: Apache-2.0
#include "core/session/session.h"
#include "tests/bench/benchtools.h"
#include "tests/bench/scenarios.h"
#include "ui/timeline/table/timelinemodel.h"
#include "ui/timeline/timelinepanel.h"

#include <malloc.h>
#include <QFile>
#include <QFileInfo>
#include <QRandomGenerator>
#include <QScrollBar>
#include <QTableView>
#include <QThreadPool>
#include <cstring>
#include <memory>

namespace sonde::bench {

using namespace Qt::StringLiterals;

namespace {

constexpr auto RareWord = "aardvark";
constexpr qint64 RareEvery = 5000;
constexpr qint64 FewRows = 1000;

// Calls with their responses, progress and log messages; every 5,000th speaks of an aardvark.
void fill(Session &session, qint64 rows)
{
    const auto append = [&session](Direction direction, const QByteArray &json) {
        WireEvent event;
        event.kind = WireEvent::Kind::Message;
        event.direction = direction;
        event.bytes = json;
        event.terminator = 1;
        session.append(event, 1);
    };
    const QByteArray text = QByteArray("some words of an answer, as tools give them to whoever asks ").repeated(3);
    for (qint64 i = 0; i + 3 < rows; i += 4) {
        const QByteArray id = QByteArray::number(i);
        const QByteArray extra = i % RareEvery == 0 ? QByteArray(RareWord) : "ordinary " + id;
        append(Direction::ToServer, R"({"jsonrpc":"2.0","id":)" + id +
                                        R"(,"method":"tools/call","params":{"name":"tool_)" +
                                        QByteArray::number(i % 50) + R"(","arguments":{"text":")" + extra +
                                        R"("},"_meta":{"progressToken":)" + id + "}}}");
        append(Direction::FromServer,
               R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)" + id +
                   R"(,"progress":1,"total":2,"message":"half of it is done"}})");
        append(
            Direction::FromServer,
            R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"bench","data":")" +
                text + R"("}})");
        append(Direction::FromServer, R"({"jsonrpc":"2.0","id":)" + id +
                                          R"(,"result":{"content":[{"type":"text","text":")" + text + extra +
                                          R"("}],"isError":)" + (i % 100 == 0 ? "true" : "false") + "}}");
        if (i % 400 == 0)
            session.flush();
    }
}

QString sessionOf(const Settings &settings, qint64 rows)
{
    const QString path = settings.folder + u"/rows-%1.mcpsession"_s.arg(rows);
    if (!QFileInfo::exists(path)) {
        const std::unique_ptr<Session> session = Session::create(path, u"bench"_s);
        fill(*session, rows);
        session->finish();
        if (session->error())
            giveUp(session->error().message);
        QThreadPool::globalInstance()->waitForDone();
    }
    return path;
}

std::unique_ptr<Session> opened(Result<std::unique_ptr<Session>> result)
{
    if (!result)
        giveUp(result.error().message);
    return std::move(result).value();
}

// Resident bytes for each row, measured in between.
class Memory {
public:
    Memory() : m_base(now()) {}
    double bytesPerRow(qsizetype rows) const { return (now() - m_base) * 1e6 / double(rows); }

private:
    static double now()
    {
        ::malloc_trim(0);
        return residentMb();
    }
    double m_base;
};

void reportOpening(const QString &path, qint64 rows)
{
    const Memory memory;
    const double start = wallMs();
    const double cpu = threadCpuMs();
    const std::unique_ptr<Session> session = opened(Session::open(path));
    const double wall = wallMs() - start;
    const double used = threadCpuMs() - cpu;
    QThreadPool::globalInstance()->waitForDone();
    Report report(u"open");
    report.text(u"how", u"at once"_s);
    report.count(u"rows", session->size());
    report.count(u"bytes", session->fileSize());
    report.figure(u"ms", wall);
    report.figure(u"cpu_ms", used);
    report.figure(u"rss_bytes_per_row", memory.bytesPerRow(qsizetype(rows)));
}

void reportOpeningInBatches(const QString &path, const QString &few)
{
    ui::TimelinePanel panel;
    showAllRecords(panel);
    panel.resize(1200, 800);
    panel.show();
    // Fonts and the like are loaded with the first rows that are painted, and are no part of what a row costs.
    const std::unique_ptr<Session> little = opened(Session::open(few));
    panel.setSession(little.get(), false);
    Turns turns;
    const double shown = wallMs();
    turns.runUntil([&] { return wallMs() - shown > 500; }, 2000);
    panel.setSession(nullptr, false);
    const Memory memory;

    Turns measured;
    const double start = wallMs();
    std::unique_ptr<Session> session;
    measured.measure([&] {
        session = opened(Session::openInBatches(path));
        panel.setSession(session.get(), false);
    });
    measured.runUntil([&] { return session->size() > 0; });
    const double first = wallMs() - start;
    measured.runUntil([&] { return !session->isLoading(); });
    const double all = wallMs() - start;
    measured.runUntil([&] { return wallMs() - start - all > 300; }, 2000);
    QThreadPool::globalInstance()->waitForDone();
    Report report(u"open");
    report.text(u"how", u"in batches, timeline visible");
    report.count(u"rows", session->size());
    report.figure(u"first_rows_ms", first);
    report.figure(u"ms", all);
    report.figure(u"longest_turn_cpu_ms", measured.longestCpuMs());
    report.figure(u"rss_bytes_per_row", memory.bytesPerRow(session->size()));
    panel.setSession(nullptr, false);
}

struct PlainScan {
    double ms = 0;
    qint64 hits = 0;
};

// What the bytes cost at least: reading the file in pieces, and memmem over each.
PlainScan plainScan(const QString &path, const QByteArray &word)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
        giveUp(file.errorString());
    PlainScan scan;
    QByteArray piece(256 * 1024, Qt::Uninitialized);
    const double cpu = threadCpuMs();
    for (qint64 read = 0; (read = file.read(piece.data(), piece.size())) > 0;) {
        const char *at = piece.constData();
        const char *const end = at + read;
        while (
            (at = static_cast<const char *>(::memmem(at, size_t(end - at), word.constData(), size_t(word.size()))))) {
            ++at;
            ++scan.hits;
        }
    }
    scan.ms = threadCpuMs() - cpu;
    return scan;
}

struct Filtering {
    double firstHitsMs = -1;
    double ms = 0;
    double cpuMs = 0;
    double longestTurnCpuMs = 0;
};

Filtering filtered(ui::TimelineModel &model, const QString &text)
{
    Turns clear;
    model.setFilter({});
    clear.runUntil([&] { return !model.isFiltering(); });
    Turns turns;
    Filtering figures;
    const double start = wallMs();
    const double cpu = threadCpuMs();
    turns.measure([&] { model.setFilter(Filter::parse(text).filter); });
    turns.runUntil([&] {
        if (figures.firstHitsMs < 0 && model.rowCount() > 0)
            figures.firstHitsMs = wallMs() - start;
        return !model.isFiltering();
    });
    figures.ms = wallMs() - start;
    figures.cpuMs = threadCpuMs() - cpu;
    figures.longestTurnCpuMs = turns.longestCpuMs();
    return figures;
}

// word: what is searched for to compare with.
void reportFilter(Session &session, const QString &path, const QString &text, const QString &word)
{
    ui::TimelineModel model;
    model.setSession(&session);
    const Filtering alone = filtered(model, text);
    Report report(u"filter");
    report.text(u"filter", text);
    report.count(u"rows", session.size());
    report.count(u"hits", model.rowCount());
    report.figure(u"first_hits_ms", alone.firstHitsMs);
    report.figure(u"ms", alone.ms);
    report.figure(u"cpu_ms", alone.cpuMs);
    QList<double> times;
    for (int i = 0; i < 3; ++i)
        times.append(plainScan(path, word.toUtf8()).ms);
    report.figure(u"plain_scan_cpu_ms", percentile(times, 0.5));
    report.figure(u"times_plain_scan", alone.cpuMs / percentile(times, 0.5));
    report.figure(u"longest_turn_cpu_ms", alone.longestTurnCpuMs);
    model.setSession(nullptr);

    ui::TimelinePanel panel;
    showAllRecords(panel);
    panel.resize(1200, 800);
    panel.setSession(&session, false);
    panel.show();
    Turns turns;
    const double shown = wallMs();
    turns.runUntil([&] { return wallMs() - shown > 500; }, 5000);
    report.figure(u"longest_turn_cpu_ms_visible",
                  filtered(*panel.findChild<ui::TimelineModel *>(), text).longestTurnCpuMs);
    panel.setSession(nullptr, false);
}

// What it took to change what is shown.
struct Change {
    double ms = 0;
    double longestTurnMs = 0;
};

Change changed(ui::TimelineModel *model, const std::function<void()> &change)
{
    Turns turns;
    const double start = wallMs();
    turns.measure(change);
    turns.runUntil([&] { return !model->isFiltering(); });
    const double ms = wallMs() - start;
    const double shown = wallMs();
    turns.runUntil([&] { return wallMs() - shown > 100; }, 2000);  // and painted
    return {ms, turns.longestCpuMs()};
}

struct CallFigures {
    Change reading;
    Change collapsing;  // of all calls, after they had been expanded
    Change expanding;
    double bytesPerRow = 0;
};

CallFigures showCalls(ui::TimelineModel *model, bool expanded)
{
    const Memory memory;
    CallFigures figures;
    figures.reading = changed(model, [&] { model->setView(ui::TimelineModel::View::Calls); });
    if (expanded) {
        changed(model, [&] { model->setAllExpanded(true); });
        figures.collapsing = changed(model, [&] { model->setAllExpanded(false); });
        figures.expanding = changed(model, [&] { model->setAllExpanded(true); });
    }
    figures.bytesPerRow = memory.bytesPerRow(model->session()->size());
    return figures;
}

enum class Rows { All, Calls, ExpandedCalls };

QList<double> frames(Session &session, Rows rows, CallFigures *figures)
{
    ui::TimelinePanel panel;
    showAllRecords(panel);
    panel.resize(1200, 800);
    panel.setSession(&session, false);
    panel.show();
    auto *table = panel.findChild<QTableView *>();
    Turns turns;
    const double shown = wallMs();
    turns.runUntil([&] { return wallMs() - shown > 500 && table->model()->rowCount() > 0; }, 20'000);
    if (rows != Rows::All)
        *figures = showCalls(panel.findChild<ui::TimelineModel *>(), rows == Rows::ExpandedCalls);
    QRandomGenerator random(20251121);
    QList<double> times;
    for (int i = 0; i < 300; ++i) {
        const int position = random.bounded(table->verticalScrollBar()->maximum() + 1);
        const double cpu = threadCpuMs();
        table->verticalScrollBar()->setValue(position);
        table->viewport()->repaint();
        times.append(threadCpuMs() - cpu);
    }
    panel.setSession(nullptr, false);
    return times;
}

}  // namespace

void measureOpen(const Settings &settings)
{
    const QString path = sessionOf(settings, settings.rows);
    reportOpeningInBatches(path, sessionOf(settings, FewRows));
    reportOpening(path, settings.rows);
}

void measureFilter(const Settings &settings)
{
    const QString path = sessionOf(settings, settings.rows);
    const std::unique_ptr<Session> session = opened(Session::open(path));
    (void)plainScan(path, RareWord);  // so that the file is in memory for all of them
    const QString rare = QString::fromLatin1(RareWord);
    for (const QString &word : {rare, u"ordinary"_s, u"tool_16"_s, u"progressToken"_s, u"nowhere"_s})
        reportFilter(*session, path, word, word);
    for (const QString &filter :
         {u"method == tools/call and outcome == tool-error"_s, u"ms > 100"_s, u"id == 5000"_s, u"id == 5"_s,
          u"id > 900000"_s, u"revision == none"_s, u"problem ~ late"_s, u"/params/arguments/text == aardvark"_s,
          u"/params/arguments/text ~ ^aard"_s, u"/params/progress > 1"_s, u"/result/content/0/text ~ aardvark$"_s})
        reportFilter(*session, path, filter, rare);
}

void measureScroll(const Settings &settings)
{
    const std::unique_ptr<Session> many = opened(Session::open(sessionOf(settings, settings.rows)));
    const std::unique_ptr<Session> little = opened(Session::open(sessionOf(settings, FewRows)));
    for (const auto &[shown, name] : {std::pair(Rows::All, u"all"_s), std::pair(Rows::Calls, u"calls"_s),
                                      std::pair(Rows::ExpandedCalls, u"calls, all expanded"_s)}) {
        CallFigures figures;
        const QList<double> fewFrames = frames(*little, shown, &figures);
        const QList<double> manyFrames = frames(*many, shown, &figures);
        Report report(u"scroll");
        report.text(u"view", name);
        report.count(u"rows", many->size());
        report.count(u"frames", manyFrames.size());
        report.figure(u"p50_cpu_ms", percentile(manyFrames, 0.5));
        report.figure(u"p99_cpu_ms", percentile(manyFrames, 0.99));
        report.figure(u"p50_cpu_ms_at_1000_rows", percentile(fewFrames, 0.5));
        report.figure(u"p99_cpu_ms_at_1000_rows", percentile(fewFrames, 0.99));
        if (shown == Rows::All)
            continue;
        report.figure(u"ms", figures.reading.ms);
        report.figure(u"longest_turn_cpu_ms", figures.reading.longestTurnMs);
        report.figure(u"rss_bytes_per_row", figures.bytesPerRow);
        if (shown == Rows::Calls)
            continue;
        for (const auto &[change, what] :
             {std::pair(figures.expanding, u"expanding"_s), std::pair(figures.collapsing, u"collapsing"_s)}) {
            report.figure(what + u"_ms"_s, change.ms);
            report.figure(u"longest_turn_cpu_ms_"_s + what, change.longestTurnMs);
        }
    }
}

}  // namespace sonde::bench
