// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/doctor.h"

#include "core/connection/transportoptions.h"
#include "core/protocol/methods.h"
#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "core/transport/briefrun.h"
#include "core/transport/exitwords.h"
#include "core/transport/loginshell.h"
#include "core/transport/programlookup.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHostInfo>
#include <QNetworkProxy>
#include <QRegularExpression>
#include <QSslCertificate>
#include <QSslCipher>
#include <QSslSocket>
#include <QTimer>
#include <algorithm>
#include <utility>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

using Kind = DoctorLine::Kind;
using State = DoctorLine::State;

constexpr int VersionMs = 5000;
constexpr int NetworkMs = 10'000;
constexpr qsizetype MaxRecords = 20'000;  // of the start, from its end
constexpr qsizetype MaxWritten = 4096;
constexpr qint64 MaxFirstLine = 512;

// "~/bin" rather than "/home/ada/bin".
QString shortPath(const QString &path)
{
    const QString home = QDir::homePath();
    return path == home ? u"~"_s : path.startsWith(home + u'/') ? u'~' + path.mid(home.size()) : path;
}

QString permissionText(QFile::Permissions permissions)
{
    const auto letters = [&](QFile::Permission read, QFile::Permission write, QFile::Permission execute) {
        return QString(permissions & read ? u'r' : u'-') + (permissions & write ? u'w' : u'-') +
               (permissions & execute ? u'x' : u'-');
    };
    return letters(QFile::ReadOwner, QFile::WriteOwner, QFile::ExeOwner) +
           letters(QFile::ReadGroup, QFile::WriteGroup, QFile::ExeGroup) +
           letters(QFile::ReadOther, QFile::WriteOther, QFile::ExeOther);
}

// What tells its version with an option, and does nothing else then. Nothing is run that is not listed here.
QStringList versionArguments(const QString &program)
{
    static const QRegularExpression known(
        u"^(node|nodejs|npx|npm|deno|bun|bunx|python[0-9.]*|uvx?|pipx|ruby|perl|php|dotnet|docker|podman)$"_s);
    const QString name = QFileInfo(program).fileName();
    if (known.match(name).hasMatch())
        return {u"--version"_s};
    return name == u"java" ? QStringList{u"-version"_s} : QStringList();
}

// Of a script, the words after "#!"; empty for what is none.
QStringList interpreterOf(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray line = file.readLine(MaxFirstLine);
    if (!line.startsWith("#!"))
        return {};
    QString words = QString::fromLocal8Bit(line.mid(2));
    if (words.endsWith(u'\n'))
        words.chop(1);
    return words.split(u' ', Qt::SkipEmptyParts);
}

QString certificateText(const QSslCertificate &certificate)
{
    return certificate.isNull() ? QString()
                                : Doctor::tr("certificate of %1, issued by %2, valid from %3 to %4")
                                      .arg(visibleLine(certificate.subjectDisplayName(), 80),
                                           visibleLine(certificate.issuerDisplayName(), 80),
                                           certificate.effectiveDate().date().toString(Qt::ISODate),
                                           certificate.expiryDate().date().toString(Qt::ISODate));
}

}  // namespace

// What the session holds of the last start.
struct Doctor::Records {
    json::Value exit;      // facts, of the process
    json::Value response;  // facts, of the last HTTP response
    QByteArray body;       // of it, where it was no message
    qint64 messages = 0;   // from the server
    qint64 errorLines = 0;
    qint64 junkLines = 0;
    QByteArray firstJunk;
};

Doctor::Doctor(Connection *connection, QObject *parent) : QObject(parent), m_connection(connection) {}

Doctor::~Doctor() = default;

void Doctor::examine()
{
    if (!m_connection)
        return;
    ++m_generation;
    m_context = std::make_unique<QObject>();
    m_socket = nullptr;
    m_open = 0;
    m_spec = m_connection->spec();
    m_error = m_connection->error();
    m_lines.clear();
    const QList<Kind> kinds =
        m_spec.startsProcess()
            ? QList<Kind>{Kind::CommandLine, Kind::Folder, Kind::Program,   Kind::Runtime,
                          Kind::Start,       Kind::Output, Kind::Handshake, Kind::Lists}
            : QList<Kind>{Kind::Address,       Kind::Host,     Kind::Network,   Kind::Tls,  Kind::HttpStatus,
                          Kind::Authorization, Kind::Protocol, Kind::Handshake, Kind::Lists};
    for (const Kind kind : kinds) {
        DoctorLine line;
        line.kind = kind;
        m_lines.append(line);
    }
    m_open = 1;  // until all have begun
    if (m_spec.startsProcess())
        examineProcess();
    else
        examineAddress();
    end();
}

