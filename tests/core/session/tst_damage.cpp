// Files that were cut, flipped, mixed up or never were sessions.
// SPDX-License-Identifier: Apache-2.0
#include "core/session/recordline.h"
#include "tests/support/sessionscript.h"
#include "tests/support/testregistry.h"

#include <QFile>
#include <QRandomGenerator>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

using namespace sonde;
using namespace sonde::test;

class DamageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        const std::unique_ptr<Session> session =
            Session::create(m_dir.filePath(QStringLiteral("whole")), QStringLiteral("demo"));
        playLittle(*session);
        session->finish();
        m_bytes = readFile(session->path());
        for (qsizetype row = 0; row < session->size(); ++row)
            m_contents.append(contentOf(*session, row));
        m_known = QSet<QByteArray>(m_contents.cbegin(), m_contents.cend());
        qsizetype start = 0;
        for (qsizetype end = m_bytes.indexOf('\n'); end >= 0; end = m_bytes.indexOf('\n', start)) {
            m_lines.append(m_bytes.mid(start, end + 1 - start));
            start = end + 1;
        }
        QCOMPARE(m_lines.size(), m_contents.size() + 1);
    }

    void everyTruncation()
    {
        for (qsizetype length = m_bytes.size(); length >= 0; --length) {
            const auto session = reopen(m_bytes.first(length));
            if (length < 14) {
                QVERIFY2(!session, qPrintable(QString::number(length)));
                continue;
            }
            QVERIFY(session);
            qsizetype end = m_lines.first().size();
            qsizetype whole = 0;
            bool isCut = length < end - 1;
            for (qsizetype i = 1; i < m_lines.size() && end < length; ++i) {
                end += m_lines.at(i).size();
                // Only its newline is missing: the checksum vouches for the rest.
                if (end - 1 <= length)
                    ++whole;
                else
                    isCut = true;
            }
            QCOMPARE((*session)->size(), whole);
            QCOMPARE((*session)->damage().size(), isCut ? 1 : 0);
            for (qsizetype row = 0; row < whole; ++row)
                QCOMPARE(contentOf(**session, row), m_contents.at(row));
        }
    }

    void everySingleBit()
    {
        const QString path = m_dir.filePath(QStringLiteral("flipped"));
        writeFile(path, m_bytes);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadWrite | QIODevice::Unbuffered));
        const auto put = [&file](qsizetype at, char byte) { return file.seek(at) && file.putChar(byte); };
        qsizetype refused = 0;
        for (qsizetype bit = 0; bit < m_bytes.size() * 8; ++bit) {
            const char original = m_bytes.at(bit / 8);
            QVERIFY(put(bit / 8, char(original ^ (1 << (bit % 8)))));
            const auto session = Session::open(path);
            QVERIFY(put(bit / 8, original));
            if (!session) {
                ++refused;
                continue;
            }
            // A flipped newline costs the records on both of its sides.
            if ((*session)->size() < m_contents.size() - 2)
                QFAIL(qPrintable(QStringLiteral("bit %1 costs too much").arg(bit)));
            for (qsizetype row = 0; row < (*session)->size(); ++row) {
                if (!m_known.contains(contentOf(**session, row)))
                    QFAIL(qPrintable(QStringLiteral("bit %1 altered row %2").arg(bit).arg(row)));
            }
            const bool isListed = !(*session)->damage().isEmpty();
            const bool isHarmless = (*session)->size() == m_contents.size();  // upper case in a checksum
            if (!isListed && !isHarmless)
                QFAIL(qPrintable(QStringLiteral("bit %1 goes unnoticed").arg(bit)));
        }
        QVERIFY(refused <= 14 * 8);  // only where the file says what it is
    }

    void blocks_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<int>("rows");
        QTest::addColumn<QString>("reason");
        const qsizetype all = m_contents.size();
        const auto join = [this](QList<int> order) {
            QByteArray bytes = m_lines.first();
            for (const int line : order)
                bytes += m_lines.at(line);
            return bytes;
        };
        const QByteArray zeros(m_lines.at(3).size(), '\0');
        QTest::addRow("zeroed") << m_bytes.first(m_bytes.indexOf(m_lines.at(3))) + zeros +
                                       m_bytes.mid(m_bytes.indexOf(m_lines.at(4)))
                                << int(all - 2) << QStringLiteral("The record is damaged.");
        QTest::addRow("removed") << join({1, 2, 3, 7, 8, 9, 10}) << int(all - 3)
                                 << QStringLiteral("Records 4 to 6 are missing.");
        QTest::addRow("one removed") << join({2, 3, 4, 5, 6, 7, 8, 9, 10}) << int(all - 1)
                                     << QStringLiteral("Record 1 is missing.");
        QTest::addRow("doubled") << join({1, 2, 3, 4, 2, 3, 4, 5, 6, 7, 8, 9, 10}) << int(all)
                                 << QStringLiteral("Duplicate record.");
        QTest::addRow("swapped") << join({1, 2, 6, 7, 8, 3, 4, 5, 9, 10}) << int(all)
                                 << QStringLiteral("From here on records are not in their order.");
        QTest::addRow("torn, then closed") << m_bytes.chopped(10) + '\n'
                                           << int(all - 1) << QStringLiteral("The record is damaged.");
        QTest::addRow("garbage in between")
            << m_lines.first() + "no record\n\n" + join({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}).mid(m_lines.first().size())
            << int(all) << QStringLiteral("The record is damaged.");
    }

    void blocks()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(int, rows);
        QFETCH(QString, reason);
        const auto session = reopen(bytes);
        QVERIFY(session);
        QCOMPARE((*session)->size(), rows);
        bool isListed = false;
        for (const DamagedRange &range : (*session)->damage())
            isListed = isListed || range.reason == reason;
        QVERIFY2(isListed,
                 (*session)->damage().isEmpty() ? "nothing" : qPrintable((*session)->damage().first().reason));
        qint64 before = -1;
        for (qsizetype row = 0; row < (*session)->size(); ++row) {
            QVERIFY(m_known.contains(contentOf(**session, row)));
            QVERIFY((*session)->at(row).timeNs >= before);  // in the order of the numbers
            before = (*session)->at(row).timeNs;
        }
    }

    // Blocks anywhere, of any length, in a file with every kind of record.
    void anyBlocks()
    {
        const std::unique_ptr<Session> whole =
            Session::create(m_dir.filePath(QStringLiteral("every")), QStringLiteral("demo"));
        playEverything(*whole, true);
        whole->finish();
        const QByteArray bytes = readFile(whole->path());
        QList<QByteArray> contents;
        QSet<WireEvent::Kind> kinds;
        for (qsizetype row = 0; row < whole->size(); ++row) {
            contents.append(contentOf(*whole, row));
            kinds.insert(whole->at(row).kind);
        }
        QCOMPARE(kinds.size(), int(WireEvent::Kind::End));  // the one that is missing is never written
        const QSet<QByteArray> known(contents.cbegin(), contents.cend());
        QCOMPARE(known.size(), contents.size());

        QRandomGenerator random(20251125);
        qsizetype lost = 0;
        int refused = 0;
        for (int i = 0; i < 1000; ++i) {
            const QByteArray damaged = withDamage(bytes, i % 4, random);
            const auto session = reopen(damaged);
            const QByteArray name = QByteArrayLiteral("damage ") + QByteArray::number(i);
            if (!session) {
                QVERIFY2(damaged.first(14) != bytes.first(14), name.constData());
                ++refused;
                continue;
            }
            const Session &left = **session;
            QSet<QByteArray> seen;
            qint64 before = -1;
            for (qsizetype row = 0; row < left.size(); ++row) {
                const QByteArray content = contentOf(left, row);
                QVERIFY2(known.contains(content) && !seen.contains(content), name.constData());
                // In the order in which they happened, wherever they stand.
                const qint64 at = contents.indexOf(content);
                QVERIFY2(at > before, name.constData());
                before = at;
                seen.insert(content);
                (void)describe(left, row);
            }
            // A line that the damage has not touched is not lost.
            for (qsizetype row = 0; row < whole->size(); ++row) {
                const RecordInfo &info = whole->at(row);
                const QByteArray line = bytes.mid(info.fileOffset, info.lineLength);
                if (damaged.contains('\n' + line))
                    QVERIFY2(seen.contains(contents.at(row)), name.constData());
                else
                    ++lost;
            }
            QVERIFY2(damaged == bytes || !left.damage().isEmpty(), name.constData());
        }
        qInfo("%lld records lost, %d files refused", qlonglong(lost), refused);
        QVERIFY(lost > 1000 && refused < 200);
    }

    void linksSurviveDamage()
    {
        // The first exchange stands in lines 2 and 3, the second one in lines 5 and 7.
        QByteArray bytes = m_lines.at(0) + m_lines.at(1) + "?\n";
        for (qsizetype i = 3; i < m_lines.size(); ++i)
            bytes += m_lines.at(i);
        const auto session = reopen(bytes);
        QVERIFY(session);
        QCOMPARE((*session)->partnerOf(1), -1);  // its request is gone
        QCOMPARE((*session)->at(3).kind, WireEvent::Kind::Message);
        QCOMPARE((*session)->partnerOf(3), 5);
        QCOMPARE((*session)->partnerOf(5), 3);
        QCOMPARE((*session)->at(3).outcome, RowOutcome::ToolError);
    }

    void changedAfterwards()
    {
        const auto session = reopen(m_bytes);
        QVERIFY(session);
        QByteArray bytes = m_bytes;
        bytes.replace("echo", "evil");
        writeFile(m_dir.filePath(QStringLiteral("damaged")), bytes);
        QCOMPARE((*session)->bytes(4), QByteArray());  // rather than what it never was
    }

    void noSessions_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addRow("empty") << QByteArray();
        QTest::addRow("text") << QByteArray("hello\n");
        QTest::addRow("json") << QByteArray("{\"a\":1}\n");
        QTest::addRow("binary") << QByteArray(100'000, '\xFF');
        QByteArray newer = R"({"mcpsession":2,"minor":0,"created":"2030-01-01T00:00:00.000Z")";
        appendChecksum(newer, 0);
        QTest::addRow("newer") << newer + '\n';
    }

    void noSessions()
    {
        QFETCH(QByteArray, bytes);
        const auto session = reopen(bytes);
        QVERIFY(!session);
        QVERIFY(!session.error().message.isEmpty());
    }

    void notEvenFiles()
    {
        QVERIFY(!Session::open(m_dir.filePath(QStringLiteral("missing"))));
        QVERIFY(!Session::open(m_dir.path()));
        QVERIFY(!Session::open(QStringLiteral("/dev/zero")));
    }

    void laterMinorVersions()
    {
        QByteArray header = R"({"mcpsession":1,"minor":7,"new":[],"server":"s","created":"2030-01-01T00:00:00.000Z")";
        appendChecksum(header, 0);
        QByteArray unknownKind = R"({"n":2,"t":5,"w":6,"c":1,"d":"<","k":"thought","len":1,"nl":0,"raw":"x")";
        appendChecksum(unknownKind, 0);
        QByteArray unknownKey = R"({"n":3,"t":5,"w":6,"c":1,"d":"<","k":"junk","why":{"raw":"no"},"len":1,"raw":"x")";
        appendChecksum(unknownKey, 0);
        QByteArray first = R"({"n":1,"t":5,"w":6,"c":1,"d":">","k":"junk","raw":"y")";
        appendChecksum(first, 0);
        const auto session = reopen(header + '\n' + first + '\n' + unknownKind + '\n' + unknownKey + '\n');
        QVERIFY(session);
        QVERIFY((*session)->damage().isEmpty());
        QCOMPARE((*session)->serverName(), QStringLiteral("s"));
        QCOMPARE((*session)->size(), 2);
        QCOMPARE((*session)->bytes(0), QByteArray("y"));
        QCOMPARE((*session)->at(0).wireLength, 1);
        QCOMPARE((*session)->bytes(1), QByteArray("x"));
    }

