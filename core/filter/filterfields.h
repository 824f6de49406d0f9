// What a filter can ask about a row, by name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/record.h"

#include <QString>
#include <QStringList>
#include <span>

namespace sonde {

enum class FilterField : quint8 {
    Method,
    Tool,
    Prompt,
    Uri,
    Id,
    Dir,
    Kind,
    Outcome,
    Ms,
    Size,
    Status,
    Revision,
    Server,
    Finding,
    Time,
    Pointer  // a place in the message; has no name
};

enum class FilterType : quint8 {
    Text,
    Choice,  // one of a few words
    Number,
    Time,
    Json  // whatever is there
};

struct FilterFieldInfo {
    FilterField field;
    FilterType type;
    const char *name;
    const char *meaning;               // to be translated in the context "sonde::Filter"
    const char *formerName = nullptr;  // still read, since filters are saved; never offered
};

std::span<const FilterFieldInfo> filterFields();            // all that have a name
const FilterFieldInfo *filterFieldNamed(QStringView name);  // null: there is none
const FilterFieldInfo &filterFieldInfo(FilterField field);

// The words of a Choice. A row has one number out of them, and every number one or more words, the narrowest first.
struct FilterChoice {
    int number;
    const char *word;
    bool isFormer = false;  // still read, since filters are saved; never offered
};
std::span<const FilterChoice> filterChoices(FilterField field);
int filterChoiceOf(FilterField field, const RecordInfo &record);
QString filterWordOf(FilterField field, const RecordInfo &record);  // the one that says most
QString filterWordOf(FilterField field, int choice);                // as filterChoiceOf() returns it
QStringList filterWords(FilterField field);                         // each once

}  // namespace sonde
