// sonde-cli login and logout: signing in to a server, and forgetting that.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commonoptions.h"
#include "app/cli/run.h"
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
        connect(&m_input, &app::StandardInput::received, this, &Login::receive);
        connect(&m_input, &app::StandardInput::ended, this, [this] { m_hasEnded = true; });
    }

    void declare(app::OptionTable &table) override
    {
        table.summary = tr("sign in to a server");
        table.details = tr(
            "Signs in with OAuth to a server that requires it, and saves the tokens in the keychain, where Sonde's "
            "window and later commands find them. It prints the address to visit; at a terminal, Enter opens it in "
            "your browser. If the browser runs on another computer, paste the address that it ends up at. Other verbs "
            "never open a browser.");
        table.examples = {u"login --url https://example.com/mcp"_s, u"login --timeout 120 --server mine"_s};
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
            return refuseCall(Error::local(
                tr("Only servers that are reached by a URL can require a sign-in."),
                connection->spec().startsProcess() ? QString() : tr("This server has its own Authorization header.")));
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
            if (!m_signIn->error())
                succeed();
            else if (m_signIn->error().reason == Error::Reason::NoSignIn && m_wanted.isEmpty())
                sayThatNoneIsNeeded();  // it let us in, and wants nothing
            else
                fail(m_signIn->error());
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
        if (output().isJson())
            output().note(page.toString(QUrl::FullyEncoded));
        else
            output().line(page.toString(QUrl::FullyEncoded));
        for (const QString &warning : consent.warnings)
            output().note(warning);
        if (app::isTerminal(app::StandardStream::Input)) {
            if (!browserOpener().isEmpty())
                output().note(tr("Press Enter to open it in your browser."));
            output().note(tr("If the browser runs on another computer, paste the address that it ends up at."));
        }
        m_page = consent.url;
        m_input.setEnabled(!m_hasEnded);
    }

    void receive(const QByteArray &bytes)
    {
        const QString line = QString::fromUtf8(bytes);
        if (line.isEmpty()) {
            if (const QString opener = browserOpener(); !opener.isEmpty())
                QProcess::startDetached(opener, {m_page.toString(QUrl::FullyEncoded)});
        } else if (const Error wrong = m_signIn->receiveCallback(QUrl(line))) {
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
            output().result(builder.endObject().take());
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
        if (const Error &lost = m_signIn->keepError()) {
            output().note(
                tr("The sign-in could not be saved and ends with this command: %1 %2").arg(lost.message, lost.hint));
            output().envelope().setError(lost);
        }
        Q_EMIT done(m_signIn->keepError() ? ExitCode::NoResponse : ExitCode::Ok);
    }

    void sayThatNoneIsNeeded()
    {
        output().result(json::Builder().beginObject().rawMember(u"isNeeded", "false").endObject().take());
        if (!output().isJson())
            output().line(tr("This server needs no sign-in."));
        Q_EMIT done(ExitCode::Ok);
    }

    void fail(const Error &error)
    {
        output().failure(error);
        Q_EMIT done(run().interruption() ? exitCodeFor(*run().interruption()) : ExitCode::NoResponse);
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
        table.summary = tr("delete a saved sign-in");
        table.details =
            tr("Deletes the saved sign-in for a server and has the authorization server revoke its tokens.");
        m_server.declare(table);
        table.sections.append({CommonOptions::title(), m_common.rows(), true});
        table.examples = {u"logout --url https://example.com/mcp"_s, u"logout --server mine"_s};
        table.notes = exitCodesText({{ExitCode::Ok, tr("OK, whether signed in or not")},
                                     {ExitCode::ToolError, {}},
                                     {ExitCode::ProtocolError, {}},
                                     {ExitCode::NoResponse, tr("the sign-in could not be removed; or output could not "
                                                               "be written")}});
    }

    QString problem() const override { return m_server.problem(); }

    void start(const Profile &profile) override
    {
        const Result<ServerSpec> spec = m_server.spec(profile);
        if (!spec || spec->startsProcess()) {
            refuse(spec ? Error::local(tr("only servers that are reached by a URL can require a sign-in"))
                        : spec.error());
            return;
        }
        output().envelope().setServer(spec->name);
        m_signOut = std::make_unique<SignOut>(*spec, profile);
        connect(m_signOut.get(), &SignOut::finished, this, &Logout::end);
        m_signOut->start();
    }

    void interrupt(app::Interruption interruption) override
    {
        if (m_signOut)
            output().note(
                tr("Interrupted: the tokens may not have been revoked; they stay valid at the authorization server "
                   "until they expire."));
        output().envelope().setError(errorFor(interruption));
        Q_EMIT finished(exitCodeFor(interruption));
    }

private:
    void end(const Error &error)
    {
        const bool wasSignedIn = m_signOut->wasSignedIn();
        if (error && wasSignedIn)
            output().failure(error);
        else if (output().isJson())
            output().result(json::Builder().beginObject().member(u"wasSignedIn", wasSignedIn).endObject().take());
        else
            output().line(wasSignedIn ? tr("Signed out.") : tr("Not signed in."));
        const SignInStep &revocation = m_signOut->revocation();
        if (const Error &untold = m_signOut->revocationError()) {
            output().note(untold.message);
            output().note(untold.hint);
        } else if (revocation.state == Step::State::Skipped && !revocation.text.isEmpty()) {
            output().note(revocation.name + u": "_s + revocation.text);
        }
        Q_EMIT finished(error && wasSignedIn ? ExitCode::NoResponse : ExitCode::Ok);
    }

    ServerOptions m_server;
    CommonOptions m_common{outputOptions()};
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
