// SPDX-License-Identifier: Apache-2.0
#include "core/session/callstatistics.h"

#include <algorithm>
#include <map>

namespace sonde {

namespace {

struct Times {
    std::vector<qint64> server;
    std::vector<qint64> firstByte;
};

void count(RowOutcome outcome, CallStatistics &statistics)
{
    ++statistics.count;
    switch (outcome) {
        case RowOutcome::Ok:
            ++statistics.ok;
            break;
        case RowOutcome::ToolError:
            ++statistics.toolErrors;
            break;
        case RowOutcome::ProtocolError:
            ++statistics.protocolErrors;
            break;
        case RowOutcome::NoAnswer:
            ++statistics.unanswered;
            break;
        case RowOutcome::Pending:
        case RowOutcome::None:
            ++statistics.open;
            break;
    }
}

}  // namespace

Percentiles percentiles(std::vector<qint64> valuesNs)
{
    if (valuesNs.empty())
        return {};
    std::sort(valuesNs.begin(), valuesNs.end());
    const auto rank = [&valuesNs](size_t percent) { return valuesNs[(valuesNs.size() * percent + 99) / 100 - 1]; };
    return {rank(50), rank(90), rank(99), valuesNs.back()};
}

QList<CallStatistics> callStatistics(const Session &session, const Operations &operations)
{
    std::map<std::pair<QString, QString>, std::pair<CallStatistics, Times>> found;
    for (qsizetype i = 0; i < operations.size(); ++i) {
        const Operation &operation = operations.at(i);
        if (!operation.isLocal)
            continue;
        const RecordInfo &request = session.at(operation.requestRow);
        auto &[statistics, times] = found[{session.name(request.method), session.name(request.target)}];
        const RowOutcome outcome = operations.outcome(i);
        count(outcome, statistics);
        statistics.waitedNs += operation.waitedNs;
        if (operations.firstByteAfterNs(i) >= 0)
            times.firstByte.push_back(operations.firstByteAfterNs(i));
        if (operations.serverNs(i) >= 0 && outcome != RowOutcome::NoAnswer)
            times.server.push_back(operations.serverNs(i));
    }
    QList<CallStatistics> all;
    for (auto &[name, entry] : found) {
        CallStatistics statistics = entry.first;
        statistics.method = name.first;
        statistics.target = name.second;
        statistics.server = percentiles(std::move(entry.second.server));
        statistics.firstByte = percentiles(std::move(entry.second.firstByte));
        all.append(statistics);
    }
    return all;
}

}  // namespace sonde
