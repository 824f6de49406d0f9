// SPDX-License-Identifier: Apache-2.0
#include "core/export/exportinput.h"

#include "core/calls/operations.h"
#include "core/export/declaredsecrets.h"

#include <numeric>

namespace sonde {

namespace {

constexpr qint64 OperationsSliceNs = 50'000'000;

}  // namespace

ExportInput::ExportInput(const Session *session, ExportOptions options)
    : m_session(session), m_options(std::move(options))
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
        m_redactor.addSecret(secret, "secret");
    DeclaredSecrets declared(*m_session);
    // Also from rows that stay at home: what they give away may occur in the others in plain sight.
    for (qsizetype row = 0; row < m_session->size() && !isStopped(); ++row) {
        const RecordInfo &record = m_session->at(row);
        const QByteArray payload = m_session->bytes(row);
        if (record.kind == WireEvent::Kind::Stderr)
            m_redactor.learnLine(payload, record.connection);
        else
            m_redactor.learn(payload);
        declared.see(row, payload);
        m_redactor.learnFacts(m_session->facts(row));
        if (record.kind == WireEvent::Kind::Open)
            m_redactor.learnHome(m_session->facts(row));
    }
    declared.tell([this](const QByteArray &name, const QByteArray &value) { m_redactor.addMember(name, value); });
    // What was recorded before it was known is there as it came: its mark tells it from other words.
    m_redactor.setRecordingKey(m_session->markKey());
    for (qsizetype row = 0; m_redactor.hasRecordedMarks() && row < m_session->size() && !isStopped(); ++row)
        m_redactor.learnMarked(m_session->bytes(row));
}

QByteArray ExportInput::payload(qsizetype row)
{
    return isStopped() ? QByteArray() : m_redactor.maskedPayload(row, m_session->bytes(row));
}

QByteArray ExportInput::facts(qsizetype row)
{
    return isStopped() ? QByteArray() : m_redactor.maskedFacts(row, m_session->facts(row));
}

QString ExportInput::text(qsizetype row, const QString &given)
{
    return QString::fromUtf8(m_redactor.maskedPayload(row, given.toUtf8()));
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