const DoctorLine *Doctor::line(DoctorLine::Kind kind) const
{
    const auto found =
        std::find_if(m_lines.begin(), m_lines.end(), [kind](const DoctorLine &each) { return each.kind == kind; });
    return found == m_lines.end() ? nullptr : &*found;
}

const DoctorLine *Doctor::firstFailure() const
{
    const auto found = std::find_if(m_lines.begin(), m_lines.end(),
                                    [](const DoctorLine &each) { return each.state == State::Failed; });
    return found == m_lines.end() ? nullptr : &*found;
}

QString Doctor::reason() const
{
    if (m_error)
        return m_error.message;
    const DoctorLine *failure = firstFailure();
    return failure ? titleOf(failure->kind) + u": "_s + failure->text : QString();
}

QString Doctor::explanation() const
{
    const DoctorLine *failure = firstFailure();
    return failure && !failure->evidenceNote.isEmpty() ? failure->evidenceNote : m_error.hint;
}

Remedy Doctor::remedy() const
{
    const DoctorLine *failure = firstFailure();
    return failure ? failure->remedy : Remedy::None;
}

QString Doctor::written() const
{
    if (!m_connection)
        return {};
    if (m_spec.startsProcess())
        return m_connection->stderrTail().join(u'\n');
    return QString::fromUtf8(recordsOfStart().body.left(MaxWritten));
}

// Also where the connection has ended since.
bool Doctor::hadHandshake() const
{
    return m_connection && !m_connection->serverInfo().protocolVersion.isEmpty();
}

DoctorLine &Doctor::at(DoctorLine::Kind kind)
{
    return *std::find_if(m_lines.begin(), m_lines.end(), [kind](const DoctorLine &each) { return each.kind == kind; });
}

void Doctor::settle(DoctorLine::Kind kind, DoctorLine::State state, const QString &text)
{
    DoctorLine &line = at(kind);
    line.state = state;
    line.text = text;
}

void Doctor::begin(DoctorLine::Kind kind, const QString &text)
{
    settle(kind, State::Running, text);
    ++m_open;
}

void Doctor::end()
{
    --m_open;
    // Whoever looks at the network or the program may find the reason.
    if (isFinished()) {
        examineHandshake();
        examineLists();
    }
    announce();
}

void Doctor::announce()
{
    markUnreached();
    const QPointer<Doctor> alive(this);
    const bool isLast = isFinished();
    Q_EMIT changed();
    if (alive && isLast)
        Q_EMIT finished();
}

// What comes after a failure was not tried; what is known of it all the same stays.
void Doctor::markUnreached()
{
    bool hasFailed = false;
    for (DoctorLine &line : m_lines) {
        if (hasFailed && line.state == State::NotReached)
            line.text = tr("not reached");
        hasFailed = hasFailed || line.state == State::Failed;
    }
}

Doctor::Records Doctor::recordsOfStart() const
{
    Records records;
    Session &session = *m_connection->session();
    session.flush();
    const qsizetype last = session.size() - 1;
    int connection = 0;
    for (qsizetype row = last; row >= 0 && row > last - MaxRecords; --row) {
        const RecordInfo &info = session.at(row);
        if (info.connection == 0)
            continue;
        if (connection == 0)
            connection = info.connection;
        if (info.connection != connection)
            break;
        switch (info.kind) {
            case WireEvent::Kind::Open:
                return records;  // an earlier attempt of the same start
            case WireEvent::Kind::State:
                if (const json::Value facts = json::parse(session.facts(row));
                    !records.exit.exists() && occurrenceOf(facts) == Occurrence::Exited)
                    records.exit = facts;
                break;
            case WireEvent::Kind::HttpResponse:
                if (!records.response.exists()) {
                    records.response = json::parse(session.facts(row));
                    records.body = session.outline(row).left(MaxWritten);
                }
                break;
            case WireEvent::Kind::Message:
                records.messages += info.direction == Direction::FromServer ? 1 : 0;
                break;
            case WireEvent::Kind::Stderr:
                ++records.errorLines;
                break;
            case WireEvent::Kind::Junk:
                ++records.junkLines;
                records.firstJunk = session.outline(row).left(MaxWritten);
                break;
            default:
                break;
        }
    }
    return records;
}

