// What a server request asks for, and what would be sent to it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QList>
#include <QWidget>

namespace sonde::ui {

// A response that can be filled in with one click.
struct RequestPreset {
    QString name;
    QByteArray value;  // for applyPreset()
};

// One implementation for each kind of request. Knows the request's params, not the request.
class RequestBody : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;

    virtual QString kindName() const = 0;             // "elicitation", "URL"
    virtual QString acceptText() const = 0;           // of the main button
    virtual bool hasDecline() const = 0;              // apart from Cancel
    virtual QByteArray result() const = 0;            // a JSON object
    virtual QString problem() const { return {}; }    // why result() must not be sent, with the place; empty: it may be
    virtual bool isBlocked() const { return false; }  // cannot be accepted at all; problem() says why
    virtual void showProblem() {}                     // puts the focus there
    virtual void focusFirst() {}
    // Does what accepting means besides sending the result. False: it failed, problem() says why.
    virtual bool carryOut() { return true; }
    // Accepting begins something elsewhere of which the server may tell the end: the page stays and says so.
    virtual bool isFollowed() const { return false; }
    virtual QByteArray draft() const { return {}; }  // what was filled in, for a preset
    virtual QList<RequestPreset> presets() const { return {}; }
    virtual void applyPreset(const QByteArray &value) { Q_UNUSED(value) }

Q_SIGNALS:
    void changed();
    void submitted();  // Ctrl+Enter within it
};

}  // namespace sonde::ui
