// Decodes images for the views that show them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QImage>
#include <QList>
#include <QObject>
#include <QPointer>
#include <QSize>

namespace sonde::ui {

class ImageView;

struct DecodedImage {
    QImage image;  // null: it cannot be decoded
    QString error;
};

// The natural size of what the bytes hold, turned as its metadata says; invalid if that cannot be read. Reads the
// header.
QSize imageSizeOf(const QByteArray &bytes);
// In this size (an invalid one: the natural one), scaled while it is decoded where its format can do that. For a
// worker.
DecodedImage decodeImage(const QByteArray &bytes, const QSize &size = {});

// One at a time and on a worker thread, so that the memory for decoding is needed once. All views of the program share
// one budget: beyond it, those that are out of sight give their images back, the ones seen longest ago first. On the
// GUI thread.
class ImageDecoder : public QObject {
    Q_OBJECT
public:
    static constexpr qint64 MaxHeldBytes = 128LL * 1000 * 1000;
    // A longer image than any screen is shown with fewer pixels than it has.
    static constexpr qint64 MaxShownPixels = 8LL * 1000 * 1000;

    static ImageDecoder *shared();

    // The view is painted and wants its image in another size than it holds; while it is out of sight it gets none.
    void request(ImageView *view);
    void notePainted(ImageView *view);
    qint64 heldBytes() const;

private:
    using QObject::QObject;
    void startNext();
    void keepToBudget();

    QList<QPointer<ImageView>> m_waiting;
    QList<QPointer<ImageView>> m_holding;  // last: painted last
    bool m_isDecoding = false;
};

}  // namespace sonde::ui
