// The HTTP headers that a message is sent with, as a table to edit.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/headeredit.h"

#include <QWidget>

class QToolButton;

namespace sonde::ui {

class PairTable;
class TextLabel;

// What stands in it goes out, and nothing else does. A row whose value Sonde fills in says so instead of showing one;
// what is typed there replaces it, and clearing that again brings it back.
class HeaderEditor : public QWidget {
    Q_OBJECT
public:
    explicit HeaderEditor(const RecordedHeaders &recorded, QWidget *parent = nullptr);

    void setRows(const QList<HeaderRow> &rows);
    QList<HeaderRow> rows() const;
    MessageHeaders headers() const { return messageHeaders(rows(), m_recorded.ownNames); }
    bool isChanged() const { return rows() != m_recorded.rows; }
    const QList<HeaderRow> &original() const { return m_recorded.rows; }
    bool canBeSent() const { return !checkHeaderRows(rows()); }
    // Takes over what is being typed into a cell.
    void commit();

Q_SIGNALS:
    void edited();

private:
    void layOut();
    void removeRow();
    void refresh();

    const RecordedHeaders m_recorded;
    PairTable *m_table;
    QToolButton *m_remove;
    TextLabel *m_remark;
};

}  // namespace sonde::ui
