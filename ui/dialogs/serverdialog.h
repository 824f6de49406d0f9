// Adds or edits a server.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/server/specsecrets.h"
#include "ui/dialogs/formdialog.h"

#include <functional>

class QCheckBox;
class QComboBox;

namespace sonde::ui {

class LineInput;
class PairTable;
class SegmentedControl;
class TextLabel;

class ServerDialog : public FormDialog {
    Q_OBJECT
public:
    // nameProblem: returns why a name cannot be used, or an empty string.
    ServerDialog(const ServerSpec &spec, bool isNew, std::function<QString(const QString &)> nameProblem,
                 QWidget *parent = nullptr);
    ServerSpec spec() const;
    // The values of spec() that belong in the keychain.
    QList<SecretPlace> secrets() const;
    // What the person had decided of them, where what was typed is shown again.
    void setSecrets(const QList<SecretPlace> &places);
    // Whether anything was typed or chosen, complete or not.
    bool isEdited() const;
    // What was typed before can be replaced by typing.
    void selectTyped();
    // Those of all servers, to be shown where this one has none of its own.
    void setGeneralTimeouts(const ServerTimeouts &timeouts) { m_generalTimeouts = timeouts; }

private:
    void suggestName(const QString &line);
    void updateState();
    QWidget *makeClientPage(const ServerSpec &spec);
    void fillTransports();
    void fillRevisions();
    void showKind(int kind);
    void continueAsUrl();
    void readAddCommand();
    QWidget *makeSummaryRow(TextLabel *summary, const QString &name, const QString &accessibleName,
                            const QString &toolTip, const std::function<void()> &edit);
    QWidget *makeNetworkRow();
    QWidget *makeSignInRow();
    QWidget *makeTimeoutsRow();
    void showTimeouts();
    ServerSpec m_original;
    std::function<QString(const QString &)> m_nameProblem;
    const bool m_isNew;
    bool m_suggestsName = false;
    bool m_hasSwitched = false;  // to URL, because one was typed as a command
    LineInput *m_name;
    SegmentedControl *m_kind;
    QWidget *m_stdioPage;
    QWidget *m_httpPage;
    LineInput *m_command;
    LineInput *m_directory;
    PairTable *m_environment;
    QCheckBox *m_inherit;
    QCheckBox *m_loginPath;
    QComboBox *m_revision;
    PairTable *m_roots;
    QCheckBox *m_pageByPage;
    QList<QCheckBox *> m_capabilities;  // in the order of ServerSpec::capabilityNames()
    LineInput *m_url;
    QComboBox *m_transport;
    PairTable *m_headers;
    http::NetworkOptions m_network;
    TextLabel *m_networkSummary;
    OAuthSettings m_oauth;
    TextLabel *m_signInSummary;
    ServerTimeouts m_timeouts;
    ServerTimeouts m_generalTimeouts;
    TextLabel *m_timeoutsSummary;
};

}  // namespace sonde::ui
