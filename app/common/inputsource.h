// The bytes of standard input. Implemented in unix/, and in portable/ with the standard library alone; the CMake option
// SONDE_UNIX chooses one. Used by StandardInput only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QObject>

#include <memory>

namespace sonde::app {

// Off until it is enabled.
class InputSource : public QObject {
    Q_OBJECT
public:
    explicit InputSource(QObject *parent);
    ~InputSource() override;

    void setEnabled(bool isEnabled);

Q_SIGNALS:
    void received(const QByteArray &bytes);  // empty: the end

private:
    class Private;
    std::unique_ptr<Private> m_d;
};

}  // namespace sonde::app
