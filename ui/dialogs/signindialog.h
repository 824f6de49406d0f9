// How to sign in to one server, where it requires that.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/authorization/oauthsettings.h"
#include "ui/dialogs/formdialog.h"

#include <QHash>

class QComboBox;
class QLabel;

namespace sonde::ui {

class LineInput;

class SignInDialog : public FormDialog {
    Q_OBJECT
public:
    explicit SignInDialog(const OAuthSettings &settings, const QString &server, QWidget *parent = nullptr);
    // Secrets as they were typed, or as the references to the keychain that they were.
    OAuthSettings settings() const;

    static QString summary(const OAuthSettings &settings);  // one line

private:
    // One line of the form and where its text goes.
    struct Row {
        LineInput *line;
        QLabel *label;
        QList<OAuthSettings::Grant> grants;  // that it is for
        QString reference;                   // to the keychain, for as long as nothing else is typed
    };

    void addRow(const QString &label, const QString &name, const QString &value,
                const QList<OAuthSettings::Grant> &grants, const QString &placeholder, bool isSecret = false);
    QString text(const QString &name) const;
    OAuthSettings::Grant grant() const;
    void updateState();

    QFormLayout *m_form;
    QComboBox *m_grant;
    QHash<QString, Row> m_rows;  // by name
};

}  // namespace sonde::ui