// A process

void Doctor::examineProcess()
{
    const QStringList problems = m_spec.problems();
    if (!problems.isEmpty()) {
        settle(Kind::CommandLine, State::Failed, problems.join(u' '));
        at(Kind::CommandLine).remedy = Remedy::EditServer;
        return;
    }
    settle(Kind::CommandLine, State::Ok,
           m_spec.arguments.isEmpty()
               ? tr("1 program without arguments")
               : counted(m_spec.arguments.size(), tr("1 program, 1 argument"), tr("1 program, %1 arguments")));
    at(Kind::CommandLine).evidence = m_spec.line();

    const QString folder = effectiveDirectory(stdioOptions(m_spec));
    const QFileInfo info(folder);
    const QString problem = !info.exists()  ? tr("does not exist")
                            : !info.isDir() ? tr("is not a folder")
                            : !info.isExecutable()
                                ? tr("may not be entered: %1").arg(permissionText(info.permissions()))
                                : QString();
    settle(Kind::Folder, problem.isEmpty() ? State::Ok : State::Failed,
           problem.isEmpty() ? shortPath(folder) : shortPath(folder) + u' ' + problem);
    if (!problem.isEmpty())
        at(Kind::Folder).remedy = Remedy::ChooseFolder;
    examineProgram();
    examineStart();
}

void Doctor::examineProgram()
{
    const StdioOptions options = stdioOptions(m_spec);
    QElapsedTimer clock;
    clock.start();
    const ProgramLookup lookup = findProgram(options);
    DoctorLine &line = at(Kind::Program);
    line.ms = clock.elapsed();
    if (m_spec.loginShellPath && options.loginShellPath.isEmpty()) {
        line.text = m_error.message;
        line.state = State::Failed;
        line.remedy = Remedy::EditServer;
        return;
    }
    if (!lookup.error) {
        line.state = State::Ok;
        line.text = m_spec.loginShellPath ? tr("found in the login shell's PATH") : tr("found");
        const QString canonical = QFileInfo(lookup.path).canonicalFilePath();
        line.evidence = canonical.isEmpty() || canonical == lookup.path
                            ? shortPath(lookup.path)
                            : shortPath(lookup.path) + u" → "_s + shortPath(canonical);
        examineRuntime(lookup.path);
        return;
    }
    line.state = State::Failed;
    line.remedy = Remedy::EditServer;
    QStringList folders = lookup.searchPath.split(QDir::listSeparator(), Qt::SkipEmptyParts);
    folders.removeDuplicates();
    const bool isPath = QDir::fromNativeSeparators(options.program).contains(u'/');
    QString there =
        isPath ? QDir::cleanPath(QDir(effectiveDirectory(options)).absoluteFilePath(options.program)) : QString();
    for (const QString &folder : std::as_const(folders)) {
        const QString candidate = folder + u'/' + options.program;
        if (there.isEmpty() && QDir::isAbsolutePath(folder) && QFileInfo(candidate).isFile())
            there = candidate;
    }
    const QFileInfo info(there);
    if (!there.isEmpty() && info.exists()) {
        line.text = info.isDir() ? tr("%1 is a folder").arg(shortPath(there))
                                 : tr("%1 is not executable").arg(shortPath(there));
        line.evidence = permissionText(info.permissions()) + u' ' + info.owner() + u' ' + shortPath(there);
        line.evidenceNote = lookup.error.hint;
        return;
    }
    if (isPath) {
        line.text = tr("%1 does not exist").arg(shortPath(there));
        return;
    }
    line.text = counted(folders.size(), tr("not found in 1 folder"), tr("not found in %1 folders"));
    QStringList shown;
    for (const QString &folder : std::as_const(folders))
        shown.append(shortPath(folder));
    line.evidence = shown.join(u' ');
    const bool isOwnPath = std::any_of(m_spec.environment.begin(), m_spec.environment.end(),
                                       [](const auto &entry) { return entry.first == u"PATH"; });
    if (!m_spec.loginShellPath && !isOwnPath)
        askLoginShell();
}

