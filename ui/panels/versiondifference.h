// Shows how one version of a resource differs from an earlier one, line by line.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "ui/diff/linedifference.h"

#include <QDateTime>
#include <QList>
#include <QWidget>
#include <memory>

class QComboBox;

namespace sonde::ui {

class TextLabel;
class TextView;

struct ResourceVersion {
    QDateTime at;        // UTC
    json::Value result;  // of resources/read; Missing when it could not be read
};

// Both are taken as text, each part of the contents after the other; JSON on one line is indented first. Of binary
// contents it is said that they are there, and whether they differ.
LineDifference differenceOfVersions(const json::Value &older, const json::Value &newer);

class VersionDifference : public QWidget {
    Q_OBJECT
public:
    explicit VersionDifference(QWidget *parent = nullptr);

    // versions: the newest first. newer: the one to compare; the older one is chosen here, at first the one before it.
    void setVersions(const QList<ResourceVersion> &versions, qsizetype newer);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void compare();
    void show(const LineDifference &difference);
    void fitCaption();

    QList<ResourceVersion> m_versions;
    qsizetype m_newer = 0;
    std::unique_ptr<QObject> m_comparing;  // whose result is waited for
    TextLabel *m_caption;
    QComboBox *m_older;
    TextLabel *m_summary;
    TextView *m_text;
};

// The first version below that row that could be read; -1: none.
qsizetype versionBefore(const QList<ResourceVersion> &versions, qsizetype row);
QString versionTime(const QDateTime &at);  // of the day, for people

}  // namespace sonde::ui
