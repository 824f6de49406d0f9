// SPDX-License-Identifier: Apache-2.0
#include "core/server/registryentry.h"

#include "core/json/builder.h"
#include "core/server/hostentry.h"
#include "core/server/texts.h"

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

// Files from before September 2025 write runtime_hint for runtimeHint.
json::Value get(const json::Value &object, QStringView name)
{
    if (const json::Value value = object[name]; value.exists())
        return value;
    QString old;
    for (const QChar c : name) {
        if (c.isUpper())
            old += u'_';
        old += c.toLower();
    }
    return object[old];
}

// Makes one server of a package or a remote.
class RegistryReader {
public:
    RegistryReader(const QString &name, const json::Value &root) : m_root(root) { m_server.spec.name = name; }

    HostServer package(const json::Value &package)
    {
        const json::Value transport = package[u"transport"];
        const QString url = transport[u"url"].string();
        if (!url.isEmpty()) {
            m_server.spec.kind = ServerSpec::Kind::Http;
            m_server.spec.url = TypedUrl::fromText(filled(url, transport[u"variables"]));
            addPairs(transport[u"headers"], m_server.spec.headers);
            say(ServerText::tr("It does not start by itself at this URL: start the package %1 first.")
                    .arg(get(package, u"identifier").string()));
        } else {
            command(package);
        }
        return finish();
    }

    HostServer remote(const json::Value &remote)
    {
        const QString type = get(remote, u"type").string() + get(remote, u"transportType").string();
        m_server.spec.kind = ServerSpec::Kind::Http;
        m_server.spec.httpKind = type == u"sse" ? ServerSpec::HttpKind::Sse : ServerSpec::HttpKind::Streamable;
        m_server.spec.url = TypedUrl::fromText(filled(remote[u"url"].string(), remote[u"variables"]));
        addPairs(remote[u"headers"], m_server.spec.headers);
        return finish();
    }

private:
    void say(const QString &finding) { m_server.findings.append(finding); }

    HostServer finish()
    {
        // Its name and description stay with the entry.
        json::Builder builder;
        builder.beginObject();
        for (const QStringView name : {u"description", u"version"}) {
            if (const json::Value value = m_root[name]; value.isString())
                builder.key(name).value(value);
        }
        if (const json::Value name = m_root[u"name"]; name.isString())
            builder.key(u"registryName").value(name);
        m_server.spec.original = builder.endObject().take();
        m_server.spec.original = m_server.spec.toJson();
        judge(m_server, References::Braced, m_secrets);
        return std::move(m_server);
    }

    // {name} stands for what the file gives for it, or for ${name}, which a person has to replace.
    static QString filled(QString text, const json::Value &variables)
    {
        for (const json::Value &variable : variables) {
            const QString key = variable.key();
            const QString value = variable[u"value"].isString() ? variable[u"value"].string()
                                                                : variable[u"default"].string(u"${"_s + key + u'}');
            text.replace(u'{' + key + u'}', value);
        }
        return text;
    }

    // Nothing: it may be left out, and nothing is said of what it would be.
    std::optional<QString> valueOf(const json::Value &input, const QString &name)
    {
        for (const QStringView member : {u"value", u"default"}) {
            if (const json::Value value = input[member]; value.isString())
                return filled(value.string(), input[u"variables"]);
        }
        if (get(input, u"isRequired").toBool())
            return u"${"_s + name + u'}';
        const QString about = input[u"description"].string();
        say(about.isEmpty() ? ServerText::tr("Optional and left out: %1.").arg(name)
                            : ServerText::tr("Optional and left out: %1 (%2)").arg(name, about));
        return std::nullopt;
    }

    void addPairs(const json::Value &inputs, QList<std::pair<QString, QString>> &pairs)
    {
        for (const json::Value &input : inputs) {
            const QString name = input[u"name"].string();
            if (get(input, u"isSecret").toBool())
                m_secrets.append(name);
            if (const std::optional<QString> value = valueOf(input, name))
                pairs.append({name, *value});
        }
    }

    QStringList argumentsOf(const json::Value &inputs)
    {
        QStringList arguments;
        for (const json::Value &input : inputs) {
            const QString name = input[u"name"].string();
            if (input[u"type"].string() == u"named") {
                // Of any other format, strings included, it has a value, which the next argument must not become.
                const bool isFlag =
                    input[u"format"].string() == u"boolean" && !input.contains(u"value") && !input.contains(u"default");
                const std::optional<QString> value = isFlag ? QString() : valueOf(input, name);
                if (value)
                    arguments.append(name);
                if (value && !isFlag)
                    arguments.append(*value);
            } else if (const auto value = valueOf(input, get(input, u"valueHint").string(u"value"_s))) {
                arguments.append(*value);
            }
        }
        return arguments;
    }

