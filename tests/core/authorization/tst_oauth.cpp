// Signing in, staying signed in, and what must not go out.
// SPDX-License-Identifier: Apache-2.0
#include "core/authorization/authmetadata.h"
#include "core/authorization/oauth.h"
#include "core/authorization/pkce.h"
#include "core/transport/httpfetch.h"
#include "tests/support/fakehttpserver.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QSignalSpy>
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

    // The forms that were sent to the token endpoint.
    QList<QUrlQuery> tokenRequests() const
    {
        QList<QUrlQuery> forms;
        for (const FakeHttpServer::Request &request : m_server.requests()) {
            if (request.path == "/token")
                forms.append(QUrlQuery(QString::fromUtf8(request.body)));
        }
        return forms;
    }
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

private:
    void respond(const FakeHttpServer::Request &request, const FakeHttpServer::Peer &peer)
    {
        const QByteArray base = origin();
        if (request.path == "/.well-known/oauth-protected-resource/mcp")
            return peer.json(inJson("{'resource':'" + base + "/mcp','authorization_servers':['" + base + "']" +
                                    (scopes.isEmpty() ? "" : ",'scopes_supported':" + scopes) + '}'));
        if (request.path == "/.well-known/oauth-authorization-server")
            return peer.json(inJson("{'issuer':'" + base + "','authorization_endpoint':'" + base +
                                    "/authorize?tenant=1','token_endpoint':'" + base +
                                    "/token','registration_endpoint':'" + base +
                                    "/register','code_challenge_methods_supported':['S256']}"));
        if (request.path == "/register")
            return peer.response(201, {{"Content-Type", "application/json"}}, inJson("{'client_id':'c1'}"));
        if (request.path != "/token")
            return peer.response(404, {}, {});
        const QUrlQuery form(QString::fromUtf8(request.body));
        if (redirectsTokens)
            return peer.response(307, {{"Location", base + "/elsewhere"}}, {});
        if (refreshStatus > 0 && form.queryItemValue(u"grant_type"_s) == u"refresh_token")
            return peer.response(refreshStatus, {{"Content-Type", "application/json"}}, inJson(refreshBody));
        peer.json(inJson("{'access_token':'a" + QByteArray::number(++m_tokens) + "','token_type':'bearer'," +
                         tokenMembers + '}'));
    }

    FakeHttpServer m_server;
    int m_tokens = 0;
};

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
        QCOMPARE(again.error().message, u"refused"_s);
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
        QTest::newRow("too many requests") << 429 << "{'error':'slow_down'}"_ba;
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
        QVERIFY(!ask(refusedWith(403, challenge, *more, 2)));
        QVERIFY(!ask(refusedWith(403, "Bearer error=\"access_denied\"", *more)));
        QCOMPARE(m_pages.size(), 2);
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
        QVERIFY(m_source->takeCallback(QUrl(u"http://127.0.0.1/callback?code=x&state=wrong"_s)));
        QVERIFY(m_source->isBusy());
        QVERIFY(!m_source->takeCallback(QUrl(u"http://127.0.0.1/callback?code=x&state="_s + state)));
        QTRY_VERIFY(answer.result);
        QVERIFY2(answer.result->ok(), qPrintable(answer.why()));
        QVERIFY(m_source->takeCallback(QUrl(u"http://127.0.0.1/callback?code=x&state="_s + state)));
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
            QVERIFY2(step.state == SignInStep::State::Done, qPrintable(nameOf(step.kind)));
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
        QVERIFY(m_source->steps().at(4).state == SignInStep::State::Failed);
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
        QVERIFY(m_source->steps().last().state == SignInStep::State::Failed);
        // Until the program ends it is kept all the same.
        make({});
        QCOMPARE(ask({})->first().second, "Bearer a1"_ba);
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

    void metadataOfAnotherHostIsNotFetched()
    {
        for (const QByteArray &place : {"https://evil.example/metadata"_ba, "http://169.254.169.254/latest"_ba,
                                        "file:///etc/passwd"_ba, "nonsense"_ba})
            QVERIFY(!ask(refusedWith(401, "Bearer resource_metadata=\"" + place + '"')));
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
        QTRY_VERIFY(m_guard->requestCount() > 0);
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
