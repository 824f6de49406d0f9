// conformance-client: the client that the official conformance suite drives. See ../README.md.
// SPDX-License-Identifier: Apache-2.0
#include "core/authorization/oauth.h"
#include "core/client/catalog.h"
#include "core/connection/connection.h"
#include "core/json/builder.h"
#include "core/protocol/methods.h"

#include <QCoreApplication>
#include <QEventLoop>
#include <QTimer>
#include <cstdio>
#include <functional>

using namespace Qt::StringLiterals;
using namespace sonde;

namespace {

// What a person would do who accepts everything: the defaults, and something of the right type where there is none.
QByteArray valueFor(const json::Value &property)
{
    if (property.contains(u"default"))
        return property[u"default"].bytes();
    if (property[u"enum"].isArray())
        return property[u"enum"].at(0).bytes();
    if (property[u"oneOf"].isArray())
        return property[u"oneOf"].at(0)[u"const"].bytes();
    const QString type = property[u"type"].string();
    if (type == u"boolean")
        return "true";
    if (type == u"number" || type == u"integer")
        return property[u"minimum"].isNumber() ? property[u"minimum"].bytes() : "1"_ba;
    return type == u"array" ? "[]"_ba : "\"text\""_ba;
}

void accept(InputRequest *request)
{
    json::Builder result;
    result.beginObject().member(u"action", u"accept"_s);
    if (request->params()[u"mode"].string() != u"url") {
        result.key(u"content").beginObject();
        for (const json::Value &property : request->params()[u"requestedSchema"][u"properties"])
            result.rawMember(property.key(), valueFor(property));
        result.endObject();
    }
    (void)request->respond(result.endObject().take());
}

// A browser in which the person is known already: it goes where it is sent, as far as this computer.
void visit(const QUrl &page)
{
    auto *fetch = new HttpFetch({"GET", page, {}, {}, {}});
    QObject::connect(fetch, &HttpFetch::finished, fetch, [fetch] {
        fetch->deleteLater();
        const QByteArray location = http::valueOf(fetch->headers(), "Location");
        if (!location.isEmpty())
            visit(QUrl::fromEncoded(location));
        else if (fetch->status() != 200)
            std::fprintf(stderr, "the browser ends at the status %d\n", fetch->status());
    });
    fetch->start();
}

OAuthSettings settingsFrom(const json::Value &context)
{
    using Grant = OAuthSettings::Grant;
    OAuthSettings settings;
    settings.clientMetadata = QUrl(u"https://conformance-test.local/client-metadata.json"_s);
    settings.clientId = context[u"client_id"].string();
    settings.clientSecret = context[u"client_secret"].string();
    settings.privateKey = context[u"private_key_pem"].utf8();
    settings.keyAlgorithm = context[u"signing_algorithm"].string(u"ES256"_s).toLatin1();
    settings.providerTokenEndpoint = QUrl(context[u"idp_token_endpoint"].string());
    settings.providerClientId = context[u"idp_client_id"].string();
    settings.idToken = context[u"idp_id_token"].utf8();
    settings.assertion = context[u"valid_jwt"].utf8();
    const QString name = context[u"name"].string();
    settings.grant = !settings.idToken.isEmpty()                     ? Grant::Enterprise
                     : !settings.assertion.isEmpty()                 ? Grant::Workload
                     : name.startsWith(u"auth/client-credentials"_s) ? Grant::ClientCredentials
                                                                     : Grant::AuthorizationCode;
    return settings;
}

class Run final : public QObject {
public:
    Run(const ServerSpec &spec, const json::Value &context) : m_connection(spec, options(spec, context))
    {
        m_connection.setResponder(InputRequest::Kind::Elicitation, this, accept);
        m_connection.setResponder(InputRequest::Kind::Sampling, this, [](InputRequest *request) {
            (void)request->respond(
                R"({"role":"assistant","model":"none","content":{"type":"text","text":"text"},"stopReason":"endTurn"})");
        });
        m_connection.setResponder(InputRequest::Kind::Roots, this,
                                  [](InputRequest *request) { (void)request->respond(R"({"roots":[]})"); });
    }

    bool open()
    {
        m_connection.open();
        waitUntil([this] {
            return m_connection.state() == Connection::State::Disconnected ||
                   (m_connection.state() == Connection::State::Connected && !m_connection.catalog()->isLoading() &&
                    m_connection.startingForMs() < 0 && isListed());
        });
        std::fprintf(stderr, "%s: %s %s\n", qPrintable(m_connection.statusText()),
                     qPrintable(m_connection.serverInfo().protocolVersion), qPrintable(m_connection.revisionReason()));
        return m_connection.state() == Connection::State::Connected;
    }

    void close()
    {
        m_connection.close();
        waitUntil([this] { return m_connection.state() == Connection::State::Disconnected; });
    }

