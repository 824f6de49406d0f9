// Certificates that tests make with openssl: self-signed ones, and those of a test's own authority.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFile>
#include <QProcess>
#include <QSslConfiguration>
#include <QSslKey>
#include <QSslSocket>
#include <QStandardPaths>
#include <QTemporaryDir>

namespace sonde::test {

// Files in a folder of its own: key.pem and cert.pem. Null where there is no openssl.
class TestCertificate {
public:
    // subject: "/CN=name"; alternative: "IP:127.0.0.1". authority: who signs it; null: itself.
    TestCertificate(QStringView subject, QStringView alternative, const TestCertificate *authority = nullptr)
    {
        QStringList arguments{QStringLiteral("req"),
                              QStringLiteral("-x509"),
                              QStringLiteral("-nodes"),
                              QStringLiteral("-newkey"),
                              QStringLiteral("ec"),
                              QStringLiteral("-pkeyopt"),
                              QStringLiteral("ec_paramgen_curve:prime256v1"),
                              QStringLiteral("-keyout"),
                              keyFile(),
                              QStringLiteral("-out"),
                              file(),
                              QStringLiteral("-days"),
                              QStringLiteral("2"),
                              QStringLiteral("-subj"),
                              subject.toString(),
                              QStringLiteral("-addext"),
                              QStringLiteral("subjectAltName=") + alternative.toString()};
        if (authority)
            arguments << QStringLiteral("-CA") << authority->file() << QStringLiteral("-CAkey") << authority->keyFile()
                      << QStringLiteral("-addext") << QStringLiteral("basicConstraints=critical,CA:FALSE");
        const QString openssl = QStandardPaths::findExecutable(QStringLiteral("openssl"));
        if (openssl.isEmpty() || !QSslSocket::supportsSsl())
            return;
        QProcess process;
        process.start(openssl, arguments);
        m_isMade = process.waitForFinished() && process.exitCode() == 0;
    }

    bool isNull() const { return !m_isMade; }
    QString file() const { return m_folder.filePath(QStringLiteral("cert.pem")); }
    QString keyFile() const { return m_folder.filePath(QStringLiteral("key.pem")); }
    QSslCertificate certificate() const { return QSslCertificate::fromPath(file()).value(0); }
    // Of a server that shows it; null where it is.
    QSslConfiguration server() const
    {
        QFile key(keyFile());
        if (isNull() || !key.open(QIODevice::ReadOnly))
            return QSslConfiguration();
        QSslConfiguration configuration = QSslConfiguration::defaultConfiguration();
        configuration.setLocalCertificateChain({certificate()});
        configuration.setPrivateKey(QSslKey(&key, QSsl::Ec));
        return configuration;
    }

private:
    QTemporaryDir m_folder;
    bool m_isMade = false;
};

}  // namespace sonde::test
