// Chooses two servers to compare, live or recorded.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/session.h"

#include <QDialog>
#include <QPointer>
#include <array>

class QLineEdit;
class QListWidget;
class QListWidgetItem;
class QPushButton;

namespace sonde::ui {

class TextLabel;

struct CompareChoice {
    enum class Kind { Live, Open, Recorded, File };
    Kind kind = Kind::Live;
    QString name;                    // of the server
    QString detail;                  // "stdio · 2025-11-25", "2026-11-21 13:50 · 12 kB"
    QString path;                    // of a recording
    QPointer<Session> session = {};  // of a server or recording that is open; names may be alike
    bool operator==(const CompareChoice &) const = default;
};

class CompareDialog : public QDialog {
    Q_OBJECT
public:
    // left, right: indexes of the initially selected choices; -1 for none.
    CompareDialog(const QList<CompareChoice> &choices, int left, int right, const QString &folder,
                  QWidget *parent = nullptr);
    CompareChoice left() const { return chosen(0); }
    CompareChoice right() const { return chosen(1); }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    struct Column {
        QLineEdit *filter = nullptr;
        QListWidget *list = nullptr;
    };
    QWidget *makeColumn(Column &column, const QString &caption, const QString &name);
    void fill(Column &column, int choice);
    void filter(Column &column);
    void openFile(Column &column);
    CompareChoice chosen(size_t column) const;
    void updateState();

    QList<CompareChoice> m_choices;
    QString m_folder;
    std::array<Column, 2> m_columns;
    TextLabel *m_message;
    QPushButton *m_compare;
};

}  // namespace sonde::ui
