// SPDX-License-Identifier: Apache-2.0
#include "core/hosts/hostdetails.h"

#include "core/protocol/visibletext.h"

#include <QCoreApplication>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

struct HostDetailsText {
    Q_DECLARE_TR_FUNCTIONS(sonde::HostDetails)
};

constexpr int LabelWidth = 20;  // characters, so that values stand below each other

class DetailsWriter {
public:
    explicit DetailsWriter(const QString &secretMark) : m_secretMark(secretMark) {}

    void line(const QString &label, const QString &text)
    {
        m_text += (label + u": "_s).leftJustified(LabelWidth) + text + u'\n';
    }
    void value(const QString &label, const QString &text) { line(label, revealedText(text)); }
    void pairs(const QString &label, const QList<std::pair<QString, QString>> &pairs, const QList<SecretPlace> &secrets,
               SecretPlace::Where where)
    {
        for (const auto &[name, value] : pairs) {
            const bool isSecret = secrets.contains(SecretPlace{where, name});
            line(label, revealedText(name) + u" = "_s + (isSecret ? m_secretMark : revealedText(value)));
        }
    }
    QString take() { return std::move(m_text); }

private:
    const QString m_secretMark;
    QString m_text;
};

}  // namespace

QString serverDetails(const HostServer &server, const QString &secretMark)
{
    const ServerSpec &spec = server.spec;
    DetailsWriter details(secretMark);
    for (const QString &problem : server.problems)
        details.value(HostDetailsText::tr("Problem"), problem);
    if (spec.startsProcess()) {
        details.value(HostDetailsText::tr("Program"), spec.command);
        for (qsizetype i = 0; i < spec.arguments.size(); ++i)
            details.value(HostDetailsText::tr("Argument %1").arg(i + 1), spec.arguments[i]);
        if (!spec.workingDirectory.isEmpty())
            details.value(HostDetailsText::tr("Working directory"), spec.workingDirectory);
    } else {
        details.value(HostDetailsText::tr("URL"), spec.line());
        details.value(HostDetailsText::tr("Transport"), spec.transportName());
    }
    details.pairs(HostDetailsText::tr("Environment"), spec.environment, server.secrets,
                  SecretPlace::Where::Environment);
    details.pairs(HostDetailsText::tr("Header"), spec.headers, server.secrets, SecretPlace::Where::Header);
    if (!server.scope.isEmpty())
        details.value(HostDetailsText::tr("Project"), server.scope);
    for (const QString &finding : server.findings)
        details.value(HostDetailsText::tr("Note"), finding);
    return details.take();
}

QString serverSummary(const HostServer &server, qsizetype maxLength)
{
    const bool isComplete = server.spec.startsProcess() ? !server.spec.command.isEmpty() : !server.spec.url.isEmpty();
    return visibleLine(isComplete ? server.spec.line().simplified() : server.problems.value(0), maxLength);
}

}  // namespace sonde
