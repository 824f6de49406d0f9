// SPDX-License-Identifier: Apache-2.0
#include "core/session/exportredactor.h"

#include "core/session/secretmarks.h"
#include "core/session/telltales.h"

#include <QCoreApplication>
#include <QDir>
#include <QRandomGenerator>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

// Shorter ones are masked where they stand and nowhere else, since they would hit everywhere.
constexpr qsizetype shortestLearned = 8;
// What is looked for in all of a session. A secret beyond that is still masked in each text that gives it away.
constexpr qsizetype mostLearned = 20'000;
constexpr qsizetype mostPlaces = 500;  // that anybody would read

struct ExportRedactorText {
    Q_DECLARE_TR_FUNCTIONS(ExportRedactor)
};

QByteArray randomKey()
{
    QByteArray key(16, '\0');
    QRandomGenerator::system()->generate(key.begin(), key.end());
    return key;
}

}  // namespace

ExportRedactor::ExportRedactor() : m_key(randomKey()), m_redactor(m_key)
{
    m_redactor.setMostLearned(size_t(mostLearned));
    m_redactor.setWitness([this](const QByteArray &secret, const QByteArray &kind) {
        const QByteArray mark = markFor(secret, kind);
        if (!m_lessons.contains(mark))
            m_lessons.insert(mark, {ExportRedactorText::tr("a header, variable, address or option"), secret.size()});
    });
    addHome(QDir::homePath());
}

QByteArray ExportRedactor::markFor(const QByteArray &secret, const QByteArray &kind) const
{
    return secretMark(secret, kind, m_key);
}

void ExportRedactor::addSecret(const QString &secret, const QByteArray &kind)
{
    const QByteArray bytes = secret.toUtf8();
    m_redactor.addSecret(bytes, kind);
    m_lessons.insert(markFor(bytes, kind), {ExportRedactorText::tr("given"), bytes.size()});
}

void ExportRedactor::addHome(const QString &path)
{
    const QByteArray bytes = QDir::cleanPath(path).toUtf8();
    if (!bytes.startsWith('/') || bytes == "/" || bytes == "/home" || bytes == "/Users" || bytes.contains(MarkBegin))
        return;
    m_redactor.addFolder(bytes, "home");
    m_lessons.insert(markFor(bytes, "home"), {ExportRedactorText::tr("the home folder"), bytes.size()});
}

void ExportRedactor::learnHome(const QByteArray &facts)
{
    for (const json::Value &variable : json::Document::parse(facts).root()[u"variables"]) {
        if (variable.at(0).string() == u"HOME")
            addHome(variable.at(1).string());
    }
}

void ExportRedactor::learn(const QByteArray &payload)
{
    findTelltales(payload, [this](const Telltale &found) {
        const QByteArray mark = markFor(found.secret, found.kind);
        if (m_lessons.contains(mark))
            return;
        if (m_lessons.size() >= mostLearned) {
            m_isFull = true;
            return;
        }
        m_lessons.insert(mark, {placeOf(found), found.secret.size()});
        if (found.secret.size() >= shortestLearned)
            m_redactor.addSecret(found.secret, found.kind);
    });
}

QString ExportRedactor::placeOf(const Telltale &found) const
{
    return m_lessons.size() < mostPlaces ? found.where() : ExportRedactorText::tr("one of many");
}

void ExportRedactor::learnFacts(const QByteArray &facts)
{
    if (facts.isEmpty())
        return;
    learn(facts);
    QList<RedactionMark> ignored;
    m_redactor.redactFacts(json::Document::parse(facts), ignored);
}

// What a payload gives away itself, when no more could be learned.
void ExportRedactor::maskOwn(const QByteArray &payload, QByteArray &bytes)
{
    Redactor own(m_key);
    findTelltales(payload, [this, &own](const Telltale &found) {
        if (found.secret.size() < shortestLearned)
            return;
        own.addSecret(found.secret, found.kind);
        const QByteArray mark = markFor(found.secret, found.kind);
        if (!m_lessons.contains(mark))
            m_lessons.insert(mark, {placeOf(found), found.secret.size()});
    });
    QList<RedactionMark> ignored;
    own.redactPayload(bytes, ignored);
}

QByteArray ExportRedactor::maskedPayload(qsizetype row, const QByteArray &payload)
{
    QByteArray bytes = withMarkedMembers(payload, [this](const QByteArray &secret, const QByteArray &kind) {
        const QByteArray mark = markFor(secret, kind);
        if (!m_lessons.contains(mark))
            m_lessons.insert(mark, {ExportRedactorText::tr("the name of a member"), secret.size()});
        return mark;
    });
    if (m_isFull)
        maskOwn(payload, bytes);
    QList<RedactionMark> ignored;
    m_redactor.redactPayload(bytes, ignored);
    count(row, bytes);
    return bytes;
}

QByteArray ExportRedactor::maskedFacts(qsizetype row, const QByteArray &facts)
{
    if (facts.isEmpty())
        return facts;
    QByteArray bytes = facts;
    QList<RedactionMark> ignored;
    const json::Document document = json::Document::parse(facts);
    if (document.isValid() && document.root().isObject())
        bytes = m_redactor.redactFacts(document, ignored);
    else
        m_redactor.redactPayload(bytes, ignored);
    count(row, bytes);
    return bytes;
}

void ExportRedactor::resetCounts()
{
    m_places.clear();
    m_masked.clear();
}

// Every mark in a text that is about to leave, from this pass or from the recording.
void ExportRedactor::count(qsizetype row, const QByteArray &text)
{
    for (qsizetype at = text.indexOf(MarkBegin); at >= 0; at = text.indexOf(MarkBegin, at + 1)) {
        const qsizetype length = markLength(text, at);
        if (length == 0)
            continue;
        const QByteArray mark = text.mid(at, length);
        auto place = m_places.constFind(mark);
        if (place == m_places.constEnd()) {
            const auto lesson = m_lessons.constFind(mark);
            MaskedSecret found;
            found.mark = QString::fromUtf8(mark);
            found.kind = QString::fromUtf8(kindOfMark(text, at));
            found.firstRow = row;
            found.isFromRecording = lesson == m_lessons.constEnd();
            found.where = found.isFromRecording ? ExportRedactorText::tr("masked while recording") : lesson->where;
            found.length = found.isFromRecording ? 0 : lesson->length;
            m_masked.append(found);
            place = m_places.insert(mark, m_masked.size() - 1);
        }
        ++m_masked[*place].occurrences;
    }
}

}  // namespace sonde
