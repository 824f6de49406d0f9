// SPDX-License-Identifier: Apache-2.0
#include "app/cli/responders.h"

#include "core/protocol/methods.h"
#include "core/protocol/visibletext.h"

#include <QDir>
#include <QFileInfo>
#include <QUrl>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

QByteArray rootsResult(const QList<std::pair<QString, QString>> &roots)
{
    json::Builder builder;
    builder.beginObject().key(u"roots").beginArray();
    for (const auto &[uri, name] : roots) {
        builder.beginObject().member(u"uri", uri);
        if (!name.isEmpty())
            builder.member(u"name", name);
        builder.endObject();
    }
    return builder.endArray().endObject().take();
}

QString described(const InputRequest &request)
{
    const json::Value message = request.params()[u"message"];
    const json::Value url = request.params()[u"url"];
    QString text = message.isString() ? request.method() + u": "_s + message.string() : request.method();
    if (url.isString())
        text += u" · "_s + url.string();
    return visibleLine(text);
}

}  // namespace

bool ResponseOptions::readsStandardInput() const
{
    return path == "ask"_L1 || path == "-"_L1;
}

QList<app::Option> ResponseOptions::rows()
{
    const auto takeFolder = [this](const QString &text) {
        const QFileInfo folder(text);
        if (!folder.isDir())
            return Responders::tr("--roots: folder %1 does not exist").arg(text);
        roots.append(QDir::cleanPath(folder.absoluteFilePath()));
        return QString();
    };
    return {
        {u"--responses FILE|ask"_s,
         Responders::tr("responses to server requests. FILE (- for standard input) is a JSON object with a result, or "
                        "a list of results, for any of elicitation/create, sampling/createMessage and roots/list; only "
                        "those in it are declared to the server. ask: enter them at the terminal. Without this option, "
                        "elicitation and sampling are declined"),
         &path, app::Completion::files()},
        {u"--answers FILE"_s, {}, &path},  // its name in 0.1.0
        {u"--roots FOLDER"_s,
         Responders::tr("report this folder when the server asks for roots (default: those saved with the "
                        "server)"),
         {takeFolder, app::OptionTarget::Repeat::Yes},
         app::Completion::folders()},
    };
}

Responders::Responders(const ResponseOptions &options, const ServerSpec &spec, Output &output)
    : m_options(options), m_output(&output)
{
    for (const QString &folder : options.roots)
        m_roots.emplaceBack(QString::fromUtf8(QUrl::fromLocalFile(folder).toEncoded()), QFileInfo(folder).fileName());
    if (m_roots.isEmpty())
        m_roots = spec.roots;
}

Responders::Responders(const ServerSpec &spec) : m_output(nullptr), m_roots(spec.roots) {}

Responders::~Responders() = default;

Error Responders::load()
{
    if (m_options.path == "ask"_L1) {
        m_asked = std::make_unique<AskedResponses>(*m_output);
    } else if (!m_options.path.isEmpty()) {
        Result<Responses> loaded = Responses::load(m_options.path);
        if (!loaded)
            return loaded.error();
        m_prepared = std::move(loaded).value();
        if (m_options.roots.isEmpty())
            m_roots.clear();  // only what is in the file is declared
    }
    return {};
}

QByteArray Responders::capabilities() const
{
    const bool hasFile = !m_options.path.isEmpty() && !m_asked;
    const QList<InputRequest::Kind> prepared = m_prepared.kinds();
    json::Builder builder;
    builder.beginObject();
    if (!hasFile || prepared.contains(InputRequest::Kind::Elicitation))
        builder.rawMember(u"elicitation", R"({"form":{},"url":{}})");
    if (!hasFile || prepared.contains(InputRequest::Kind::Sampling))
        builder.rawMember(u"sampling", "{}");
    if (!m_roots.isEmpty() || prepared.contains(InputRequest::Kind::Roots))
        builder.rawMember(u"roots", "{}");
    return builder.endObject().take();
}

void Responders::attach(Connection *connection)
{
    m_connection = connection;
    const json::Document declared = json::Document::parse(capabilities());
    for (const InputRequest::Kind kind :
         {InputRequest::Kind::Elicitation, InputRequest::Kind::Sampling, InputRequest::Kind::Roots}) {
        if (declared.root().contains(InputRequest::capabilityOf(kind)))
            connection->setResponder(kind, this, [this](InputRequest *request) { respond(request); });
    }
}

void Responders::note(const QString &text) const
{
    if (m_output)
        m_output->note(text);
}

void Responders::respond(InputRequest *request)
{
    const QString what = described(*request);
    const RequestId id = request->id();
    QString problem;
    QStringList remarks;
    if (request->kind() == InputRequest::Kind::Roots && !m_roots.isEmpty()) {
        problem = request->respond(rootsResult(m_roots)).message;
        if (problem.isEmpty())
            note(tr("Sent the roots to the server."));
    } else if (m_asked) {
        m_asked->ask(request);
    } else if (m_options.path.isEmpty()) {
        problem = request->decline().message;
        note(tr("Declined the server request: %1").arg(what));
        note(tr("Use --responses ask or --responses FILE to respond."));
    } else if (problem = m_prepared.response(request, &remarks); problem.isEmpty()) {
        note(tr("Sent the prepared response to the server request: %1").arg(what));
        for (const QString &remark : std::as_const(remarks))
            note(tr("Warning: %1. It was sent as it is.").arg(remark));
    }
    if (!problem.isEmpty())
        m_connection->session()->addFinding(problem, id, 1);  // becomes a finding
}

}  // namespace sonde::cli
