// Long texts in a text box, each drawn as one placeholder.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QHash>
#include <QObject>
#include <QString>
#include <QTextObjectInterface>
#include <functional>

class QTextCursor;
class QTextDocument;

namespace sonde::ui {

// A text box lays out a whole line after each key press: a million characters take minutes. So the middle of a long
// line, and the rest of a long text, is stored here, and the document has one placeholder for it that shows its length.
// It can be deleted, copied and restored by undo like any character. Owned by the document; GUI thread only.
class AbbreviatedRuns : public QObject, public QTextObjectInterface {
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)
public:
    explicit AbbreviatedRuns(QTextDocument *document);

    // Replaces the selection. "\r\n" and "\r" become "\n", as in every text box.
    enum class Extent {
        Most,      // a million characters are shown
        Beginning  // of a longer text only some pages, which takes milliseconds
    };
    void insert(QTextCursor *cursor, QString text, Extent extent = Extent::Most);
    // What QTextDocument::toRawText() returns. That one joins thousands of pieces, which takes milliseconds for a long
    // text; here only what an edit has changed is read again, once somebody has asked for it.
    const QString &rawText();
    QString text() const;  // of the document, every character of it
    QString text(const QTextCursor &selection) const;
    // The same for a worker: what is long is shared with it. May be called once this object is gone.
    std::function<QString()> lateText() const;
    int positionOf(qsizetype at) const;  // in the document, of a place in text(); in what is long, of its placeholder
    bool isShortened() const;            // something is kept here
    QByteArray quoted() const;           // text() as a JSON string
    void prepare();                      // has a worker do that; ends in prepared()
    bool isPrepared() const;             // quoted() does not take long

    QSizeF intrinsicSize(QTextDocument *document, int position, const QTextFormat &format) override;
    void drawObject(QPainter *painter, const QRectF &area, QTextDocument *document, int position,
                    const QTextFormat &format) override;

Q_SIGNALS:
    void prepared();

private:
    void followRawText(int from, int removed, int added);
    struct Run {
        // A part of the text that was inserted, which is shared: copying it would be felt.
        QString inserted;
        qsizetype from = 0;
        qsizetype size = 0;
        qsizetype shownSize = 0;  // in characters, as they were inserted
        QByteArray json;          // without the quotes; made on another thread, which unifies line ends, too
        QString text() const;
    };
    QString takeBack(QTextCursor *cursor, qsizetype size);
    void insertShortened(QTextCursor *cursor, const QString &text, qsizetype from, qsizetype end, qsizetype head);
    void insertRun(QTextCursor *cursor, const Run &run);
    QByteArrayList quotedPieces() const;
    int idAt(int position) const;
    QString label(const QTextFormat &format) const;
    template <typename Plain, typename Long>
    void eachPiece(int from, int end, Plain plain, Long run) const;

    QTextDocument *m_document;
    QString m_raw;
    int m_rawRevision = -1;  // of the document, whose text it is
    QHash<int, Run> m_runs;
    int m_lastId = 0;
    int m_preparing = 0;      // runs
    bool m_isWanted = false;  // quoted()
    bool m_isJoining = false;
    QByteArray m_joined;  // quoted() of this revision of the document
    int m_joinedRevision = -1;
};

}  // namespace sonde::ui