void Doctor::askLoginShell()
{
    ++m_open;
    at(Kind::Program).evidenceNote = tr("Asking your login shell for its PATH…");
    LoginShell::ask(m_context.get(), [this](const LoginShell::Path &answer) {
        DoctorLine &line = at(Kind::Program);
        line.ms += answer.ms;
        ServerSpec spec = m_spec;
        spec.loginShellPath = true;
        const ProgramLookup lookup = answer.error ? ProgramLookup() : findProgram(stdioOptions(spec));
        if (answer.error) {
            line.evidenceNote = answer.error.message;
        } else if (lookup.error) {
            line.evidenceNote = tr("Your login shell does not find it either.");
        } else {
            line.evidenceNote = tr("Your login shell finds it: %1").arg(shortPath(lookup.path));
            line.remedy = Remedy::UseLoginShellPath;
        }
        end();
    });
}

void Doctor::examineRuntime(const QString &program)
{
    const QStringList words = interpreterOf(program);
    if (words.isEmpty()) {
        if (versionArguments(program).isEmpty())
            settle(Kind::Runtime, State::NotNeeded, tr("a program of its own"));
        else
            runVersion(program);
        return;
    }
    DoctorLine &line = at(Kind::Runtime);
    line.evidence = u"#!"_s + visibleLine(words.join(u' '), 120);
    const auto fail = [&line](const QString &text) {
        line.state = State::Failed;
        line.text = text;
        line.remedy = Remedy::EditServer;
    };
    if (words.constLast().endsWith(u'\r'))
        return fail(tr("the first line of the script ends with a carriage return (Windows line ends)"));
    StdioOptions options = stdioOptions(m_spec);
    const bool isEnv = QFileInfo(words.constFirst()).fileName() == u"env";
    const auto named = std::find_if(words.begin() + 1, words.end(),
                                    [](const QString &word) { return !word.startsWith(u'-') && !word.contains(u'='); });
    options.program = isEnv && named != words.end() ? *named : words.constFirst();
    const ProgramLookup lookup = findProgram(options);
    if (lookup.error) {
        fail(isEnv ? tr("the script wants “%1”, which is not in PATH").arg(visibleLine(options.program, 80))
                   : tr("the script wants %1, which cannot be run").arg(visibleLine(options.program, 80)));
        if (isEnv && !m_spec.loginShellPath)
            line.remedy = Remedy::UseLoginShellPath;
        return;
    }
    if (versionArguments(lookup.path).isEmpty())
        settle(Kind::Runtime, State::Ok, shortPath(lookup.path));
    else
        runVersion(lookup.path);
}

// What the same environment and folder make of it.
void Doctor::runVersion(const QString &program)
{
    begin(Kind::Runtime, tr("asking %1 for its version…").arg(QFileInfo(program).fileName()));
    StdioOptions options = stdioOptions(m_spec);
    options.program = program;
    options.arguments = versionArguments(program);
    auto *run = new BriefRun(options, VersionMs, m_context.get());
    connect(run, &BriefRun::finished, m_context.get(), [this, run, program](const BriefRun::Result &result) {
        run->deleteLater();
        DoctorLine &line = at(Kind::Runtime);
        line.ms = result.ms;
        const QByteArrayList said = result.output.isEmpty() ? result.errorOutput : result.output;
        const QString first = said.isEmpty() ? QString() : visibleLine(QString::fromUtf8(said.constFirst()), 80);
        const QString name = QFileInfo(program).fileName();
        if (result.error || result.exitCode != 0)
            settle(Kind::Runtime, State::Warning,
                   result.error ? result.error.message
                                : tr("%1 did not tell its version (exit code %2)").arg(name).arg(result.exitCode));
        else
            settle(Kind::Runtime, State::Ok, name + u' ' + first);
        if (line.evidence.isEmpty())
            line.evidence = shortPath(program);
        end();
    });
}

