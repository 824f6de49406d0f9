// An image in its natural size, scaled down if there is less room, or magnified.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QImage>
#include <QSize>
#include <QWidget>

namespace sonde::ui {

struct DecodedImage;

// Has its image decoded when it is seen, in the size in which it is seen (see ImageDecoder).
class ImageView : public QWidget {
    Q_OBJECT
public:
    // naturalSize: as the header of these bytes says.
    ImageView(const QByteArray &bytes, const QSize &naturalSize, QWidget *parent = nullptr);
    const QByteArray &bytes() const { return m_bytes; }
    const QSize &naturalSize() const { return m_naturalSize; }
    // In percent of the natural size; 0: as wide as there is room, at most the natural size.
    void setZoom(int percent);
    int zoom() const { return m_zoom; }
    QSize sizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

    // For the decoder.
    QSize wantedSize() const;  // in device pixels
    void take(const DecodedImage &decoded, const QSize &wanted);
    void giveBack();
    qint64 heldBytes() const { return m_image.sizeInBytes(); }

Q_SIGNALS:
    void failed(const QString &reason);  // it cannot be decoded; at most once

protected:
    void paintEvent(QPaintEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    QSize shownSize(int width) const;
    QSize shownSize() const;
    const QByteArray m_bytes;
    const QSize m_naturalSize;
    QImage m_image;
    QSize m_decodedFor;  // the wanted size that it was made for
    bool m_hasFailed = false;
    int m_zoom = 0;
};

}  // namespace sonde::ui