private:
    // A block zeroed, two swapped, one there twice, one in the place of another.
    static QByteArray withDamage(QByteArray bytes, int how, QRandomGenerator &random)
    {
        const qsizetype size = bytes.size();
        const qsizetype length = qsizetype(1) << random.bounded(13);
        const auto anywhere = [&random](qsizetype end) { return qsizetype(random.bounded(qint64(end + 1))); };
        const qsizetype longest = qMin(length, size / 2);
        const qsizetype first = anywhere(size - 2 * longest);
        const qsizetype second = first + longest + anywhere(size - first - 2 * longest);
        const QByteArray left = bytes.mid(first, longest);
        const QByteArray right = bytes.mid(second, longest);
        switch (how) {
            case 0:
                return bytes.replace(first, longest, QByteArray(longest, '\0'));
            case 1:
                return bytes.replace(second, longest, left).replace(first, longest, right);
            case 2:
                return bytes.insert(second, left);
            default:
                return bytes.replace(second, longest, left);
        }
    }

    Result<std::unique_ptr<Session>> reopen(const QByteArray &bytes)
    {
        const QString path = m_dir.filePath(QStringLiteral("damaged"));
        writeFile(path, bytes);
        return Session::open(path);
    }

    QTemporaryDir m_dir;
    QByteArray m_bytes;
    QList<QByteArray> m_lines;
    QList<QByteArray> m_contents;
    QSet<QByteArray> m_known;
};

SONDE_TEST(DamageTest)

#include "tst_damage.moc"
