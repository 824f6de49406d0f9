// What leaves the recording: masks what that could not know to be secret.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/redact/redactor.h"
#include "core/session/session.h"

#include <functional>

namespace sonde {

// One secret that an export does not hold, for the preview. Says nothing about the secret but its length.
struct MaskedSecret {
    QString mark;  // its replacement, such as ‹password:1a2b3c4d›
    QString kind;
    QString where;         // where it was first found, for people
    qsizetype length = 0;  // bytes; 0: unknown, masked while recording
    qsizetype firstRow = 0;
    quint32 firstNumber = 0;  // of that row's record, for people; from an Exporter only
    qsizetype occurrences = 0;
    bool isFromRecording = false;
};

// A recording comes to know some secrets only after it has written them once, and another program may have written the
// session without masking anything. First learn(), then the rest: what gives itself away in one place is masked in all
// of them. The session must outlive it.
class SessionRedactor {
public:
    enum class Policy {
        Print,  // for the person at the terminal: marks look as they do in the session
        Export  // for others: marks are of a key that nobody has, and home folders are masked
    };
    SessionRedactor(const Session &session, Policy policy);
    Q_DISABLE_COPY_MOVE(SessionRedactor)

    // Masked wherever it occurs: the person asked for it.
    void addSecret(const QString &secret);
    // Reads all of the session, also rows that stay at home: what they give away may occur in the others in plain
    // sight. Ends early once it is stopped.
    void learn(const std::function<bool()> &isStopped = [] { return false; });

    // JSON stays JSON. row: where it counts as found.
    QByteArray payload(qsizetype row, const QByteArray &payload);
    QByteArray facts(qsizetype row, const QByteArray &facts);
    // Of a method, tool, prompt or resource.
    QString name(qsizetype row, const QString &name) { return QString::fromUtf8(payload(row, name.toUtf8())); }

    // In the order in which they were met. Grows with every text that is masked.
    const QList<MaskedSecret> &masked() const { return m_masked; }
    void resetCounts();  // begins that list anew

private:
    struct Lesson {
        QString where;
        qsizetype length = 0;
    };

    bool isExport() const { return m_policy == Policy::Export; }
    void learnRow(qsizetype row, const QByteArray &payload);
    // Names a person, and nobody who reads a report needs it. A path that is no folder of somebody's own is ignored.
    void addHome(const QString &path);
    // Secrets that the recording masked, but for where they stood before it knew them: words of a text whose digest is
    // that of one of its marks.
    void learnMarked(const QByteArray &payload);
    void tryWord(const QByteArray &word);
    void noteMarks(const QByteArray &text);
    void meet(const SecretMatch &match);
    QString placeOf(const SecretMatch &match) const;
    void count(qsizetype row, const QByteArray &text);

    const Session &m_session;
    const Policy m_policy;
    Redactor m_redactor;
    QHash<QByteArray, Lesson> m_lessons;         // by mark
    QByteArray m_payload;                        // that is being read
    QHash<int, KeyLines> m_keyLines;             // by connection
    QHash<quint32, QByteArray> m_recordedMarks;  // kinds, by digest
    QSet<QByteArray> m_triedWords;
    QHash<QByteArray, qsizetype> m_places;  // in m_masked, by mark
    QList<MaskedSecret> m_masked;
};

}  // namespace sonde
