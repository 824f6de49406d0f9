// Long texts in a text box, each drawn as one placeholder.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QHash>
#include <QObject>
#include <QString>
#include <QTextObjectInterface>

class QTextCursor;
class QTextDocument;

namespace sonde::ui {

// A text box lays out a whole line after each key press: a million characters take minutes. So the middle of a long
// line, and the rest of a long text, is stored here, and the document has one placeholder for it that shows its length.
// It can be deleted, copied and restored by undo like any character. Owned by the document; GUI thread only.
class LongRuns : public QObject, public QTextObjectInterface {
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)
public:
    explicit LongRuns(QTextDocument *document);

    // Replaces the selection. "\r\n" and "\r" become "\n", as in every text box.
    void insert(QTextCursor *cursor, QString text);
    QString text() const;  // of the document, every character of it
    QString text(const QTextCursor &selection) const;
    bool isShortened() const;                             // something is kept here
    QByteArray quoted() const;                            // text() as a JSON string
    bool isPrepared() const { return m_preparing == 0; }  // quoted() does not take long

    QSizeF intrinsicSize(QTextDocument *document, int position, const QTextFormat &format) override;
    void drawObject(QPainter *painter, const QRectF &area, QTextDocument *document, int position,
                    const QTextFormat &format) override;

Q_SIGNALS:
    void prepared();

private:
    struct Run {
        QString text;
        QByteArray json;  // without the quotes; made on another thread
    };
    QString takeBack(QTextCursor *cursor, qsizetype size);
    void insertShortened(QTextCursor *cursor, const QString &line, qsizetype head);
    void insertRun(QTextCursor *cursor, const QString &text);
    int idAt(int position) const;
    QString label(const QTextFormat &format) const;
    template <typename Plain, typename Long>
    void eachPiece(int from, int end, Plain plain, Long run) const;

    QTextDocument *m_document;
    QHash<int, Run> m_runs;
    int m_preparing = 0;
};

}  // namespace sonde::ui
