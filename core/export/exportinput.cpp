// SPDX-License-Identifier: Apache-2.0
#include "core/export/exportinput.h"

#include "core/calls/operations.h"

#include <numeric>

namespace sonde {

namespace {

constexpr qint64 OperationsSliceNs = 50'000'000;

}  // namespace

ExportInput::ExportInput(const Session *session, ExportOptions options)
    : m_session(session), m_options(std::move(options)), m_redactor(*session, SessionRedactor::Policy::Export)
{}

const std::vector<qsizetype> &ExportInput::rows()
{
    if (m_options.rows)
        return *m_options.rows;
    if (m_allRows.size() != size_t(m_session->size())) {
        m_allRows.resize(size_t(m_session->size()));
        std::iota(m_allRows.begin(), m_allRows.end(), 0);
    }
    return m_allRows;
}

void ExportInput::learn()
{
    if (std::exchange(m_hasLearned, true))
        return;
    for (const QString &secret : std::as_const(m_options.secrets))
        m_redactor.addSecret(secret);
    m_redactor.learn([this] { return isStopped(); });
}

QByteArray ExportInput::payload(qsizetype row)
{
    return isStopped() ? QByteArray() : m_redactor.payload(row, m_session->bytes(row));
}

QByteArray ExportInput::facts(qsizetype row)
{
    return isStopped() ? QByteArray() : m_redactor.facts(row, m_session->facts(row));
}

// In slices, so that it can be stopped between them.
bool ExportInput::readAll(Operations *operations) const
{
    while (!isStopped()) {
        if (operations->advance(OperationsSliceNs))
            return true;
    }
    return false;
}

QList<MaskedSecret> ExportInput::masked() const
{
    QList<MaskedSecret> all = m_redactor.masked();
    for (MaskedSecret &secret : all)
        secret.firstNumber = m_session->numberOf(secret.firstRow);
    return all;
}

}  // namespace sonde
