// SPDX-License-Identifier: Apache-2.0
#include "core/transport/process/pipereader.h"
#include "tests/support/testregistry.h"

#include <QTest>
#include <algorithm>
#include <deque>
#include <limits>
#include <memory>

using namespace sonde;
using namespace Qt::StringLiterals;

class PipeReaderTest : public QObject {
    Q_OBJECT
private:
    // What each read() finds; nothing when it is empty.
    struct PipeLog {
        std::deque<QByteArray> reads;
        int readCount = 0;
    };

    class LoggedSource final : public ByteSource {
    public:
        explicit LoggedSource(std::shared_ptr<PipeLog> log) : m_log(std::move(log)) {}
        qint64 read(char *data, qint64 maxBytes) override
        {
            ++m_log->readCount;
            if (m_log->reads.empty())
                return 0;
            const QByteArray bytes = m_log->reads.front();
            m_log->reads.pop_front();
            Q_ASSERT(bytes.size() <= maxBytes);
            std::copy(bytes.begin(), bytes.end(), data);
            return bytes.size();
        }
        qint64 bytesAvailable() const override { return 0; }
        void setNotifying(bool) override {}

    private:
        std::shared_ptr<PipeLog> m_log;
    };

    std::shared_ptr<PipeLog> m_log;
    LoggedSource *m_source = nullptr;
    std::unique_ptr<PipeReader> m_reader;
    QStringList m_lines;

private Q_SLOTS:
    void init()
    {
        m_log = std::make_shared<PipeLog>();
        auto source = std::make_unique<LoggedSource>(m_log);
        m_source = source.get();
        m_reader = std::make_unique<PipeReader>(std::move(source), 1000, nullptr);
        m_reader->setMaxTurn(std::numeric_limits<int>::max());
        m_lines.clear();
        connect(m_reader.get(), &PipeReader::lineRead, this,
                [this](const LineFramer::Line &line) { m_lines += QString::fromUtf8(line.bytes); });
        m_reader->start();
    }

    // Somebody who asks again as soon as the response is there does not wait for the event loop in between.
    void anExchangeOfSingleMessagesGoesOnInOneTurn()
    {
        int asked = 0;
        m_reader->setBeforeReading([&] {
            if (++asked == 3)
                return false;
            m_log->reads.push_back("");  // the answer takes a moment
            m_log->reads.push_back("answer " + QByteArray::number(asked) + '\n');
            return true;
        });
        m_log->reads.push_back("first\n");
        Q_EMIT m_source->readable();
        QCOMPARE(m_lines, (QStringList{u"first"_s, u"answer 1"_s, u"answer 2"_s}));
        QCOMPARE(asked, 3);
    }

    void anAnswerThatDoesNotComeIsNotWaitedForLong()
    {
        m_reader->setBeforeReading([] { return true; });
        m_log->reads.push_back("first\n");
        Q_EMIT m_source->readable();  // which returns
        QCOMPARE(m_lines, QStringList{u"first"_s});
        QVERIFY(m_log->readCount > 2 && m_log->readCount < 1000);
    }

    void manyMessagesAtOnceAreNoSuchExchange()
    {
        bool isAsked = false;
        m_reader->setBeforeReading([&] { return isAsked = true; });
        m_log->reads.push_back("first\nsecond\n");
        Q_EMIT m_source->readable();
        QCOMPARE(m_lines.size(), 2);
        QVERIFY(!isAsked);
        QCOMPARE(m_log->readCount, 2);
    }

    void theReaderMayGoBeforeItReads()
    {
        m_reader->setBeforeReading([this] {
            m_reader.reset();
            return true;
        });
        m_log->reads.push_back("first\n");
        Q_EMIT m_source->readable();
        QVERIFY(!m_reader);
        QCOMPARE(m_log->readCount, 1);
    }
};

SONDE_TEST(PipeReaderTest)
#include "tst_pipereader.moc"