void Doctor::examineStart()
{
    if (firstFailure())
        return;
    const Records records = recordsOfStart();
    const bool isConnected = m_connection->state() == Connection::State::Connected;
    DoctorLine &start = at(Kind::Start);
    const auto &steps = m_connection->startSteps();
    const auto open = std::find_if(steps.begin(), steps.end(),
                                   [](const StartStep &step) { return step.kind == StartStep::Kind::Open; });
    const bool wasStarted = isConnected || records.exit.exists() || records.messages + records.errorLines > 0 ||
                            (open != steps.end() && open->state == StartStep::State::Done);
    if (!wasStarted) {
        start.state = State::Failed;
        start.text = m_error.message;
        start.evidenceNote = m_error.hint;
        start.remedy = Remedy::EditServer;
        return;
    }
    const qint64 signal = records.exit[u"signal"].toInteger().value_or(0);
    const qint64 code = records.exit[u"code"].toInteger().value_or(0);
    if (!isConnected && signal != 0) {
        start.state = State::Failed;
        start.text = tr("ended by %1 (%2)").arg(signalName(int(signal)), signalMeaning(int(signal)));
    } else if (!isConnected && records.exit.exists() && m_error) {
        start.state = State::Failed;
        start.text = hadHandshake() ? tr("exited with code %1").arg(code)
                                    : tr("exited with code %1 before the handshake").arg(code);
        start.evidenceNote = exitCodeHint(int(code));
    } else {
        start.state = State::Ok;
        start.text = m_connection->processId() > 0 ? tr("process %1 runs").arg(m_connection->processId())
                                                   : tr("the process ran");
    }
    if (start.state == State::Failed)
        start.remedy = Remedy::EditServer;

    DoctorLine &output = at(Kind::Output);
    QStringList parts;
    parts << (records.messages == 0 ? tr("no message on standard output")
                                    : counted(records.messages, tr("1 message on standard output"),
                                              tr("%1 messages on standard output")));
    if (records.junkLines > 0)
        parts << counted(records.junkLines, tr("1 line that is no message"), tr("%1 lines that are no messages"));
    parts << (records.errorLines == 0
                  ? tr("nothing on standard error")
                  : counted(records.errorLines, tr("1 line on standard error"), tr("%1 lines on standard error")));
    output.state = records.junkLines > 0 || records.messages == 0 ? State::Warning : State::Ok;
    output.text = parts.join(u", "_s);
    output.evidence = visibleLine(QString::fromUtf8(records.firstJunk), 200);
}

// A URL

void Doctor::examineAddress()
{
    const QStringList problems = m_spec.problems();
    if (!problems.isEmpty()) {
        settle(Kind::Address, State::Failed, problems.join(u' '));
        at(Kind::Address).remedy = Remedy::EditServer;
        return;
    }
    settle(Kind::Address, State::Ok, m_spec.line());
    if (m_spec.url.scheme() != u"https")
        settle(Kind::Tls, State::NotNeeded, tr("not used: http"));
    examineResponses();
    examineHost();
}

void Doctor::examineHost()
{
    const QString host = m_spec.url.host();
    if (!QHostAddress(host).isNull()) {
        settle(Kind::Host, State::NotNeeded, tr("an address, not a name"));
        examineNetwork();
        return;
    }
    QNetworkProxyQuery query(m_spec.url);
    const QList<QNetworkProxy> proxies = QNetworkProxyFactory::systemProxyForQuery(query);
    if (!proxies.isEmpty() && proxies.constFirst().type() != QNetworkProxy::NoProxy) {
        // What the proxy resolves and connects to is not seen from here.
        settle(Kind::Host, State::NotNeeded,
               tr("resolved by the proxy %1:%2").arg(proxies.constFirst().hostName()).arg(proxies.constFirst().port()));
        if (m_error.reason == Error::Reason::TlsFailed)
            settle(Kind::Tls, State::Failed, m_error.message);
        return;
    }
    begin(Kind::Host, tr("looking up %1…").arg(host));
    m_clock.start();
    QHostInfo::lookupHost(host, m_context.get(), [this](const QHostInfo &info) {
        DoctorLine &line = at(Kind::Host);
        line.ms = m_clock.elapsed();
        QStringList addresses;
        for (const QHostAddress &address : info.addresses())
            addresses.append(address.toString());
        if (addresses.isEmpty()) {
            settle(Kind::Host, State::Failed, tr("%1 is not known: %2").arg(m_spec.url.host(), info.errorString()));
            line.remedy = Remedy::EditServer;
        } else {
            settle(Kind::Host, State::Ok, m_spec.url.host());
            line.evidence = addresses.join(u' ');
            examineNetwork();
        }
        end();
    });
}

