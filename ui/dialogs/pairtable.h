// A small table of names and values, for environment entries and headers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QTableWidget>

namespace sonde::ui {

using Pairs = QList<std::pair<QString, QString>>;

// Always has one empty row at the end; a row without a name and a value is not part of pairs().
class PairTable : public QTableWidget {
    Q_OBJECT
public:
    PairTable(const QString &nameTitle, const QString &valueTitle, QWidget *parent = nullptr);
    void setPairs(const Pairs &pairs);
    Pairs pairs() const;

Q_SIGNALS:
    void edited();

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void keepEmptyRow();
    bool m_filling = false;
};

}  // namespace sonde::ui
