// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/revision.h"
#include "tests/support/testregistry.h"

#include <QTest>

using namespace sonde;
using namespace Qt::StringLiterals;

class RevisionTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void knowsItsNames();
    void ordersWhatIsProposed();
    void knowsWhatExistsSinceWhen_data();
    void knowsWhatExistsSinceWhen();
};

void RevisionTest::knowsItsNames()
{
    for (const char *name : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}) {
        const std::optional<Revision> revision = revisionFromString(QString::fromLatin1(name));
        QVERIFY(revision);
        QCOMPARE(toString(*revision), QString::fromLatin1(name));
    }
    QVERIFY(!revisionFromString(u"2025-11-24"));
    QVERIFY(!revisionFromString(u""));
    QVERIFY(!revisionFromString(u"2025-11-25 "));
}

void RevisionTest::ordersWhatIsProposed()
{
    QStringList names;
    for (const Revision revision : statefulRevisions())
        names.append(toString(revision));
    QCOMPARE(names, (QStringList{u"2025-11-25"_s, u"2025-06-18"_s, u"2025-03-26"_s, u"2024-11-05"_s}));
}

void RevisionTest::knowsWhatExistsSinceWhen_data()
{
    QTest::addColumn<int>("feature");
    QTest::addColumn<QString>("expected");  // one letter for each revision, oldest first
    const auto row = [](const char *name, Feature feature, const QString &expected) {
        QTest::newRow(name) << int(feature) << expected;
    };
    row("batches", Feature::Batches, u"-y---"_s);
    row("session header", Feature::SessionHeader, u"yyyy-"_s);
    row("version header", Feature::ProtocolVersionHeader, u"--yyy"_s);
    row("structured content", Feature::StructuredContent, u"--yyy"_s);
    row("lists in forms", Feature::ListsInForms, u"---yy"_s);
    row("elicitation IDs", Feature::ElicitationIds, u"---y-"_s);
    row("tools in sampling", Feature::ToolsInSampling, u"---yy"_s);
}

void RevisionTest::knowsWhatExistsSinceWhen()
{
    QFETCH(int, feature);
    QFETCH(QString, expected);
    QString found;
    for (const Revision revision :
         {Revision::R20241105, Revision::R20250326, Revision::R20250618, Revision::R20251125, Revision::R20260728})
        found.append(supports(revision, Feature(feature)) ? u'y' : u'-');
    QCOMPARE(found, expected);
}

SONDE_TEST(RevisionTest)
#include "tst_revision.moc"
