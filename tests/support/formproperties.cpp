// SPDX-License-Identifier: Apache-2.0
#include "tests/support/formproperties.h"

#include "core/json/builder.h"
#include "core/schema/schema.h"
#include "tests/support/fallbacks.h"
#include "tests/support/schemaproperties.h"
#include "ui/form/schemaform.h"

using namespace Qt::StringLiterals;

namespace sonde::test {

namespace {

class FormFaults {
public:
    explicit FormFaults(const QByteArray &schema)
        : m_json(json::parse(schema)), m_rules(m_json, schema::Schema::forArguments())
    {
        m_form.resize(560, 800);
        m_form.setSchema(m_json);
        checkFallbacks(u"new"_s);
    }

    void checkValue(const QByteArray &json)
    {
        const json::Value value = json::parse(json);
        const bool isValid = m_rules.isValid(value);
        m_form.setValue(value);
        if (const QByteArray back = m_form.value(); back != json::compact(value))
            add(u"%1 came back as %2"_s.arg(QString::fromUtf8(json), QString::fromUtf8(back)));
        if (isValid)
            checkFallbacks(QString::fromUtf8(json));
        bool hasProblem = false;
        const QList<ui::FormIssue> issues = m_form.issues();
        for (const ui::FormIssue &issue : issues) {
            hasProblem = hasProblem || !issue.isRemark;
            if (issue.message.trimmed().isEmpty() || namesAKeyword(issue.message))
                add(u"not in words: \"%1\" at '%2'"_s.arg(issue.message, issue.place.toString()));
        }
        if (hasProblem == isValid)
            add((isValid ? u"valid, but reported: %1"_s : u"not reported: %1"_s).arg(QString::fromUtf8(json)));
    }

    QStringList take() { return std::move(m_faults); }

private:
    void add(const QString &fault) { m_faults.append(fault); }

    void checkFallbacks(const QString &what)
    {
        const QList<json::Pointer> places = fallbacksOf(m_form);
        for (const json::Pointer &place : places)
            add(u"raw JSON at '%1' (%2)"_s.arg(place.toString(), what));
    }

    const json::Value m_json;
    const schema::Schema m_rules;
    ui::SchemaForm m_form;
    QStringList m_faults;
};

}  // namespace

QStringList faultsOfForm(const QByteArray &schema, const QByteArray &valid, const QByteArrayList &others)
{
    FormFaults faults(schema);
    faults.checkValue(valid);
    for (const QByteArray &other : others)
        faults.checkValue(other);
    return faults.take();
}

}  // namespace sonde::test
