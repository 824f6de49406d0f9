// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "ui/timeline/calls/timescale.h"
#include "ui/timeline/calls/waterfall.h"

#include <QPainter>
#include <QTest>

using namespace Qt::StringLiterals;

namespace sonde::ui {

constexpr qint64 Ms = 1'000'000;

class TestTimeScale : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void lengthsAreTrue()
    {
        const TimeScale scale = TimeScale::covering({{100 * Ms, 200 * Ms}, {200 * Ms, 500 * Ms}}, {});
        QCOMPARE(scale.at(100 * Ms), 0.0);
        QCOMPARE(scale.at(0), 0.0);
        QCOMPARE(scale.at(200 * Ms), 0.25);
        QCOMPARE(scale.at(500 * Ms), 1.0);
        QCOMPARE(scale.at(9000 * Ms), 1.0);
        QVERIFY(scale.pauses().empty());
    }

    void pausesAreShortened()
    {
        const TimeScale scale = TimeScale::covering({{3600000 * Ms, 3600100 * Ms}, {0, 100 * Ms}}, {});
        QCOMPARE(scale.pauses().size(), size_t(1));
        const double first = scale.at(100 * Ms);
        const double second = scale.at(3600100 * Ms) - scale.at(3600000 * Ms);
        QVERIFY(qAbs(first - second) < 1e-9 && first > 0.15);
        QVERIFY(scale.at(3600000 * Ms) - first < first / 2);
        QVERIFY(scale.pauses()[0] > first && scale.pauses()[0] < scale.at(3600000 * Ms));
        QVERIFY(scale.at(1800000 * Ms) > first);  // still in order
    }

    // With only some calls in sight there may be one after each.
    void pausesDoNotHatch()
    {
        std::vector<TimeSpan> spans;
        for (qint64 i = 0; i < 40; ++i)
            spans.push_back({i * 10'000 * Ms, (i * 10'000 + 1) * Ms});
        const TimeScale scale = TimeScale::covering(spans, {});
        QCOMPARE(scale.pauses().size(), size_t(39));
        QImage image(160, 4, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        paintPauses(&painter, image.rect(), scale);
        painter.end();
        int last = -Grid;
        for (int x = 0; x < image.width(); ++x) {
            bool isDrawn = false;
            for (int y = 0; y < image.height(); ++y)
                isDrawn = isDrawn || image.pixelColor(x, y) != QColor(Qt::white);
            if (!isDrawn)
                continue;
            QVERIFY2(x - last >= Grid, qPrintable(u"%1 %2"_s.arg(last).arg(x)));
            last = x;
        }
        QVERIFY(last > 0);
    }

    void shortPausesStay()
    {
        const TimeScale scale = TimeScale::covering({{0, 100 * Ms}, {105 * Ms, 200 * Ms}}, {});
        QVERIFY(scale.pauses().empty());
        QCOMPARE(scale.at(105 * Ms), 105.0 / 200);
    }

    void lengthStaysWhileItFits()
    {
        const TimeScale wide = TimeScale::covering({{0, 900 * Ms}}, {});
        const TimeScale less = TimeScale::covering({{50 * Ms, 650 * Ms}}, wide);
        QCOMPARE(less.ticks(5), wide.ticks(5));
        QCOMPARE(less.at(650 * Ms) - less.at(50 * Ms), 0.6);
        const TimeScale little = TimeScale::covering({{0, 20 * Ms}}, less);
        QVERIFY(little.at(20 * Ms) > 0.3);
        const TimeScale more = TimeScale::covering({{0, 1500 * Ms}}, little);
        QVERIFY(more.at(1500 * Ms) > 0.3 && more.at(1500 * Ms) <= 1.0);
    }

    void ticksAreRound_data()
    {
        QTest::addColumn<qint64>("lengthNs");
        QTest::addColumn<QStringList>("texts");
        QTest::newRow("seconds") << 7600 * Ms << QStringList{u"0 s"_s, u"2 s"_s, u"4 s"_s, u"6 s"_s};
        QTest::newRow("halves") << 1700 * Ms << QStringList{u"0 s"_s, u"0.5 s"_s, u"1 s"_s, u"1.5 s"_s};
        QTest::newRow("milliseconds") << 180 * Ms << QStringList{u"0 s"_s, u"50 ms"_s, u"100 ms"_s, u"150 ms"_s};
        QTest::newRow("hardly anything") << qint64(1000) << QStringList{u"0 s"_s, u"0.5 ms"_s};
    }

    void ticksAreRound()
    {
        QFETCH(qint64, lengthNs);
        QFETCH(QStringList, texts);
        const TimeScale scale = TimeScale::covering({{0, lengthNs}}, {});
        QStringList found;
        double last = -1;
        for (const TimeScale::Tick &tick : scale.ticks(4)) {
            QVERIFY(tick.at > last && tick.at < 1);
            last = tick.at;
            found.append(tick.text);
        }
        QCOMPARE(found, texts);
    }

    void nothingIsNothing()
    {
        const TimeScale scale = TimeScale::covering({}, {});
        QVERIFY(scale.isEmpty() && scale.ticks(4).empty());
        QCOMPARE(scale.at(5), 0.0);
        const TimeScale moments = TimeScale::covering({{5, 5}, {5, 5}}, scale);
        QVERIFY(!moments.isEmpty());
        QCOMPARE(moments.at(5), 0.0);
    }
};

}  // namespace sonde::ui

using TestTimeScale = sonde::ui::TestTimeScale;
SONDE_TEST(TestTimeScale)
#include "tst_timescale.moc"
