// sonde-cli login and logout: signing in to a server, and forgetting that.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commonoptions.h"
#include "app/cli/serververb.h"
#include "app/cli/targetserver.h"
#include "app/cli/verbs.h"
#include "app/common/standardinput.h"
#include "app/common/system.h"

#include "core/authorization/oauth.h"
#include "core/connection/signout.h"
#include "core/json/builder.h"
#include "core/protocol/consenturl.h"
#include "core/protocol/visibletext.h"

#include <QLocale>
#include <QProcess>
#include <QStandardPaths>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

// A program that opens addresses on this desktop; empty: there is none, or no desktop.
QString browserOpener()
{
    const bool hasDesktop = qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY");
    return hasDesktop ? QStandardPaths::findExecutable(u"xdg-open"_s) : QString();
}

// The browser may run on another computer: then the address that it ends at is typed in here.
class Login final : public ServerVerb {
public:
    Login()
    {
        connect(&m_input, &app::StandardInput::received, this, &Login::take);
        connect(&m_input, &app::StandardInput::ended, this, [this] { m_hasEnded = true; });
    }

    void declare(app::OptionTable &table) override
    {
        table.summary = tr("sign in to a server that requires it; prints the address to visit");
        table.examples = {u"login --url https://example.com/mcp"_s};
    }

    bool mayBeInScript() const override { return false; }
    void adapt(ServerSpec *, ConnectionOptions *options) const override { options->hasPerson = true; }

    void prepare(Connection *connection) override
    {
        connect(connection, &Connection::signInChanged, this, [this, connection] { watch(connection->signIn()); });
    }

    void begin(Connection *connection) override
    {
        OAuth *signIn = connection->signIn();
        if (!signIn)
            return fail(Error::local(tr("Only servers that are reached by a URL can require a sign-in."),
                                     connection->spec().startsProcess()
                                         ? QString()
                                         : tr("This one has an Authorization header of its own.")));
        if (signIn->isSignedIn() && signIn->missingScopes().isEmpty())
            return succeed();
        // The server lets everybody in so far, or has demanded more of an earlier command.
        m_isAsked = true;
        signIn->signIn();
    }

    bool isWaiting() const override { return false; }

private:
    void watch(OAuth *signIn)
    {
        m_signIn = signIn;
        m_wanted = signIn->missingScopes();
        connect(signIn, &OAuth::pageReady, this, [this](const QUrl &page) { ask(page); });
        connect(signIn, &OAuth::strayReceived, this, [this] {
            output().note(
                tr("A response without the right state came to the callback address and was ignored: it belongs "
                   "to another sign-in, or the authorization server did not return the state. Still waiting."));
        });
        connect(signIn, &OAuth::changed, this, [this] {
            m_input.setEnabled(!m_signIn->page().isEmpty() && !m_hasEnded);
            if (!m_isAsked || m_signIn->isBusy())
                return;
            m_isAsked = false;
            if (m_signIn->error())
                fail(m_signIn->error());
            else
                succeed();
        });
    }

    void ask(const QUrl &page)
    {
        const ConsentUrl consent = ConsentUrl::fromText(page.toString(QUrl::FullyEncoded));
        if (!consent.refusal.isEmpty()) {
            m_signIn->cancel();
            return fail(Error::local(consent.refusal));
        }
        output().note(tr("Sign in at %1, with this address:").arg(visibleLine(consent.host)));
        output().line(page.toString(QUrl::FullyEncoded));
        for (const QString &warning : consent.warnings)
            output().note(warning);
        if (app::isTerminal(app::StandardStream::Input)) {
            if (!browserOpener().isEmpty())
                output().note(tr("Press Enter to open it in your browser."));
            output().note(tr("If the browser runs on another computer: paste the address that it ends at."));
        }
        m_page = consent.url;
        m_input.setEnabled(!m_hasEnded);
    }

    void take(const QByteArray &bytes)
    {
        const QString line = QString::fromUtf8(bytes);
        if (line.isEmpty()) {
            if (const QString opener = browserOpener(); !opener.isEmpty())
                QProcess::startDetached(opener, {m_page.toString(QUrl::FullyEncoded)});
        } else if (const Error wrong = m_signIn->takeCallback(QUrl(line))) {
            output().note(wrong.message + u' ' + wrong.hint);
        }
    }

