// The second pass over what leaves the house: masks what the recording could not know to be secret.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/redact/redactor.h"
#include "core/session/session.h"

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

// First learn() everything, then mask(): what gives itself away in one place is masked in all of them.
class ExportRedactor {
public:
    ExportRedactor();
    Q_DISABLE_COPY_MOVE(ExportRedactor)

    void addSecret(const QString &secret, const QByteArray &kind);
    void addMember(const QByteArray &name, const QByteArray &value);  // that a schema declares to be secret
    // Names a person, and nobody who reads a report needs it. A path that is no folder of somebody's own is ignored.
    void addHome(const QString &path);
    // The home folder of the person who recorded: the variable HOME in the facts of the opening of a connection.
    void learnHome(const QByteArray &facts);
    // What a recording masks: it may have come to know some of it too late, and others write sessions too.
    void learn(const QByteArray &payload);
    void learnLine(const QByteArray &line, int connection);  // of standard error
    void learnFacts(const QByteArray &facts);

    // Secrets that the recording masked, but for where they stood before it knew them: words of a text whose digest is
    // that of one of the marks in what was learned from. key: of the recording.
    void setRecordingKey(const QByteArray &key) { m_recordingKey = key; }
    bool hasRecordedMarks() const { return !m_recordedMarks.isEmpty() && !m_recordingKey.isEmpty(); }
    void learnMarked(const QByteArray &payload);

    QByteArray maskedPayload(qsizetype row, const QByteArray &payload);
    QByteArray maskedFacts(qsizetype row, const QByteArray &facts);

    // In the order in which they were met. Grows with every text that is masked.
    const QList<MaskedSecret> &masked() const { return m_masked; }
    void resetCounts();  // begins that list anew

private:
    struct Lesson {
        QString where;
        qsizetype length = 0;
    };

    void meet(const SecretMatch &match);
    void noteMarks(const QByteArray &text);
    void tryWord(const QByteArray &word);
    QString placeOf(const SecretMatch &match) const;
    void count(qsizetype row, const QByteArray &text);

    Redactor m_redactor;
    QHash<QByteArray, Lesson> m_lessons;  // by mark
    QByteArray m_payload;                 // that is being read
    QByteArray m_recordingKey;
    QHash<int, KeyLines> m_keyLines;             // by connection
    QHash<quint32, QByteArray> m_recordedMarks;  // kinds, by digest
    QSet<QByteArray> m_triedWords;
    QHash<QByteArray, qsizetype> m_places;  // in m_masked, by mark
    QList<MaskedSecret> m_masked;
};

}  // namespace sonde
