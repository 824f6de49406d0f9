// SPDX-License-Identifier: Apache-2.0
#include "ui/form/longruns.h"

#include "core/json/builder.h"
#include "core/protocol/numbertext.h"
#include "ui/json/background.h"
#include "ui/theme/theme.h"

#include <QAbstractTextDocumentLayout>
#include <QFontMetricsF>
#include <QPainter>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>

namespace sonde::ui {

namespace {

constexpr qsizetype MaxLineShown = 4096;  // laid out with every key within it
constexpr qsizetype MaxTextShown = 1'000'000;
constexpr qsizetype HeadShown = 256;
constexpr qsizetype TailShown = 64;
constexpr int RunObject = QTextFormat::UserObject + 1;
constexpr int RunId = QTextFormat::UserProperty + 1;
constexpr qreal RunPadding = 6;

// Not between the halves of a surrogate pair.
qsizetype wholeCharacter(const QString &text, qsizetype at)
{
    const bool isWithin =
        at > 0 && at < text.size() && text.at(at).isLowSurrogate() && text.at(at - 1).isHighSurrogate();
    return isWithin ? at - 1 : at;
}

}  // namespace

LongRuns::LongRuns(QTextDocument *document) : QObject(document), m_document(document) {}

void LongRuns::insert(QTextCursor *cursor, QString text)
{
    if (text.contains(u'\r'))
        text.replace(QLatin1String("\r\n"), QLatin1String("\n")).replace(u'\r', u'\n');
    cursor->beginEditBlock();
    cursor->removeSelectedText();
    // The first line continues the text before the cursor, and the last line the text behind it.
    const int after = cursor->block().length() - 1 - cursor->positionInBlock();
    const qsizetype firstEnd = text.indexOf(u'\n');
    const qsizetype first = firstEnd < 0 ? text.size() + after : firstEnd;
    if (cursor->positionInBlock() > 0 && cursor->positionInBlock() + first > MaxLineShown)
        text.prepend(takeBack(cursor, text.size()));
    const int before = cursor->positionInBlock();
    qsizetype shown = m_document->characterCount();
    qsizetype inserted = 0;
    for (qsizetype line = 0; line < text.size();) {
        const qsizetype next = text.indexOf(u'\n', line);
        const qsizetype end = next < 0 ? text.size() : next;
        const qsizetype laidOut = end - line + (line == 0 ? before : 0) + (next < 0 ? after : 0);
        const bool isTooMuch = shown + qMin(end - line, MaxLineShown) > MaxTextShown;
        if (isTooMuch || laidOut > MaxLineShown) {
            const qsizetype last = isTooMuch ? text.size() : end;
            // An existing placeholder has the beginning of its line before it.
            const qsizetype head = line == 0 && before > 0 ? 0 : HeadShown;
            cursor->insertText(text.sliced(inserted, line - inserted), QTextCharFormat());
            insertShortened(cursor, text.sliced(line, last - line), head);
            inserted = last;
            shown += head + TailShown;
            if (isTooMuch)
                break;
        } else {
            shown += end - line + 1;
        }
        line = end + 1;
    }
    cursor->insertText(text.sliced(inserted), QTextCharFormat());
    if (after > MaxLineShown) {
        QTextCursor behind(*cursor);
        behind.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
        const int place = cursor->position();
        const QString whole = this->text(behind);
        behind.removeSelectedText();
        insertShortened(&behind, whole, HeadShown);
        cursor->setPosition(place);
    }
    cursor->endEditBlock();
}

// Removes and returns the text of the line before the cursor. Long stored texts stay, so that many small insertions do
// not copy them again.
QString LongRuns::takeBack(QTextCursor *cursor, qsizetype size)
{
    const int start = cursor->block().position();
    int from = cursor->position();
    for (; from > start; --from) {
        const auto run = m_runs.constFind(idAt(from - 1));
        if (run != m_runs.cend() && run->text.size() > size)
            break;
        size += run == m_runs.cend() ? 1 : run->text.size();
    }
    cursor->setPosition(from, QTextCursor::KeepAnchor);
    const QString taken = text(*cursor);
    cursor->removeSelectedText();
    return taken;
}

void LongRuns::insertShortened(QTextCursor *cursor, const QString &line, qsizetype head)
{
    const qsizetype from = wholeCharacter(line, qMin(head, line.size()));
    const qsizetype end = qMax(from, wholeCharacter(line, line.size() - qMin(TailShown, line.size())));
    cursor->insertText(line.first(from), QTextCharFormat());
    insertRun(cursor, line.sliced(from, end - from));
    cursor->insertText(line.sliced(end), QTextCharFormat());
}

void LongRuns::insertRun(QTextCursor *cursor, const QString &text)
{
    if (text.isEmpty())
        return;
    if (m_runs.isEmpty())
        m_document->documentLayout()->registerHandler(RunObject, this);
    const int id = int(m_runs.size()) + 1;
    m_runs.insert(id, {text, {}});
    QTextCharFormat format;
    format.setObjectType(RunObject);
    format.setProperty(RunId, id);
    cursor->insertText(QString(QChar::ObjectReplacementCharacter), format);
    ++m_preparing;
    const std::function<QByteArray()> quote = [text] {
        QByteArray json = json::quoted(text);
        json.chop(1);
        return json.remove(0, 1);
    };
    const std::function<void(const QByteArray &)> done = [this, id](const QByteArray &json) {
        m_runs[id].json = json;
        if (--m_preparing == 0)
            Q_EMIT prepared();
    };
    runInBackground(this, quote, done);
}

// 0: an ordinary character.
int LongRuns::idAt(int position) const
{
    QTextCursor cursor(m_document);
    cursor.setPosition(position + 1);
    return cursor.charFormat().intProperty(RunId);
}

template <typename Plain, typename Long>
void LongRuns::eachPiece(int from, int end, Plain plain, Long run) const
{
    QString raw = m_document->toRawText();
    raw.replace(QChar::ParagraphSeparator, u'\n');
    end = int(qMin(qsizetype(end), raw.size()));
    const QStringView all(raw);
    int at = from;
    for (qsizetype sign = m_runs.isEmpty() ? -1 : raw.indexOf(QChar::ObjectReplacementCharacter, from);
         sign >= 0 && sign < end; sign = raw.indexOf(QChar::ObjectReplacementCharacter, sign + 1)) {
        const auto found = m_runs.constFind(idAt(int(sign)));
        if (found == m_runs.cend())
            continue;
        plain(all.sliced(at, sign - at));
        run(*found);
        at = int(sign) + 1;
    }
    plain(all.sliced(at, end - at));
}

QString LongRuns::text() const
{
    QTextCursor all(m_document);
    all.select(QTextCursor::Document);
    return text(all);
}

QString LongRuns::text(const QTextCursor &selection) const
{
    QString whole;
    eachPiece(
        selection.selectionStart(), selection.selectionEnd(), [&whole](QStringView plain) { whole += plain; },
        [&whole](const Run &run) { whole += run.text; });
    return whole;
}

bool LongRuns::isShortened() const
{
    bool found = false;
    if (!m_runs.isEmpty())
        eachPiece(
            0, m_document->characterCount() - 1, [](QStringView) {}, [&found](const Run &) { found = true; });
    return found;
}

QByteArray LongRuns::quoted() const
{
    // A surrogate pair is never split, so that the joined pieces equal the whole.
    QList<QByteArray> pieces;
    qsizetype size = 2;
    const auto add = [&pieces, &size](const QByteArray &piece) {
        pieces.append(piece);
        size += piece.size();
    };
    const auto inner = [](QStringView text) {
        const QByteArray json = json::quoted(text);
        return json.mid(1, json.size() - 2);
    };
    eachPiece(
        0, m_document->characterCount() - 1, [&](QStringView plain) { add(inner(plain)); },
        [&](const Run &run) { add(run.json.isEmpty() ? inner(run.text) : run.json); });
    QByteArray whole;
    whole.reserve(size);
    whole += '"';
    for (const QByteArray &piece : std::as_const(pieces))
        whole += piece;
    return whole += '"';
}

QString LongRuns::label(const QTextFormat &format) const
{
    return tr("… %1 more characters …").arg(grouped(m_runs.value(format.intProperty(RunId)).text.size()));
}

QSizeF LongRuns::intrinsicSize(QTextDocument *document, int position, const QTextFormat &format)
{
    Q_UNUSED(position)
    // No higher than a letter, so that all lines have the same height.
    const QFontMetricsF metrics(document->defaultFont());
    return {QFontMetricsF(smallFont()).horizontalAdvance(label(format)) + 2 * RunPadding, metrics.ascent()};
}

void LongRuns::drawObject(QPainter *painter, const QRectF &area, QTextDocument *document, int position,
                          const QTextFormat &format)
{
    Q_UNUSED(document)
    Q_UNUSED(position)
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(colors().line);
    painter->setBrush(colors().field);
    painter->drawRoundedRect(area.adjusted(1.5, 0.5, -1.5, 1.5), 4, 4);
    painter->setPen(colors().dim);
    painter->setFont(smallFont());
    painter->drawText(area, Qt::AlignCenter, label(format));
    painter->restore();
}

}  // namespace sonde::ui