    Outcome call(const QString &tool, const QByteArray &arguments)
    {
        return wait(m_connection.callTool(tool, arguments));
    }

    // Every tool that may be called, with the arguments it asks for; then every resource and every prompt.
    void useEverything()
    {
        for (const Tool &tool : QList<Tool>(catalog().tools())) {
            if (m_connection.whyNotCallable(tool).isEmpty())
                call(tool.name, argumentsFor(tool.inputSchema));
        }
        for (const Resource &resource : QList<Resource>(catalog().resources()))
            wait(m_connection.readResource(resource.uri));
        for (const Prompt &prompt : QList<Prompt>(catalog().prompts())) {
            json::Builder arguments;
            arguments.beginObject();
            for (const PromptArgument &argument : prompt.arguments)
                arguments.member(argument.name, u"text"_s);
            wait(m_connection.getPrompt(prompt.name, arguments.endObject().take()));
        }
    }

    // One call goes out before the other is given its input.
    void callBeside(const QString &first, const QString &second)
    {
        int open = 2;
        const auto start = [&](const QString &tool) {
            connect(m_connection.callTool(tool, "{}"), &Call::finished, this, [&] { --open; });
        };
        start(first);
        start(second);
        waitUntil([&] { return open == 0; });
    }

    const Catalog &catalog() const { return *m_connection.catalog(); }

    static QByteArray argumentsFor(const json::Value &schema)
    {
        json::Builder arguments;
        arguments.beginObject();
        for (const json::Value &property : schema[u"properties"])
            arguments.rawMember(property.key(), valueFor(property));
        return arguments.endObject().take();
    }

private:
    static ConnectionOptions options(const ServerSpec &spec, const json::Value &context)
    {
        ConnectionOptions options;
        const auto oauth = std::make_shared<OAuth>(spec.url, settingsFrom(context), OAuth::Options());
        QObject::connect(oauth.get(), &OAuth::pageReady, oauth.get(), visit);
        options.credentials = oauth;
        options.capabilities = R"({"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{"listChanged":true}})";
        return options;
    }

    bool isListed() const
    {
        const StartStep &last = m_connection.startSteps().constLast();
        return last.state == Step::State::Done || last.state == Step::State::Skipped;
    }

    Outcome wait(Call *call)
    {
        std::optional<Outcome> result;
        connect(call, &Call::finished, this, [&](const Outcome &outcome) { result = outcome; });
        waitUntil([&] { return result.has_value(); });
        if (result->kind == Outcome::Kind::NoResponse || result->kind == Outcome::Kind::ProtocolError)
            std::fprintf(stderr, "%s\n", qPrintable(result->error.message));
        return *result;
    }

    static void waitUntil(const std::function<bool()> &holds)
    {
        while (!holds())
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }

    Connection m_connection;
};

// What to call depends on the scenario, as the suite has it; how to call it does not.
void use(Run *run, const QString &scenario, const json::Value &context)
{
    if (context[u"toolCalls"].isArray()) {
        for (const json::Value &each : context[u"toolCalls"])
            run->call(each[u"name"].string(), each[u"arguments"].bytes());
        return;
    }
    if (scenario == u"sep-2322-client-request-state") {
        run->callBeside(u"test_mrtr_echo_state"_s, u"test_mrtr_unrelated"_s);
        run->call(u"test_mrtr_no_state"_s, "{}");
        run->call(u"test_mrtr_no_result_type"_s, "{}");
        return;
    }
    if (scenario == u"json-schema-2020-12-preservation") {
        for (const Tool &tool : QList<Tool>(run->catalog().tools())) {
            if (tool.name != u"json_schema_echo")
                run->call(
                    u"json_schema_echo"_s,
                    json::Builder().beginObject().rawMember(u"schema", tool.inputSchema.bytes()).endObject().take());
        }
        return;
    }
    if (scenario != u"json-schema-ref-no-deref")
        run->useEverything();
}

}  // namespace

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    if (argc < 2) {
        std::fprintf(stderr, "conformance-client URL\n");
        return 2;
    }
    ServerSpec spec;
    spec.name = u"conformance"_s;
    spec.kind = ServerSpec::Kind::Http;
    spec.url = QUrl(QString::fromLocal8Bit(argv[argc - 1]));
    spec.revision = revisionFromString(qEnvironmentVariable("MCP_CONFORMANCE_PROTOCOL_VERSION"));
    QTimer::singleShot(25'000, &app, [] {
        std::fprintf(stderr, "timed out\n");
        std::_Exit(3);
    });
    const json::Value context = json::parse(qgetenv("MCP_CONFORMANCE_CONTEXT"));
    Run run(spec, context);
    if (!run.open())
        return 1;
    use(&run, qEnvironmentVariable("MCP_CONFORMANCE_SCENARIO"), context);
    run.close();
    return 0;
}
