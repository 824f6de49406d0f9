// SPDX-License-Identifier: Apache-2.0
#include "app/cli/printredactor.h"

#include "core/export/declaredsecrets.h"

#include <QHash>
#include <QRandomGenerator>

namespace sonde::cli {
namespace {

QByteArray keyFor(const Session &session)
{
    if (!session.markKey().isEmpty())
        return session.markKey();
    QByteArray key(16, '\0');
    QRandomGenerator::system()->generate(key.begin(), key.end());
    return key;
}

}  // namespace

PrintRedactor::PrintRedactor(const Session &session) : m_redactor(keyFor(session))
{
    constexpr size_t maxLearned = 20'000;
    m_redactor.setMaxLearned(maxLearned);
}

void PrintRedactor::learn(const Session &session)
{
    DeclaredSecrets declared(session);
    QHash<int, KeyLines> keyLines;  // by connection
    for (qsizetype row = 0; row < session.size(); ++row) {
        if (const QByteArray facts = session.facts(row); !facts.isEmpty())
            this->facts(facts);
        const QByteArray payload = session.bytes(row);
        if (session.at(row).kind == WireEvent::Kind::Stderr)
            m_redactor.learnLine(payload, keyLines[session.at(row).connection]);
        else if (!payload.isEmpty())
            m_redactor.learn(payload);
        declared.see(row, payload);
    }
    declared.tell([this](const QByteArray &name, const QByteArray &value) { m_redactor.addMember(name, value); });
}

QByteArray PrintRedactor::payload(const QByteArray &bytes)
{
    QByteArray masked = bytes;
    QList<RedactionMark> ignored;
    m_redactor.redactPayload(masked, ignored);
    return masked;
}

QByteArray PrintRedactor::facts(const QByteArray &facts)
{
    QList<RedactionMark> ignored;
    const json::Document document = json::Document::parse(facts);
    if (document.isValid() && document.root().isObject())
        return m_redactor.redactFacts(document, ignored);
    return payload(facts);
}

QString PrintRedactor::name(const QString &name)
{
    return QString::fromUtf8(payload(name.toUtf8()));
}

}  // namespace sonde::cli
