// Signing in, staying signed in, and what must not go out.
// SPDX-License-Identifier: Apache-2.0
#include "core/authorization/authmetadata.h"
#include "core/authorization/authrequest.h"
#include "core/authorization/oauth.h"
#include "core/authorization/pkce.h"
#include "core/authorization/signingkey.h"
#include "core/transport/http/httpfetch.h"
#include "tests/support/fakehttpserver.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QProcess>
#include <QSignalSpy>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QTest>
#include <QUrlQuery>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::FakeHttpServer;

namespace {

using Headers = CredentialSource::Headers;

QByteArray inJson(QByteArray text)
{
    return text.replace('\'', '"');
}

CredentialSource::Refusal refusedWith(int status, const QByteArray &challenge = {}, const Headers &sent = {},
                                      int count = 1)
{
    CredentialSource::Refusal refusal;
    refusal.status = status;
    if (!challenge.isEmpty())
        refusal.responseHeaders = {{"WWW-Authenticate", challenge}};
    refusal.challenges = authChallenges(refusal.responseHeaders);
    refusal.credentials = sent;
    refusal.count = count;
    refusal.error = {Error::Kind::Auth, status, u"refused"_s, {}, {}, {}};
    return refusal;
}

}  // namespace

// An authorization server and the metadata of what it guards, on one port.
class OAuthGuard {
public:
    OAuthGuard()
    {
        m_server.setHandler([this](const FakeHttpServer::Request &request, const FakeHttpServer::Peer &peer) {
            respond(request, peer);
        });
    }

    QUrl url(const QString &path) const { return m_server.url(path); }
    QByteArray origin() const { return m_server.url(QString()).toString(QUrl::FullyEncoded).toLatin1(); }

    // The forms that were sent there.
    QList<QUrlQuery> formsTo(const QByteArray &path) const
    {
        QList<QUrlQuery> forms;
        for (const FakeHttpServer::Request &request : m_server.requests()) {
            if (request.path == path)
                forms.append(QUrlQuery(QString::fromUtf8(request.body)));
        }
        return forms;
    }
    QList<QUrlQuery> tokenRequests() const { return formsTo("/token"); }
    int count(const QByteArray &path) const
    {
        int found = 0;
        for (const FakeHttpServer::Request &request : m_server.requests())
            found += request.path == path ? 1 : 0;
        return found;
    }
    qsizetype requestCount() const { return m_server.requests().size(); }

    QByteArray tokenMembers = "'expires_in':3600,'refresh_token':'r1'";
    QByteArray scopes;  // of the resource, a JSON list
    // Of a refresh; 0: it is given.
    int refreshStatus = 0;
    QByteArray refreshBody;
    bool redirectsTokens = false;
    QByteArray tokenType = "bearer";
    QByteArray tokenPrefix = "a";
    QByteArray guardedBy;  // another one; empty: this one
    QByteArray metadataPath = "/.well-known/oauth-protected-resource/mcp";
    int metadataStatus = 0;  // there; 0: it is given
    bool holdsTokens = false;
    std::function<void()> letTokensGo;
    bool publishesNothing = false;
    bool offersRevocation = false;
    struct Canned {
        int status = 200;
        Headers headers;
        QByteArray body;
    };
    QHash<QByteArray, Canned> canned;  // by path, instead of what it would respond
    QByteArray tokenEndpoint;          // another one; empty: this one's
    // To requests to revoke a token of this kind.
    QHash<QString, std::pair<int, QByteArray>> revocations;

private:
    void respond(const FakeHttpServer::Request &request, const FakeHttpServer::Peer &peer)
    {
        const QByteArray base = origin();
        if (publishesNothing)
            return peer.response(404, {}, {});
        if (const auto each = canned.constFind(request.path); each != canned.constEnd())
            return peer.response(each->status, each->headers, inJson(each->body));
        if (request.path == metadataPath && metadataStatus > 0)
            return peer.response(metadataStatus, {}, {});
        if (request.path == metadataPath)
            return peer.json(inJson("{'resource':'" + base + "/mcp','authorization_servers':['" +
                                    (guardedBy.isEmpty() ? base : guardedBy) + "']" +
                                    (scopes.isEmpty() ? "" : ",'scopes_supported':" + scopes) + '}'));
        if (request.path == "/.well-known/oauth-authorization-server")
            return peer.json(inJson("{'issuer':'" + base + "','authorization_endpoint':'" + base +
                                    "/authorize?tenant=1','token_endpoint':'" +
                                    (tokenEndpoint.isEmpty() ? base + "/token" : tokenEndpoint) +
                                    "','registration_endpoint':'" + base +
                                    "/register','code_challenge_methods_supported':['S256']" +
                                    (offersRevocation ? ",'revocation_endpoint':'" + base + "/revoke'" : "") + '}'));
        if (request.path == "/revoke") {
            const QString kind = QUrlQuery(QString::fromUtf8(request.body)).queryItemValue(u"token_type_hint"_s);
            const auto [status, body] = revocations.value(kind, {200, {}});
            return peer.response(status, {{"Content-Type", "application/json"}}, inJson(body));
        }
        if (request.path == "/register")
            return peer.response(201, {{"Content-Type", "application/json"}},
                                 inJson("{'client_id':'c" + QByteArray::number(++m_clients) + "'}"));
        if (request.path != "/token" && request.path != "/moved")
            return peer.response(404, {}, {});
        const QUrlQuery form(QString::fromUtf8(request.body));
        if (redirectsTokens)
            return peer.response(307, {{"Location", base + "/elsewhere"}}, {});
        if (refreshStatus > 0 && form.queryItemValue(u"grant_type"_s) == u"refresh_token")
            return peer.response(refreshStatus, {{"Content-Type", "application/json"}}, inJson(refreshBody));
        const QByteArray given = inJson("{'access_token':'" + tokenPrefix + QByteArray::number(++m_tokens) +
                                        "','token_type':'" + tokenType + "'," + tokenMembers + '}');
        if (holdsTokens)
            letTokensGo = [peer, given] { peer.json(given); };
        else
            peer.json(given);
    }

    FakeHttpServer m_server;
    int m_tokens = 0;
    int m_clients = 0;
};

Q_DECLARE_METATYPE(sonde::OAuthSettings)
Q_DECLARE_METATYPE(OAuthGuard::Canned)

