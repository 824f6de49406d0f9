// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/doctor.h"

#include "core/doctor/addressexamination.h"
#include "core/doctor/processexamination.h"
#include "core/doctor/startrecords.h"

namespace sonde {

using namespace Qt::StringLiterals;

Doctor::Doctor(Connection *connection, QObject *parent) : QObject(parent), m_connection(connection)
{
    connect(connection, &QObject::destroyed, this, [this] { m_examination.reset(); });
}

Doctor::~Doctor() = default;

void Doctor::examine()
{
    if (!m_connection)
        return;
    m_isProcess = m_connection->spec().startsProcess();
    m_error = m_connection->error();
    if (m_isProcess)
        m_examination = std::make_unique<ProcessExamination>(m_connection, &m_report);
    else
        m_examination = std::make_unique<AddressExamination>(m_connection, &m_report);
    connect(m_examination.get(), &Examination::changed, this, [this] {
        const QPointer<Doctor> alive(this);
        const bool isLast = isFinished();
        Q_EMIT changed();
        if (alive && isLast)
            Q_EMIT finished();
    });
    m_examination->start();
}

bool Doctor::isFinished() const
{
    return !m_examination || m_examination->isFinished();
}

bool Doctor::hadHandshake() const
{
    return m_connection && sonde::hadHandshake(*m_connection);
}

QString Doctor::explanation() const
{
    const DoctorLine *failure = firstFailure();
    const QString note = failure && !failure->note.isEmpty() ? failure->note : m_error.hint;
    return m_report.said.isEmpty() || note.isEmpty() ? m_report.said + note : m_report.said + u'\n' + note;
}

Remedy Doctor::remedy() const
{
    const DoctorLine *failure = firstFailure();
    return failure ? failure->remedy : Remedy::None;
}

QString Doctor::written() const
{
    if (!m_connection)
        return {};
    if (m_isProcess)
        return m_connection->stderrTail().join(u'\n');
    return QString::fromUtf8(StartRecords::in(*m_connection->session()).body);
}

}  // namespace sonde
