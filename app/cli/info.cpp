// sonde-cli info: who the server is and what it offers.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/serververb.h"
#include "app/cli/verbs.h"

#include "core/protocol/visibletext.h"

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

class Info final : public ServerVerb {
public:
    void declare(app::OptionTable &table) override
    {
        table.summary = tr("show a server's name, version and capabilities");
        table.details =
            tr("Connects to a server and prints its name and version, the protocol revision, its capabilities, its "
               "instructions and how long it took to respond.");
        table.examples = {u"info -- npx -y @modelcontextprotocol/server-everything"_s,
                          u"info --json --url https://example.com/mcp"_s};
    }

    void begin(Connection *connection) override
    {
        if (output().isJson())
            printForMachines(*connection);
        else
            printForPeople(*connection);
        output().findings(findingsOf(*connection));
        Q_EMIT done(ExitCode::Ok);
    }

private:
    void row(const QString &label, const QString &text)
    {
        if (!text.isEmpty())
            output().line(label.leftJustified(14) + text);
    }

    void printForPeople(const Connection &connection)
    {
        const ServerInfo &info = connection.serverInfo();
        const Implementation &server = info.implementation;
        const bool hasTitle = !server.title.isEmpty() && server.title != server.name;
        row(tr("Server"), visibleLine(server.name + u' ' + server.version) +
                              (hasTitle ? u" ("_s + visibleLine(server.title) + u')' : QString()));
        row(QString(), visibleLine(server.description));
        row(tr("Website"), visibleLine(server.websiteUrl));
        row(tr("Revision"), visibleLine(info.protocolVersion));
        row(connection.transportName(), connection.resolvedTarget());
        if (connection.processId() > 0)
            row(tr("Process"), QString::number(connection.processId()));
        if (connection.latencyNs() >= 0)
            row(tr("Responded in"), tr("%1 ms").arg(double(connection.latencyNs()) / 1e6, 0, 'f', 1));
        QStringList offers;
        for (const json::Value &capability : info.capabilities) {
            QStringList details;
            for (const json::Value &detail : capability) {
                if (detail.toBool())
                    details.append(visibleLine(detail.key()));
            }
            offers.append(visibleLine(capability.key()) +
                          (details.isEmpty() ? QString() : u" ("_s + details.join(u", "_s) + u')'));
        }
        row(tr("Offers"), offers.isEmpty() ? tr("nothing") : offers.join(u", "_s));
        if (!info.instructions.isEmpty())
            output().line(u'\n' + visibleText(info.instructions));
    }

    void printForMachines(const Connection &connection)
    {
        const ServerInfo &info = connection.serverInfo();
        json::Builder builder;
        builder.beginObject().member(u"protocolVersion", info.protocolVersion);
        builder.key(u"serverInfo");
        if (info.implementation.value.exists())
            builder.value(info.implementation.value);
        else
            builder.null();
        builder.key(u"capabilities");
        if (info.capabilities.exists())
            builder.value(info.capabilities);
        else
            builder.null();
        if (!info.instructions.isEmpty())
            builder.member(u"instructions", info.instructions);
        builder.member(u"transport", connection.transportName()).member(u"target", connection.resolvedTarget());
        if (connection.latencyNs() >= 0)
            output().envelope().setDurationNs(connection.latencyNs());
        output().result(builder.endObject().take());
    }
};

}  // namespace

std::unique_ptr<Verb> makeInfo()
{
    return std::make_unique<Info>();
}

}  // namespace sonde::cli
