// A small table of names and values, for environment entries and headers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QTableWidget>

namespace sonde::ui {

using Pairs = QList<std::pair<QString, QString>>;

// There is always one empty row at the end; rows without name and value are not part of pairs(). Del removes a row,
// Enter starts and ends editing.
class PairTable : public QTableWidget {
    Q_OBJECT
public:
    PairTable(const QString &nameTitle, const QString &valueTitle, QWidget *parent = nullptr);
    void setPairs(const Pairs &pairs);
    Pairs pairs() const;
    void removePair(int row);
    void commit();  // takes over what is being typed into a cell

Q_SIGNALS:
    void edited();

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void keepEmptyRow();
    bool m_filling = false;
};

}  // namespace sonde::ui
