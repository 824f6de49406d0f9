// SPDX-License-Identifier: Apache-2.0
#include "core/server/addcommand.h"

#include "core/server/texts.h"
#include "core/transport/http/httppolicy.h"

#include <algorithm>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

QString programOf(const QString &word)
{
    QString name = word.section(u'/', -1).section(u'\\', -1).toLower();
    for (const QStringView ending : {u".exe", u".cmd"}) {
        if (name.endsWith(ending))
            name.chop(ending.size());
    }
    return name;
}

bool isUrl(const QString &word)
{
    return word.startsWith(u"http://"_s) || word.startsWith(u"https://"_s);
}

Result<ServerSpec> fromJsonWords(const QString &name, const QString &text)
{
    const json::Document document = json::Document::parse(text.toUtf8());
    if (!document.isValid() || !document.root().isObject())
        return Error::local(ServerText::tr("The last argument is not a JSON object."));
    const json::Value entry = document.root();
    return ServerSpec::fromJson(name.isEmpty() ? entry[u"name"].string() : name, entry);
}

// Whether these words of a longer list are a command that adds a server.
bool isAddCommand(const QStringList &words, qsizetype at)
{
    static const QStringList hosts{u"claude"_s, u"gemini"_s, u"codex"_s, u"qwen"_s};
    return hosts.contains(programOf(words.value(at))) && words.value(at + 1) == u"mcp" &&
           (words.value(at + 2) == u"add" || words.value(at + 2) == u"add-json");
}

// Reads the words behind "mcp add".
class AddWords {
public:
    explicit AddWords(const QStringList &words) : m_words(words) {}

    Result<ServerSpec> read()
    {
        while (m_at < m_words.size() && m_problem.isEmpty()) {
            const QString word = m_words[m_at++];
            if (word == u"--") {
                m_command += m_words.mid(m_at);
                break;
            }
            if (word.startsWith(u'-') && word.size() > 1)
                readOption(word);
            else if (m_spec.name.isEmpty())
                m_spec.name = word;
            else if (readCommand(word))
                break;
        }
        if (m_problem.isEmpty())
            finish();
        return m_problem.isEmpty() ? Result<ServerSpec>(m_spec) : Result<ServerSpec>(Error::local(m_problem));
    }

private:
    // True: all words behind it are its arguments. Options may follow an address.
    bool readCommand(const QString &word)
    {
        m_command.append(word);
        if (isUrl(word))
            return false;
        m_command += m_words.mid(m_at);
        m_command.removeOne(u"--"_s);
        return true;
    }

    void readOption(const QString &word)
    {
        static const QStringList flags{u"--trust"_s, u"--client-secret"_s, u"--xaa"_s};
        static const QStringList ignored{
            u"--scope"_s, u"-s"_s, u"--timeout"_s, u"--description"_s, u"--include-tools"_s, u"--exclude-tools"_s};
        const qsizetype equals = word.startsWith(u"--"_s) ? word.indexOf(u'=') : -1;
        const QString name = equals < 0 ? word : word.left(equals);
        if (flags.contains(name))
            return;
        if (equals < 0 && m_at >= m_words.size()) {
            m_problem = ServerText::tr("The option %1 has no value.").arg(name);
            return;
        }
        const QString value = equals < 0 ? m_words[m_at++] : word.mid(equals + 1);
        if (name == u"--env" || name == u"-e") {
            addVariable(value);
            // Claude Code takes several variables behind one option.
            while (equals < 0 && m_at < m_words.size() && isVariable(m_words[m_at]))
                addVariable(m_words[m_at++]);
        } else if (name == u"--header" || name == u"-H") {
            addHeader(value);
            while (equals < 0 && m_at < m_words.size() && isHeader(m_words[m_at]))
                addHeader(m_words[m_at++]);
        } else if (name == u"--client-id") {
            m_spec.oauth.clientId = value;
        } else if (name == u"--callback-port") {
            setCallbackPort(value);
        } else if (name == u"--transport" || name == u"-t") {
            m_transport = value.toLower();
        } else if (name == u"--url") {
            m_command.prepend(value);
            m_transport = u"http"_s;
        } else if (name == u"--bearer-token-env-var") {
            m_spec.headers.append({u"Authorization"_s, u"Bearer ${"_s + value + u'}'});
        } else if (!ignored.contains(name)) {
            m_problem = ServerText::tr("Unknown option %1. Put “--” before the command of the server.").arg(name);
        }
    }

