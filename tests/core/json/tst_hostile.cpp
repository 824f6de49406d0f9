// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "core/json/compare.h"
#include "core/json/pointer.h"
#include "core/json/scan.h"
#include "tests/support/testregistry.h"

#include <QRandomGenerator>
#include <QTest>
#include <vector>

using namespace sonde;
using namespace sonde::json;
using namespace Qt::StringLiterals;

namespace {

const QByteArray &sample()
{
    static const QByteArray text =
        QByteArray(
            "{'jsonrpc':'2.0','id':'a\\'b','result':{'content':[{'type':'text','text':'Gr\\u00fc\\ud83d\\ude00ße'},"
            "{'n':[-1.5e+10,0,true,false,null,{}, []]}],'dup':1,'dup':2,'é':'\\\\','deep':[[[[{'x':[1]}]]]]}} ")
            .replace('\'', '"');
    return text;
}

// What must hold of any document, whatever the text.
QByteArray brokenPromise(const Document &document)
{
    const QByteArray &text = document.text();
    qsizetype seen = 0;
    qsizetype last = -1;
    std::vector<Value> open;
    if (document.root().exists())
        open.push_back(document.root());
    while (!open.empty()) {
        const Value value = open.back();
        open.pop_back();
        if (++seen > document.nodeCount())
            return "more values than nodes";
        const QByteArrayView slice = value.slice();
        if (slice.size() > 0 && (slice.begin() < text.constBegin() || slice.end() > text.constEnd()))
            return "a slice beyond the text";
        const QByteArrayView key = value.keySlice();
        if (key.size() > 0 && (key.begin() < text.constBegin() || key.end() > text.constEnd()))
            return "a key beyond the text";
        value.string();
        value.key();
        value.toDouble();
        value.toInteger();
        qsizetype children = 0;
        last = value.offset();
        for (const Value &child : value) {
            if (child.offset() < last || child.offset() + child.slice().size() > value.offset() + slice.size())
                return "children out of place";
            last = child.offset() + child.slice().size();
            ++children;
            open.push_back(child);
        }
        if (children != value.size())
            return "children miscounted";
    }
    if (seen != document.nodeCount())
        return "nodes out of reach";
    bool hasError = false;
    qsizetype offset = 0;
    for (const Finding &finding : document.findings()) {
        hasError = hasError || finding.severity == Finding::Severity::Error;
        if (finding.offset < offset || finding.offset > text.size())
            return "findings out of order";
        offset = finding.offset;
    }
    if (hasError == document.isValid())
        return "valid with errors, or the other way round";
    if (!document.isValid()) {
        indented(document.root());
        return {};
    }
    const Document spread = Document::parse(indented(document.root()));
    const Document dense = Document::parse(compact(document.root()));
    if (!spread.isValid() || !dense.isValid() || !equal(spread.root(), document.root()) ||
        !equal(dense.root(), document.root()))
        return "not the same after writing";
    return {};
}

}  // namespace

// Texts that nobody meant: cut off, flipped, random. No fault may escape, none may break the tree.
class HostileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyTruncation();
    void everyByteChanged();
    void randomBytes();
    void randomTokens();
    void everySplitIsScannedAlike();
};

void HostileTest::everyTruncation()
{
    const QByteArray text = sample().trimmed();
    QVERIFY(Document::parse(text).isValid());
    for (qsizetype length = 0; length < text.size(); ++length) {
        const Document document = Document::parse(text.first(length));
        QVERIFY2(!document.isValid(), text.first(length).constData());
        const QByteArray broken = brokenPromise(document);
        QVERIFY2(broken.isEmpty(), (broken + ": " + text.first(length)).constData());
    }
}

void HostileTest::everyByteChanged()
{
    const QByteArray replacements("\0\"\\{}[],:0x\x80\xC3\xFF \n", 17);
    for (qsizetype at = 0; at < sample().size(); ++at) {
        for (const char c : replacements) {
            QByteArray text = sample();
            text[at] = c;
            const QByteArray broken = brokenPromise(Document::parse(text));
            QVERIFY2(broken.isEmpty(), (broken + ": " + text).constData());
        }
    }
}

void HostileTest::randomBytes()
{
    QRandomGenerator random(20'240'601);
    for (int round = 0; round < 5'000; ++round) {
        QByteArray text(random.bounded(64), '\0');
        for (char &c : text)
            c = char(random.bounded(256));
        const QByteArray broken = brokenPromise(Document::parse(text));
        QVERIFY2(broken.isEmpty(), (broken + ": " + text.toHex()).constData());
    }
}

// Nearly JSON, which gets further into the parser than noise does.
void HostileTest::randomTokens()
{
    static const QByteArrayList tokens = {"{",   "}",    "[",    "]",    ",",   ":",           "\"a\"",    "\"b\"",
                                          "1",   "-0.5", "true", "null", " ",   "\"\\u00",     "\"",       "\\",
                                          "{\"", "\":",  "[[",   "]]",   "tru", "\"\\ud800\"", "\xC3\xA9", "\xFF"};
    QRandomGenerator random(7);
    Limits shallow;
    shallow.maxDepth = 5;
    for (int round = 0; round < 20'000; ++round) {
        QByteArray text;
        for (int i = random.bounded(24); i > 0; --i)
            text += tokens[random.bounded(int(tokens.size()))];
        for (const Limits &limits : {Limits(), shallow}) {
            const QByteArray broken = brokenPromise(Document::parse(text, limits));
            QVERIFY2(broken.isEmpty(), (broken + ": " + text).constData());
        }
    }
}

// The scan of the outermost members agrees with the tree wherever the text is good, and never leaves the text.
void HostileTest::everySplitIsScannedAlike()
{
    QRandomGenerator random(99);
    for (int round = 0; round < 20'000; ++round) {
        QByteArray text = sample();
        if (round > 0) {
            for (int changes = random.bounded(3); changes >= 0; --changes)
                text[random.bounded(int(text.size()))] = "{}[]\",:\\ 1"[random.bounded(10)];
        }
        const Document document = Document::parse(text);
        QByteArrayList fromTree;
        if (document.root().isObject()) {
            for (const Value &member : document.root())
                fromTree.append(member.keySlice().toByteArray() + '=' + member.bytes());
        }
        QByteArrayList fromScan;
        const bool scanned = scanMembers(text, [&](QByteArrayView key, QByteArrayView value) {
            QVERIFY(key.begin() >= text.constBegin() && value.end() <= text.constEnd());
            fromScan.append(key.toByteArray() + '=' + value.toByteArray());
        });
        if (document.isValid() && document.root().isObject()) {
            QVERIFY2(scanned, text.constData());
            QCOMPARE(fromScan, fromTree);
        }
    }
    QVERIFY(!scanMembers("[1]", [](QByteArrayView, QByteArrayView) {}));
    QVERIFY(!scanMembers("{} x", [](QByteArrayView, QByteArrayView) {}));
    QVERIFY(scanMembers(" { } ", [](QByteArrayView, QByteArrayView) {}));
}

SONDE_TEST(HostileTest)
#include "tst_hostile.moc"
