// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/networkdialog.h"

#include "ui/theme/keys.h"
#include "ui/theme/lineinput.h"
#include "ui/theme/widgets.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QUrl>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

enum ProxyKind { SystemProxy, NoProxy, OwnProxy };

}  // namespace

NetworkDialog::NetworkDialog(const ServerSpec &spec, QWidget *parent)
    : FormDialog(u"network"_s, tr("Use these settings"), parent),
      m_spec(spec),
      m_form(makeForm()),
      m_proxyKind(new QComboBox),
      m_proxy(new LineInput)
{
    setObjectName(u"networkDialog"_s);
    setWindowTitle(spec.name.isEmpty() ? tr("Network settings") : tr("Network settings of %1").arg(spec.name));
    const http::NetworkOptions &network = spec.network;
    QFormLayout *form = m_form;
    m_column->addLayout(form);

    auto *proxyRow = new QHBoxLayout;
    proxyRow->setSpacing(Grid);
    m_proxyKind->setObjectName(u"networkProxyKind"_s);
    m_proxyKind->setAccessibleName(tr("Proxy"));
    m_proxyKind->addItems({tr("System"), tr("None"), tr("URL")});
    m_proxy->setObjectName(u"networkProxy"_s);
    m_proxy->setAccessibleName(tr("Proxy URL"));
    m_proxy->setPlaceholderText(tr("http://HOST:PORT or socks5://HOST:PORT"));
    m_proxy->setToolTip(tr("With a user name and password: http://USER:PASSWORD@HOST:PORT"));
    m_proxyKind->setMinimumWidth(m_proxyKind->fontMetrics().horizontalAdvance(tr("System")) + 6 * Grid);
    proxyRow->addWidget(m_proxyKind);
    proxyRow->addWidget(m_proxy, 1);
    auto *proxyLabel = new QLabel(tr("&Proxy"));
    proxyLabel->setBuddy(m_proxyKind);
    form->addRow(proxyLabel, proxyRow);
    const bool isOwn = !network.proxy.isEmpty() && network.proxy != u"system" && network.proxy != u"none";
    m_proxyKind->setCurrentIndex(isOwn ? OwnProxy : network.proxy == u"none" ? NoProxy : SystemProxy);
    m_proxy->setText(isOwn ? network.proxy : QString());

    m_caFile = addFile(form, tr("CA &file"), u"networkCaFile"_s,
                       tr("PEM: certificate authorities to trust for this server, in addition to the system's"));
    m_caFile->setText(network.caFile);
    m_caFile->setPlaceholderText(tr("the system's certificate authorities only"));
    m_clientCertificate = addFile(form, tr("Client &certificate"), u"networkClientCertificate"_s,
                                  tr("PEM: the client certificate for this server and its chain"));
    m_clientCertificate->setText(network.clientCertificate);
    m_clientCertificate->setPlaceholderText(tr("none"));
    m_clientKey = addFile(form, tr("Client &key"), u"networkClientKey"_s,
                          tr("PEM without a passphrase: the private key of the client certificate"));
    m_clientKey->setText(network.clientKey);
    m_clientKey->setPlaceholderText(tr("in the certificate file"));
    m_acceptedCertificate =
        addLine(form, tr("&Accepted certificate"), u"networkAcceptedCertificate"_s, tr("SHA-256 fingerprint"),
                tr("Exactly this certificate is accepted even if it is self-signed, expired or for another host. The "
                   "error of a failed connection shows the fingerprint; check it with the server's owner."));
    m_acceptedCertificate->setFont(monoFont());
    m_acceptedCertificate->setText(network.acceptedCertificate);
    m_acceptShown = new QPushButton(tr("Accept the certificate that the server showed"));
    m_acceptShown->setObjectName(u"networkAcceptShown"_s);
    m_acceptShown->setAutoDefault(false);
    m_acceptShown->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    form->addRow(QString(), m_acceptShown);
    form->setRowVisible(m_acceptShown, false);
    m_allowedHosts = addLine(
        form, tr("A&llowed hosts"), u"networkAllowedHosts"_s, tr("none; separate several with commas"),
        tr("Hosts on this computer or a private network that a public server may redirect to, for example to sign in"));
    m_allowedHosts->setText(network.allowedHosts.join(u", "_s));

    m_message->setDim(true);
    addMessageAndButtons();
    connect(m_proxyKind, &QComboBox::currentIndexChanged, this, &NetworkDialog::updateState);
    for (LineInput *line :
         {m_proxy, m_caFile, m_clientCertificate, m_clientKey, m_acceptedCertificate, m_allowedHosts}) {
        line->setCursorPosition(0);  // the beginning of a long text says more
        connect(line, &QLineEdit::textChanged, this, &NetworkDialog::updateState);
    }
    updateState();
    fitHeight();
}

