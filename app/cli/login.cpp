// sonde-cli login and logout: signing in to a server, and forgetting that.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/job.h"
#include "app/cli/targetserver.h"
#include "app/cli/verb.h"

#include "core/authorization/oauth.h"
#include "core/connection/signout.h"
#include "core/json/builder.h"
#include "core/protocol/consenturl.h"
#include "core/protocol/visibletext.h"

#include <QLocale>
#include <QProcess>
#include <QSocketNotifier>
#include <QStandardPaths>

#include <unistd.h>
#include <cerrno>

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
class Login final : public Verb {
public:
    Login(const Arguments &arguments, Output &output)
        : Verb(arguments, output), m_input(STDIN_FILENO, QSocketNotifier::Read)
    {
        m_input.setEnabled(false);
        connect(&m_input, &QSocketNotifier::activated, this, [this] { read(); });
    }

    void prepare(Connection *connection) override
    {
        connect(connection, &Connection::signInChanged, this, [this, connection] { watch(connection->signIn()); });
    }

    void start(Connection *connection) override
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
        if (::isatty(STDIN_FILENO) == 1) {
            if (!browserOpener().isEmpty())
                output().note(tr("Press Enter to open it in your browser."));
            output().note(tr("If the browser runs on another computer: paste the address that it ends at."));
        }
        m_page = consent.url;
        m_input.setEnabled(!m_hasEnded);
    }

    void read()
    {
        char bytes[4096];
        const ssize_t size = ::read(STDIN_FILENO, bytes, sizeof bytes);
        if (size < 0 && (errno == EINTR || errno == EAGAIN))
            return;
        if (size <= 0) {
            m_hasEnded = true;
            m_input.setEnabled(false);
            return;
        }
        m_unread.append(bytes, qsizetype(size));
        for (qsizetype end = m_unread.indexOf('\n'); end >= 0; end = m_unread.indexOf('\n')) {
            const QString line = QString::fromUtf8(m_unread.left(end)).trimmed();
            m_unread.remove(0, end + 1);
            take(line);
        }
    }

    void take(const QString &line)
    {
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
        Q_EMIT finished(m_signIn->keepError() ? ExitCode::NoResponse : ExitCode::Ok);
    }

    void fail(const Error &error)
    {
        output().failure(error);
        Q_EMIT finished(ExitCode::NoResponse);
    }

    QPointer<OAuth> m_signIn;
    QSocketNotifier m_input;
    QByteArray m_unread;
    QUrl m_page;
    QStringList m_wanted;  // scopes that an earlier command lacked
    bool m_isAsked = false;
    bool m_hasEnded = false;
};

// Needs no connection.
class Logout final : public Job {
public:
    Logout(const Arguments &arguments, const Profile &profile)
        : m_arguments(arguments), m_profile(profile), m_output(arguments)
    {}

    void start() override
    {
        const Result<ServerSpec> spec = serverSpec(m_arguments, m_profile);
        if (!spec || spec->startsProcess()) {
            m_output.note(u"sonde-cli: "_s + (spec ? tr("only servers that are reached by a URL can require a sign-in")
                                                   : visibleText(spec.error().message)));
            Q_EMIT finished(int(ExitCode::WrongUse));
            return;
        }
        m_signOut = std::make_unique<SignOut>(*spec, m_profile);
        connect(m_signOut.get(), &SignOut::finished, this, &Logout::end);
        m_signOut->start();
    }

    void interrupt() override { Q_EMIT finished(int(ExitCode::NoResponse)); }

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
        } else if (revocation.state == SignInStep::State::Skipped && !revocation.text.isEmpty()) {
            m_output.note(nameOf(revocation.kind) + u": "_s + revocation.text);
        }
        Q_EMIT finished(int(error && wasSignedIn ? ExitCode::NoResponse : ExitCode::Ok));
    }

    Arguments m_arguments;
    const Profile m_profile;
    Output m_output;
    std::unique_ptr<SignOut> m_signOut;
};

}  // namespace

std::unique_ptr<Verb> makeLogin(const Arguments &arguments, Output &output)
{
    return std::make_unique<Login>(arguments, output);
}

std::unique_ptr<Job> makeLogout(const Arguments &arguments, const Profile &profile)
{
    return std::make_unique<Logout>(arguments, profile);
}

}  // namespace sonde::cli
