// The network settings of one server.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/server/serverspec.h"
#include "ui/dialogs/formdialog.h"

class QComboBox;
class QPushButton;

namespace sonde::ui {

class LineInput;

class NetworkDialog : public FormDialog {
    Q_OBJECT
public:
    // spec: the server as it is entered so far, over HTTP.
    explicit NetworkDialog(const ServerSpec &spec, QWidget *parent = nullptr);
    http::NetworkOptions network() const;
    // A button that enters it as the accepted one. fingerprint: of what the server has shown; empty: none.
    void offerCertificate(const QString &fingerprint);

    static QString summary(const http::NetworkOptions &network);  // one line

private:
    LineInput *addLine(QFormLayout *form, const QString &label, const QString &name, const QString &placeholder,
                       const QString &toolTip);
    LineInput *addFile(QFormLayout *form, const QString &label, const QString &name, const QString &toolTip);
    void updateState();

    ServerSpec m_spec;
    QFormLayout *m_form;
    QComboBox *m_proxyKind;
    LineInput *m_proxy;
    LineInput *m_caFile;
    LineInput *m_clientCertificate;
    LineInput *m_clientKey;
    LineInput *m_acceptedCertificate;
    QPushButton *m_acceptShown;
    LineInput *m_allowedHosts;
};

}  // namespace sonde::ui
