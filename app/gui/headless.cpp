// SPDX-License-Identifier: Apache-2.0
#include "app/gui/headless.h"

#include "app/common/system.h"
#include "core/connection/connection.h"
#include "core/protocol/visibletext.h"
#include "core/session/sessionlibrary.h"
#include "core/shape/example.h"

#include <QCoreApplication>
#include <QFile>
#include <QTextStream>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

// Enough to call a demo tool.
QByteArray exampleArguments(const json::Value &schema)
{
    const ShapeReader reader(schema);
    const QByteArray example = exampleOf(reader, reader.read(schema));
    return example.isEmpty() ? QByteArrayLiteral("{}") : example;
}

QString outcomeWord(RowOutcome outcome)
{
    switch (outcome) {
        case RowOutcome::Ok:
            return u"✓ OK"_s;
        case RowOutcome::InputRequired:
            return u"? input required"_s;
        case RowOutcome::ToolError:
            return u"▲ tool error"_s;
        case RowOutcome::ProtocolError:
            return u"✕ error"_s;
        case RowOutcome::NoResponse:
            return u"⊘ no response"_s;
        case RowOutcome::Pending:
            return u"…"_s;
        case RowOutcome::NotSupported:
            return u"not supported"_s;
        case RowOutcome::None:
            break;
    }
    return {};
}

QString eventWord(WireEvent::Kind kind)
{
    switch (kind) {
        case WireEvent::Kind::Open:
            return u"connection"_s;
        case WireEvent::Kind::Stderr:
            return u"stderr"_s;
        case WireEvent::Kind::Junk:
            return u"junk"_s;
        case WireEvent::Kind::State:
            return u"process"_s;
        case WireEvent::Kind::HttpRequest:
            return u"HTTP request"_s;
        case WireEvent::Kind::HttpResponse:
            return u"HTTP response"_s;
        case WireEvent::Kind::Note:
            return u"finding"_s;
        default:
            return u"event"_s;
    }
}

class Walk : public QObject {
public:
    explicit Walk(const ServerSpec &spec) : m_out(stdout), m_connection(spec, options(spec))
    {
        connect(&m_connection, &Connection::stateChanged, this, [this] { onStateChanged(); });
        connect(m_connection.catalog(), &Catalog::loaded, this, [this] { onLoaded(); });
        QMetaObject::invokeMethod(&m_connection, &Connection::open, Qt::QueuedConnection);
    }

private:
    static ConnectionOptions options(const ServerSpec &spec)
    {
        ConnectionOptions result;
        result.take(spec.timeouts);
        result.ifSessionTaken = Session::IfTaken::NumberIt;
        const SessionLibrary library;
        if (!library.ensureFolder())
            result.sessionPath = library.newPath(spec.name, QDateTime::currentDateTime());
        return result;
    }

    void onStateChanged()
    {
        if (m_connection.state() == Connection::State::Connected) {
            const ServerInfo &info = m_connection.serverInfo();
            m_out << "Connected to " << visibleLine(info.implementation.name) << ' '
                  << visibleLine(info.implementation.version) << " over " << m_connection.transportName()
                  << ", revision " << visibleLine(info.protocolVersion) << Qt::endl;
        } else if (m_connection.state() == Connection::State::Disconnected) {
            if (const Error error = m_connection.error()) {
                m_out << "Not connected: " << visibleText(error.message) << '\n'
                      << visibleText(error.detail) << Qt::endl;
                m_exitCode = 3;
            }
            printTimeline();
            QCoreApplication::exit(m_exitCode);
        }
    }

