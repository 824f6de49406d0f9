// Random schemas of tools, each with arguments that it admits.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QByteArrayList>
#include <QList>
#include <QRandomGenerator>
#include <utility>

namespace sonde::test {

// The same seed makes the same schema on every machine. All keywords occur that a form treats specially, in the manner
// of 2020-12 or of draft-07, also those of OpenAPI. What is made can always be drawn, and can always be filled in.
class SchemaGenerator {
public:
    struct Made {
        QByteArray schema;
        QByteArray value;  // valid
    };

    explicit SchemaGenerator(quint32 seed) : m_random(seed) {}
    Made tool();
    QByteArrayList mutations(const QByteArray &value);  // some of them, each with something changed

private:
    using Members = QList<std::pair<QByteArray, QByteArray>>;  // names and JSON

    int below(int limit) { return int(m_random.bounded(limit)); }
    bool chance(int percent) { return below(100) < percent; }
    QByteArray word();
    QByteArray newName();

    Made any(int depth);
    Made text();
    Made patternText();
    Made number();
    Made choice();
    Made titledChoice();
    Made constant();
    Made nullable(int depth);
    Made list(int depth);
    Made tuple(int depth);
    Made object(int depth);
    Made map(int depth);
    Made alternatives(int depth);
    Made condition(int depth);
    Made dependent(int depth);
    Made alternative(int depth);
    Made tagged(int depth);
    Made reference(int depth);
    Made recursive();
    Made combined(int depth);
    Made withUnionBeside(int depth);
    Made typeList();
    Made anything();
    Made pointedAt(int depth);

    QByteArray mutated(const QByteArray &value);
    QByteArray define(const QByteArray &name, const QByteArray &schema);  // the reference to it
    Made annotated(const Made &made);

    QRandomGenerator m_random;
    bool m_isDraft7 = false;
    Members m_definitions;
    int m_names = 0;
    QByteArrayList m_usedNames;
};

}  // namespace sonde::test
