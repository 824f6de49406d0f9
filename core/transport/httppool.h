// Network access managers enough that no request waits for another.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QNetworkAccessManager>
#include <QObject>

class QUrl;

namespace sonde {

// A manager opens at most six connections to a host, and queues what goes beyond without a word: with six answers
// streaming, the cancel of the first would wait for ever. So each gets a few exchanges only, and a long-lived stream
// has one to itself.
class HttpPool final : public QObject {
    Q_OBJECT
public:
    enum class Use { Exchange, Stream };

    HttpPool(const QUrl &url, QObject *parent);

    QNetworkAccessManager *lease(Use use);
    void release(QNetworkAccessManager *manager);

private:
    static constexpr int exchangesEach = 4;
    static constexpr int keptIdle = 2;  // for the sake of their open connections

    struct Entry {
        QNetworkAccessManager *manager = nullptr;
        int active = 0;
        bool isExclusive = false;
    };
    QList<Entry> m_entries;
    bool m_isLoopback = false;
};

}  // namespace sonde