class TestOAuth : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_guard = std::make_unique<OAuthGuard>();
        m_pages.clear();
        m_reported.clear();
        m_concealed.clear();
        m_hasPerson = true;
        m_query = u"code=xyz&state=%1"_s;
        m_vault = std::make_shared<SecretVault>(std::make_unique<MemorySecretStore>());
        make({});
    }

    void signsInOnce()
    {
        m_guard->scopes = "['read','write']";
        QVERIFY(ask({})->isEmpty());
        // Two requests are refused; there is one sign-in for both.
        Answer first;
        Answer second;
        start(refusedWith(401), &first);
        start(refusedWith(401), &second);
        QTRY_VERIFY(first.result && second.result);
        QVERIFY2(first.result->ok(), qPrintable(first.why()));
        QCOMPARE(first.result->value(), (Headers{{"Authorization", "Bearer a1"}}));
        QCOMPARE(second.result->value(), first.result->value());
        QCOMPARE(m_pages.size(), 1);
        const QUrlQuery page(m_pages.first());
        QCOMPARE(page.queryItemValue(u"tenant"_s), u"1"_s);
        QCOMPARE(page.queryItemValue(u"response_type"_s), u"code"_s);
        QCOMPARE(page.queryItemValue(u"client_id"_s), u"c1"_s);
        QCOMPARE(page.queryItemValue(u"code_challenge_method"_s), u"S256"_s);
        QCOMPARE(page.queryItemValue(u"scope"_s, QUrl::FullyDecoded), u"read write"_s);
        const QString resource = m_guard->url(u"/mcp"_s).toString();
        QCOMPARE(page.queryItemValue(u"resource"_s, QUrl::FullyDecoded), resource);
        const QList<QUrlQuery> forms = m_guard->tokenRequests();
        QCOMPARE(forms.size(), 1);
        QCOMPARE(forms.first().queryItemValue(u"code"_s), u"xyz"_s);
        QCOMPARE(forms.first().queryItemValue(u"resource"_s, QUrl::FullyDecoded), resource);
        QCOMPARE(QString::fromLatin1(codeChallenge(forms.first().queryItemValue(u"code_verifier"_s).toLatin1())),
                 page.queryItemValue(u"code_challenge"_s));
        QCOMPARE(ask({})->first().second, "Bearer a1"_ba);
    }

    // Once refused with a fresh token, it is not tried for ever.
    void aFreshTokenThatIsRefusedIsAnError()
    {
        const Result<Headers> token = ask(refusedWith(401));
        QVERIFY(token);
        const Result<Headers> again = ask(refusedWith(401, {}, *token, 2));
        QVERIFY(!again);
        const QString issuer = QString::fromLatin1(m_guard->origin());
        QCOMPARE(again.error().message,
                 u"The server refuses the token that %1 has just issued for it (HTTP 401)."_s.arg(issuer));
        QVERIFY2(!again.error().hint.contains(u"Authorization header"_s), qPrintable(again.error().hint));
        QCOMPARE(m_pages.size(), 1);
    }

    void tokensAreRefreshed()
    {
        QVERIFY(ask(refusedWith(401)));
        leaveSeconds(29);
        m_guard->tokenMembers = "'expires_in':3600";
        QCOMPARE(ask({})->first().second, "Bearer a2"_ba);  // it was about to expire
        QCOMPARE(m_pages.size(), 1);
        QUrlQuery form = m_guard->tokenRequests().last();
        QCOMPARE(form.queryItemValue(u"grant_type"_s), u"refresh_token"_s);
        QCOMPARE(form.queryItemValue(u"refresh_token"_s), u"r1"_s);
        // The server does not take it, and gave no other to refresh with: the first goes on.
        QCOMPARE(ask(refusedWith(401, {}, *ask({})))->first().second, "Bearer a3"_ba);
        QCOMPARE(m_guard->tokenRequests().last().queryItemValue(u"refresh_token"_s), u"r1"_s);
        // Refused all the same: now a person has to sign in.
        QCOMPARE(ask(refusedWith(401, {}, *ask({}), 2))->first().second, "Bearer a4"_ba);
        QCOMPARE(m_pages.size(), 2);
        QCOMPARE(m_guard->count("/register"), 1);
    }

    // Neither of who protects the server nor of the authorization server, unless something has changed.
    void aRefreshReadsNoMetadataAgain()
    {
        const QByteArray ofServer = m_guard->metadataPath;
        const QByteArray ofIssuer = "/.well-known/oauth-authorization-server";
        QVERIFY(ask(refusedWith(401)));
        leaveSeconds(0);  // for another program
        QCOMPARE(ask({})->first().second, "Bearer a2"_ba);
        QCOMPARE(m_guard->count(ofServer), 1);
        QCOMPARE(m_guard->count(ofIssuer), 1);
        const QUrlQuery form = m_guard->tokenRequests().last();
        QCOMPARE(form.queryItemValue(u"resource"_s, QUrl::FullyDecoded), m_guard->url(u"/mcp"_s).toString());
        // A server that refuses a token may have another authorization server by now.
        QCOMPARE(ask(refusedWith(401, {}, *ask({})))->first().second, "Bearer a3"_ba);
        QCOMPARE(m_guard->count(ofServer), 2);
        QCOMPARE(m_guard->count(ofIssuer), 1);
        leaveSeconds(0);
        m_guard->canned.insert("/token", {404, {}, {}});
        m_guard->tokenEndpoint = m_guard->origin() + "/moved";
        QCOMPARE(ask({})->first().second, "Bearer a4"_ba);
        QCOMPARE(m_guard->count(ofIssuer), 2);
        QCOMPARE(m_pages.size(), 1);
        // Refused: a person is asked, at endpoints that a refresh does not need.
        leaveSeconds(0);
        m_guard->refreshStatus = 400;
        m_guard->refreshBody = "{'error':'invalid_grant'}";
        QCOMPARE(ask({})->first().second, "Bearer a5"_ba);
        QCOMPARE(m_pages.size(), 2);
    }

    void aRefreshThatIsRefusedBecomesASignIn()
    {
        QVERIFY(ask(refusedWith(401)));
        leaveSeconds(0);
        m_guard->refreshStatus = 400;
        m_guard->refreshBody = "{'error':'invalid_grant'}";
        QCOMPARE(ask({})->first().second, "Bearer a2"_ba);
        QCOMPARE(m_pages.size(), 2);
    }

    // A person must not have to sign in again because a server was busy for a moment.
    void aRefreshTokenOutlivesAFault_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("body");
        QTest::newRow("slow down") << 429 << "{'error':'slow_down'}"_ba;
        QTest::newRow("too many requests") << 429 << "{'error':'too_many_requests'}"_ba;
        QTest::newRow("a page of a proxy") << 200 << "<html>Sign in to this network</html>"_ba;
        QTest::newRow("not found for now") << 404 << ""_ba;
        QTest::newRow("restarted") << 503 << ""_ba;
        QTest::newRow("says so itself") << 400 << "{'error':'temporarily_unavailable'}"_ba;
    }
    void aRefreshTokenOutlivesAFault()
    {
        QFETCH(int, status);
        QFETCH(QByteArray, body);
        QVERIFY(ask(refusedWith(401)));
        m_guard->refreshStatus = status;
        m_guard->refreshBody = body;
        // Ahead of time nothing is lost by it.
        leaveSeconds(20);
        QCOMPARE(ask({})->first().second, "Bearer a1"_ba);
        QVERIFY(m_source->error());
        leaveSeconds(0);
        const Result<Headers> failed = ask({});
        QVERIFY(!failed);
        QVERIFY2(failed.error().hint.contains(u"later"_s), qPrintable(failed.error().hint));
        m_guard->refreshStatus = 0;
        QCOMPARE(ask({})->first().second, "Bearer a2"_ba);
        QCOMPARE(m_guard->tokenRequests().last().queryItemValue(u"refresh_token"_s), u"r1"_s);
        QCOMPARE(m_pages.size(), 1);
    }

    // Half a minute before its end would be before its beginning.
    void aTokenOfAShortLifeIsUsed()
    {
        m_guard->tokenMembers = "'expires_in':20,'refresh_token':'r1'";
        QVERIFY(ask(refusedWith(401)));
        QCOMPARE(ask({})->first().second, "Bearer a1"_ba);
        make({});
        QCOMPARE(ask({})->first().second, "Bearer a1"_ba);
        leaveSeconds(9);
        QCOMPARE(ask({})->first().second, "Bearer a2"_ba);
        QCOMPARE(m_guard->tokenRequests().size(), 2);
    }

    void moreScopesAreAskedForOnce()
    {
        const QByteArray challenge = "Bearer error=\"insufficient_scope\", scope=\"admin\"";
        const Result<Headers> token = ask(refusedWith(401, "Bearer scope=\"read\""));
        QVERIFY(token);
        const Result<Headers> more = ask(refusedWith(403, challenge, *token));
        QVERIFY(more);
        QCOMPARE(QUrlQuery(m_pages.last()).queryItemValue(u"scope"_s, QUrl::FullyDecoded), u"read admin"_s);
        QCOMPARE(m_guard->count("/register"), 2);  // the first client may ask for "read" only
        // One that was refused with the token of before goes again with the new one.
        QCOMPARE(ask(refusedWith(403, challenge, *token))->first().second, "Bearer a2"_ba);
        QVERIFY(!ask(refusedWith(403, challenge, *more, 2)));
        QVERIFY(!ask(refusedWith(403, "Bearer error=\"access_denied\"", *more)));
        QCOMPARE(m_pages.size(), 2);
    }

    // Only the request that needs more fails when nobody grants it: the tokens are as good as before.
    void aStepUpThatIsCancelledCostsNothingElse()
    {
        const Result<Headers> token = ask(refusedWith(401, "Bearer scope=\"read\""));
        QVERIFY(token && m_source->hasGoodToken());
        QVERIFY(!m_source->stepUp().isNeeded());
        m_query.clear();
        CredentialSource::Refusal refusal = refusedWith(
            403, "Bearer error=\"insufficient_scope\", scope=\"read admin\", error_description=\"Ask Ada\"", *token);
        refusal.subject = u"delete"_s;
        Answer needsMore;
        Answer needsNothing;
        start(refusal, &needsMore);
        QTRY_COMPARE(m_pages.size(), 2);
        start({}, &needsNothing);
        QCOMPARE(m_source->stepUp().sentence(), u"delete needs the scope admin. The server says: “Ask Ada”"_s);
        m_source->cancel(OAuth::Others::GoOn);
        QCOMPARE(needsMore.why(),
                 u"delete needs the scope admin. The server says: “Ask Ada” The sign-in was cancelled."_s);
        QVERIFY(needsNothing.result && needsNothing.result->ok());
        QCOMPARE(needsNothing.result->value(), *token);
        QVERIFY(m_source->hasGoodToken());
        // When the connection is closed nothing goes out any more.
        Answer waits;
        start(refusal, &needsMore);
        QTRY_COMPARE(m_pages.size(), 3);
        start({}, &waits);
        m_source->cancel();
        QVERIFY(waits.result && !waits.result->ok());
        // A token that the server no longer takes is another matter.
        Answer refused;
        start(refusedWith(401, "Bearer", *token), &refused);
        m_guard->refreshStatus = 400;
        QTRY_VERIFY(refused.result || m_pages.size() == 4);
        QVERIFY(!m_source->hasGoodToken());
        m_source->cancel();
    }

    // What the person did not grant the last time they may grant the next time.
    void moreScopesAreAskedForAgain()
    {
        const QByteArray challenge = "Bearer error=\"insufficient_scope\", scope=\"admin\"";
        const Result<Headers> token = ask(refusedWith(401, "Bearer scope=\"read\""));
        QVERIFY(token);
        const QString granted = m_query;
        m_query.clear();
        Answer cancelled;
        start(refusedWith(403, challenge, *token), &cancelled);
        QTRY_COMPARE(m_pages.size(), 2);
        m_source->cancel();
        QVERIFY(cancelled.result && !cancelled.result->ok());
        m_query = granted;
        QVERIFY(ask(refusedWith(403, challenge, *token)));
        QCOMPARE(m_pages.size(), 3);
        // A later sign-in gives less.
        m_guard->refreshStatus = 400;
        m_guard->refreshBody = "{'error':'invalid_grant'}";
        const Result<Headers> less = ask(refusedWith(401, "Bearer scope=\"read\"", *ask({})));
        QVERIFY(less);
        QCOMPARE(QUrlQuery(m_pages.last()).queryItemValue(u"scope"_s, QUrl::FullyDecoded), u"read"_s);
        QVERIFY(ask(refusedWith(403, challenge, *less)));
        QCOMPARE(QUrlQuery(m_pages.last()).queryItemValue(u"scope"_s, QUrl::FullyDecoded), u"read admin"_s);
    }

    // Another program is told what is missing; the next sign-in asks for it, once.
    void whatNobodyCouldGrantIsAskedForLater()
    {
        const QByteArray challenge =
            "Bearer error=\"insufficient_scope\", scope=\"read write\", error_description=\"Read-only\"";
        QVERIFY(ask(refusedWith(401, "Bearer scope=\"read\"")));
        m_hasPerson = false;
        make({});
        const Result<Headers> refused = ask(refusedWith(403, challenge, *ask({})));
        QVERIFY(!refused);
        const Error &error = refused.error();
        QCOMPARE(error.message, u"The server requires the scope write, which the token lacks. It says: Read-only"_s);
        QCOMPARE(error.hint, u"Run sonde-cli login to sign in with the scopes read write."_s);
        QCOMPARE(error.code, 403);
        QCOMPARE(error.data.bytes(), inJson("{'requiredScopes':['read','write'],'grantedScopes':['read']}"));
        QCOMPARE(m_source->missingScopes(), QStringList{u"write"_s});
        m_hasPerson = true;
        make({});
        QCOMPARE(m_source->missingScopes(), QStringList{u"write"_s});
        QVERIFY(!ask({})->isEmpty());
        m_guard->tokenMembers = "'scope':'read'";  // declined
        m_source->signIn();
        QTRY_COMPARE(m_pages.size(), 2);
        QCOMPARE(QUrlQuery(m_pages.last()).queryItemValue(u"scope"_s, QUrl::FullyDecoded), u"read write"_s);
        QTRY_VERIFY(!m_source->isBusy());
        QCOMPARE(m_source->tokens().scopes, QStringList{u"read"_s});
        QVERIFY(m_source->missingScopes().isEmpty());
    }

    // What a person was asked for is not asked for again.
    void aScopeThatIsNotGrantedIsNamed()
    {
        m_guard->tokenMembers = "'scope':'read'";
        const QByteArray challenge = "Bearer error=\"insufficient_scope\", scope=\"admin\"";
        const Result<Headers> token = ask(refusedWith(401, "Bearer scope=\"read admin\""));
        QVERIFY(token);
        const Result<Headers> refused = ask(refusedWith(403, challenge, *token));
        QVERIFY(!refused);
        QVERIFY2(refused.error().message.contains(u"the scope admin, which the token lacks"_s),
                 qPrintable(refused.error().message));
        QVERIFY2(refused.error().hint.contains(u"did not grant it"_s), qPrintable(refused.error().hint));
        m_guard->tokenMembers = "'expires_in':3600";
        const Result<Headers> other = ask(refusedWith(401, "Bearer scope=\"read admin\"", *token));
        QVERIFY(other);
        const Result<Headers> has = ask(refusedWith(403, challenge, *other));
        QVERIFY2(has.error().message.contains(u"although the token has it"_s), qPrintable(has.error().message));
        QCOMPARE(m_pages.size(), 2);
    }

    // Only a challenge says where, and not every sign-in begins with one.
    void thePlaceOfTheMetadataIsRemembered()
    {
        m_guard->metadataPath = "/custom";
        const QByteArray place = "resource_metadata=\"" + m_guard->origin() + "/custom\"";
        QVERIFY(ask(refusedWith(401, "Bearer " + place)));
        leaveSeconds(0);
        const Result<Headers> refreshed = ask({});
        QVERIFY2(refreshed.ok(), qPrintable(refreshed.ok() ? QString() : refreshed.error().message));
        QCOMPARE(m_guard->tokenRequests().last().queryItemValue(u"grant_type"_s), u"refresh_token"_s);
        QCOMPARE(m_guard->count("/register"), 1);
        QVERIFY(ask(refusedWith(403, "Bearer error=\"insufficient_scope\", scope=\"admin\"", *refreshed)));
        QCOMPARE(m_pages.size(), 2);
        // Where the server names a place, the rules of before that was possible do not apply.
        m_guard->metadataPath = "/elsewhere";
        const Result<Headers> lost = ask(refusedWith(401, "Bearer " + place, *ask({})));
        QVERIFY(!lost);
        QVERIFY2(lost.error().message.contains(u"/custom"_s), qPrintable(lost.error().message));
        QCOMPARE(m_guard->count("/register"), 1);
    }

    void aBusyServerIsNotOneWithoutMetadata()
    {
        m_guard->metadataStatus = 429;
        QVERIFY(!ask(refusedWith(401)));
        QCOMPARE(m_guard->count("/register"), 0);
    }

    void aServerThatTakesAnApiKeyIsCalledThat()
    {
        m_guard->publishesNothing = true;
        CredentialSource::Refusal refusal = refusedWith(401);
        refusal.error.detail = u"Missing API key"_s;
        const Result<Headers> result = ask(refusal);
        QVERIFY(!result);
        QVERIFY(result.error().reason == Error::Reason::NoSignIn);
        QCOMPARE(result.error().detail, u"Missing API key"_s);
        QVERIFY2(result.error().hint.contains(u"header"_s), qPrintable(result.error().hint));
    }

    void aForgottenRegistrationIsReplaced()
    {
        QVERIFY(ask(refusedWith(401)));
        m_guard->refreshStatus = 401;
        m_guard->refreshBody = "{'error':'invalid_client'}";
        QVERIFY(ask(refusedWith(401, {}, *ask({}))));
        QCOMPARE(m_guard->count("/register"), 2);
        QCOMPARE(QUrlQuery(m_pages.last()).queryItemValue(u"client_id"_s), u"c2"_s);
        // The server shows a page of its own, which leads nowhere, and the person gives up.
        m_query.clear();
        m_source->signIn();
        QTRY_COMPARE(m_pages.size(), 3);
        m_source->cancel();
        m_source->signIn();
        QTRY_COMPARE(m_pages.size(), 4);
        QCOMPARE(QUrlQuery(m_pages.last()).queryItemValue(u"client_id"_s), u"c3"_s);
    }

    // The tokens that there are belong to the client that they were given to, whatever was tried since.
    void aCancelledSignInKeepsWhatThereIs()
    {
        QVERIFY(ask(refusedWith(401)));
        m_query.clear();
        for (int pages = 2; pages < 4; ++pages) {
            m_source->signIn();
            QTRY_COMPARE(m_pages.size(), pages);
            m_source->cancel();
        }
        QCOMPARE(m_guard->count("/register"), 2);
        QCOMPARE(ask(refusedWith(401, {}, *ask({})))->first().second, "Bearer a2"_ba);
        QCOMPARE(m_guard->tokenRequests().last().queryItemValue(u"refresh_token"_s), u"r1"_s);
        QCOMPARE(m_guard->tokenRequests().last().queryItemValue(u"client_id"_s), u"c1"_s);
        QCOMPARE(m_pages.size(), 3);
        make({});
        QCOMPARE(ask(refusedWith(401, {}, *ask({})))->first().second, "Bearer a3"_ba);
        QCOMPARE(m_guard->tokenRequests().last().queryItemValue(u"client_id"_s), u"c1"_s);
    }

    void aRefusedRefreshTokenIsNotTriedAgain()
    {
        QVERIFY(ask(refusedWith(401)));
        m_hasPerson = false;
        make({});
        m_guard->refreshStatus = 400;
        m_guard->refreshBody = "{'error':'invalid_grant'}";
        QVERIFY(!ask(refusedWith(401, {}, *ask({}))));
        QVERIFY(!ask(refusedWith(401, {}, *ask({}))));
        QCOMPARE(m_guard->tokenRequests().size(), 2);
        make({});
        QVERIFY(!ask(refusedWith(401, {}, *ask({}))));
        QCOMPARE(m_guard->tokenRequests().size(), 2);
    }

    // It may be good for one use only, and what came of that use must not be lost.
    void aRefreshGoesOnWithoutThoseWhoWaited()
    {
        QVERIFY(ask(refusedWith(401)));
        m_guard->tokenMembers = "'expires_in':3600,'refresh_token':'r2'";
        m_guard->holdsTokens = true;
        Answer waiting;
        start(refusedWith(401, {}, *ask({})), &waiting);
        QTRY_VERIFY(m_guard->letTokensGo);
        QVERIFY(!m_source->mayCancel());
        m_source->cancel();
        QVERIFY(waiting.result && waiting.result->error().kind == Error::Kind::Cancelled);
        Answer next;
        start({}, &next);
        QVERIFY(!next.result);
        m_guard->letTokensGo();
        QTRY_VERIFY(next.result);
        QCOMPARE(next.result->value().first().second, "Bearer a2"_ba);
        QCOMPARE(m_guard->tokenRequests().size(), 2);
        make({});
        m_guard->holdsTokens = false;
        QVERIFY(ask(refusedWith(401, {}, *ask({}))));
        QCOMPARE(m_guard->tokenRequests().last().queryItemValue(u"refresh_token"_s), u"r2"_s);
    }

    void theLastRequestRefreshesNothing()
    {
        QVERIFY(ask(refusedWith(401)));
        leaveSeconds(10);
        std::optional<Result<Headers>> given;
        m_source->provide({"DELETE", m_guard->url(u"/mcp"_s), {}, true},
                          [&given](const Result<Headers> &result) { given = result; });
        QTRY_VERIFY(given);
        QCOMPARE(given->value().first().second, "Bearer a1"_ba);
        QCOMPARE(m_guard->tokenRequests().size(), 1);
    }

    void tokensThatCannotBeUsedAreRefused_data()
    {
        QTest::addColumn<QByteArray>("type");
        QTest::addColumn<QByteArray>("prefix");
        QTest::newRow("bound to a key that nobody has") << "DPoP"_ba
                                                        << "a"_ba;
        QTest::newRow("a line break") << "bearer"_ba
                                      << "a\\r\\nX-Own: y"_ba;
        QTest::newRow("a space") << "bearer"_ba
                                 << "a b"_ba;
        QTest::newRow("an unknown type") << "mac"_ba
                                         << "a"_ba;
    }
    void tokensThatCannotBeUsedAreRefused()
    {
        QFETCH(QByteArray, type);
        QFETCH(QByteArray, prefix);
        m_guard->tokenType = type;
        m_guard->tokenPrefix = prefix;
        QVERIFY(!ask(refusedWith(401)));
        QVERIFY(ask({})->isEmpty());
        make({});
        QVERIFY(ask({})->isEmpty());
    }

    void aBoundTokenWithoutItsKeyIsForgotten()
    {
        SignInRecord record;
        record.tokens.issuer = QString::fromLatin1(m_guard->origin());
        record.tokens.accessToken = "kept";
        record.tokens.isBound = true;
        keepRecord(record);
        QVERIFY(ask({})->isEmpty());
    }

    // Requests that were under way when the server changed its nonce are told the same new one.
    void oneNonceServesAllRequests()
    {
        const Result<SigningKey> key = SigningKey::make();
        QVERIFY(key);
        SignInRecord record;
        record.tokens.issuer = QString::fromLatin1(m_guard->origin());
        record.tokens.accessToken = "kept";
        record.tokens.isBound = true;
        record.proofKey = key->toPem();
        keepRecord(record);
        const Result<Headers> sent = ask({});
        QCOMPARE(sent->first().second, "DPoP kept"_ba);
        for (int i = 0; i < 2; ++i) {
            CredentialSource::Refusal refusal =
                refusedWith(401, "Bearer realm=\"x\", DPoP error=\"use_dpop_nonce\"", *sent);
            refusal.responseHeaders.emplace_back("DPoP-Nonce", "n1");
            const Result<Headers> again = ask(refusal);
            QVERIFY(again);
            QCOMPARE(again->first().second, "DPoP kept"_ba);
            const QByteArray claims = QByteArray::fromBase64(again->last().second.split('.').at(1), Base64Url);
            QVERIFY2(claims.contains("\"nonce\":\"n1\""), claims.constData());
        }
        QCOMPARE(m_guard->requestCount(), 0);
        QVERIFY(m_pages.isEmpty());
    }

    // Who it was, what was wrong, and what to do.
    void aPartyThatFailsIsNamed_data()
    {
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<OAuthGuard::Canned>("response");
        QTest::addColumn<QString>("message");  // in it
        QTest::addColumn<QString>("hint");     // in it
        const QByteArray metadata = "/.well-known/oauth-protected-resource/mcp";
        const QByteArray issuer = "/.well-known/oauth-authorization-server";
        const Headers json{{"Content-Type", "application/json"}};
        const Headers elsewhere{{"Location", "https://elsewhere.example/x"}};
        using Canned = OAuthGuard::Canned;
        QTest::newRow("metadata of the server fails")
            << metadata << Canned{500, {}, {}} << u"The server's metadata endpoint (%1) returned HTTP 500"_s
            << QString();
        QTest::newRow("metadata of the server redirects")
            << metadata << Canned{302, elsewhere, {}}
            << u"The server's metadata endpoint (%1) redirects (HTTP 302) to https://elsewhere.example/x"_s
            << u"serve the document at the first address"_s;
        QTest::newRow("metadata of the authorization server fails")
            << issuer << Canned{500, {}, {}} << u"The authorization server's metadata endpoint (%1) returned HTTP 500"_s
            << QString();
        QTest::newRow("metadata of the authorization server redirects")
            << issuer << Canned{307, elsewhere, {}}
            << u"The authorization server's metadata endpoint (%1) redirects (HTTP 307)"_s
            << u"serve the document at the first address"_s;
        QTest::newRow("metadata of the authorization server is busy")
            << issuer << Canned{503, {{"Retry-After", "7"}}, {}} << u"returned HTTP 503"_s << u"7 seconds"_s;
        QTest::newRow("no client ID") << "/register"_ba << Canned{201, json, "{}"}
                                      << u"registration endpoint (%1) returned no client_id"_s << u"client ID"_s;
        QTest::newRow("registration refused")
            << "/register"_ba << Canned{400, json, "{'error':'invalid_client_metadata','error_description':'No'}"}
            << u"registration endpoint (%1) refused the request: invalid_client_metadata: No"_s << u"client ID"_s;
        QTest::newRow("registration is busy") << "/register"_ba << Canned{429, {{"Retry-After", "7"}}, {}}
                                              << u"(%1) returned HTTP 429"_s << u"7 seconds"_s;
        QTest::newRow("a page for tokens")
            << "/token"_ba << Canned{200, {{"Content-Type", "text/html; charset=utf-8"}}, "<p>Hello</p>"}
            << u"token endpoint (%1) returned text/html instead of JSON"_s << u"web page"_s;
        QTest::newRow("a form for tokens")
            << "/token"_ba
            << Canned{200,
                      {{"Content-Type", "application/x-www-form-urlencoded"}},
                      "access_token=hush&token_type=bearer"}
            << u"token endpoint (%1) returned application/x-www-form-urlencoded instead of JSON"_s
            << u"requires JSON"_s;
        QTest::newRow("no JSON for tokens")
            << "/token"_ba << Canned{200, json, "nothing"}
            << u"token endpoint (%1) returned a body that is not a JSON object"_s << QString();
        QTest::newRow("no access token") << "/token"_ba << Canned{200, json, "{'token_type':'bearer'}"}
                                         << u"token endpoint (%1) returned no access_token."_s << QString();
        QTest::newRow("no type of token") << "/token"_ba << Canned{200, json, "{'access_token':'hush'}"}
                                          << u"token endpoint (%1) returned no token_type."_s << u"Bearer"_s;
        QTest::newRow("tokens refused") << "/token"_ba
                                        << Canned{400, json, "{'error':'invalid_grant','error_description':'Too late'}"}
                                        << u"token endpoint (%1) refused the request: invalid_grant: Too late"_s
                                        << QString();
        QTest::newRow("tokens busy") << "/token"_ba << Canned{429, {{"Retry-After", "7"}}, {}}
                                     << u"token endpoint (%1) returned HTTP 429"_s << u"7 seconds"_s;
        QTest::newRow("tokens failed") << "/token"_ba << Canned{500, {}, "Boom"}
                                       << u"token endpoint (%1) returned HTTP 500"_s << QString();
    }
    void aPartyThatFailsIsNamed()
    {
        QFETCH(QByteArray, path);
        QFETCH(OAuthGuard::Canned, response);
        QFETCH(QString, message);
        QFETCH(QString, hint);
        m_guard->canned.insert(path, response);
        const Result<Headers> result = ask(refusedWith(401));
        QVERIFY(!result);
        const Error &error = result.error();
        const QString url = m_guard->url(QString::fromLatin1(path)).toString();
        QVERIFY2(error.message.contains(message.contains(u"%1"_s) ? message.arg(url) : message),
                 qPrintable(error.message));
        QVERIFY2(error.hint.contains(hint), qPrintable(error.hint));
        QVERIFY2(!error.hint.contains(u"server's URL"_s) && !error.hint.contains(u"Authorization header"_s),
                 qPrintable(error.hint));
        QCOMPARE(error.code, 401);  // that led to it
        if (response.body.contains("hush")) {
            QVERIFY(m_concealed.contains("hush"));
            QVERIFY(!(error.message + error.detail).contains(u"hush"_s));
        }
    }

    void anAuthorizationServerThatIsDownIsNamed()
    {
        QTcpServer taken;
        QVERIFY(taken.listen(QHostAddress::LocalHost));
        const QString down = u"http://127.0.0.1:%1"_s.arg(taken.serverPort());
        taken.close();
        m_guard->tokenEndpoint = down.toLatin1() + "/token";
        const Result<Headers> tokens = ask(refusedWith(401));
        QCOMPARE(tokens.error().message,
                 u"The authorization server's token endpoint (%1/token) refused the connection: nothing is listening "
                 "there."_s.arg(down));
        QCOMPARE(tokens.error().hint, u"Check that the authorization server is running."_s);
        m_guard->guardedBy = down.toLatin1();
        const Result<Headers> metadata = ask(refusedWith(401));
        QVERIFY2(metadata.error().message.startsWith(u"The authorization server's metadata endpoint ("_s + down),
                 qPrintable(metadata.error().message));
        QCOMPARE(metadata.error().hint, u"Check that the authorization server is running."_s);
        QVERIFY(metadata.error().reason == Error::Reason::Other);  // the server itself was reached
    }

    void anEndpointThatIsSlowIsNamed()
    {
        FakeHttpServer silent([](const FakeHttpServer::Request &, const FakeHttpServer::Peer &) {});
        HttpFetch::Request request{"POST", silent.url(u"/token"_s), {}, {}, {}};
        request.timeoutMs = 20;
        HttpFetch fetch(request);
        QSignalSpy finished(&fetch, &HttpFetch::finished);
        fetch.start();
        QVERIFY(finished.wait());
        const Error error = connectionError(AuthEndpoint::Token, fetch);
        QVERIFY(error.kind == Error::Kind::Timeout);
        QCOMPARE(error.message, u"The authorization server's token endpoint (%1) did not respond within 0.02 s."_s.arg(
                                    silent.url(u"/token"_s).toString()));
    }

    void credentialsAreForOneAuthorizationServer_data()
    {
        QTest::addColumn<OAuthSettings>("settings");
        OAuthSettings person;
        person.clientId = u"mine"_s;
        QTest::newRow("a client ID") << person;
        OAuthSettings client = person;
        client.grant = OAuthSettings::Grant::ClientCredentials;
        client.clientSecret = u"secret"_s;
        QTest::newRow("client credentials") << client;
        OAuthSettings machine;
        machine.grant = OAuthSettings::Grant::Workload;
        machine.assertion = "assertion";
        QTest::newRow("a workload") << machine;
    }
    void credentialsAreForOneAuthorizationServer()
    {
        QFETCH(OAuthSettings, settings);
        OAuthGuard other;
        make(settings);
        QVERIFY(ask(refusedWith(401)));
        m_guard->guardedBy = other.origin();
        m_pages.clear();
        const Result<Headers> moved = ask(refusedWith(401, {}, *ask({})));
        QVERIFY(!moved);
        QVERIFY2(moved.error().message.contains(QString::fromLatin1(other.origin())),
                 qPrintable(moved.error().message));
        // Named from the start it is the only one.
        settings.issuer = QString::fromLatin1(m_guard->origin()) + u'/';
        m_vault = std::make_shared<SecretVault>(std::make_unique<MemorySecretStore>());
        make(settings);
        QVERIFY(!ask(refusedWith(401)));
        QVERIFY(m_pages.isEmpty());
        QCOMPARE(other.tokenRequests().size(), 0);
        QCOMPARE(other.count("/register"), 0);
    }

    // The settings say on whose behalf tokens are, and those of somebody else do not count.
    void tokensAreOfThoseWhoSignedIn()
    {
        QVERIFY(ask(refusedWith(401)));
        OAuthSettings machine;
        machine.grant = OAuthSettings::Grant::Workload;
        machine.assertion = "one";
        make(machine);
        QVERIFY(ask({})->isEmpty());
        QVERIFY(ask(refusedWith(401)));
        make(machine);
        QCOMPARE(ask({})->first().second, "Bearer a2"_ba);
        machine.assertion = "another";
        make(machine);
        QVERIFY(ask({})->isEmpty());
        make({});
        QCOMPARE(ask({})->first().second, "Bearer a1"_ba);
        OAuthSettings elsewhere;
        elsewhere.issuer = u"https://as.example"_s;
        make(elsewhere);
        QVERIFY(ask({})->isEmpty());
    }

    void aSignInThatWasCancelledCanBeRepeated()
    {
        m_query.clear();  // the person does not come back
        Answer first;
        start(refusedWith(401), &first);
        QTRY_COMPARE(m_pages.size(), 1);
        QCOMPARE(m_source->page(), m_pages.first());
        QVERIFY(!first.result);
        m_source->cancel();
        QVERIFY(first.result && !first.result->ok());
        QVERIFY(first.result->error().kind == Error::Kind::Cancelled);
        QVERIFY(m_source->page().isEmpty());
        m_query = u"code=xyz&state=%1"_s;
        QVERIFY(ask(refusedWith(401)));
        QCOMPARE(m_pages.size(), 2);
    }

    // The browser is on another computer: its last address is typed in here.
    void theLastAddressCanBePasted()
    {
        m_query.clear();
        Answer answer;
        start(refusedWith(401), &answer);
        QTRY_COMPARE(m_pages.size(), 1);
        const QString state = QUrlQuery(m_pages.first()).queryItemValue(u"state"_s);
        QVERIFY(m_source->receiveCallback(QUrl(u"http://127.0.0.1/callback?code=x&state=wrong"_s)));
        QVERIFY(m_source->isBusy());
        QVERIFY(!m_source->receiveCallback(QUrl(u"http://127.0.0.1/callback?code=x&state="_s + state)));
        QTRY_VERIFY(answer.result);
        QVERIFY2(answer.result->ok(), qPrintable(answer.why()));
        QVERIFY(m_source->receiveCallback(QUrl(u"http://127.0.0.1/callback?code=x&state="_s + state)));
    }

    void nobodyIsThereToSignIn()
    {
        m_hasPerson = false;
        make({});
        const Result<Headers> result = ask(refusedWith(401));
        QVERIFY(!result);
        QVERIFY2(result.error().hint.contains(u"sonde-cli login"_s), qPrintable(result.error().hint));
        QCOMPARE(m_guard->count("/register"), 0);
    }

    void eachStepSaysWhatCameOfIt()
    {
        QVERIFY(ask(refusedWith(401)));
        const QList<SignInStep> steps = m_source->steps();
        QCOMPARE(steps.size(), 6);
        for (const SignInStep &step : steps) {
            QVERIFY2(step.state == Step::State::Done, qPrintable(nameOf(step.kind)));
            QVERIFY2(!step.text.isEmpty(), qPrintable(nameOf(step.kind)));
        }
        QCOMPARE(steps.at(2).text, u"Registered as c1"_s);
        QList<int> streams;
        for (const SignInStep &step : steps)
            streams += step.streams;
        QCOMPARE(streams.size(), 4);
        QCOMPARE(m_reported.size(), 8);  // each with its response
        m_guard->tokenMembers = "'error':'invalid_scope','error_description':'No such scope'";
        QVERIFY(!ask(refusedWith(401, {}, *ask({}))));
        QVERIFY(m_source->steps().at(4).state == Step::State::Failed);
        QVERIFY2(m_source->steps().at(4).text.contains(u"No such scope"_s), qPrintable(m_source->steps().at(4).text));
    }

    // What must not be recorded is said in the turn in which it goes over the wire.
    void secretsAreConcealed()
    {
        QVERIFY(ask(refusedWith(401)));
        const QUrlQuery form = m_guard->tokenRequests().first();
        for (const QByteArray &secret :
             {"a1"_ba, "r1"_ba, "xyz"_ba, form.queryItemValue(u"code_verifier"_s).toLatin1()})
            QVERIFY2(m_concealed.contains(secret), secret.constData());
    }

    void tokensAreKept()
    {
        QVERIFY(ask(refusedWith(401)));
        make({});
        // No sign-in, and not even a refusal.
        QCOMPARE(ask({})->first().second, "Bearer a1"_ba);
        QCOMPARE(m_pages.size(), 1);
        // The refresh token and the registration were kept, too.
        QCOMPARE(ask(refusedWith(401, {}, *ask({})))->first().second, "Bearer a2"_ba);
        QCOMPARE(m_guard->tokenRequests().last().queryItemValue(u"refresh_token"_s), u"r1"_s);
        QCOMPARE(m_guard->tokenRequests().last().queryItemValue(u"client_id"_s), u"c1"_s);
        m_source->signOut();
        QVERIFY(!m_source->isSignedIn());
        QVERIFY(ask({})->isEmpty());
        make({});
        QVERIFY(ask({})->isEmpty());
    }

    void signingOutRevokesTheTokens_data()
    {
        QTest::addColumn<bool>("isOffered");
        QTest::addColumn<QString>("kind");  // of the token that is not simply revoked
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<int>("requests");
        QTest::addColumn<QString>("text");   // of the step, or in it
        QTest::addColumn<QString>("error");  // in it; empty: none
        QTest::newRow("revoked") << true << QString() << 0 << QByteArray() << 2 << u"Revoked at http://"_s << QString();
        QTest::newRow("refresh tokens only")
            << true << u"access_token"_s << 400 << "{'error':'unsupported_token_type'}"_ba << 2
            << u"Revoked at http://"_s << QString();
        QTest::newRow("not offered") << false << QString() << 0 << QByteArray() << 0 << u"does not offer revocation"_s
                                     << QString();
        QTest::newRow("no tokens at all")
            << true << u"refresh_token"_s << 400 << "{'error':'unsupported_token_type'}"_ba << 1
            << u"were not revoked"_s << u"unsupported_token_type"_s;
        QTest::newRow("refused with the status 200")
            << true << u"refresh_token"_s << 200 << "{'error':'invalid_client','error_description':'who?'}"_ba << 1
            << u"were not revoked"_s << u"invalid_client: who?"_s;
        QTest::newRow("unavailable") << true << u"refresh_token"_s << 503 << QByteArray() << 1 << u"were not revoked"_s
                                     << u"503"_s;
    }
    // Whatever comes of that, the tokens are forgotten here.
    void signingOutRevokesTheTokens()
    {
        QFETCH(bool, isOffered);
        QFETCH(QString, kind);
        QFETCH(int, status);
        QFETCH(QByteArray, body);
        QFETCH(int, requests);
        QFETCH(QString, text);
        QFETCH(QString, error);
        m_guard->offersRevocation = isOffered;
        if (!kind.isEmpty())
            m_guard->revocations.insert(kind, {status, body});
        QVERIFY(ask(refusedWith(401)));
        make({});  // another program, which has to read the tokens first
        QSignalSpy signedOut(m_source.get(), &OAuth::signedOut);
        m_source->signOut();
        QVERIFY(signedOut.wait());
        QVERIFY(!signedOut.first().first().value<Error>());
        const QList<QUrlQuery> forms = m_guard->formsTo("/revoke");
        QCOMPARE(forms.size(), requests);
        const QByteArrayList tokens{"r1", "a1"};
        for (int i = 0; i < requests; ++i) {
            QCOMPARE(forms.at(i).queryItemValue(u"token"_s).toLatin1(), tokens.at(i));
            QCOMPARE(forms.at(i).queryItemValue(u"client_id"_s), u"c1"_s);
            QVERIFY(m_concealed.contains(tokens.at(i)));
        }
        const SignInStep step = m_source->steps().constLast();
        QVERIFY2(step.text.contains(text), qPrintable(step.text));
        QCOMPARE(step.streams.size(), requests);
        QCOMPARE(bool(m_source->revocationError()), !error.isEmpty());
        QVERIFY2(m_source->revocationError().message.contains(error), qPrintable(m_source->revocationError().message));
        make({});
        QVERIFY(ask({})->isEmpty());
        QVERIFY(ask(refusedWith(401)));
    }

    void aSignInDuringASignOutIsWhatCounts()
    {
        m_guard->offersRevocation = true;
        QVERIFY(ask(refusedWith(401)));
        QSignalSpy signedOut(m_source.get(), &OAuth::signedOut);
        m_source->signOut();
        QCOMPARE(ask(refusedWith(401))->first().second, "Bearer a2"_ba);
        QTRY_COMPARE(m_guard->count("/revoke"), 2);
        QVERIFY(m_source->isSignedIn());
        QVERIFY(m_source->steps().last().kind == SignInStep::Kind::Keep);
        QCOMPARE(signedOut.size(), 0);
        make({});
        QCOMPARE(ask({})->first().second, "Bearer a2"_ba);
    }

    void aKeychainThatFailsIsSaid()
    {
        class Broken final : public SecretStore {
        public:
            void read(const QString &, QObject *context, const ReadDone &done) override
            {
                QMetaObject::invokeMethod(
                    context, [done] { done(Error::local(u"locked"_s)); }, Qt::QueuedConnection);
            }
            void write(const QString &, const QByteArray &, QObject *context, const Done &done) override
            {
                QMetaObject::invokeMethod(
                    context, [done] { done(Error::local(u"locked"_s)); }, Qt::QueuedConnection);
            }
            void remove(const QString &name, QObject *context, const Done &done) override
            {
                write(name, {}, context, done);
            }
        };
        m_vault = std::make_shared<SecretVault>(std::make_unique<Broken>());
        make({});
        QCOMPARE(ask(refusedWith(401))->first().second, "Bearer a1"_ba);
        QCOMPARE(m_source->keepError().message, u"locked"_s);
        QVERIFY(m_source->steps().last().state == Step::State::Failed);
        // Until the program ends it is kept all the same.
        make({});
        QCOMPARE(ask({})->first().second, "Bearer a1"_ba);
        QSignalSpy signedOut(m_source.get(), &OAuth::signedOut);
        m_source->signOut();
        QVERIFY(signedOut.wait());
        // It was never in the keychain.
        QVERIFY(!m_source->error());
        QVERIFY(m_source->steps().first().state == Step::State::Done);
        make({});
        QVERIFY(ask({})->isEmpty());
    }

    void aKeychainThatKeepsTheTokensIsSaid()
    {
        class Stuck final : public SecretStore {
        public:
            void read(const QString &name, QObject *context, const ReadDone &done) override
            {
                m_values.read(name, context, done);
            }
            void write(const QString &name, const QByteArray &value, QObject *context, const Done &done) override
            {
                m_values.write(name, value, context, done);
            }
            void remove(const QString &, QObject *context, const Done &done) override
            {
                QMetaObject::invokeMethod(
                    context, [done] { done(Error::local(u"locked"_s)); }, Qt::QueuedConnection);
            }

        private:
            MemorySecretStore m_values;
        };
        m_vault = std::make_shared<SecretVault>(std::make_unique<Stuck>());
        make({});
        QVERIFY(ask(refusedWith(401)));
        QSignalSpy signedOut(m_source.get(), &OAuth::signedOut);
        m_source->signOut();
        QVERIFY(signedOut.wait());
        QCOMPARE(m_source->error().message, u"locked"_s);
        QCOMPARE(m_source->steps().first().text, u"Not removed: locked"_s);
        QVERIFY(ask({})->isEmpty());
    }

    // A refresh token that is good for one use only must not be used twice.
    void fiftyRefusedRequestsRefreshOnce()
    {
        QVERIFY(ask(refusedWith(401)));
        const Headers old = *ask({});
        const auto other = makeSource({});
        std::deque<Answer> answers(50);
        for (size_t i = 0; i < answers.size(); ++i) {
            Answer *answer = &answers[i];
            (i % 2 ? other.get() : m_source.get())
                ->provide({"POST", m_guard->url(u"/mcp"_s), refusedWith(401, {}, old)},
                          [answer](const Result<Headers> &result) { answer->result = result; });
        }
        QTRY_VERIFY(std::all_of(answers.begin(), answers.end(), [](const Answer &a) { return a.result.has_value(); }));
        for (const Answer &answer : answers)
            QCOMPARE(answer.result->value().first().second, "Bearer a2"_ba);
        QCOMPARE(m_guard->tokenRequests().size(), 2);
    }

    // Registered with its port: an authorization server may insist on that.
    void theRegisteredAddressIsUsedAgain()
    {
        QVERIFY(ask(refusedWith(401)));
        QVERIFY(ask(refusedWith(401, {}, *ask({}))));
        m_guard->refreshStatus = 400;
        m_guard->refreshBody = "{'error':'invalid_grant'}";
        QVERIFY(ask(refusedWith(401, {}, *ask({}))));
        QCOMPARE(m_pages.size(), 2);
        const auto addressIn = [](const QUrl &page) {
            return QUrlQuery(page).queryItemValue(u"redirect_uri"_s, QUrl::FullyDecoded);
        };
        QCOMPARE(addressIn(m_pages.last()), addressIn(m_pages.first()));
        QCOMPARE(m_guard->count("/register"), 1);
    }

    void s10_callbacksThatAreNotTaken_data()
    {
        QTest::addColumn<QString>("query");  // %1: the state, %2: the issuer
        QTest::newRow("another issuer") << u"code=x&state=%1&iss=https://evil.example"_s;
        QTest::newRow("an issuer with a slash") << u"code=x&state=%1&iss=%2/"_s;
        QTest::newRow("an error") << u"error=access_denied&state=%1"_s;
        QTest::newRow("no code") << u"state=%1"_s;
        QTest::newRow("two codes") << u"code=x&code=y&state=%1"_s;
        QTest::newRow("the same code twice") << u"code=x&code=x&state=%1"_s;
        QTest::newRow("two issuers") << u"code=x&state=%1&iss=%2&iss=%2"_s;
    }
    void s10_callbacksThatAreNotTaken()
    {
        QFETCH(QString, query);
        m_query = query;
        const Result<Headers> result = ask(refusedWith(401));
        QVERIFY(!result);
        QVERIFY(result.error().kind == Error::Kind::Auth);
        QCOMPARE(m_guard->tokenRequests().size(), 0);
    }

    // Whoever sent it: the person who waits is told, and the sign-in goes on.
    void s10_aResponseOfAnotherSignInIsSaid()
    {
        QSignalSpy stray(m_source.get(), &OAuth::strayReceived);
        m_query = u"code=x&state=wrong"_s;
        Answer answer;
        start(refusedWith(401), &answer);
        QTRY_COMPARE(stray.size(), 1);
        const QString text = m_source->steps().at(int(SignInStep::Kind::Authorize)).text;
        QVERIFY2(text.endsWith(u"A response with the wrong state was ignored"_s), qPrintable(text));
        QVERIFY(m_source->isBusy());
        const QString state = QUrlQuery(m_pages.first()).queryItemValue(u"state"_s);
        QVERIFY(m_source->receiveCallback(QUrl(u"http://127.0.0.1/callback?code=x&state=%1&state=%1"_s.arg(state))));
        QVERIFY(!m_source->receiveCallback(QUrl(u"http://127.0.0.1/callback?code=x&state="_s + state)));
        QTRY_VERIFY(answer.result);
        QVERIFY2(answer.result->ok(), qPrintable(answer.why()));
    }

    // A JWT of the client itself (RFC 7523), with either algorithm.
    void aClientSignsForItself_data()
    {
        QTest::addColumn<QByteArray>("algorithm");
        QTest::addColumn<QStringList>("options");
        QTest::newRow("ES256") << "ES256"_ba
                               << QStringList{u"-algorithm"_s, u"EC"_s, u"-pkeyopt"_s, u"ec_paramgen_curve:P-256"_s};
        QTest::newRow("RS256") << "RS256"_ba << QStringList{u"-algorithm"_s, u"RSA"_s};
    }
    void aClientSignsForItself()
    {
        QFETCH(QByteArray, algorithm);
        QFETCH(QStringList, options);
        QProcess openssl;
        openssl.start(u"openssl"_s, QStringList{u"genpkey"_s} + options);
        QVERIFY(openssl.waitForFinished());
        OAuthSettings settings;
        settings.grant = OAuthSettings::Grant::ClientCredentials;
        settings.clientId = u"machine"_s;
        settings.privateKey = openssl.readAllStandardOutput();
        settings.keyAlgorithm = algorithm;
        settings.issuer = QString::fromLatin1(m_guard->origin());
        make(settings);
        QCOMPARE(ask(refusedWith(401))->first().second, "Bearer a1"_ba);
        const QUrlQuery form = m_guard->tokenRequests().first();
        QCOMPARE(form.queryItemValue(u"client_assertion_type"_s, QUrl::FullyDecoded),
                 u"urn:ietf:params:oauth:client-assertion-type:jwt-bearer"_s);
        const QByteArrayList parts = form.queryItemValue(u"client_assertion"_s).toLatin1().split('.');
        QCOMPARE(parts.size(), 3);
        const json::Value header = json::parse(QByteArray::fromBase64(parts[0], Base64Url));
        const json::Value claims = json::parse(QByteArray::fromBase64(parts[1], Base64Url));
        QCOMPARE(header[u"alg"].utf8(), algorithm);
        QCOMPARE(claims[u"sub"].string(), u"machine"_s);
        QCOMPARE(claims[u"aud"].utf8(), m_guard->origin());
        QCOMPARE(QByteArray::fromBase64(parts[2], Base64Url).size(), algorithm == "ES256" ? 64 : 256);
    }

    // RFC 9728, section 3.3: it must be about this server, and may be on another origin.
    void metadataOfAnotherOrigin_data()
    {
        QTest::addColumn<QByteArray>("path");  // of the resource that it is about, on the server's origin
        QTest::addColumn<bool>("isOurs");
        QTest::newRow("this server") << "/mcp"_ba << true;
        QTest::newRow("a path above it") << ""_ba << false;
        QTest::newRow("a path beside it") << "/other"_ba << false;
    }
    void metadataOfAnotherOrigin()
    {
        QFETCH(QByteArray, path);
        QFETCH(bool, isOurs);
        FakeHttpServer other;
        other.setHandler([&](const FakeHttpServer::Request &, const FakeHttpServer::Peer &peer) {
            peer.json(inJson("{'resource':'" + m_guard->origin() + path + "','authorization_servers':['" +
                             m_guard->origin() + "']}"));
        });
        const QByteArray place = other.url(u"/metadata"_s).toEncoded();
        CredentialSource::Refusal refusal = refusedWith(401, "Bearer resource_metadata=\"" + place + '"');
        refusal.peer = QHostAddress::LocalHost;
        const Result<Headers> result = ask(refusal);
        QCOMPARE(result.ok(), isOurs);
        QCOMPARE(other.requests().size(), 1);
        QCOMPARE(m_pages.size(), isOurs ? 1 : 0);
        if (!isOurs)
            QVERIFY2(result.error().message.contains(u"metadata at "_s + QString::fromLatin1(place)),
                     qPrintable(result.error().message));
    }

    void s9_metadataOfAnotherOriginIsNotNearerThanTheServer()
    {
        FakeHttpServer other;
        const QByteArray place = other.url(u"/metadata"_s).toEncoded();
        CredentialSource::Refusal refusal = refusedWith(401, "Bearer resource_metadata=\"" + place + '"');
        refusal.peer = QHostAddress(u"93.184.216.34"_s);
        const Result<Headers> result = ask(refusal);
        QVERIFY(!result);
        QVERIFY2(result.error().hint.contains(u"allowed hosts"_s), qPrintable(result.error().hint));
        QCOMPARE(other.connections(), 0);
    }

    void metadataInTheClearIsNotFetched()
    {
        for (const QByteArray &place : {"http://evil.example/metadata"_ba, "http://169.254.169.254/latest"_ba,
                                        "file:///etc/passwd"_ba, "nonsense"_ba}) {
            const Result<Headers> result = ask(refusedWith(401, "Bearer resource_metadata=\"" + place + '"'));
            QVERIFY(!result);
            QVERIFY2(result.error().message.contains(u"another origin"_s), qPrintable(result.error().message));
        }
        QCOMPARE(m_guard->requestCount(), 0);
        QVERIFY(m_pages.isEmpty());
    }

    void aRedirectedTokenRequestIsNotFollowed()
    {
        m_guard->redirectsTokens = true;
        QVERIFY(!ask(refusedWith(401)));
        QCOMPARE(m_guard->count("/elsewhere"), 0);
    }

    void s10_aClientIdOfAnotherIssuerIsNotShown()
    {
        OAuthSettings settings;
        settings.clientId = u"mine"_s;
        settings.issuer = u"https://as.example"_s;
        make(settings);
        const Result<Headers> result = ask(refusedWith(401));
        QVERIFY(!result);
        QVERIFY2(result.error().message.contains(u"https://as.example"_s), qPrintable(result.error().message));
        QVERIFY(m_pages.isEmpty());
        QCOMPARE(m_guard->tokenRequests().size(), 0);
    }

    void itMayBeDeletedMeanwhile()
    {
        Answer answer;
        start(refusedWith(401), &answer);
        while (m_guard->requestCount() == 0)
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        m_source.reset();
        // Whatever still comes finds nobody: another sign-in goes its own way.
        make({});
        QVERIFY(ask(refusedWith(401)));
        QVERIFY(!answer.result);
    }

