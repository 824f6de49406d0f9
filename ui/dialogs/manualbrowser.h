// Shows one page of the manual, with its pictures.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/dialogs/manualpages.h"

#include <QTextBrowser>

namespace sonde::ui {

class DocumentFind;
class ManualPictures;

// Pictures are resources, those of the current theme, at most as wide as the text. Nothing else is loaded, and links
// are not followed: anchorClicked() says where they lead.
class ManualBrowser : public QTextBrowser {
    Q_OBJECT
public:
    // folder: that of the pages.
    explicit ManualBrowser(const QString &folder, QWidget *parent = nullptr);

    void setPage(const ManualPage &page);
    void goTo(const QString &anchor);  // its heading to the top; none: the start of the page
    // Marks the words, and selects the first of them from there on.
    void mark(const QStringList &words, int position);
    void clearMarks();
    QStringList headings() const;  // below the title, of the second level

    QVariant loadResource(int type, const QUrl &name) override;

Q_SIGNALS:
    void colorsChanged();  // those of the page are the former ones

protected:
    void changeEvent(QEvent *event) override;

private:
    ManualPictures *m_pictures;
    DocumentFind *m_find;
};

}  // namespace sonde::ui
