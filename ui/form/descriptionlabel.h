// A server's description of a field: dim, plain text, and shortened until expanded.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QWidget>

namespace sonde::ui {

class FlatButton;
class TextLabel;

class DescriptionLabel : public QWidget {
    Q_OBJECT
public:
    explicit DescriptionLabel(const QString &text, QWidget *parent = nullptr);
    void setExpanded(bool expanded);

private:
    QString m_text;
    QString m_short;
    TextLabel *m_label;
    FlatButton *m_more = nullptr;
};

}  // namespace sonde::ui
