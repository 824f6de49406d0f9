// Standard input, line by line, without holding up the event loop.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QObject>

namespace sonde::app {

class InputSource;

// Off until it is enabled. A program has one standard input: what one of these has not given out, the next one does.
// Not deleted within its own signals.
class StandardInput : public QObject {
    Q_OBJECT
public:
    explicit StandardInput(QObject *parent = nullptr);
    ~StandardInput() override;

    void setEnabled(bool isEnabled);
    void setMaxLine(qsizetype bytes) { m_maxLine = bytes; }

Q_SIGNALS:
    void received(const QByteArray &line);  // without the white space around it
    void ended(const QByteArray &rest);     // of a line that was not ended
    void lineTooLong();                     // nothing else comes

private:
    void add(const QByteArray &bytes);
    void giveOut();

    InputSource *m_source;
    bool m_isEnabled = false;
    bool m_isGivingOut = false;
    qsizetype m_searched = 0;  // so much of what is unread holds no line break
    qsizetype m_maxLine = -1;  // none
};

}  // namespace sonde::app
