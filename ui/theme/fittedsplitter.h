// Two areas, one above the other: the upper one is as high as its content, the user decides otherwise.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSplitter>
#include <functional>

namespace sonde::ui {

// The upper area gets what it needs, up to half of the height, until the user moves the handle.
class FittedSplitter : public QSplitter {
    Q_OBJECT
public:
    explicit FittedSplitter(QWidget *parent = nullptr);
    // How high the upper area would be with all of its content. Asked at once, after each resize and at each fit().
    void setNeededHeight(std::function<int()> height);
    void fit();
    QByteArray saveUserState() const;  // empty: the user has not moved the handle
    void restoreUserState(const QByteArray &state);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    std::function<int()> m_neededHeight;
    bool m_isUsers = false;  // the handle was moved
};

}  // namespace sonde::ui
