// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/visibletext.h"
#include "tests/support/testregistry.h"

#include <QTest>

using namespace sonde;
using namespace Qt::StringLiterals;

class VisibleTextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void marks_data();
    void marks();
    void leavesHonestTextAlone_data();
    void leavesHonestTextAlone();
    void marksEveryControl();
    void fitsOneLine();
    void marksAcrossPieces();
    void cuts_data();
    void cuts();
};

void VisibleTextTest::marks_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("shown");
    QTest::newRow("terminal escape") << u"a\x1b[31mred"_s << u"a‹ESC›[31mred"_s;
    QTest::newRow("bell and delete") << u"\a\x7f"_s << u"‹BEL›‹DEL›"_s;
    QTest::newRow("NUL") << QString(u"a\0b"_s) << u"a‹NUL›b"_s;
    QTest::newRow("carriage return") << u"safe\revil"_s << u"safe‹CR›evil"_s;
    QTest::newRow("C1") << QString(u"x"_s + QChar(0x9B) + u"31m"_s) << u"x‹U+009B›31m"_s;
    QTest::newRow("override") << QString(u"a"_s + QChar(0x202E) + u'b') << u"a‹U+202E›b"_s;
    QTest::newRow("isolate") << QString(QChar(0x2066) + u"b"_s) << u"‹U+2066›b"_s;
    QTest::newRow("zero width space") << QString(u"a"_s + QChar(0x200B) + u'b') << u"a‹U+200B›b"_s;
    QTest::newRow("byte order mark") << QString(QChar(0xFEFF) + u"b"_s) << u"‹U+FEFF›b"_s;
    QTest::newRow("object replacement") << QString(u"a"_s + QChar(0xFFFC) + u'b') << u"a‹U+FFFC›b"_s;
    QTest::newRow("marks without end") << QString(u"e"_s + QString(10, QChar(0x0301)) + u'b')
                                       << QString(u"e"_s + QString(8, QChar(0x0301)) + u"‹U+0301›‹U+0301›b"_s);
    QTest::newRow("line separator") << QString(u"a"_s + QChar(0x2028) + u'b') << u"a‹U+2028›b"_s;
    QTest::newRow("tags") << QString(u"a"_s + QString::fromUcs4(U"\U000E0041") + u'b') << u"a‹U+E0041›b"_s;
    QTest::newRow("high surrogate") << QString(u"a"_s + QChar(0xD83D) + u"b"_s) << u"a‹U+D83D›b"_s;
    QTest::newRow("low surrogate at the end") << QString(u"a"_s + QChar(0xDE00)) << u"a‹U+DE00›"_s;
    QTest::newRow("stacked variation selectors")
        << QString(u"a"_s + QChar(0xFE00) + QChar(0xFE01)) << QString(u"a"_s + QChar(0xFE00) + u"‹U+FE01›"_s);
}

void VisibleTextTest::marks()
{
    QFETCH(QString, text);
    QFETCH(QString, shown);
    QCOMPARE(visibleText(text), shown);
}

void VisibleTextTest::leavesHonestTextAlone_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("empty") << u""_s;
    QTest::newRow("lines and tabs") << u"a\n\tb\n"_s;
    QTest::newRow("many scripts") << u"Grüße, Ελληνικά, 日本語, العربية, עברית, हिन्दी, ไทย"_s;
    QTest::newRow("emoji") << u"😀👍🏽🇩🇪"_s;
    QTest::newRow("heart with its selector") << QString(u"❤"_s + QChar(0xFE0F));
    QTest::newRow("combining marks") << u"e\u0301"_s;
    QTest::newRow("replacement character") << u"\uFFFD"_s;
    QTest::newRow("no-break space") << u"a\u00A0b"_s;
}

void VisibleTextTest::leavesHonestTextAlone()
{
    QFETCH(QString, text);
    QCOMPARE(visibleText(text), text);
}

// One mark for each, and nothing of the original left.
void VisibleTextTest::marksEveryControl()
{
    QList<char32_t> controls;
    for (char32_t c = 0; c <= 0x9F; ++c) {
        if ((c < 0x20 && c != '\n' && c != '\t') || c >= 0x7F)
            controls.append(c);
    }
    for (char32_t c = 0x200B; c <= 0x200F; ++c)
        controls.append(c);
    for (char32_t c = 0x202A; c <= 0x202E; ++c)
        controls.append(c);
    for (char32_t c = 0x2066; c <= 0x2069; ++c)
        controls.append(c);
    for (char32_t c = 0xE0000; c <= 0xE007F; ++c)
        controls.append(c);
    QVERIFY(controls.size() > 200);
    for (const char32_t c : std::as_const(controls)) {
        const QString hidden = QString::fromUcs4(&c, 1);
        const QString shown = visibleText(u'a' + hidden + u'b');
        QVERIFY2(!shown.contains(hidden), QByteArray::number(c, 16).constData());
        QVERIFY(shown.startsWith(u'a') && shown.endsWith(u'b') && shown.size() >= 3);
    }
}

void VisibleTextTest::fitsOneLine()
{
    QCOMPARE(visibleLine(u"a\n\tb\r\n"_s), u"a‹LF›‹TAB›b‹CR›‹LF›"_s);
    QCOMPARE(visibleLine(QString(1000, u'x')).size(), 300);
    QCOMPARE(visibleLine(u"short"_s, 5), u"short"_s);
}

void VisibleTextTest::marksAcrossPieces()
{
    const QString text = u"e"_s + QString(12, QChar(0x301)) + u"\U0001F600\uFE0F\uFE0F\x1b"_s;
    VisibleTextConverter converter;
    QString shown;
    for (qsizetype at = 0; at < text.size();) {
        const qsizetype size = text.at(at).isHighSurrogate() ? 2 : 1;
        shown += converter.convert(text.mid(at, size));
        at += size;
    }
    QCOMPARE(shown, visibleText(text));
    QVERIFY(shown.contains(u"‹U+301›"_s) || shown.contains(u"‹U+0301›"_s));
}

void VisibleTextTest::cuts_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("length");
    QTest::addColumn<QString>("shown");
    QTest::newRow("fits") << u"abc"_s << 3 << u"abc"_s;
    QTest::newRow("too long") << u"abcd"_s << 3 << u"ab…"_s;
    QTest::newRow("one") << u"abcd"_s << 1 << u"…"_s;
    QTest::newRow("none") << u"abcd"_s << 0 << u""_s;
    QTest::newRow("not through a pair") << u"a😀b"_s << 3 << u"a…"_s;
    QTest::newRow("after a pair") << u"a😀bc"_s << 4 << u"a😀…"_s;
    QTest::newRow("with a mark") << u"a\x1b\x1b\x1b"_s << 8 << u"a‹ESC›‹…"_s;
}

void VisibleTextTest::cuts()
{
    QFETCH(QString, text);
    QFETCH(int, length);
    QFETCH(QString, shown);
    QCOMPARE(visibleText(text, {true, length}), shown);
}

SONDE_TEST(VisibleTextTest)
#include "tst_visibletext.moc"
