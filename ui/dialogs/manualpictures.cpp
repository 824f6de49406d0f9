// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/manualpictures.h"

#include "ui/theme/theme.h"

#include <QImageReader>
#include <QPainter>
#include <QTextDocument>
#include <QTextFormat>
#include <QUrl>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

ManualPictures::ManualPictures(const QString &folder, QObject *parent) : QObject(parent), m_folder(folder) {}

void ManualPictures::startPage(const QString &path)
{
    m_page = path;
    m_scaled.clear();
}

QSizeF ManualPictures::intrinsicSize(QTextDocument *document, int, const QTextFormat &format)
{
    const QSize size = QImageReader(fileOf(format)).size();
    const qreal room = document->textWidth() - 2 * document->documentMargin();
    if (size.isEmpty() || room <= 0)
        return {};
    const qreal width = std::min<qreal>(size.width(), room);
    return {width, width * size.height() / size.width()};
}

void ManualPictures::drawObject(QPainter *painter, const QRectF &rect, QTextDocument *, int, const QTextFormat &format)
{
    const QString file = fileOf(format);
    const QSize size = (rect.size() * painter->device()->devicePixelRatioF()).toSize();
    QPixmap &scaled = m_scaled[file];
    if (scaled.size() != size) {
        // With a palette, scaling would dither.
        const QImage whole = QImageReader(file).read().convertToFormat(QImage::Format_RGB32);
        if (whole.isNull())
            return;
        scaled = QPixmap::fromImage(whole.scaled(size, Qt::IgnoreAspectRatio, Qt::SmoothTransformation));
    }
    painter->drawPixmap(rect, scaled, scaled.rect());
    painter->setPen(colors().border);
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(rect.adjusted(0, 0, -1, -1));
}

// The pages name the light ones.
QString ManualPictures::fileOf(const QTextFormat &format) const
{
    const QUrl page(u"qrc:/"_s + m_page);
    const QUrl picture = page.resolved(QUrl(format.toImageFormat().name()));
    QString path = picture.scheme() == "qrc"_L1 ? picture.path() : QString();
    if (isDark())
        path.replace(u"-light."_s, u"-dark."_s);
    return m_folder + path;
}

}  // namespace sonde::ui
