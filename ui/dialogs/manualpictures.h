// Draws the pictures of the manual's pages.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QHash>
#include <QObject>
#include <QPixmap>
#include <QTextObjectInterface>

namespace sonde::ui {

// In place of Qt's own handler, which neither fits pictures to the page nor scales them smoothly. GUI thread.
class ManualPictures : public QObject, public QTextObjectInterface {
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)
public:
    // folder: that of the pages, a resource; what is not below it is not drawn.
    ManualPictures(const QString &folder, QObject *parent);

    void startPage(const QString &path);  // forgets those of the page before

    QSizeF intrinsicSize(QTextDocument *document, int position, const QTextFormat &format) override;
    void drawObject(QPainter *painter, const QRectF &rect, QTextDocument *document, int position,
                    const QTextFormat &format) override;

private:
    QString fileOf(const QTextFormat &format) const;  // that of the current theme

    QString m_folder;
    QString m_page;
    QHash<QString, QPixmap> m_scaled;
};

}  // namespace sonde::ui
