// SPDX-License-Identifier: Apache-2.0
#include "core/export/sessionredactor.h"

#include "core/export/declaredsecrets.h"
#include "core/json/pointer.h"
#include "core/redact/secretforms.h"
#include "core/redact/secretmarks.h"

#include <QCoreApplication>
#include <QDir>
#include <QRandomGenerator>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

// What is looked for in all of a session. A secret beyond that is still masked in each place that gives it away.
constexpr qsizetype MaxLearned = 20'000;
constexpr qsizetype MaxTriedWords = 200'000;
constexpr qsizetype MaxPlaces = 500;  // that anybody would read

struct SessionRedactorText {
    Q_DECLARE_TR_FUNCTIONS(sonde::SessionRedactor)
};

// The value that holds that place of the text.
QString pointerAt(const QByteArray &payload, qsizetype at)
{
    const json::Document document = json::Document::parse(payload);
    if (!document.isValid() || !document.root().isContainer())
        return {};
    json::Value value = document.root();
    for (bool isDeeper = true; isDeeper;) {
        isDeeper = false;
        for (const json::Value &child : value) {
            if (at < child.offset() || at >= child.offset() + child.slice().size())
                continue;
            value = child;
            isDeeper = true;
            break;
        }
    }
    return json::Pointer::to(value).toString();
}

QByteArray keyFor(const Session &session, SessionRedactor::Policy policy)
{
    if (policy == SessionRedactor::Policy::Print && !session.markKey().isEmpty())
        return session.markKey();
    QByteArray key(16, '\0');
    QRandomGenerator::system()->generate(key.begin(), key.end());
    return key;
}

}  // namespace

SessionRedactor::SessionRedactor(const Session &session, Policy policy)
    : m_session(session), m_policy(policy), m_redactor(keyFor(session, policy))
{
    m_redactor.setMaxLearned(size_t(MaxLearned));
    if (!isExport())
        return;
    m_redactor.setWitness([this](const SecretMatch &match) { meet(match); });
    addHome(QDir::homePath());
}

void SessionRedactor::addSecret(const QString &secret)
{
    const QByteArray bytes = secret.toUtf8();
    m_redactor.addWord(bytes);
    m_lessons.insert(m_redactor.markFor(bytes, "secret"), {SessionRedactorText::tr("specified by you"), bytes.size()});
}

void SessionRedactor::addHome(const QString &path)
{
    const QByteArray bytes = QDir::cleanPath(path).toUtf8();
    if (!bytes.startsWith('/') || bytes == "/" || bytes == "/home" || bytes == "/Users" || bytes.contains(MarkBegin))
        return;
    m_redactor.addFolder(bytes, "home");
    m_lessons.insert(m_redactor.markFor(bytes, "home"), {SessionRedactorText::tr("home directory"), bytes.size()});
}

void SessionRedactor::learn(const std::function<bool()> &isStopped)
{
    DeclaredSecrets declared(m_session);
    for (qsizetype row = 0; row < m_session.size() && !isStopped(); ++row) {
        const QByteArray payload = m_session.bytes(row);
        learnRow(row, payload);
        declared.see(row, payload);
    }
    declared.tell([this](const QByteArray &name, const QByteArray &value) { m_redactor.addMember(name, value); });
    // What was recorded before it was known is there as it came: its mark tells it from other words.
    const bool hasMarks = isExport() && !m_recordedMarks.isEmpty() && !m_session.markKey().isEmpty();
    for (qsizetype row = 0; hasMarks && row < m_session.size() && !isStopped(); ++row)
        learnMarked(m_session.bytes(row));
}

void SessionRedactor::learnRow(qsizetype row, const QByteArray &payload)
{
    const RecordInfo &record = m_session.at(row);
    if (record.kind == WireEvent::Kind::Stderr) {
        m_redactor.learnLine(payload, m_keyLines[record.connection]);
    } else {
        m_payload = payload;
        m_redactor.learn(payload);
        m_payload.clear();
    }
    const QByteArray facts = m_session.facts(row);
    if (!facts.isEmpty()) {
        const json::Document document = json::Document::parse(facts);
        m_redactor.learn(document);
        // The home folder of the person who recorded.
        if (isExport() && record.kind == WireEvent::Kind::Open) {
            for (const json::Value &variable : document.root()[u"variables"]) {
                if (variable.at(0).string() == u"HOME")
                    addHome(variable.at(1).string());
            }
        }
    }
    if (isExport()) {
        noteMarks(payload);
        noteMarks(facts);
    }
}

void SessionRedactor::noteMarks(const QByteArray &text)
{
    for (qsizetype at = nextMark(text); at >= 0 && m_recordedMarks.size() < MaxLearned; at = nextMark(text, at + 1))
        m_recordedMarks.insert(digestOfMark(text, at), kindOfMark(text, at));
}

