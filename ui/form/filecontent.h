// Puts the bytes of a file into an input, encoded, and says how large its content is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schema/textencoding.h"

#include <QPointer>
#include <QWidget>

namespace sonde::ui {

class FlatButton;
class TextLabel;

// The line below the input; the button belongs beside it. A file is read and encoded on a worker, one at a time. What
// is said never holds any of the content.
class FileContent : public QWidget {
    Q_OBJECT
public:
    FileContent(const schema::TextEncoding &encoding, const QString &mediaType, QWidget *parent);
    FlatButton *button() const { return m_button; }
    void takeDrops(QWidget *target);          // of a file, in place of its name as text
    void setContent(const QByteArray &json);  // what the input holds now; a file that is being read is given up
    void rename(const QString &pointer);
    void load(const QString &path);
    bool eventFilter(QObject *watched, QEvent *event) override;

Q_SIGNALS:
    void loaded(const QString &text, const QByteArray &json);  // the same, as JSON

private:
    void choose();
    void say(const QString &text, bool isProblem = false);
    const schema::TextEncoding m_encoding;
    const QString m_mediaType;
    FlatButton *m_button;
    TextLabel *m_said;
    QPointer<QObject> m_loading;
    QPointer<QObject> m_measuring;
};

}  // namespace sonde::ui
