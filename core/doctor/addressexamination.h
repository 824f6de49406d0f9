// Examines a server that is at a URL: its host, port and certificate, and what it said over HTTP.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/doctor/examination.h"
#include "core/transport/network.h"

#include <QElapsedTimer>
#include <memory>

class QSslSocket;

namespace sonde {

// Contacts no host but the one in the URL, through the server's own proxy and with its certificates.
class AddressExamination final : public Examination {
    Q_OBJECT
public:
    AddressExamination(Connection *connection, DoctorReport *report);
    ~AddressExamination() override;

private:
    QList<DoctorLine::Kind> kinds() const override;
    void examine() override;
    void examineRoute();
    void examineHost(const http::Network &network);
    void examineNetwork(const http::Network &network);
    void onNetworkFailed(Remedy unreached);
    void onTlsFound();
    void onNetworkEnded();
    void examineResponses();

    std::unique_ptr<QSslSocket> m_socket;
    QElapsedTimer m_clock;
};

}  // namespace sonde