    void command(const json::Value &package)
    {
        const QString kind =
            (get(package, u"registryType").string() + get(package, u"registryName").string()).toLower();
        const QString identifier = package[u"identifier"].string(package[u"name"].string());
        const QString version = package[u"version"].string();
        const QString hint = get(package, u"runtimeHint").string();
        ServerSpec &spec = m_server.spec;
        addPairs(get(package, u"environmentVariables"), spec.environment);
        QStringList runtime = argumentsOf(get(package, u"runtimeArguments"));
        const auto with = [&](const QString &separator) {
            return version.isEmpty() ? identifier : identifier + separator + version;
        };
        QString target = identifier;
        if (kind == u"npm") {
            spec.command = hint.isEmpty() ? u"npx"_s : hint;
            if (spec.command == u"npx" && !runtime.contains(u"-y"_s) && !runtime.contains(u"--yes"_s))
                runtime.prepend(u"-y"_s);
            target = with(u"@"_s);
        } else if (kind == u"pypi") {
            spec.command = hint.isEmpty() ? u"uvx"_s : hint;
            target = with(u"=="_s);
        } else if (kind == u"nuget") {
            spec.command = hint.isEmpty() ? u"dnx"_s : hint;
            target = with(u"@"_s);
            if (!runtime.contains(u"--yes"_s))
                runtime.append(u"--yes"_s);
        } else if (kind == u"oci" || kind == u"docker") {
            spec.command = hint.isEmpty() ? u"docker"_s : hint;
            if (!runtime.contains(u"run"_s))
                runtime = QStringList{u"run"_s, u"-i"_s, u"--rm"_s} + runtime;
            // A container sees none of our variables that it is not told of.
            for (const auto &variable : std::as_const(spec.environment)) {
                if (!runtime.contains(variable.first))
                    runtime << u"-e"_s << variable.first;
            }
            const bool hasTag = identifier.section(u'/', -1).contains(u':') || identifier.contains(u'@');
            target = hasTag ? identifier : with(u":"_s);
        } else {
            m_server.problems.append(
                ServerText::tr(
                    "A package of the type “%1” cannot be started by Sonde. Install %2 and enter its command.")
                    .arg(kind, identifier));
            return;
        }
        // dnx reads what stands behind the package as options of its own up to "--".
        spec.arguments = kind == u"nuget" ? QStringList{target} + runtime : runtime + QStringList{target};
        const QStringList own = argumentsOf(get(package, u"packageArguments"));
        if (kind == u"nuget" && !own.isEmpty())
            spec.arguments.append(u"--"_s);
        spec.arguments += own;
    }

    const json::Value m_root;
    HostServer m_server;
    QStringList m_secrets;
};

QString shortRegistryName(const QString &name)
{
    const QString last = name.section(u'/', -1);
    return last.isEmpty() ? name : last;
}

}  // namespace

bool isRegistryEntry(const json::Value &value)
{
    return value[u"packages"].isArray() || value[u"remotes"].isArray();
}

QList<RegistryServer> readRegistryEntry(const json::Value &value)
{
    QList<RegistryServer> servers;
    const json::Value packages = value[u"packages"];
    const json::Value remotes = value[u"remotes"];
    const bool isOne = packages.size() + remotes.size() == 1;
    const QString name = shortRegistryName(value[u"name"].string());
    const auto nameFor = [&](const QString &kind) {
        return isOne || kind.isEmpty() ? name : name + u" ("_s + kind + u')';
    };
    qsizetype number = 0;
    for (const json::Value &package : packages) {
        const QString kind = get(package, u"registryType").string(get(package, u"registryName").string());
        servers.append({RegistryReader(nameFor(kind), value).package(package), package.offset()});
    }
    for (const json::Value &remote : remotes) {
        const QString kind = ++number == 1 ? ServerText::tr("remote") : ServerText::tr("remote %1").arg(number);
        servers.append({RegistryReader(nameFor(kind), value).remote(remote), remote.offset()});
    }
    return servers;
}

}  // namespace sonde
