// What sonde-cli finds: a home, files whole and damaged, servers good and bad.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QProcess>
#include <QStringList>
#include <QTemporaryDir>
#include <memory>

namespace sonde::monkey {

class CliWorld {
public:
    CliWorld();
    ~CliWorld();
    Q_DISABLE_COPY_MOVE(CliWorld)

    QString problem() const { return m_problem; }  // empty: it could be made

    // A home as it was at first; whatever a run left there is gone.
    void renew();
    QString home() const { return m_home->path(); }
    // What no process but those of a run has in its environment.
    QByteArray mark() const { return "HOME=" + home().toUtf8(); }
    QString filled(QString word) const;  // placeholders replaced

    // Whether a run with those words writes nowhere else.
    bool staysAtHome(const QStringList &words) const;

    // Names with placeholders.
    static QStringList sessions();
    static QStringList jsonFiles();  // for --args, --responses and --rules
    static QStringList scripts();
    static QStringList places();  // for what is written
    static QList<QStringList> servers();
    // Of the words of a run: its server may keep it waiting; or ends by itself, and then the run has to end too.
    static bool isEndless(const QStringList &words);
    static bool isDead(const QStringList &words);

private:
    void writeFiles();
    QString startHttp(QProcess *process, const QStringList &words);
    QString path(const QString &name) const { return m_home->filePath(name); }

    std::unique_ptr<QTemporaryDir> m_home;
    QTemporaryDir m_recorded;  // made once
    QProcess m_http;
    QProcess m_sse;
    QString m_httpUrl;
    QString m_sseUrl;
    QString m_problem;
};

}  // namespace sonde::monkey
