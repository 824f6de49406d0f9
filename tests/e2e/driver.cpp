// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/driver.h"
#include "tests/support/programs.h"

#include <QDeadlineTimer>
#include <QEventLoop>
#include <QPointer>
#include <QProcess>
#include <QTimer>

using namespace Qt::StringLiterals;

namespace sonde::test {
namespace {

constexpr int DriverPatience = 60'000;

}  // namespace

Driver::Driver(const ServerSpec &spec, const ConnectionOptions &options) : m_connection(spec, options) {}

bool Driver::isSettled()
{
    const json::Value capabilities = m_connection.serverInfo().capabilities;
    const std::pair<QStringView, Catalog::List> lists[] = {{u"tools", Catalog::List::Tools},
                                                           {u"resources", Catalog::List::Resources},
                                                           {u"resources", Catalog::List::ResourceTemplates},
                                                           {u"prompts", Catalog::List::Prompts}};
    for (const auto &[capability, list] : lists) {
        const Catalog::State state = catalog().status(list).state;
        if (capabilities.contains(capability) && state != Catalog::State::Ready && state != Catalog::State::Failed)
            return false;
    }
    return true;
}

bool Driver::open()
{
    m_connection.open();
    waitUntil([this] {
        const Connection::State state = m_connection.state();
        return state == Connection::State::Disconnected || (state == Connection::State::Connected && isSettled());
    });
    m_connection.session()->flush();  // its last rows are shown a turn later
    return m_connection.state() == Connection::State::Connected && isSettled();
}

bool Driver::openOnly()
{
    m_connection.open();
    waitUntil([this] {
        const Connection::State state = m_connection.state();
        return state == Connection::State::Connected || state == Connection::State::Disconnected;
    });
    return m_connection.state() == Connection::State::Connected;
}

bool Driver::close()
{
    m_connection.close();
    return waitUntil([this] { return m_connection.state() == Connection::State::Disconnected; });
}

bool Driver::waitUntil(const std::function<bool()> &holds)
{
    QDeadlineTimer deadline(DriverPatience);
    QEventLoop loop;
    QTimer look;  // not every condition has a signal
    QObject::connect(&look, &QTimer::timeout, &loop, &QEventLoop::quit);
    look.start(5);
    while (!holds() && !deadline.hasExpired())
        loop.exec();
    return holds();
}

Outcome Driver::run(Call *call)
{
    std::optional<Outcome> result;
    const QPointer<Call> guard(call);
    QObject::connect(call, &Call::finished, &m_connection, [&result](const Outcome &outcome) { result = outcome; });
    waitUntil([&] { return result || !guard; });
    if (result)
        return *result;
    Outcome lost;
    lost.error = Error::local(u"the call never ended"_s);
    return lost;
}

Outcome Driver::callTool(const QString &name, const QByteArray &arguments)
{
    return run(m_connection.callTool(name, arguments));
}

bool Driver::hasRecord(WireEvent::Kind kind, const QByteArray &text) const
{
    for (qsizetype row = 0; row < session().size(); ++row) {
        if (session().at(row).kind == kind &&
            (text.isEmpty() || session().bytes(row).contains(text) || session().facts(row).contains(text)))
            return true;
    }
    return false;
}

QByteArray Driver::describe() const
{
    const Error error = m_connection.error();
    return (m_connection.statusText() + u" | "_s + error.message + u" | "_s + error.detail + u" | "_s +
            m_connection.stderrTail().join(u'\n'))
        .toUtf8();
}

QString textOf(const Outcome &outcome)
{
    QString text;
    for (const Content &content : readContents(outcome.result()[u"content"]))
        text += content.text.string();
    return text;
}

ServerSpec demoServer(const QStringList &switches)
{
    ServerSpec spec;
    spec.name = u"demo"_s;
    spec.command = test::builtProgram(QStringLiteral("sonde-demo-server"));
    spec.arguments = switches;
    spec.revision = Revision::R20251125;
    return spec;
}

class HttpProcess::Private {
public:
    QProcess process;
};

HttpProcess::HttpProcess(const QString &program, const QStringList &arguments, const QByteArray &before,
                         const QString &address)
    : d(std::make_unique<Private>())
{
    QDeadlineTimer deadline(DriverPatience);
    d->process.setStandardOutputFile(QProcess::nullDevice());
    d->process.setReadChannel(QProcess::StandardError);
    d->process.start(program, arguments);
    while (!deadline.hasExpired()) {
        while (d->process.canReadLine()) {
            const QByteArray line = d->process.readLine().trimmed();
            if (line.startsWith(before)) {
                m_url = QUrl(address.arg(QString::fromLatin1(line.sliced(before.size()))));
                return;
            }
        }
        if (!d->process.waitForReadyRead(int(deadline.remainingTime())))
            return;
    }
}

HttpProcess::~HttpProcess()
{
    d->process.kill();
    d->process.waitForFinished();
}

ServerSpec HttpProcess::spec() const
{
    ServerSpec spec;
    spec.name = u"over HTTP"_s;
    spec.kind = ServerSpec::Kind::Http;
    spec.url = m_url;
    spec.revision = Revision::R20251125;
    return spec;
}

std::unique_ptr<HttpProcess> HttpProcess::demo(const QStringList &switches)
{
    return std::make_unique<HttpProcess>(demoServer().command, QStringList{u"--http"_s, u"0"_s} + switches,
                                         "listening on ", u"%1"_s);
}

}  // namespace sonde::test
