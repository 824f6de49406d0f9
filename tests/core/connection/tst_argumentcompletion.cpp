// Suggestions of the demo server, and what is sent for them.
// SPDX-License-Identifier: Apache-2.0
#include "core/connection/argumentcompletion.h"
#include "core/connection/connection.h"
#include "core/protocol/methods.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QSignalSpy>
#include <QTest>

using namespace sonde;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class ArgumentCompletionTest : public QObject {
    Q_OBJECT
private:
    using Kind = ArgumentCompletion::Reference::Kind;
    using Suggestions = ArgumentCompletion::Suggestions;

    std::unique_ptr<Connection> m_connection;

    bool connects(const QStringList &arguments = {})
    {
        ServerSpec spec;
        spec.name = u"demo"_s;
        spec.command = test::builtProgram(QStringLiteral("sonde-demo-server"));
        spec.arguments = arguments;
        ConnectionOptions options;
        options.loadCatalog = false;
        m_connection = std::make_unique<Connection>(spec, options);
        m_connection->open();
        return QTest::qWaitFor([this] { return m_connection->state() == Connection::State::Connected; }, 20'000);
    }

    // The params of the completions asked for so far.
    QList<json::Value> asked() const
    {
        QList<json::Value> all;
        for (qsizetype row = 0; row < m_connection->session()->size(); ++row) {
            const Message message = m_connection->session()->message(row);
            if (message.method() == methods::Complete)
                all << message.params();
        }
        return all;
    }

private Q_SLOTS:
    void cleanup() { m_connection.reset(); }

    void suggestsWhatTheServerKnows_data()
    {
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("argument");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("values");
        QTest::newRow("prompt") << Kind::Prompt << u"summarize"_s << u"style"_s << u"d"_s << QStringList{u"detailed"_s};
        QTest::newRow("empty text") << Kind::Prompt << u"summarize"_s << u"style"_s << QString()
                                    << QStringList{u"short"_s, u"detailed"_s, u"poetic"_s};
        QTest::newRow("template") << Kind::ResourceTemplate << u"demo://weather/{city}{?unit}"_s << u"unit"_s << u"c"_s
                                  << QStringList{u"celsius"_s};
        QTest::newRow("nothing fits") << Kind::Prompt << u"summarize"_s << u"style"_s << u"x"_s << QStringList();
    }
    void suggestsWhatTheServerKnows()
    {
        QFETCH(Kind, kind);
        QFETCH(QString, key);
        QFETCH(QString, argument);
        QFETCH(QString, text);
        QFETCH(QStringList, values);
        QVERIFY(connects());
        ArgumentCompletion completion(m_connection.get(), {kind, key});
        QVERIFY(completion.isOffered());
        QSignalSpy spy(&completion, &ArgumentCompletion::suggested);
        completion.complete(argument, text, R"({"other":"x","number":1})");
        QVERIFY(QTest::qWaitFor([&] { return !spy.isEmpty(); }, 20'000));
        const auto suggestions = spy.first().first().value<Suggestions>();
        QCOMPARE(suggestions.values, values);
        QCOMPARE(suggestions.text, text);
        QCOMPARE(suggestions.argument, argument);
        QCOMPARE(suggestions.total.value_or(-1), values.size());
        m_connection->session()->flush();
        QCOMPARE(asked().size(), 1);
        QCOMPARE(asked().first()[u"context"].bytes(), R"({"arguments":{"other":"x"}})"_ba);
    }

    // Whoever types on is not asked about what stood there before.
    void onlyTheLatestTextCounts()
    {
        QVERIFY(connects());
        ArgumentCompletion completion(m_connection.get(), {Kind::Prompt, u"summarize"_s});
        QSignalSpy spy(&completion, &ArgumentCompletion::suggested);
        completion.completeNow(u"style"_s, u"s"_s, {});  // on its way when the next letter comes
        completion.complete(u"style"_s, u"sh"_s, {});    // and this is not asked at all
        completion.setDelay(0ms);
        completion.complete(u"style"_s, u"po"_s, {});
        QVERIFY(QTest::qWaitFor([&] { return !spy.isEmpty(); }, 20'000));
        QCOMPARE(spy.size(), 1);
        QCOMPARE(spy.first().first().value<Suggestions>().values, QStringList{u"poetic"_s});
        m_connection->session()->flush();
        QStringList texts;
        for (const json::Value &params : asked())
            texts << params[u"argument"][u"value"].string();
        QCOMPARE(texts, (QStringList{u"s"_s, u"po"_s}));
    }

    void anUnknownPromptStaysSilent()
    {
        QVERIFY(connects());
        ArgumentCompletion completion(m_connection.get(), {Kind::Prompt, u"no such prompt"_s});
        QSignalSpy spy(&completion, &ArgumentCompletion::suggested);
        completion.completeNow(u"x"_s, {}, {});
        Call *next = m_connection->request(methods::ListPrompts);
        QSignalSpy answered(next, &Call::finished);
        QVERIFY(answered.wait(20'000));  // the completion was answered before
        for (const QList<QVariant> &each : std::as_const(spy))
            QVERIFY(each.first().value<Suggestions>().values.isEmpty());
        QVERIFY(completion.isOffered());
    }

    void nothingIsAskedWithoutAConnection()
    {
        QVERIFY(connects());
        ArgumentCompletion completion(m_connection.get(), {Kind::Prompt, u"summarize"_s});
        m_connection->close();
        QVERIFY(!completion.isOffered());
        completion.completeNow(u"style"_s, {}, {});
        QVERIFY(QTest::qWaitFor([this] { return m_connection->state() == Connection::State::Disconnected; }, 20'000));
        QVERIFY(asked().isEmpty());
        m_connection.reset();
        QVERIFY(!completion.isOffered());
    }
};

SONDE_TEST(ArgumentCompletionTest)
#include "tst_argumentcompletion.moc"
