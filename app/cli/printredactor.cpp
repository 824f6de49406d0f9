// SPDX-License-Identifier: Apache-2.0
#include "app/cli/printredactor.h"

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
    constexpr size_t mostLearned = 20'000;
    m_redactor.setMostLearned(mostLearned);
}

void PrintRedactor::learn(const Session &session)
{
    for (qsizetype row = 0; row < session.size(); ++row) {
        if (const QByteArray facts = session.facts(row); !facts.isEmpty())
            this->facts(facts);
        if (const QByteArray payload = session.bytes(row); !payload.isEmpty())
            m_redactor.learn(payload);
    }
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
