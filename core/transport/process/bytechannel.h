// The two ends of a child process's standard streams as Sonde sees them. Neither ever waits.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArrayView>
#include <QObject>
#include <span>

namespace sonde {

// Standard output or standard error.
class ByteSource : public QObject {
    Q_OBJECT
public:
    static constexpr qint64 AtEnd = -1;

    ~ByteSource() override;
    // How many bytes were read: 0 when there are none at the moment, AtEnd when none will ever come.
    virtual qint64 read(char *data, qint64 maxBytes) = 0;
    virtual qint64 bytesAvailable() const = 0;
    // Whether readable() is emitted. It is not, at first.
    virtual void setNotifying(bool isNotifying) = 0;

Q_SIGNALS:
    void readable();
};

// Standard input.
class ByteSink : public QObject {
    Q_OBJECT
public:
    static constexpr qint64 Broken = -1;

    ~ByteSink() override;
    static constexpr size_t MaxParts = 128;
    // Offers the parts, one behind the other, MaxParts at most. Returns how many bytes of them the system took since
    // the last call: 0 when it takes none at the moment, Broken when the reader has closed its end. Bytes that were not
    // taken have to be offered again, nothing else in their place.
    virtual qint64 write(std::span<const QByteArrayView> parts) = 0;
    // Whether writable() is emitted. It is not, at first.
    virtual void setNotifying(bool isNotifying) = 0;
    virtual void close() = 0;

Q_SIGNALS:
    void writable();
};

}  // namespace sonde
