// Generated schemas: an example of each is valid, and what is said of it is in words. form-probe does the same with
// forms, and with as many schemas as one likes.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/schemagenerator.h"
#include "tests/support/schemaproperties.h"
#include "tests/support/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;

class TestGenerated : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void schemasCanBeFilledIn()
    {
        bool isNumber = false;
        const int given = qEnvironmentVariableIntValue("SONDE_SCHEMAS", &isNumber);
        const int count = isNumber ? given : 300;
        int faults = 0;
        for (int seed = 1; seed <= count; ++seed) {
            test::SchemaGenerator generator{quint32(seed)};
            const test::SchemaGenerator::Made made = generator.tool();
            const QByteArrayList others = generator.mutations(made.value);
            const QStringList found = test::faultsOfSchema(made.schema, made.value, others);
            if (found.isEmpty())
                continue;
            ++faults;
            qWarning("seed %d: %s\n  %s", seed, qPrintable(found.join(u"\n  "_s)), made.schema.constData());
        }
        QCOMPARE(faults, 0);
    }
};

SONDE_TEST(TestGenerated)
#include "tst_generated.moc"
