// Elicitation in URL mode.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "core/protocol/consenturl.h"
#include "ui/requests/requestbody.h"

namespace sonde::ui {

class TextLabel;

// Shows the whole address; nothing is fetched, and nothing opens before carryOut(). It opens in the user's own
// browser. Spec: client/elicitation, "URL Mode".
class UrlBody : public RequestBody {
    Q_OBJECT
public:
    // isTold: the server gets a response, so it learns of the consent.
    UrlBody(const json::Value &params, bool isTold, QWidget *parent = nullptr);

    QString kindName() const override;
    QString acceptText() const override;
    bool hasDecline() const override { return true; }
    void focusFirst() override;
    QByteArray result() const override;
    QString problem() const override;
    bool isBlocked() const override { return !m_target.refusal.isEmpty(); }
    bool isFollowed() const override { return m_isFollowed; }
    bool carryOut() override;
    QSize sizeHint() const override;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void showNote(const QString &text);

    const QString m_address;
    ConsentUrl m_target;
    const bool m_isFollowed;
    const bool m_isTold;
    TextLabel *m_note;
    QWidget *m_page;           // scrolls
    bool m_hasFailed = false;  // no browser started; the person opens the address by hand
};

}  // namespace sonde::ui