// The same host and port, to see whether anybody listens there and with which certificate. Nothing is sent.
void Doctor::examineNetwork()
{
    const bool isTls = m_spec.url.scheme() == u"https";
    const auto port = quint16(m_spec.url.port(isTls ? 443 : 80));
    begin(Kind::Network, tr("connecting to port %1…").arg(port));
    m_socket = new QSslSocket(m_context.get());
    m_socket->setProxy(QNetworkProxy::NoProxy);
    m_clock.start();
    connect(m_socket, &QAbstractSocket::connected, m_context.get(), [this, isTls, port] {
        settle(Kind::Network, State::Ok, tr("port %1 accepts connections").arg(port));
        at(Kind::Network).evidence = m_socket->peerAddress().toString();
        at(Kind::Network).ms = m_clock.restart();
        if (isTls)
            settle(Kind::Tls, State::Running, tr("waiting for the certificate…"));
        else
            onNetworkEnded();
    });
    connect(m_socket, &QSslSocket::encrypted, m_context.get(), [this] {
        settle(Kind::Tls, State::Ok, m_socket->sessionCipher().protocolString());
        at(Kind::Tls).evidence = certificateText(m_socket->peerCertificate());
        onNetworkEnded();
    });
    connect(m_socket, &QAbstractSocket::errorOccurred, m_context.get(), [this] {
        const Kind kind = at(Kind::Network).state == State::Running ? Kind::Network : Kind::Tls;
        QStringList problems;
        for (const QSslError &error : m_socket->sslHandshakeErrors())
            problems.append(error.errorString());
        problems.removeDuplicates();
        settle(kind, State::Failed, problems.isEmpty() ? m_socket->errorString() : problems.join(u' '));
        if (kind == Kind::Tls)
            at(kind).evidence = certificateText(m_socket->peerCertificate());
        else
            at(kind).remedy = Remedy::EditServer;
        onNetworkEnded();
    });
    QTimer::singleShot(NetworkMs, m_socket, [this] {
        const Kind kind = at(Kind::Network).state == State::Running ? Kind::Network : Kind::Tls;
        settle(kind, State::Failed, tr("no answer within %1 s").arg(NetworkMs / 1000));
        onNetworkEnded();
    });
    if (isTls)
        m_socket->connectToHostEncrypted(m_spec.url.host(), port);
    else
        m_socket->connectToHost(m_spec.url.host(), port);
}

void Doctor::onNetworkEnded()
{
    if (!m_socket)
        return;
    const Kind kind =
        at(Kind::Tls).state == State::NotNeeded || at(Kind::Network).state == State::Failed ? Kind::Network : Kind::Tls;
    if (at(kind).ms < 0)
        at(kind).ms = m_clock.elapsed();
    m_socket->disconnect(m_context.get());
    m_socket->abort();
    m_socket->deleteLater();
    m_socket = nullptr;
    end();
}

