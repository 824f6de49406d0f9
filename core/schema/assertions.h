// The keywords that assert something about the value itself.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schema/keywords.h"
#include "core/schema/patterns.h"
#include "core/schema/registry.h"
#include "core/schema/report.h"

namespace sonde::schema {

// In one run of a schema. What fails goes to the report.
class Assertions {
public:
    Assertions(const Registry &registry, bool admitsNullable, Patterns &patterns, Report &report)
        : m_registry(registry), m_admitsNullable(admitsNullable), m_patterns(patterns), m_report(report)
    {}

    // value: of the keyword. keywords: all of that schema.
    Verdict check(Keyword keyword, const json::Value &value, const json::Value &instance, const Keywords &keywords);
    // "format", "contentEncoding" and "contentMediaType"; what does not hold is only a remark unless asserted.
    Verdict checkAnnotation(Keyword keyword, const json::Value &value, const json::Value &instance,
                            const Keywords &keywords, bool isAsserted);
    Verdict checkRequired(const json::Value &names, const json::Value &instance);
    // Nothing when it cannot be said; that was reported then.
    std::optional<bool> matches(const json::Value &pattern, const QString &patternText, const QString &text);

private:
    Verdict checkType(const json::Value &value, const json::Value &instance, const Keywords &keywords);
    Verdict checkEnum(const json::Value &values, const json::Value &instance);
    Verdict checkNumber(Keyword keyword, const json::Value &value, const json::Value &instance,
                        const Keywords &keywords);
    Verdict checkMultiple(const json::Value &value, const json::Value &instance);
    Verdict checkPattern(const json::Value &value, const json::Value &instance);
    Verdict checkLength(Keyword keyword, const json::Value &value, const json::Value &instance);
    Verdict checkSize(Keyword keyword, const json::Value &value, const json::Value &instance);
    Verdict checkUnique(const json::Value &value, const json::Value &instance);
    bool isEqual(const json::Value &instance, const json::Value &allowed);

    const Registry &m_registry;
    const bool m_admitsNullable;
    Patterns &m_patterns;
    Report &m_report;
    int m_longAttempts = 0;  // at patterns
};

}  // namespace sonde::schema
