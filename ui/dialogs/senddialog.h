// Edits a message by hand and sends it unchanged.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/headeredit.h"
#include "core/json/document.h"

#include <QDialog>
#include <optional>

class QComboBox;
class QLineEdit;
class QPushButton;
class QStackedWidget;
class QVBoxLayout;

namespace sonde::ui {

class HeaderEditor;
class JsonEditor;
class SegmentedControl;
class TextLabel;

// The typed text, to continue with later.
struct SendDraft {
    QByteArray text;                          // empty: nothing was changed
    QByteArray freshId;                       // that the dialog offered then
    std::optional<QList<HeaderRow>> headers;  // unset: nothing was changed

    bool isEmpty() const { return text.isEmpty() && !headers; }
    bool operator==(const SendDraft &) const = default;
};

// Edits either fields (method, id, params) or the raw text. Everything may be changed, even into something invalid:
// this is a debugger. Findings say what is wrong and where. Over HTTP the headers can be edited too; only a header that
// cannot be sent keeps the dialog open.
class SendDialog : public QDialog {
    Q_OBJECT
public:
    // freshId: JSON; replaces the id of a request. draft: from an earlier time. headers: without names, there are none
    // to edit.
    SendDialog(const QByteArray &message, const QByteArray &freshId, const SendDraft &draft = {},
               const RecordedHeaders &headers = {}, QWidget *parent = nullptr);
    QByteArray message() const;  // on one line when it is valid JSON, as typed otherwise
    MessageHeaders headers() const;
    SendDraft draft() const;  // also after the dialog was closed in whatever way
    void accept() override;
    void done(int result) override;

private:
    enum Mode { PartsMode, TextMode };
    void layOut(const RecordedHeaders &headers);
    void addButtons(QVBoxLayout *column);
    QWidget *makeParts();
    void restore(const SendDraft &draft);
    void load(const QByteArray &text);
    void loadParts(const json::Value &message);
    void showMode(int mode);
    void startOver();
    void updateFindings();
    QByteArray text() const;  // as typed, line breaks and all
    QByteArray partsText() const;
    // Including the progress token, which equals the id.
    static QByteArray withId(const QByteArray &message, const QByteArray &id);

    const QByteArray m_freshId;
    QByteArray m_ownId;
    QByteArray m_original;  // with the fresh id
    SendDraft m_putAway;    // by startOver()
    json::Document m_base;  // the message whose other members the parts leave as they are
    SegmentedControl *m_modes;
    QStackedWidget *m_pages;
    QLineEdit *m_method;
    QComboBox *m_id;
    TextLabel *m_idNote;
    JsonEditor *m_params;
    JsonEditor *m_text;
    TextLabel *m_finding;
    HeaderEditor *m_headers = nullptr;  // over HTTP
    QPushButton *m_send;
    QPushButton *m_startOver;
};

}  // namespace sonde::ui
