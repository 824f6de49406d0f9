// Chooses what is done next.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/monkey/cli/step.h"

#include <QRandomGenerator>

namespace sonde::monkey {

class CliWalk {
public:
    explicit CliWalk(quint32 seed) : m_random(seed) {}

    CliStep next();

private:
    bool chance(int percent) { return int(m_random.bounded(100)) < percent; }
    QString oneOf(const QStringList &texts) { return texts.at(m_random.bounded(int(texts.size()))); }

    // Mostly one that works: most of what is refused at once shows little.
    QString oneOf(const QStringList &good, const QStringList &bad) { return oneOf(chance(88) ? good : bad); }

    void chooseVerb(CliStep *step);
    void chooseSessionVerb(CliStep *step, const QString &verb);
    void chooseOperands(CliStep *step, const QString &verb);
    void chooseOptions(CliStep *step, const QString &verb);
    QStringList chooseServer(const QString &verb);
    void chooseServerOptions(CliStep *step, const QStringList &server);
    void chooseStreams(CliStep *step);
    void spoil(CliStep *step);
    QString newFile(const QString &name);
    QString json();
    QString assignment();

    QRandomGenerator m_random;
};

}  // namespace sonde::monkey
