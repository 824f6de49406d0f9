// A table to edit the HTTP headers of a message.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/headeredit.h"

#include <QWidget>

class QToolButton;

namespace sonde::ui {

class PairTable;
class TextLabel;

// Exactly these headers are sent. Rows whose value Sonde fills in say so; a typed value replaces it, and clearing that
// restores it.
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
    // Commits the cell that is being edited.
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
    TextLabel *m_finding;
};

}  // namespace sonde::ui
