// SPDX-License-Identifier: Apache-2.0
#include "ui/result/imagedecoder.h"

#include "core/protocol/worker.h"
#include "ui/result/imageview.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QImageReader>

namespace sonde::ui {

namespace {

bool isTurned(const QImageReader &reader)
{
    return reader.transformation().testFlag(QImageIOHandler::TransformationRotate90);
}

}  // namespace

QSize imageSizeOf(const QByteArray &bytes)
{
    QBuffer buffer;
    buffer.setData(bytes);
    buffer.open(QIODevice::ReadOnly);
    QImageReader reader(&buffer);
    reader.setDecideFormatFromContent(true);
    const QSize size = reader.size();
    return isTurned(reader) ? size.transposed() : size;
}

DecodedImage decodeImage(const QByteArray &bytes, const QSize &size)
{
    QBuffer buffer;
    buffer.setData(bytes);
    buffer.open(QIODevice::ReadOnly);
    QImageReader reader(&buffer);
    reader.setDecideFormatFromContent(true);
    reader.setAutoTransform(true);
    if (size.isValid() && size != imageSizeOf(bytes))
        reader.setScaledSize(isTurned(reader) ? size.transposed() : size);
    DecodedImage decoded;
    decoded.image = reader.read();
    if (decoded.image.isNull())
        decoded.error = reader.errorString();
    else if (size.isValid())  // what the screen has, so that painting converts nothing
        decoded.image.convertTo(decoded.image.hasAlphaChannel() ? QImage::Format_ARGB32_Premultiplied
                                                                : QImage::Format_RGB32);
    return decoded;
}

ImageDecoder *ImageDecoder::shared()
{
    static QPointer<ImageDecoder> decoder;
    if (!decoder)
        decoder = new ImageDecoder(QCoreApplication::instance());
    return decoder;
}

void ImageDecoder::request(ImageView *view)
{
    if (!m_waiting.contains(view))
        m_waiting.append(view);
    startNext();
}

void ImageDecoder::startNext()
{
    while (!m_isDecoding && !m_waiting.isEmpty()) {
        const QPointer<ImageView> view = m_waiting.takeFirst();
        if (!view || view->visibleRegion().isEmpty())
            continue;  // scrolled on: painting it will ask again
        m_isDecoding = true;
        const QSize wanted = view->wantedSize();
        runOnWorker(
            this, [bytes = view->bytes(), wanted] { return decodeImage(bytes, wanted); },
            [this, view, wanted](const std::optional<DecodedImage> &decoded) {
                m_isDecoding = false;
                if (view) {
                    m_holding.removeOne(view);
                    m_holding.append(view);
                    view->take(decoded.value_or(DecodedImage{{}, tr("not enough memory")}), wanted);
                }
                keepToBudget();
                startNext();
            });
    }
}

void ImageDecoder::notePainted(ImageView *view)
{
    if (m_holding.removeOne(view))
        m_holding.append(view);
}

qint64 ImageDecoder::heldBytes() const
{
    qint64 bytes = 0;
    for (const QPointer<ImageView> &view : m_holding)
        bytes += view ? view->heldBytes() : 0;
    return bytes;
}

void ImageDecoder::keepToBudget()
{
    m_holding.removeAll(nullptr);
    qint64 held = heldBytes();
    for (qsizetype i = 0; held > MaxHeldBytes && i < m_holding.size();) {
        if (!m_holding.at(i)->visibleRegion().isEmpty()) {
            ++i;
            continue;
        }
        const QPointer<ImageView> view = m_holding.takeAt(i);
        held -= view->heldBytes();
        view->giveBack();
    }
}

}  // namespace sonde::ui