    static bool isVariable(const QString &word)
    {
        const qsizetype equals = word.indexOf(u'=');
        return equals > 0 && !word.startsWith(u'-') && !isUrl(word) &&
               std::all_of(word.begin(), word.begin() + equals,
                           [](QChar c) { return c.isLetterOrNumber() || c == u'_'; });
    }

    // Name: value
    static bool isHeader(const QString &word)
    {
        const qsizetype colon = word.indexOf(u':');
        return !isUrl(word) && http::isToken(word.left(colon < 0 ? 0 : colon).toUtf8());
    }

    // Where Claude Code listens for the browser, which was registered with the client.
    void setCallbackPort(const QString &word)
    {
        const ushort port = word.toUShort();
        if (port == 0)
            m_problem = ServerText::tr("“%1” is not a port.").arg(word);
        else
            m_spec.oauth.redirectUri = QUrl(u"http://localhost:%1/callback"_s.arg(port));
    }

    void addVariable(const QString &word)
    {
        const qsizetype equals = word.indexOf(u'=');
        if (equals < 1)
            m_problem = ServerText::tr("“%1” is not NAME=value.").arg(word);
        else
            m_spec.environment.append({word.left(equals), word.mid(equals + 1)});
    }

    void addHeader(const QString &word)
    {
        const qsizetype colon = word.indexOf(u':');
        if (colon < 1)
            m_problem = ServerText::tr("“%1” is not a header: Name: value.").arg(word);
        else
            m_spec.headers.append({word.left(colon).trimmed(), word.mid(colon + 1).trimmed()});
    }

    void finish()
    {
        if (m_spec.name.isEmpty() || m_command.isEmpty()) {
            m_problem = ServerText::tr("The command does not say which server to add, or how to start it.");
            return;
        }
        const bool isHttp = m_transport.isEmpty() ? isUrl(m_command.first()) : m_transport != u"stdio";
        if (isHttp && m_command.size() > 1) {
            m_problem = ServerText::tr("“%1” after the URL is not understood.").arg(m_command[1]);
            return;
        }
        if (isHttp) {
            m_spec.kind = ServerSpec::Kind::Http;
            m_spec.url = TypedUrl::fromText(m_command.first());
            m_spec.httpKind = m_transport == u"sse" ? ServerSpec::HttpKind::Sse : ServerSpec::HttpKind::Automatic;
        } else {
            m_spec.command = m_command.first();
            m_spec.arguments = m_command.mid(1);
        }
        m_problem = m_spec.problems().join(u' ');
    }

    const QStringList m_words;
    qsizetype m_at = 0;
    QString m_transport;
    QStringList m_command;
    QString m_problem;
    ServerSpec m_spec;
};

}  // namespace

std::optional<Result<ServerSpec>> serverFromAddCommand(const QStringList &words)
{
    static const QStringList editors{u"code"_s, u"code-insiders"_s, u"codium"_s, u"cursor"_s, u"windsurf"_s};
    if (editors.contains(programOf(words.value(0))) && words.value(1) == u"--add-mcp")
        return fromJsonWords({}, words.value(2));
    if (!isAddCommand(words, 0))
        return std::nullopt;
    // Where lines were joined, by whatever the text was pasted into.
    for (qsizetype i = 3; i < words.size(); ++i) {
        if (isAddCommand(words, i))
            return Error::local(ServerText::tr("The text contains several commands that add a server."),
                                ServerText::tr("Enter one command at a time."));
    }
    if (words.value(2) == u"add")
        return AddWords(words.mid(3)).read();
    // The name and the JSON; options take one value each.
    QStringList plain;
    for (qsizetype i = 3; i < words.size(); ++i) {
        if (words[i].startsWith(u'-'))
            i += words[i].contains(u'=') || words[i] == u"--client-secret" ? 0 : 1;
        else
            plain.append(words[i]);
    }
    return fromJsonWords(plain.value(0), plain.value(1));
}

}  // namespace sonde