void NetworkDialog::offerCertificate(const QString &fingerprint)
{
    m_form->setRowVisible(m_acceptShown, !fingerprint.isEmpty());
    m_acceptShown->setToolTip(tr("Its SHA-256 fingerprint is %1. Check it with the server's owner.").arg(fingerprint));
    connect(m_acceptShown, &QPushButton::clicked, this, [this, fingerprint] {
        m_acceptedCertificate->setText(fingerprint);
        m_acceptedCertificate->setCursorPosition(0);
    });
    fitHeight();
}

LineInput *NetworkDialog::addLine(QFormLayout *form, const QString &label, const QString &name,
                                  const QString &placeholder, const QString &toolTip)
{
    auto *line = new LineInput;
    line->setObjectName(name);
    line->setAccessibleName(withoutMnemonic(label));
    line->setPlaceholderText(placeholder);
    line->setToolTip(toolTip);
    form->addRow(label, line);
    return line;
}

LineInput *NetworkDialog::addFile(QFormLayout *form, const QString &label, const QString &name, const QString &toolTip)
{
    auto *line = new LineInput;
    line->setObjectName(name);
    line->setAccessibleName(withoutMnemonic(label));
    line->setToolTip(toolTip);
    auto *choose = new QPushButton(tr("Choose…"));
    choose->setAccessibleName(tr("Choose %1").arg(line->accessibleName()));
    choose->setAutoDefault(false);
    connect(choose, &QPushButton::clicked, this, [this, line] {
        const QString path = QFileDialog::getOpenFileName(this, line->accessibleName(), line->text(),
                                                          tr("PEM files (*.pem *.crt *.cer *.key);;All files (*)"));
        if (!path.isEmpty())
            line->setText(path);
    });
    auto *row = new QHBoxLayout;
    row->setSpacing(Grid);
    row->addWidget(line, 1);
    row->addWidget(choose);
    auto *caption = new QLabel(label);
    caption->setBuddy(line);
    form->addRow(caption, row);
    return line;
}

http::NetworkOptions NetworkDialog::network() const
{
    static const QRegularExpression separators(u"[,\\s]+"_s);
    const int kind = m_proxyKind->currentIndex();
    http::NetworkOptions network;
    network.proxy = kind == OwnProxy ? m_proxy->text().trimmed() : kind == NoProxy ? u"none"_s : QString();
    network.caFile = m_caFile->text().trimmed();
    network.clientCertificate = m_clientCertificate->text().trimmed();
    network.clientKey = m_clientKey->text().trimmed();
    network.acceptedCertificate = m_acceptedCertificate->text().trimmed();
    network.allowedHosts = m_allowedHosts->text().split(separators, Qt::SkipEmptyParts);
    return network;
}

void NetworkDialog::updateState()
{
    const bool isOwn = m_proxyKind->currentIndex() == OwnProxy;
    m_proxy->setEnabled(isOwn);
    m_spec.network = network();
    QString problem = m_spec.networkProblems().value(0);
    if (problem.isEmpty() && isOwn && m_spec.network.proxy.isEmpty())
        problem = tr("Enter the URL of the proxy.");
    m_ok->setEnabled(problem.isEmpty());
    // A file that cannot be used now may be there when it is needed.
    const QString fileProblem = problem.isEmpty() ? m_spec.networkFileProblem() : QString();
    const bool isGood = problem.isEmpty() && fileProblem.isEmpty();
    m_message->setTone(isGood ? Tone::Neutral : problem.isEmpty() ? Tone::ToolError : Tone::ProtocolError);
    m_message->setServerText(isGood ? tr("For this server only. Takes effect at the next start.")
                                    : problem + fileProblem);
}

QString NetworkDialog::summary(const http::NetworkOptions &network)
{
    QStringList parts;
    const QString proxy = QUrl(network.proxy).toString(QUrl::RemoveUserInfo);
    parts += network.proxy.isEmpty() || network.proxy == u"system" ? tr("system proxy")
             : network.proxy == u"none"                            ? tr("no proxy")
                                                                   : tr("proxy %1").arg(proxy);
    if (!network.caFile.isEmpty())
        parts += tr("CA file %1").arg(QFileInfo(network.caFile).fileName());
    if (!network.clientCertificate.isEmpty())
        parts += tr("client certificate %1").arg(QFileInfo(network.clientCertificate).fileName());
    if (!network.acceptedCertificate.isEmpty())
        parts += tr("1 accepted certificate");
    if (!network.allowedHosts.isEmpty())
        parts += tr("allowed: %1").arg(network.allowedHosts.join(u", "_s));
    return parts.join(u" · "_s);
}

}  // namespace sonde::ui
