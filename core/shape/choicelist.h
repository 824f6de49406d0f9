// The values of an enum and their labels.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/valueindex.h"

#include <QByteArray>
#include <QHash>
#include <QString>
#include <memory>

namespace sonde {

struct Choice {
    QByteArray json;  // exactly as the schema has it
    QString label;
};

// Cheap to copy. JSON and labels are made on request, and lookups do not visit each choice: there may be a hundred
// thousand.
class ChoiceList {
public:
    // No title: the value is its own label, and is left out where it is there already.
    void append(const json::Value &value, const QString &title = {});
    void clear() { m_data.reset(); }

    qsizetype size() const { return m_data ? m_data->values.size() : 0; }
    bool isEmpty() const { return size() == 0; }
    Choice at(qsizetype index) const { return {json(index), label(index)}; }
    Choice constFirst() const { return at(0); }
    json::Value value(qsizetype index) const { return m_data->values.at(index); }
    QByteArray json(qsizetype index) const;
    QString label(qsizetype index) const;
    qsizetype indexOf(const json::Value &value) const;   // -1: none is equal
    qsizetype indexOfLabel(const QString &label) const;  // the first; -1: none has it

private:
    struct Data {
        json::ValueIndex values;
        QHash<qsizetype, QString> titles;
        QHash<QString, qsizetype> byTitle;
    };
    bool isJsonOfAnother(const QString &text) const;

    std::shared_ptr<Data> m_data;
};

}  // namespace sonde
