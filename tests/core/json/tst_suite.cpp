// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "core/json/compare.h"
#include "core/json/document.h"
#include "tests/support/files.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QTest>

using namespace sonde;
using namespace Qt::StringLiterals;

namespace {

// JSONTestSuite leaves these to the parser. Numbers of any size are grammar, not arithmetic, and a lone surrogate
// escape is grammar too (RFC 8259 section 8.2 only warns); bytes that are not UTF-8 break section 8.1, and so does a
// byte order mark in front.
struct Expected {
    bool valid;
    int warnings;
};

const QHash<QString, Expected> &implementationDefined()
{
    static const QHash<QString, Expected> table = {
        // Any number that fits the grammar is kept as its text, with a warning where no double or integer holds it.
        {u"i_number_double_huge_neg_exp"_s, {true, 1}},
        {u"i_number_huge_exp"_s, {true, 1}},
        {u"i_number_neg_int_huge_exp"_s, {true, 1}},
        {u"i_number_pos_double_huge_exp"_s, {true, 1}},
        {u"i_number_real_neg_overflow"_s, {true, 1}},
        {u"i_number_real_pos_overflow"_s, {true, 1}},
        {u"i_number_real_underflow"_s, {true, 1}},
        {u"i_number_too_big_neg_int"_s, {true, 1}},
        {u"i_number_too_big_pos_int"_s, {true, 1}},
        {u"i_number_very_big_negative_int"_s, {true, 1}},
        // Surrogates without a partner, as escapes: legal, and a warning each.
        {u"i_object_key_lone_2nd_surrogate"_s, {true, 1}},
        {u"i_string_1st_surrogate_but_2nd_missing"_s, {true, 1}},
        {u"i_string_1st_valid_surrogate_2nd_invalid"_s, {true, 1}},
        {u"i_string_incomplete_surrogate_and_escape_valid"_s, {true, 1}},
        {u"i_string_incomplete_surrogate_pair"_s, {true, 1}},
        {u"i_string_incomplete_surrogates_escape_valid"_s, {true, 2}},
        {u"i_string_invalid_lonely_surrogate"_s, {true, 1}},
        {u"i_string_invalid_surrogate"_s, {true, 1}},
        {u"i_string_inverted_surrogates_U+1D11E"_s, {true, 2}},
        {u"i_string_lone_second_surrogate"_s, {true, 1}},
        // Not UTF-8.
        {u"i_string_UTF-16LE_with_BOM"_s, {false, 0}},
        {u"i_string_UTF-8_invalid_sequence"_s, {false, 0}},
        {u"i_string_UTF8_surrogate_U+D800"_s, {false, 0}},
        {u"i_string_invalid_utf-8"_s, {false, 0}},
        {u"i_string_iso_latin_1"_s, {false, 0}},
        {u"i_string_lone_utf8_continuation_byte"_s, {false, 0}},
        {u"i_string_not_in_unicode_range"_s, {false, 0}},
        {u"i_string_overlong_sequence_2_bytes"_s, {false, 0}},
        {u"i_string_overlong_sequence_6_bytes"_s, {false, 0}},
        {u"i_string_overlong_sequence_6_bytes_null"_s, {false, 0}},
        {u"i_string_truncated-utf-8"_s, {false, 0}},
        {u"i_string_utf16BE_no_BOM"_s, {false, 0}},
        {u"i_string_utf16LE_no_BOM"_s, {false, 0}},
        // Within the depth limit.
        {u"i_structure_500_nested_arrays"_s, {true, 0}},
        // A byte order mark: not to be sent, and pointed out.
        {u"i_structure_UTF-8_BOM_empty_object"_s, {false, 0}},
    };
    return table;
}

}  // namespace

// Every file of JSONTestSuite: y_ must be accepted, n_ refused, i_ as the table above says.
class SuiteTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void file_data();
    void file();
};

void SuiteTest::file_data()
{
    const QDir folder(QStringLiteral(SONDE_SOURCE_DIR "/../shared/suites/JSONTestSuite/test_parsing"));
    if (!folder.exists())
        QSKIP("JSONTestSuite is not at hand");
    QTest::addColumn<QString>("path");
    const QStringList names = folder.entryList({u"*.json"_s}, QDir::Files, QDir::Name);
    QCOMPARE(names.size(), 318);
    for (const QString &name : names)
        QTest::newRow(name.toUtf8().constData()) << folder.filePath(name);
}

void SuiteTest::file()
{
    QFETCH(QString, path);
    const json::Document document = json::Document::parse(test::readFile(path));
    const QString name = QFileInfo(path).completeBaseName();

    bool valid = name.startsWith(u"y_");
    if (name.startsWith(u"i_")) {
        QVERIFY2(implementationDefined().contains(name), "not in the table");
        const Expected expected = implementationDefined().value(name);
        valid = expected.valid;
        if (valid)
            QCOMPARE(document.findings().size(), expected.warnings);
    }
    QCOMPARE(document.isValid(), valid);
    for (const json::Finding &finding : document.findings()) {
        QVERIFY(finding.offset >= 0 && finding.offset <= document.text().size());
        QVERIFY(!finding.reason.isEmpty());
    }
    if (valid) {
        QVERIFY(document.root().exists());
        const json::Document again = json::Document::parse(json::indented(document.root()));
        QVERIFY(again.isValid());
        QVERIFY(json::equal(document.root(), again.root()));
    }
}

SONDE_TEST(SuiteTest)
#include "tst_suite.moc"
