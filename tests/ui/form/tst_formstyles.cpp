// The same tools as different libraries describe them: none is drawn raw, nothing valid is refused, and nothing that is
// not valid goes unreported.
// SPDX-License-Identifier: Apache-2.0
#include "core/schema/schema.h"
#include "tests/support/formproperties.h"
#include "tests/support/schemaproperties.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QFile>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;

class TestFormStyles : public QObject {
    Q_OBJECT

    static inline const QString Folder = QStringLiteral(SONDE_SOURCE_DIR "/tests/data/tools/");

private Q_SLOTS:
    void tools_data()
    {
        QTest::addColumn<QString>("path");
        const QStringList files = QDir(Folder).entryList({u"*.json"_s}, QDir::Files);
        QVERIFY(files.size() >= 7);
        for (const QString &file : files)
            QTest::newRow(qPrintable(file.chopped(5))) << Folder + file;
    }

    void tools()
    {
        QFETCH(QString, path);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const json::Value root = json::parse(file.readAll());
        int count = 0;
        QStringList faults;
        for (const json::Value &tool : root[u"tools"]) {
            ++count;
            const QByteArray schema = tool[u"inputSchema"].bytes();
            const schema::Schema rules(tool[u"inputSchema"], schema::Schema::forArguments());
            QStringList found;
            QByteArrayList values;
            for (const json::Value &value : tool[u"valid"]) {
                values.append(value.bytes());
                if (!rules.isValid(value))
                    found.append(u"refused: "_s + QString::fromUtf8(value.bytes()));
            }
            for (const json::Value &value : tool[u"invalid"]) {
                values.append(value.bytes());
                if (rules.isValid(value))
                    found.append(u"not reported: "_s + QString::fromUtf8(value.bytes()));
            }
            QVERIFY(values.size() > 2);
            found += test::faultsOfSchema(schema, values.constFirst(), values.mid(1)) +
                     test::faultsOfForm(schema, values.constFirst(), values.mid(1));
            for (const QString &fault : std::as_const(found))
                faults.append(u"%1: %2"_s.arg(tool[u"name"].string(), fault));
        }
        QVERIFY(count >= 20);
        QVERIFY2(faults.isEmpty(), qPrintable(u"\n    "_s + faults.join(u"\n    "_s)));
    }
};

SONDE_TEST(TestFormStyles)
#include "tst_formstyles.moc"
