// The transport a connection's client keeps for good, whatever transport is behind it at the moment.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/transport.h"

#include <memory>

namespace sonde {

// Client and catalog belong to one transport for life, while each start of a server makes a new one: this stands
// between. The tap is that of the inner transport; nothing passes here that it does not report.
class Link final : public Transport {
    Q_OBJECT
public:
    explicit Link(QObject *parent = nullptr);
    ~Link() override;

    // Only while closed. The one before is deleted; it is kept until then for what it can still tell.
    void setInner(std::unique_ptr<Transport> inner);
    Transport *inner() const { return m_inner.get(); }

    void open() override;
    void close() override;
    void setRevision(Revision revision) override;
    void sessionReady() override;
    std::shared_ptr<void> holdReading() override;
    QString name() const override;
    QStringList stderrTail() const override;
    qint64 processId() const override;
    QList<QByteArray> headerNames() const override;

protected:
    Error write(const Message &message) override;
    Error writeWith(const MessageHeaders &headers, const Message &message) override;

private:
    void dropInner();

    std::unique_ptr<Transport> m_inner;
    // How many of the inner transport's signals are being passed on. Outlives this: a slot may delete us.
    std::shared_ptr<int> m_passing = std::make_shared<int>(0);
};

}  // namespace sonde
