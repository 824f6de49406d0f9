// HTTP exchanges as HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/export/exportinput.h"
#include "core/export/exportoutput.h"
#include "core/json/builder.h"

namespace sonde {

class HarWriter {
public:
    HarWriter(ExportInput *input, ExportOutput *output)
        : m_input(*input), m_output(*output), m_session(input->session())
    {}
    void write();

private:
    // One request, and what came back until the next one on the same stream; all of them rows.
    struct Exchange {
        qsizetype request = -1;
        qsizetype response = -1;
        std::vector<qsizetype> sent;
        std::vector<qsizetype> received;
        qint64 lastNs = 0;
    };

    std::vector<Exchange> exchanges() const;
    void keepChosen(std::vector<Exchange> *exchanges) const;
    QByteArray entry(const Exchange &exchange);
    void addRequest(json::Builder &har, const Exchange &exchange, const EventFacts &asked);
    void addResponse(json::Builder &har, const Exchange &exchange, const EventFacts &answered);
    qint64 waitNs(const Exchange &exchange, const EventFacts &answered) const;
    QByteArray ownBody(qsizetype row);  // of a request or response that was recorded together with its body

    ExportInput &m_input;
    ExportOutput &m_output;
    const Session &m_session;
};

}  // namespace sonde
