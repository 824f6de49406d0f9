// SPDX-License-Identifier: Apache-2.0
#include "core/transport/process/pipewriter.h"
#include "tests/support/testregistry.h"

#include <QCoreApplication>
#include <QTest>
#include <QTimer>
#include <memory>

using namespace sonde;
using namespace Qt::StringLiterals;

class PipeWriterTest : public QObject {
    Q_OBJECT
private:
    // A pipe that keeps what each write() was offered, and takes as much as it has room for.
    struct PipeLog {
        QList<QByteArray> writes;
        qsizetype room = 1'000'000;
        bool isBroken = false;
        bool isClosed = false;
    };

    class LoggedSink final : public ByteSink {
    public:
        explicit LoggedSink(std::shared_ptr<PipeLog> log) : m_log(std::move(log))
        {
            connect(&m_poll, &QTimer::timeout, this, [this] {
                if (m_log->room > 0 || m_log->isBroken)
                    Q_EMIT writable();
            });
        }
        qint64 write(std::span<const QByteArrayView> parts) override
        {
            if (m_log->isBroken)
                return Broken;
            QByteArray offered;
            for (const QByteArrayView part : parts)
                offered.append(part);
            const QByteArray taken = offered.first(qMin(offered.size(), m_log->room));
            m_log->room -= taken.size();
            if (!taken.isEmpty())
                m_log->writes.append(taken);
            return taken.size();
        }
        void setNotifying(bool isNotifying) override
        {
            if (!isNotifying)
                m_poll.stop();
            else if (!m_poll.isActive())
                m_poll.start(0);
        }
        void close() override { m_log->isClosed = true; }

    private:
        std::shared_ptr<PipeLog> m_log;
        QTimer m_poll;
    };

    std::shared_ptr<PipeLog> m_log;
    std::unique_ptr<PipeWriter> m_writer;

    PipeWriter::Outcome write(int number) { return m_writer->write(QByteArray::number(number), RequestId(number)); }
    QByteArray written() const { return m_log->writes.join(); }

private Q_SLOTS:
    void init()
    {
        m_log = std::make_shared<PipeLog>();
        m_writer = std::make_unique<PipeWriter>(std::make_unique<LoggedSink>(m_log), 1000, 100, nullptr);
    }

    void linesOfOneTurnAreWrittenTogether()
    {
        for (int i = 1; i <= 5; ++i)
            QCOMPARE(write(i), PipeWriter::Outcome::Taken);
        QCOMPARE(m_log->writes, QList<QByteArray>{"1\n"_ba});  // the first one does not wait
        QTRY_COMPARE(m_log->writes, (QList<QByteArray>{"1\n"_ba, "2\n3\n4\n5\n"_ba}));
        QCOMPARE(m_writer->queuedBytes(), 0);
    }

    void aNewTurnWritesAtOnceAgain()
    {
        write(1);
        QTimer::singleShot(0, m_writer.get(), [this] { write(2); });
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        QTRY_COMPARE(written(), "1\n2\n"_ba);
        QByteArray atOnce;
        QTimer::singleShot(0, m_writer.get(), [&] {
            write(3);
            atOnce = written();
        });
        QTRY_VERIFY(!atOnce.isEmpty());
        QCOMPARE(atOnce, "1\n2\n3\n"_ba);
    }

    void whatWaitsCanBeWrittenBefore()
    {
        QVERIFY(!m_writer->writeWaiting());
        write(1);
        write(2);
        QVERIFY(m_writer->writeWaiting());
        QCOMPARE(m_log->writes, (QList<QByteArray>{"1\n"_ba, "2\n"_ba}));
        QVERIFY(!m_writer->writeWaiting());
    }

    void manyLinesDoNotWaitForTheTurnToEnd()
    {
        QByteArray expected;
        for (int i = 1; i <= 100; ++i) {
            write(i);
            expected += QByteArray::number(i) + '\n';
        }
        QVERIFY(written().size() > expected.size() / 2);
        QVERIFY(m_log->writes.size() < 20);
        QTRY_COMPARE(written(), expected);
    }

    void aPipeTakesPartOfALine()
    {
        m_log->room = 0;
        for (const int number : {11, 22, 33})
            QCOMPARE(write(number), PipeWriter::Outcome::Taken);
        QCOMPARE(written(), ""_ba);
        for (const qsizetype room : {1, 2, 1, 3, 10}) {
            const qsizetype before = written().size();
            m_log->room = room;
            QTRY_VERIFY(written().size() > before);
        }
        QCOMPARE(written(), "11\n22\n33\n"_ba);
    }

    void closeWritesWhatWaitsForTheTurnToEnd()
    {
        write(1);
        write(2);
        m_writer->close();
        QCOMPARE(written(), "1\n2\n"_ba);
        QVERIFY(m_log->isClosed);
        QCOMPARE(write(3), PipeWriter::Outcome::Closed);
    }

    void tellsWhichRequestsAreLost()
    {
        QList<RequestId> lost;
        connect(m_writer.get(), &PipeWriter::broken, m_writer.get(),
                [&lost](const QList<RequestId> &ids) { lost = ids; });
        m_log->room = 3;
        for (int i = 1; i <= 3; ++i)
            write(i);
        QTRY_COMPARE(written(), "1\n2"_ba);
        m_log->isBroken = true;
        QTRY_COMPARE(lost, (QList<RequestId>{RequestId(2), RequestId(3)}));
        QVERIFY(m_log->isClosed);
    }
};

SONDE_TEST(PipeWriterTest)
#include "tst_pipewriter.moc"