    void onLoaded()
    {
        const Catalog &catalog = *m_connection.catalog();
        m_out << catalog.tools().size() << " tools, " << catalog.resources().size() << " resources, "
              << catalog.resourceTemplates().size() << " templates, " << catalog.prompts().size() << " prompts"
              << Qt::endl;
        if (m_called || catalog.tools().isEmpty()) {
            m_connection.close();
            return;
        }
        m_called = true;
        const Tool &tool = catalog.tools().first();
        const QByteArray arguments = exampleArguments(tool.inputSchema);
        m_out << "Calling " << visibleLine(tool.name) << ' ' << arguments << Qt::endl;
        connect(m_connection.callTool(tool.name, arguments), &Call::finished, this, [this](const Outcome &outcome) {
            for (const Content &content : readContents(outcome.result()[u"content"]))
                m_out << "  " << visibleText(content.text.string(content.mimeType)) << '\n';
            if (outcome.error)
                m_out << "  " << visibleText(outcome.error.message) << '\n';
            m_exitCode = int(outcome.kind);
            m_out.flush();
            m_connection.close();
        });
    }

    void printTimeline()
    {
        Session *session = m_connection.session();
        session->flush();
        m_out << "\nTimeline\n";
        for (qsizetype row = 0; row < session->size(); ++row) {
            const RecordInfo &info = session->at(row);
            const QString direction = info.direction == Direction::ToServer     ? u"▸"_s
                                      : info.direction == Direction::FromServer ? u"◂"_s
                                                                                : u"·"_s;
            QString what = info.kind == WireEvent::Kind::Message ? session->name(info.method) : eventWord(info.kind);
            if (info.target != 0)
                what += u' ' + visibleLine(session->name(info.target), 40);
            else if (info.kind == WireEvent::Kind::Stderr)
                what += u' ' + visibleLine(QString::fromUtf8(session->bytes(row)), 60);
            const qint64 duration = session->durationNs(row);
            m_out << QString::number(session->numberOf(row)).rightJustified(4) << "  "
                  << session->wallTime(row).toLocalTime().toString(u"HH:mm:ss.zzz") << "  " << direction << ' '
                  << what.leftJustified(44) << ' ' << outcomeWord(info.outcome).leftJustified(13)
                  << (duration >= 0 ? QString::number(double(duration) / 1e6, 'f', 1) + u" ms"_s : QString())
                         .rightJustified(10)
                  << QString::number(info.wireLength).rightJustified(9) << " B\n";
        }
        m_out.flush();
    }

    QTextStream m_out;
    Connection m_connection;
    bool m_called = false;
    int m_exitCode = 0;
};

}  // namespace

QString reasonForNoDisplay(int argc, char *const *argv)
{
    for (int i = 1; i < argc; ++i) {
        if (qstrcmp(argv[i], "-platform") == 0 || qstrcmp(argv[i], "--platform") == 0)
            return {};
    }
    if (qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        return {};
    const QByteArray wayland = qgetenv("WAYLAND_DISPLAY");
    if (!wayland.isEmpty()) {
        const QByteArray path = wayland.startsWith('/') ? wayland : qgetenv("XDG_RUNTIME_DIR") + '/' + wayland;
        if (canConnectToLocalSocket(path, false))
            return {};
    }
    const QByteArray display = qgetenv("DISPLAY");
    if (display.isEmpty())
        return u"neither DISPLAY nor WAYLAND_DISPLAY is set"_s;
    if (!display.startsWith(':'))
        return {};  // a display on another host: only trying can tell
    const QByteArray number = display.mid(1, display.indexOf('.') < 0 ? -1 : display.indexOf('.') - 1);
    const QByteArray socket = "/tmp/.X11-unix/X" + number;
    if (canConnectToLocalSocket(socket, false) || canConnectToLocalSocket(socket, true))
        return {};
    return u"no X server responds on DISPLAY=%1"_s.arg(QString::fromLocal8Bit(display));
}

int runHeadless(const ServerSpec &spec, const QString &reason)
{
    QTextStream(stdout) << "Sonde opens no window here: " << reason << ".\nThe same tour without a window:\n\n";
    Walk walk(spec);
    return QCoreApplication::exec();
}

}  // namespace sonde::app