    void succeed()
    {
        const TokenSet &tokens = m_signIn->tokens();
        m_wanted.removeIf([&tokens](const QString &scope) { return tokens.scopes.contains(scope); });
        if (output().isJson()) {
            json::Builder builder;
            builder.beginObject().member(u"issuer", tokens.issuer);
            const auto add = [&builder](QStringView name, const QStringList &scopes) {
                builder.key(name).beginArray();
                for (const QString &scope : scopes)
                    builder.string(scope);
                builder.endArray();
            };
            add(u"scopes", tokens.scopes);
            add(u"missingScopes", m_wanted);
            builder.member(u"expiresAt", tokens.expiresAt.toString(Qt::ISODate));
            builder.rawMember(u"canRefresh", tokens.refreshToken.isEmpty() ? "false" : "true");
            builder.rawMember(u"isKept", m_signIn->keepError() ? "false" : "true");
            output().printJson(builder.endObject().take());
        } else {
            output().line(tr("Signed in at %1.").arg(visibleLine(tokens.issuer)));
            if (!tokens.scopes.isEmpty())
                output().line(tr("Scopes: %1").arg(visibleLine(tokens.scopes.join(u' '))));
            if (tokens.expiresAt.isValid())
                output().line(
                    (tokens.refreshToken.isEmpty() ? tr("Valid until %1") : tr("Valid until %1, then refreshed"))
                        .arg(QLocale().toString(tokens.expiresAt.toLocalTime(), QLocale::ShortFormat)));
        }
        if (!m_wanted.isEmpty())
            output().note(tr("Not granted: %1").arg(visibleLine(m_wanted.join(u' '))));
        if (const Error &lost = m_signIn->keepError())
            output().note(tr("It ends with this command: %1 %2").arg(lost.message, lost.hint));
        Q_EMIT done(m_signIn->keepError() ? ExitCode::NoResponse : ExitCode::Ok);
    }

    void fail(const Error &error)
    {
        output().failure(error);
        Q_EMIT done(ExitCode::NoResponse);
    }

    QPointer<OAuth> m_signIn;
    app::StandardInput m_input;
    QUrl m_page;
    QStringList m_wanted;  // scopes that an earlier command lacked
    bool m_isAsked = false;
    bool m_hasEnded = false;
};

// Needs no connection.
class Logout final : public Verb {
public:
    void declare(app::OptionTable &table) override
    {
        table.summary = tr("forget the sign-in");
        table.details = tr("Forgets the sign-in to a server, and has the authorization server revoke its tokens.");
        m_server.declare(table);
        table.sections.append({CommonOptions::title(), m_common.rows(), true});
        table.examples = {u"logout --url https://example.com/mcp"_s};
    }

    QString problem() const override { return m_server.problem(); }

    void start(const Profile &profile) override
    {
        const Result<ServerSpec> spec = m_server.spec(profile);
        if (!spec || spec->startsProcess()) {
            m_output.note(u"sonde-cli: "_s + (spec ? tr("only servers that are reached by a URL can require a sign-in")
                                                   : visibleText(spec.error().message)));
            Q_EMIT finished(ExitCode::WrongUse);
            return;
        }
        m_signOut = std::make_unique<SignOut>(*spec, profile);
        connect(m_signOut.get(), &SignOut::finished, this, &Logout::end);
        m_signOut->start();
    }

    void interrupt() override
    {
        if (m_signOut)
            m_output.note(
                tr("Interrupted: the tokens may not be revoked. At the authorization server they are valid until "
                   "they expire."));
        Q_EMIT finished(ExitCode::NoResponse);
    }

private:
    void end(const Error &error)
    {
        const bool wasSignedIn = m_signOut->wasSignedIn();
        if (error && wasSignedIn)
            m_output.failure(error);
        else if (m_output.isJson())
            m_output.printJson(json::Builder()
                                   .beginObject()
                                   .rawMember(u"wasSignedIn", wasSignedIn ? "true" : "false")
                                   .endObject()
                                   .take());
        else
            m_output.line(wasSignedIn ? tr("Signed out.") : tr("Not signed in."));
        const SignInStep &revocation = m_signOut->revocation();
        if (const Error &untold = m_signOut->revocationError()) {
            m_output.note(untold.message);
            m_output.note(untold.hint);
        } else if (revocation.state == Step::State::Skipped && !revocation.text.isEmpty()) {
            m_output.note(revocation.name + u": "_s + revocation.text);
        }
        Q_EMIT finished(error && wasSignedIn ? ExitCode::NoResponse : ExitCode::Ok);
    }

    ServerOptions m_server;
    CommonOptions m_common;
    Output m_output{m_common.output};
    std::unique_ptr<SignOut> m_signOut;
};

}  // namespace

std::unique_ptr<Verb> makeLogin()
{
    return std::make_unique<Login>();
}

std::unique_ptr<Verb> makeLogout()
{
    return std::make_unique<Logout>();
}

}  // namespace sonde::cli
