// The scenarios in which a server takes part: everything from its pipe to the recorded row.
// SPDX-License-Identifier: Apache-2.0
#include "core/connection/connection.h"
#include "tests/bench/benchtools.h"
#include "tests/bench/scenarios.h"
#include "tests/support/programs.h"
#include "ui/panels/offertree.h"
#include "ui/timeline/timelinepanel.h"

#include <QEventLoop>
#include <QFile>
#include <QLineEdit>
#include <QProcess>
#include <QTimer>
#include <functional>
#include <memory>

namespace sonde::bench {

using namespace Qt::StringLiterals;

namespace {

// A connection to a fixture server of its own.
class Peer {
public:
    explicit Peer(const Settings &settings, bool loadCatalog = false, const QStringList &more = {})
    {
        const QStringList arguments = QStringList{u"--tools"_s, QString::number(settings.tools)} + more;
        const QString program = test::builtProgram(QStringLiteral("sonde-bench-server"));
        ServerSpec spec;
        spec.name = u"bench"_s;
        spec.command = program;
        spec.arguments = arguments;
        if (settings.http) {
            m_server.start(program, arguments + QStringList{u"--http"_s});
            if (!m_server.waitForReadyRead(10'000))
                giveUp(u"The fixture server does not start."_s);
            spec.kind = ServerSpec::Kind::Http;
            spec.url = QUrl(QString::fromUtf8(m_server.readAllStandardOutput().trimmed()));
        }
        m_path = settings.folder + u"/peer.mcpsession"_s;
        QFile::remove(m_path);
        ConnectionOptions options;
        options.sessionPath = m_path;
        options.loadCatalog = loadCatalog;
        options.maxMessageBytes = qMax(options.maxMessageBytes, settings.bytes + settings.bytes / 8);
        options.checkMessages = true;  // as in the window
        options.callOptions.askForProgress = false;
        m_connection = std::make_unique<Connection>(spec, options);
    }
    ~Peer()
    {
        m_connection.reset();
        QFile::remove(m_path);
        QFile::remove(m_path + u".index"_s);
        if (m_server.state() != QProcess::NotRunning) {
            m_server.closeWriteChannel();
            m_server.waitForFinished(5000);
        }
    }

    void open()
    {
        m_connection->open();
        Turns turns;
        if (!turns.runUntil([this] { return m_connection->state() != Connection::State::Connecting; }, 20'000) ||
            m_connection->state() != Connection::State::Connected)
            giveUp(u"No connection: %1"_s.arg(m_connection->error().message));
    }
    Connection &connection() { return *m_connection; }
    Session &session() { return *m_connection->session(); }

    // finished: called with the response.
    template <typename Finished>
    void call(const QString &tool, const QByteArray &arguments, Finished finished)
    {
        QObject::connect(m_connection->callTool(tool, arguments), &Call::finished, m_connection.get(),
                         [finished](const Outcome &outcome) {
                             if (outcome.kind != Outcome::Kind::Ok)
                                 giveUp(u"A call failed: %1"_s.arg(outcome.error.message));
                             finished(outcome);
                         });
    }

private:
    QProcess m_server;  // over HTTP; over stdio the connection starts one
    QString m_path;
    std::unique_ptr<Connection> m_connection;
};

void common(Report &report, const Settings &settings)
{
    report.text(u"transport", settings.http ? u"http" : u"stdio");
    report.text(u"client", u"sonde");
}

QByteArray echoArguments(int number)
{
    return "{\"text\":\"message number " + QByteArray::number(number) + "\"}";
}

}  // namespace

void measureLatency(const Settings &settings)
{
    const int count = settings.count > 0 ? settings.count : 2000;
    constexpr int warmUp = 200;
    Peer peer(settings);
    peer.open();
    QList<double> times;
    double start = 0;
    double cpu = 0;
    int sent = 0;
    QEventLoop loop;
    std::function<void()> next = [&] {
        if (sent == warmUp)
            cpu = processCpuMs();
        if (sent == count + warmUp)
            return loop.quit();
        start = wallMs();
        peer.call(u"echo"_s, echoArguments(++sent), [&](const Outcome &) {
            if (sent > warmUp)
                times.append((wallMs() - start) * 1e3);
            next();
        });
    };
    QTimer::singleShot(120'000, &loop, [] { giveUp(u"No answer."_s); });
    next();
    loop.exec();
    Report report(u"latency");
    common(report, settings);
    report.count(u"calls", count);
    report.figure(u"p50_us", percentile(times, 0.5));
    report.figure(u"p99_us", percentile(times, 0.99));
    report.figure(u"cpu_us_per_call", (processCpuMs() - cpu) * 1e3 / count);
}

void measurePipeline(const Settings &settings)
{
    const int count = settings.count > 0 ? settings.count : 20'000;
    constexpr int inFlight = 64;
    Peer peer(settings);
    peer.open();
    int sent = 0;
    int answered = 0;
    std::function<void()> next = [&] {
        if (sent == count)
            return;
        peer.call(u"echo"_s, echoArguments(++sent), [&](const Outcome &) {
            ++answered;
            next();
        });
    };
    Turns turns;
    const double start = wallMs();
    const double cpu = processCpuMs();
    for (int i = 0; i < inFlight; ++i)
        next();
    if (!turns.runUntil([&] { return answered == count; }))
        giveUp(u"Calls are missing."_s);
    const double wall = wallMs() - start;
    Report report(u"pipeline");
    common(report, settings);
    report.count(u"calls", count);
    report.figure(u"calls_per_s", count / wall * 1e3);
    report.figure(u"cpu_us_per_call", (processCpuMs() - cpu) * 1e3 / count);
    report.figure(u"longest_turn_cpu_ms", turns.longestCpuMs());
}

void measureParallel(const Settings &settings)
{
    const int count = settings.count > 0 ? settings.count : 24;
    Settings http = settings;
    http.http = true;  // over stdio it is the server who decides
    Peer peer(http);
    peer.open();
    int finished = 0;
    Turns turns;
    const double start = wallMs();
    const double cpu = processCpuMs();
    for (int i = 0; i < count; ++i)
        peer.call(u"sleep"_s, "{\"ms\":500}", [&](const Outcome &) { ++finished; });
    if (!turns.runUntil([&] { return finished == count; }))
        giveUp(u"Calls are missing."_s);
    Report report(u"parallel");
    common(report, http);
    report.count(u"calls", count);
    report.figure(u"ms", wallMs() - start);
    report.figure(u"cpu_us_per_call", (processCpuMs() - cpu) * 1e3 / count);
}

void measureFlood(const Settings &settings)
{
    const int count = settings.count > 0 ? settings.count : 100'000;
    Peer peer(settings);
    peer.open();
    ui::TimelinePanel panel;
    showAllRecords(panel);
    panel.resize(1200, 800);
    panel.setSession(&peer.session(), true);
    panel.show();
    Turns warmUp;
    const double shown = wallMs();
    warmUp.runUntil([&] { return wallMs() - shown > 300; }, 2000);

    const qsizetype before = peer.session().size();
    bool done = false;
    Turns turns;
    const double start = wallMs();
    const double cpu = processCpuMs();
    peer.call(u"flood"_s, "{\"count\":" + QByteArray::number(count) + '}', [&](const Outcome &) { done = true; });
    if (!turns.runUntil([&] { return done && peer.session().size() >= before + count + 2; }))
        giveUp(u"Notifications are missing."_s);
    const double wall = wallMs() - start;
    const double used = processCpuMs() - cpu;
    const double end = wallMs();
    turns.runUntil([&] { return wallMs() - end > 200; }, 2000);  // the last rows are shown a little later

    qint64 inOrder = 0;
    for (qsizetype row = before; row < peer.session().size(); ++row)
        inOrder += peer.session().bytes(row).contains("\"seq\":" + QByteArray::number(inOrder) + ',') ? 1 : 0;
    Report report(u"flood");
    common(report, settings);
    report.count(u"notifications", count);
    report.count(u"stored_in_order", inOrder);
    report.figure(u"per_s", count / wall * 1e3);
    report.figure(u"cpu_us_each", used * 1e3 / count);
    report.figure(u"longest_turn_cpu_ms", turns.longestCpuMs());
    report.figure(u"peak_rss_mb", peakResidentMb());
}

void measureBlob(const Settings &settings)
{
    Peer peer(settings);
    peer.open();
    bool done = false;
    qint64 bytes = 0;
    Turns turns;
    const double base = residentMb();
    const double start = wallMs();
    const double cpu = processCpuMs();
    peer.call(u"blob"_s, "{\"bytes\":" + QByteArray::number(settings.bytes) + '}', [&](const Outcome &outcome) {
        done = true;
        bytes = outcome.bytes;
    });
    if (!turns.runUntil([&] { return done; }))
        giveUp(u"No answer."_s);
    Report report(u"blob");
    common(report, settings);
    report.count(u"bytes", bytes);
    report.figure(u"ms", wallMs() - start);
    report.figure(u"cpu_ms", processCpuMs() - cpu);
    report.figure(u"longest_turn_cpu_ms", turns.longestCpuMs());
    report.figure(u"peak_rss_over_base_mb", peakResidentMb() - base);
}

namespace {

// Until the call has ended and everything is recorded.
void measureOneLarge(const Settings &settings, const QString &tool, const QStringList &options)
{
    Peer peer(settings, false, options);
    peer.open();
    peer.session().addSecret(u"hT7kQ2vX9mLp4RzW"_s);  // so that every message is searched for it
    const qsizetype before = peer.session().size();
    bool done = false;
    Turns turns;
    forgetPeakResident();
    const double base = residentMb();
    const double start = wallMs();
    peer.call(tool, "{\"bytes\":" + QByteArray::number(settings.bytes) + '}', [&](const Outcome &) { done = true; });
    const auto isRecorded = [&] {
        for (qsizetype row = before; row < peer.session().size(); ++row) {
            if (peer.session().at(row).wireLength >= settings.bytes)
                return true;
        }
        return false;
    };
    if (!turns.runUntil([&] { return done && isRecorded(); }))
        giveUp(u"No answer."_s);
    Report report(u"large");
    common(report, settings);
    report.text(u"kind", tool);
    report.count(u"bytes", settings.bytes);
    report.figure(u"ms", wallMs() - start);
    report.figure(u"longest_turn_cpu_ms", turns.longestCpuMs());
    report.figure(u"peak_rss_per_byte", (peakResidentMb() - base) * 1e6 / double(settings.bytes));
}

}  // namespace

void measureLarge(const Settings &settings)
{
    Settings http = settings;
    http.http = true;
    measureOneLarge(settings, u"blob"_s, {});
    measureOneLarge(http, u"blob"_s, {});
    measureOneLarge(http, u"event"_s, {});
    measureOneLarge(settings, u"batch"_s, {u"--batches"_s});
}

void measureList(const Settings &settings)
{
    Peer peer(settings);
    peer.open();
    Turns turns;
    bool done = false;
    const double start = wallMs();
    const double cpu = processCpuMs();
    Catalog *catalog = peer.connection().catalog();
    QObject::connect(catalog, &Catalog::changed, catalog, [&](Catalog::List list) {
        done = done || (list == Catalog::List::Tools && catalog->status(list).state == Catalog::State::Ready &&
                        catalog->tools().size() == settings.tools);
    });
    catalog->refresh(Catalog::List::Tools);
    if (!turns.runUntil([&] { return done; }))
        giveUp(u"No list."_s);
    Report report(u"list");
    common(report, settings);
    report.count(u"tools", catalog->tools().size());
    report.figure(u"ms", wallMs() - start);
    report.figure(u"cpu_ms", processCpuMs() - cpu);
    report.figure(u"longest_turn_cpu_ms", turns.longestCpuMs());
}

void measureTools(const Settings &settings)
{
    Peer peer(settings);
    peer.open();
    ui::OfferTree tree;
    tree.resize(300, 800);
    tree.setCatalog(peer.connection().catalog());
    tree.show();
    Turns warmUp;
    const double shown = wallMs();
    warmUp.runUntil([&] { return wallMs() - shown > 300; }, 2000);

    Turns listing;
    const double start = wallMs();
    peer.connection().catalog()->refresh(Catalog::List::Tools);
    const auto listed = [model = tree.model()] {
        int count = 0;
        for (int group = 0; group < model->rowCount(); ++group)
            count += model->rowCount(model->index(group, 0));
        return count;
    };
    if (!listing.runUntil([&] { return listed() == settings.tools; }))
        giveUp(u"No list."_s);
    const double wall = wallMs() - start;
    const double end = wallMs();
    listing.runUntil([&] { return wallMs() - end > 300; }, 2000);

    auto *line = tree.findChild<QLineEdit *>();
    Turns typing;
    for (const QString &text : {u"n"_s, u"nu"_s, u"number 7"_s, u"number 77"_s, u""_s}) {
        typing.measure([&] { line->setText(text); });
        const double typed = wallMs();
        typing.runUntil([&] { return wallMs() - typed > 100; }, 2000);
    }
    Report report(u"tools");
    common(report, settings);
    report.count(u"tools", settings.tools);
    report.figure(u"ms", wall);
    report.figure(u"longest_turn_cpu_ms", listing.longestCpuMs());
    report.figure(u"longest_turn_typing_cpu_ms", typing.longestCpuMs());
}

}  // namespace sonde::bench
