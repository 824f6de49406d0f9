// What can be measured. Each prints one line a measurement.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace sonde::bench {

struct Settings {
    bool http = false;
    QString folder;         // for session files; must exist
    qint64 rows = 1000000;  // of the session that is opened, filtered and scrolled
    int count = 0;          // of calls or notifications; 0: the scenario's own
    qint64 bytes = 10'000'000;
    int tools = 10'000;
};

// Against the fixture server, recorded into a file as in real use.
void measureLatency(const Settings &settings);
void measurePipeline(const Settings &settings);
void measureParallel(const Settings &settings);
void measureFlood(const Settings &settings);
void measureBlob(const Settings &settings);
void measureLarge(const Settings &settings);
void measureList(const Settings &settings);

// On a session file, which is made when it is not there yet.
void measureOpen(const Settings &settings);
void measureFilter(const Settings &settings);
void measureScroll(const Settings &settings);

// The list of tools in its tree.
void measureTools(const Settings &settings);
// The same in the whole window: listed for the first time, with one of them open, and in other words.
void measureWindowTools(const Settings &settings);

// Arguments typed into forms of many fields, and a long text pasted.
void measureForms(const Settings &settings);

// Large results, shown.
void measureResult(const Settings &settings);

void measureStart(const Settings &settings);

}  // namespace sonde::bench