// What the server said over HTTP during the start.
void Doctor::examineResponses()
{
    const Records records = recordsOfStart();
    const bool isConnected = m_connection->state() == Connection::State::Connected;
    if (!records.response.exists())
        return;
    const int status = int(records.response[u"status"].toInteger().value_or(0));
    QString type;
    for (const json::Value &header : records.response[u"headers"]) {
        if (header.at(0).string().compare(u"content-type"_s, Qt::CaseInsensitive) == 0)
            type = header.at(1).string();
    }
    const bool isHtml = type.startsWith(u"text/html"_s, Qt::CaseInsensitive);
    const bool wantsLogin = status == 401 || status == 403 || m_error.kind == Error::Kind::Auth;
    DoctorLine &http = at(Kind::HttpStatus);
    http.ms = records.response[u"ms"].toInteger().value_or(-1);
    http.text = u"%1 %2"_s.arg(status).arg(visibleLine(records.response[u"reason"].string(), 60)).trimmed();
    http.evidence = visibleLine(type, 80);
    const bool hasFailed = !isConnected && status >= 400 && !wantsLogin;
    http.state = hasFailed ? State::Failed : State::Ok;
    if (hasFailed) {
        const bool mayBeOther = status == 404 || status == 405 || status == 400;
        http.remedy = !mayBeOther                                           ? Remedy::None
                      : m_spec.httpKind == ServerSpec::HttpKind::Streamable ? Remedy::UseHttpSse
                      : m_spec.httpKind == ServerSpec::HttpKind::Sse        ? Remedy::DetectTransport
                                                                            : Remedy::EditServer;
        http.evidenceNote = m_error.hint;
        return;
    }
    const bool hasCredentials = std::any_of(m_spec.headers.begin(), m_spec.headers.end(), [](const auto &header) {
        return header.first.compare(u"authorization"_s, Qt::CaseInsensitive) == 0;
    });
    if (!isConnected && wantsLogin) {
        settle(Kind::Authorization, State::Failed,
               hasCredentials ? tr("the server refuses the Authorization header of this server")
                              : tr("the server requires authentication"));
        at(Kind::Authorization).remedy = hasCredentials ? Remedy::EditServer : Remedy::AddHeader;
        at(Kind::Authorization).evidenceNote = m_error.hint;
        return;
    }
    settle(Kind::Authorization, State::Ok, hasCredentials ? tr("accepted") : tr("not required"));
    if (isHtml && !isConnected) {
        settle(Kind::Protocol, State::Failed, tr("the response is a web page, not an MCP message"));
        at(Kind::Protocol).remedy = Remedy::EditServer;
        at(Kind::Protocol).evidenceNote = tr("Check the path of the URL; many servers use /mcp.");
    } else if (isConnected || records.messages > 0) {
        settle(Kind::Protocol, State::Ok, m_connection->transportName());
    } else if (m_error) {
        settle(Kind::Protocol, State::Failed, m_error.message);
        at(Kind::Protocol).remedy = Remedy::EditServer;
    }
}

// Both

void Doctor::examineHandshake()
{
    DoctorLine &line = at(Kind::Handshake);
    for (const StartStep &step : m_connection->startSteps()) {
        if ((step.kind == StartStep::Kind::Probe || step.kind == StartStep::Kind::AgreeOnRevision) && step.endedMs >= 0)
            line.ms = qMax<qint64>(line.ms, 0) + step.endedMs - step.startedMs;
    }
    if (hadHandshake()) {
        const ServerInfo &info = m_connection->serverInfo();
        line.state = State::Ok;
        line.text = tr("revision %1, %2 %3")
                        .arg(visibleLine(info.protocolVersion, 40), visibleLine(info.implementation.name, 80),
                             visibleLine(info.implementation.version, 40))
                        .trimmed();
        return;
    }
    line.ms = firstFailure() ? -1 : line.ms;
    if (firstFailure() || !m_error)
        return;
    line.state = State::Failed;
    line.text = m_error.message;
    line.evidenceNote = m_error.hint;
}

void Doctor::examineLists()
{
    if (m_connection->state() != Connection::State::Connected)
        return;
    const Catalog &catalog = *m_connection->catalog();
    QStringList counts;
    QStringList failures;
    bool isLoading = false;
    bool isOffered = false;
    const std::pair<Catalog::List, QString> lists[] = {{Catalog::List::Tools, tr("tools")},
                                                       {Catalog::List::Resources, tr("resources")},
                                                       {Catalog::List::ResourceTemplates, tr("resource templates")},
                                                       {Catalog::List::Prompts, tr("prompts")}};
    for (const auto &[list, name] : lists) {
        const Catalog::Status &status = catalog.status(list);
        isLoading = isLoading || status.state == Catalog::State::Loading;
        isOffered = isOffered || status.state != Catalog::State::NotOffered;
        if (status.state == Catalog::State::Failed)
            failures.append(name + u": "_s + status.error.message);
        else if (status.state != Catalog::State::NotOffered)
            counts.append(name + u' ' + grouped(catalog.count(list)));
    }
    DoctorLine &line = at(Kind::Lists);
    for (const StartStep &step : m_connection->startSteps()) {
        if (step.kind == StartStep::Kind::List && step.endedMs >= 0)
            line.ms = step.endedMs - step.startedMs;
    }
    line.state = !failures.isEmpty() ? State::Failed : isLoading ? State::Running : State::Ok;
    line.text = !isOffered ? tr("none offered") : (failures + counts).join(u", "_s);
}

}  // namespace sonde
