// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/signindialog.h"

#include "core/protocol/visibletext.h"
#include "core/secrets/secretreference.h"
#include "ui/theme/keys.h"
#include "ui/theme/lineinput.h"
#include "ui/theme/widgets.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

using Grant = OAuthSettings::Grant;

const QString KeyAlgorithm = u"signInKeyAlgorithm"_s;

}  // namespace

SignInDialog::SignInDialog(const OAuthSettings &settings, const QString &server, QWidget *parent)
    : FormDialog(u"signIn"_s, tr("Use these settings"), parent, 560), m_form(makeForm()), m_grant(new QComboBox)
{
    setObjectName(u"signInDialog"_s);
    setWindowTitle(server.isEmpty() ? tr("Sign-in") : tr("Sign-in to %1").arg(server));
    m_column->addLayout(m_form);
    m_grant->setObjectName(u"signInGrant"_s);
    m_grant->setAccessibleName(tr("Grant"));
    m_grant->addItem(tr("Authorization code: you, in the browser"), int(Grant::AuthorizationCode));
    m_grant->addItem(tr("Client credentials: Sonde itself"), int(Grant::ClientCredentials));
    m_grant->addItem(tr("Enterprise-managed: you, through your organization"), int(Grant::Enterprise));
    m_grant->addItem(tr("Workload identity: this machine"), int(Grant::Workload));
    m_grant->setCurrentIndex(m_grant->findData(int(settings.grant)));
    m_form->addRow(tr("&Grant"), m_grant);

    const QList<Grant> people{Grant::AuthorizationCode};
    const QList<Grant> clients{Grant::AuthorizationCode, Grant::ClientCredentials, Grant::Enterprise};
    const QList<Grant> all = clients + QList<Grant>{Grant::Workload};
    const QList<Grant> enterprise{Grant::Enterprise};
    addRow(tr("Client &ID"), u"signInClientId"_s, settings.clientId, clients,
           tr("none: Sonde registers itself if the server allows it"));
    addRow(tr("Client &secret"), u"signInClientSecret"_s, settings.clientSecret, clients, tr("none"), true);
    addRow(tr("Iss&uer"), u"signInIssuer"_s, settings.issuer, all, tr("URL; credentials are sent to no other server"));
    addRow(tr("&Redirect URL"), u"signInRedirect"_s, settings.redirectUri.text(), people,
           tr("http://127.0.0.1 with any free port"));
    addRow(tr("Client &metadata URL"), u"signInMetadata"_s, settings.clientMetadata.text(), people, tr("none"));
    addRow(tr("Private &key (PEM)"), u"signInPrivateKey"_s, QString::fromUtf8(settings.privateKey),
           {Grant::ClientCredentials, Grant::Enterprise}, tr("none: the client secret is used"), true);
    addRow(tr("Key &algorithm"), KeyAlgorithm, QString::fromUtf8(settings.keyAlgorithm),
           {Grant::ClientCredentials, Grant::Enterprise}, u"ES256"_s);
    addRow(tr("Provider's &token URL"), u"signInProvider"_s, settings.providerTokenEndpoint.text(), enterprise,
           tr("the token endpoint of the identity provider"));
    addRow(tr("Provider's &client ID"), u"signInProviderClient"_s, settings.providerClientId, enterprise, QString());
    addRow(tr("ID &token"), u"signInIdToken"_s, QString::fromUtf8(settings.idToken), enterprise,
           tr("issued by the identity provider"), true);
    addRow(tr("Workload &token"), u"signInAssertion"_s, QString::fromUtf8(settings.assertion), {Grant::Workload},
           tr("issued to this machine by its platform"), true);

    m_message->setDim(true);
    addMessageAndButtons();
    connect(m_grant, &QComboBox::currentIndexChanged, this, &SignInDialog::updateState);
    updateState();
}

// A secret is masked; one that is in the keychain is named, and replaced by what is typed.
void SignInDialog::addRow(const QString &label, const QString &name, const QString &value, const QList<Grant> &grants,
                          const QString &placeholder, bool isSecret)
{
    auto *line = new LineInput;
    line->setObjectName(name);
    line->setAccessibleName(withoutMnemonic(label));
    line->setPlaceholderText(placeholder);
    auto *caption = new QLabel(label);
    caption->setBuddy(line);
    const bool isReference = isSecret && hasSecretReference(value);
    if (isSecret)
        line->setEchoMode(QLineEdit::Password);
    if (isReference)
        line->setPlaceholderText(tr("(in the keychain)"));
    else
        line->setText(QString(value).replace(u'\n', u' '));
    m_rows.insert(name, {line, caption, grants, isReference ? value : QString()});
    connect(line, &QLineEdit::textChanged, this, &SignInDialog::updateState);
    m_form->addRow(caption, line);
}

QString SignInDialog::text(const QString &name) const
{
    const Row row = m_rows.value(name);
    if (!row.grants.contains(grant()))
        return {};
    const QString typed = row.line->text().trimmed();
    return typed.isEmpty() ? row.reference : typed;
}

Grant SignInDialog::grant() const
{
    return Grant(m_grant->currentData().toInt());
}

OAuthSettings SignInDialog::settings() const
{
    OAuthSettings settings;
    settings.grant = grant();
    settings.clientId = text(u"signInClientId"_s);
    settings.clientSecret = text(u"signInClientSecret"_s);
    settings.issuer = text(u"signInIssuer"_s);
    settings.redirectUri = TypedUrl::fromText(text(u"signInRedirect"_s));
    settings.clientMetadata = TypedUrl::fromText(text(u"signInMetadata"_s));
    settings.privateKey = pemFromLine(text(u"signInPrivateKey"_s)).toUtf8();
    settings.keyAlgorithm = text(KeyAlgorithm).toLatin1();
    if (!settings.privateKey.isEmpty() && settings.keyAlgorithm.isEmpty())
        settings.keyAlgorithm = "ES256";
    settings.providerTokenEndpoint = TypedUrl::fromText(text(u"signInProvider"_s));
    settings.providerClientId = text(u"signInProviderClient"_s);
    settings.idToken = text(u"signInIdToken"_s).toUtf8();
    settings.assertion = text(u"signInAssertion"_s).toUtf8();
    return settings;
}

void SignInDialog::updateState()
{
    for (const Row &row : std::as_const(m_rows)) {
        const bool isFor = row.grants.contains(grant());
        row.line->setVisible(isFor);
        row.label->setVisible(isFor);
    }
    const QString problem = problemOf(settings());
    m_ok->setEnabled(problem.isEmpty());
    m_message->setTone(problem.isEmpty() ? Tone::Neutral : Tone::ProtocolError);
    m_message->setServerText(problem.isEmpty() ? tr("Used if the server requires a sign-in. Takes effect at the next "
                                                    "start. Secrets are kept in the keychain.")
                                               : problem);
}

QString SignInDialog::summary(const OAuthSettings &settings)
{
    QStringList parts;
    switch (settings.grant) {
        case Grant::AuthorizationCode:
            parts += tr("in the browser, if required");
            break;
        case Grant::ClientCredentials:
            parts += tr("client credentials");
            break;
        case Grant::Enterprise:
            parts += tr("enterprise-managed");
            break;
        case Grant::Workload:
            parts += tr("workload identity");
            break;
    }
    if (!settings.clientId.isEmpty())
        parts += tr("client ID %1").arg(visibleLine(settings.clientId, 40));
    return parts.join(u" · "_s);
}

}  // namespace sonde::ui
