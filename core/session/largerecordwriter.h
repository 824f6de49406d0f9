// The place of large records among the others: what LargeRecord has found out on a worker thread is indexed here, and
// its line announced.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>
#include <memory>

namespace sonde {

class SessionData;
class SessionWriter;
struct LargeRecord;
struct WireEvent;

// One at a time, step by step. What comes behind it waits until it has its place.
class LargeRecordWriter {
public:
    explicit LargeRecordWriter(SessionWriter *writer);
    bool isBusy() const { return m_large != nullptr; }
    void record(const WireEvent &event, int connection, quint32 about, const std::shared_ptr<void> &hold);

private:
    void judge();
    void indexRecord();
    void indexBatch();
    void write();
    void place();

    SessionWriter &m_writer;
    SessionData &m_data;
    std::shared_ptr<LargeRecord> m_large;  // under way
};

}  // namespace sonde
