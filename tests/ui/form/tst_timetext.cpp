// What a calendar and a clock make of a date or a time that was typed.
// SPDX-License-Identifier: Apache-2.0
#include "ui/form/timetext.h"

#include "core/schema/formats.h"
#include "tests/support/testregistry.h"

#include <QTest>

#include <ctime>

using namespace Qt::StringLiterals;
using sonde::ui::TimeText;

class TestTimeText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Rules of its own: the tests need no time zones to be installed.
    void initTestCase()
    {
        m_zone = qgetenv("TZ");
        qputenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3");
        ::tzset();
    }
    void cleanupTestCase()
    {
        if (m_zone.isEmpty())
            qunsetenv("TZ");
        else
            qputenv("TZ", m_zone);
        ::tzset();
    }

    void keepsWhatWasTyped_data()
    {
        QTest::addColumn<QString>("format");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("date");  // empty: the one that is shown
        QTest::addColumn<QString>("time");
        QTest::addColumn<QString>("picked");
        QTest::newRow("date") << u"date"_s << u"2026-01-31"_s << u"2027-02-28"_s << QString() << u"2027-02-28"_s;
        QTest::newRow("date, from words")
            << u"date"_s << u"tomorrow"_s << u"2027-02-28"_s << QString() << u"2027-02-28"_s;
        QTest::newRow("date, from the year 1")
            << u"date"_s << u"0001-01-01"_s << u"0001-01-02"_s << QString() << u"0001-01-02"_s;
        QTest::newRow("another date: fractions and offset stay")
            << u"date-time"_s << u"2026-01-31T12:34:56.789012-03:30"_s << u"2026-07-01"_s << QString()
            << u"2026-07-01T12:34:56.789012-03:30"_s;
        QTest::newRow("another date: a leap second stays")
            << u"date-time"_s << u"2016-12-31T23:59:60Z"_s << u"2015-06-30"_s << QString() << u"2015-06-30T23:59:60Z"_s;
        QTest::newRow("another date: small letters stay")
            << u"date-time"_s << u"2026-01-31t01:02:03z"_s << u"2026-02-01"_s << QString() << u"2026-02-01t01:02:03z"_s;
        QTest::newRow("another time: fractions go")
            << u"date-time"_s << u"2026-01-31T12:34:56.7Z"_s << QString() << u"12:35:00"_s << u"2026-01-31T12:35:00Z"_s;
        QTest::newRow("no offset, winter") << u"date-time"_s << u"2026-01-31T12:00:00"_s << u"2026-01-30"_s << QString()
                                           << u"2026-01-30T12:00:00+01:00"_s;
        QTest::newRow("no offset, summer") << u"date-time"_s << u"2026-01-31T12:00:00"_s << u"2026-07-30"_s << QString()
                                           << u"2026-07-30T12:00:00+02:00"_s;
        QTest::newRow("no seconds, a space") << u"date-time"_s << u"2026-01-31 9:00"_s << u"2026-01-30"_s
                                             << u"09:00:00"_s << u"2026-01-30T09:00:00+01:00"_s;
        QTest::newRow("no seconds") << u"date-time"_s << u"2026-01-31 09:00Z"_s << u"2026-01-30"_s << QString()
                                    << u"2026-01-30T09:00:00Z"_s;
        QTest::newRow("only a date") << u"date-time"_s << u"2026-01-31"_s << QString() << u"09:00:00"_s
                                     << u"2026-01-31T09:00:00+01:00"_s;
        QTest::newRow("time") << u"time"_s << u"12:34:56.5+05:30"_s << QString() << u"12:34:56"_s
                              << u"12:34:56.5+05:30"_s;
        QTest::newRow("another time of day")
            << u"time"_s << u"12:34:56.5+05:30"_s << QString() << u"01:00:00"_s << u"01:00:00+05:30"_s;
        QTest::newRow("what is no time") << u"time"_s << u"25:00:00Z"_s << QString() << u"01:00:00"_s << u"01:00:00Z"_s;
    }
    void keepsWhatWasTyped()
    {
        QFETCH(QString, format);
        QFETCH(QString, typed);
        QFETCH(QString, date);
        QFETCH(QString, time);
        QFETCH(QString, picked);
        const TimeText::Kind kind = TimeText::kindOf(format).value();
        const TimeText text = TimeText::fromText(kind, typed);
        const QDate newDate = date.isEmpty() ? text.date : QDate::fromString(date, Qt::ISODate);
        const QTime newTime = time.isEmpty() ? text.time : QTime::fromString(time, u"HH:mm:ss"_s);
        QCOMPARE(text.picked(kind, newDate, newTime), picked);
        QCOMPARE(sonde::schema::isOfFormat(format, picked), true);
    }

    void nowIsAtTheOffsetOfTheText()
    {
        const TimeText there = TimeText::fromText(TimeText::Kind::Time, u"00:00:00-08:00"_s);
        QCOMPARE(there.now().offsetFromUtc(), -8 * 3600);
        QVERIFY(qAbs(there.now().secsTo(QDateTime::currentDateTimeUtc())) < 60);
    }

private:
    QByteArray m_zone;
};

SONDE_TEST(TestTimeText)
#include "tst_timetext.moc"