private:
    struct Answer {
        std::optional<Result<Headers>> result;
        QString why() const { return result && !result->ok() ? result->error().message : QString(); }
    };

    std::unique_ptr<OAuth> makeSource(const OAuthSettings &settings)
    {
        auto source = std::make_unique<OAuth>(
            m_guard->url(u"/mcp"_s), settings,
            OAuth::Options{std::make_shared<TokenStore>(m_vault, m_folder.path() + u"/sign-ins"_s), m_hasPerson, {}});
        source->setObserver({[this](const WireEvent &event) { m_reported.append(event); },
                             [this](const QByteArray &secret) { m_concealed.append(secret); }});
        connect(source.get(), &OAuth::pageReady, this, &TestOAuth::visit);
        return source;
    }
    void make(const OAuthSettings &settings) { m_source = makeSource(settings); }

    void keepRecord(const SignInRecord &record)
    {
        TokenStore store(m_vault, m_folder.path() + u"/sign-ins"_s);
        bool isKept = false;
        store.write(OAuth::nameFor(m_guard->url(u"/mcp"_s), {}), record, this,
                    [&isKept](const Error &error) { isKept = !error; });
        QTRY_VERIFY(isKept);
        make({});
    }

    // As if the time had passed: what was kept expires then, and is read again.
    void leaveSeconds(qint64 seconds)
    {
        TokenStore store(m_vault, m_folder.path() + u"/sign-ins"_s);
        const QString name = u"sign-in %1"_s.arg(canonicalResource(m_guard->url(u"/mcp"_s)));
        bool isKept = false;
        store.read(name, this, [&](const Result<std::optional<SignInRecord>> &record) {
            QVERIFY(record && *record);
            SignInRecord aged = **record;
            aged.tokens.expiresAt = QDateTime::currentDateTimeUtc().addSecs(seconds);
            store.write(name, aged, this, [&isKept](const Error &error) { isKept = !error; });
        });
        QTRY_VERIFY(isKept);
        make({});
    }

    // A browser in which the person signs in at once.
    void visit(const QUrl &page)
    {
        m_pages.append(page);
        if (m_query.isEmpty())
            return;
        const QUrlQuery asked(page);
        QString text = m_query;
        text.replace(u"%1"_s, asked.queryItemValue(u"state"_s));
        text.replace(u"%2"_s, QString::fromLatin1(m_guard->origin()));
        const QUrl back(asked.queryItemValue(u"redirect_uri"_s, QUrl::FullyDecoded) + u'?' + text);
        auto *fetch = new HttpFetch({"GET", back, {}, {}, {}}, this);
        connect(fetch, &HttpFetch::finished, fetch, &QObject::deleteLater);
        fetch->start();
    }

    void start(const std::optional<CredentialSource::Refusal> &refusal, Answer *answer)
    {
        m_source->provide({"POST", m_guard->url(u"/mcp"_s), refusal},
                          [answer](const Result<Headers> &result) { answer->result = result; });
    }
    Result<Headers> ask(const std::optional<CredentialSource::Refusal> &refusal)
    {
        const auto answer = std::make_shared<Answer>();
        m_source->provide({"POST", m_guard->url(u"/mcp"_s), refusal},
                          [answer](const Result<Headers> &result) { answer->result = result; });
        return QTest::qWaitFor([&] { return answer->result.has_value(); }) ? *answer->result
                                                                           : Error::local(u"no answer"_s);
    }

    std::unique_ptr<OAuthGuard> m_guard;
    std::unique_ptr<OAuth> m_source;
    QTemporaryDir m_folder;
    std::shared_ptr<SecretVault> m_vault;
    bool m_hasPerson = true;
    QString m_query;  // of the address that the browser ends at; %1: the state, %2: the issuer
    QList<QUrl> m_pages;
    QList<WireEvent> m_reported;
    QByteArrayList m_concealed;
};

SONDE_TEST(TestOAuth)
#include "tst_oauth.moc"
