// A session as it may leave: the chosen rows, with everything masked that must not be in an export.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/export/exportoptions.h"
#include "core/export/sessionredactor.h"

namespace sonde {

class Operations;

// Reads nothing any more once it is stopped. The session must outlive it.
class ExportInput {
public:
    ExportInput(const Session *session, ExportOptions options);

    const Session &session() const { return *m_session; }
    const ExportOptions &options() const { return m_options; }
    const std::vector<qsizetype> &rows();
    bool isStopped() const { return m_options.stop && *m_options.stop; }

    void learn();  // before anything is masked; reads all of the session, once
    QByteArray payload(qsizetype row);
    QByteArray facts(qsizetype row);
    // Short texts that are in the list: names of tools, addresses.
    QString text(qsizetype row, const QString &given) { return m_redactor.name(row, given); }
    // All calls of the session; false when it was stopped before.
    bool readAll(Operations *operations) const;

    // What was masked since the counts were reset.
    QList<MaskedSecret> masked() const;
    void resetCounts() { m_redactor.resetCounts(); }

private:
    const Session *m_session;
    ExportOptions m_options;
    SessionRedactor m_redactor;
    std::vector<qsizetype> m_allRows;
    bool m_hasLearned = false;
};

}  // namespace sonde
