// The fuzz targets for a while: the same inputs each time, made from good ones by small damage.
// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/targets.h"
#include "tests/support/sessionscript.h"
#include "tests/support/testregistry.h"

#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

using namespace sonde;

class FuzzTest : public QObject {
    Q_OBJECT

private:
    static QByteArray damaged(QByteArray text, const QList<QByteArray> &pieces, QRandomGenerator &random)
    {
        for (int left = 1 + random.bounded(4); left > 0; --left) {
            const qsizetype at = random.bounded(int(text.size()) + 1);
            const qsizetype length = random.bounded(8);
            switch (random.bounded(4)) {
                case 0:
                    text.remove(at, length);
                    break;
                case 1:
                    text.insert(at, pieces.at(random.bounded(int(pieces.size()))));
                    break;
                case 2:
                    text.insert(at, text.mid(random.bounded(int(text.size()) + 1), length));
                    break;
                default:
                    if (at < text.size())
                        text[at] = char(random.bounded(256));
                    break;
            }
        }
        return text;
    }

private Q_SLOTS:
    void filter()
    {
        const QList<QByteArray> seeds{
            "tool == search and ms > 500 and outcome != ok",
            "kind == stderr or (kind == request and not dir == in)",
            "/params/arguments/limit > 1e3 \"a phrase\" 'another\\' one'",
            "method ~ ^(tools|prompts)/ and \"/a~1b/c d\" == none",
            "time > 2026-01-31T14:05:30Z and time < 14:05:30.5 or time >= 0.25",
            "problem == true revision >= 2025-06-18 status != 200 id == \"7\" size <= 10",
        };
        const QList<QByteArray> pieces{"(",
                                       ")",
                                       "not ",
                                       " and ",
                                       " or ",
                                       "\"",
                                       "'",
                                       "\\",
                                       "==",
                                       "~",
                                       "/",
                                       "none",
                                       "null",
                                       "1e999999999",
                                       "-0",
                                       "[",
                                       "(?",
                                       "*",
                                       "+",
                                       "{9}",
                                       "\xC3\xA4",
                                       "\xF0\x9F\x98\x80",
                                       QByteArray(1, '\0'),
                                       "a",
                                       "\n",
                                       "ms",
                                       "outcome",
                                       "!",
                                       "="};
        QRandomGenerator random(1);
        for (const QByteArray &seed : seeds)
            fuzz::filter(seed);
        for (int round = 0; round < 3000; ++round)
            fuzz::filter(damaged(seeds.at(random.bounded(int(seeds.size()))), pieces, random));
    }

    void session()
    {
        QTemporaryDir folder;
        const std::unique_ptr<Session> script =
            Session::create(folder.filePath(QStringLiteral("seed")), QStringLiteral("demo"));
        test::playEverything(*script, true);
        script->finish();
        const QByteArray all = test::readFile(script->path());
        const QList<QByteArray> lines = all.split('\n');
        const QList<QByteArray> pieces{"\\u0061",
                                       "\\/",
                                       "\\",
                                       "\"",
                                       "\",\"red\":[[0,1,\"x\"]]",
                                       ",\"cut\":true",
                                       "{",
                                       "}",
                                       "[",
                                       "]",
                                       "\n",
                                       ",\"re\":4294967295",
                                       "-1",
                                       "99999999999999999999",
                                       "\\ud800",
                                       "\xFF",
                                       QByteArray(1, '\0'),
                                       ",\"b64\":\"AAAA\"",
                                       "\"k\":\"new\""};
        QRandomGenerator random(2);
        fuzz::session(all);
        for (int round = 0; round < 1500; ++round) {
            QByteArray file = lines.first() + '\n';
            for (int left = random.bounded(1, 8); left > 0; --left)
                file += damaged(lines.at(random.bounded(1, int(lines.size()))), pieces, random) + '\n';
            fuzz::session(file);
        }
    }
};

SONDE_TEST(FuzzTest)
#include "tst_fuzz.moc"
