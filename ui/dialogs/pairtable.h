// A small table of names and values, for environment entries and headers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/redact/secretnames.h"
#include "ui/theme/editabletable.h"

#include <QList>
#include <QSet>
#include <optional>

namespace sonde::ui {

using Pairs = QList<std::pair<QString, QString>>;

// There is always one empty row at the end; rows without name and value are not part of pairs(). Del removes a row,
// Enter starts and ends editing.
class PairTable : public EditableTable {
    Q_OBJECT
public:
    PairTable(const QString &nameTitle, const QString &valueTitle, QWidget *parent = nullptr);
    // With a column of boxes for what belongs in the keychain: checked where the name says so, until the person
    // decides. Values with a checked box are masked.
    void setHasSecrets(NamePlace place);
    QSet<QString> secretNames() const;  // of rows with a checked box
    // As the person has decided before; after setPairs().
    void setSecretNames(const QSet<QString> &names);
    void setPairs(const Pairs &pairs);
    Pairs pairs() const;
    void removePair(int row);
    void commit();  // takes over what is being typed into a cell
    // Not higher than it must be: it grows where there is room.
    QSize sizeHint() const override { return {EditableTable::sizeHint().width(), minimumHeight()}; }

Q_SIGNALS:
    void edited();

protected:
    void commitData(QWidget *editor) override;
    void closeEditor(QWidget *editor, QAbstractItemDelegate::EndEditHint hint) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void keepEmptyRow();
    void addRowItems(int row, const QString &name, const QString &value);
    void checkByName(int row);
    bool isReference(int row) const;
    bool m_filling = false;
    std::optional<NamePlace> m_secrets;
};

}  // namespace sonde::ui