void SessionRedactor::learnMarked(const QByteArray &payload)
{
    static constexpr QByteArrayView ends = "\"'`,;<>()[]{}\\|";
    qsizetype start = 0;
    for (qsizetype at = 0; at <= payload.size(); ++at) {
        const bool isEnd = at == payload.size() || uchar(payload[at]) <= ' ' || ends.contains(payload[at]);
        if (!isEnd)
            continue;
        if (at > start)
            tryWord(payload.sliced(start, at - start));
        // The letter of an escape such as \n belongs to no word.
        const bool isEscape =
            at + 1 < payload.size() && payload[at] == '\\' && QByteArrayView("nrtbf").contains(payload[at + 1]);
        start = at + (isEscape ? 2 : 1);
        at = qMax(at, start - 1);
    }
}

// By itself, without the stop behind it, and without the name in front of it.
void SessionRedactor::tryWord(const QByteArray &word)
{
    constexpr qsizetype maxLength = 1024;
    if (word.size() > maxLength || !isSearchedElsewhere(word))
        return;
    if (m_triedWords.size() >= MaxTriedWords)
        m_triedWords.clear();
    if (m_triedWords.contains(word))
        return;
    m_triedWords.insert(word);
    const auto mark = m_recordedMarks.constFind(secretDigest(word, m_session.markKey()));
    if (mark != m_recordedMarks.constEnd()) {
        m_redactor.addSecret(word, *mark);
        m_lessons.insert(m_redactor.markFor(word, *mark),
                         {SessionRedactorText::tr("redacted elsewhere in the session"), word.size()});
        return;
    }
    if (QByteArrayView(".:!?").contains(word.back()))
        tryWord(word.chopped(1));
    const qsizetype name = qMax(word.lastIndexOf('='), word.lastIndexOf(':'));
    if (name >= 0 && name + 1 < word.size())
        tryWord(word.sliced(name + 1));
}

void SessionRedactor::meet(const SecretMatch &match)
{
    const QByteArray mark =
        match.isNumber ? m_redactor.numberMarkFor(match.value) : m_redactor.markFor(match.value, match.kind);
    if (!m_lessons.contains(mark))
        m_lessons.insert(mark, {placeOf(match), match.value.size()});
}

QString SessionRedactor::placeOf(const SecretMatch &match) const
{
    if (m_lessons.size() >= MaxPlaces)
        return SessionRedactorText::tr("one of many");
    if (match.found == SecretMatch::Found::ByForm)
        return SessionRedactorText::tr("token or key format");
    if (match.start < 0 || m_payload.isEmpty())
        return SessionRedactorText::tr("header, variable, URL or option");
    const QString pointer = pointerAt(m_payload, match.start);
    return pointer.isEmpty() ? SessionRedactorText::tr("name in the text") : pointer;
}

QByteArray SessionRedactor::payload(qsizetype row, const QByteArray &payload)
{
    QByteArray bytes = payload;
    QList<RedactionMark> ignored;
    m_payload = payload;
    m_redactor.redactPayload(bytes, ignored);
    m_payload.clear();
    count(row, bytes);
    return bytes;
}

QByteArray SessionRedactor::facts(qsizetype row, const QByteArray &facts)
{
    const json::Document document = json::Document::parse(facts);
    if (!document.isValid() || !document.root().isObject())
        return payload(row, facts);
    QList<RedactionMark> ignored;
    const QByteArray bytes = m_redactor.redactFacts(document, ignored);
    count(row, bytes);
    return bytes;
}

void SessionRedactor::resetCounts()
{
    m_places.clear();
    m_masked.clear();
}

// Every mark in a text that is about to leave, from this pass or from the recording.
void SessionRedactor::count(qsizetype row, const QByteArray &text)
{
    for (qsizetype at = isExport() ? nextMark(text) : -1; at >= 0; at = nextMark(text, at + 1)) {
        const QByteArray mark = text.mid(at, markLength(text, at));
        auto place = m_places.constFind(mark);
        if (place == m_places.constEnd()) {
            const auto lesson = m_lessons.constFind(mark);
            MaskedSecret found;
            found.mark = QString::fromUtf8(mark);
            found.kind = QString::fromUtf8(kindOfMark(text, at));
            found.firstRow = row;
            found.isFromRecording = lesson == m_lessons.constEnd();
            found.where = found.isFromRecording ? SessionRedactorText::tr("redacted while recording") : lesson->where;
            found.length = found.isFromRecording ? 0 : lesson->length;
            m_masked.append(found);
            place = m_places.insert(mark, m_masked.size() - 1);
        }
        ++m_masked[*place].occurrences;
    }
}

}  // namespace sonde
