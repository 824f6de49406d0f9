// SPDX-License-Identifier: Apache-2.0
#include "ui/form/abbreviatedruns.h"

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
// Extent::Beginning, where a text is longer than that: each line that is shown takes microseconds.
constexpr qsizetype BeginningShown = 32'000;
constexpr int LinesShown = 1'000;
constexpr qsizetype HeadShown = 256;
constexpr qsizetype TailShown = 64;
constexpr int RunObject = QTextFormat::UserObject + 1;
constexpr int RunId = QTextFormat::UserProperty + 1;
constexpr qreal RunPadding = 6;

// Not between the halves of a surrogate pair, and not within "\r\n".
qsizetype wholeCharacter(const QString &text, qsizetype at)
{
    if (at <= 0 || at >= text.size())
        return at;
    const bool isPair = text.at(at).isLowSurrogate() && text.at(at - 1).isHighSurrogate();
    return isPair || (text.at(at) == u'\n' && text.at(at - 1) == u'\r') ? at - 1 : at;
}

// Where this line ends: at "\n", "\r" or the end. In pieces that stay in the processor's cache: memory is read once.
qsizetype lineEnd(QStringView text, qsizetype from)
{
    constexpr qsizetype pieceSize = 8192;
    for (; from < text.size(); from += pieceSize) {
        const QStringView piece = text.sliced(from, qMin(pieceSize, text.size() - from));
        const qsizetype feed = piece.indexOf(u'\n');
        const qsizetype carriage = piece.first(feed < 0 ? piece.size() : feed).indexOf(u'\r');
        if (carriage >= 0 || feed >= 0)
            return from + (carriage >= 0 ? carriage : feed);
    }
    return text.size();
}

qsizetype afterLineEnd(QStringView text, qsizetype end)
{
    return end + (text.sliced(end).startsWith(u"\r\n") ? 2 : 1);
}

// With "\n" for "\r\n" and "\r"; the same text where there is none. Qt's replace() moves the rest again and again.
QString withUnifiedLineEnds(const QString &text)
{
    qsizetype carriage = text.indexOf(u'\r');
    if (carriage < 0)
        return text;
    QString unified;
    unified.reserve(text.size());
    qsizetype from = 0;
    for (; carriage >= 0; carriage = text.indexOf(u'\r', from)) {
        unified += QStringView(text).sliced(from, carriage - from);
        unified += u'\n';
        from = carriage + 1;
        if (from < text.size() && text.at(from) == u'\n')
            ++from;
    }
    return unified += QStringView(text).sliced(from);
}

}  // namespace

// Not copied where no line end is to be changed, so that it must not outlive the run.
QString AbbreviatedRuns::Run::text() const
{
    const QString part = QString::fromRawData(inserted.constData() + from, size);
    return json.isEmpty() ? withUnifiedLineEnds(part) : part;
}

AbbreviatedRuns::AbbreviatedRuns(QTextDocument *document) : QObject(document), m_document(document)
{
    connect(document, &QTextDocument::contentsChange, this, &AbbreviatedRuns::followRawText);
}

const QString &AbbreviatedRuns::rawText()
{
    if (m_rawRevision != m_document->revision()) {
        m_raw = m_document->toRawText();
        m_rawRevision = m_document->revision();
    }
    return m_raw;
}

// Each edit is one revision. After one that was not announced, all is read when it is asked for.
void AbbreviatedRuns::followRawText(int from, int removed, int added)
{
    if (m_rawRevision < 0 || m_document->revision() != m_rawRevision + 1)
        return;
    // For a change of everything Qt also counts the end of the document.
    const int end = qMin(from + added, m_document->characterCount() - 1);
    QTextCursor cursor(m_document);
    cursor.setPosition(from);
    cursor.setPosition(end, QTextCursor::KeepAnchor);
    m_raw.replace(from, qMin(qsizetype(removed), m_raw.size() - from), cursor.selectedText());
    m_rawRevision = m_raw.size() == m_document->characterCount() - 1 ? m_document->revision() : -1;
}

void AbbreviatedRuns::insert(QTextCursor *cursor, QString text, Extent extent)
{
    const bool isLong = text.size() > MaxTextShown;
    if (!isLong)
        text = withUnifiedLineEnds(text);
    cursor->beginEditBlock();
    cursor->removeSelectedText();
    // Nothing brings them back.
    if (m_document->isEmpty() && !m_document->isUndoRedoEnabled())
        m_runs.clear();
    // The first line continues the text before the cursor, and the last line the text behind it.
    const int after = cursor->block().length() - 1 - cursor->positionInBlock();
    qsizetype end = lineEnd(text, 0);
    const qsizetype first = end == text.size() ? end + after : end;
    // A long text is not copied to join it with what is before, unless many of them fill the line.
    const bool mayJoin = !isLong || cursor->positionInBlock() + HeadShown + TailShown > MaxLineShown;
    if (mayJoin && cursor->positionInBlock() > 0 && cursor->positionInBlock() + first > MaxLineShown) {
        const QString taken = takeBack(cursor, text.size());
        text.prepend(taken);
        end += taken.size();
    }
    const int before = cursor->positionInBlock();
    const qsizetype maxShown = MaxTextShown - m_document->characterCount();
    qsizetype shown = 0;
    int lines = 0;
    qsizetype inserted = 0;
    for (qsizetype line = 0; line < text.size(); line = afterLineEnd(text, end), end = lineEnd(text, line)) {
        const bool isLast = end == text.size();
        const qsizetype laidOut = end - line + (line == 0 ? before : 0) + (isLast ? after : 0);
        const bool isTooMuch =
            shown + qMin(end - line, MaxLineShown) > maxShown ||
            (isLong && extent == Extent::Beginning && (shown > BeginningShown || ++lines > LinesShown));
        if (!isTooMuch && laidOut <= MaxLineShown) {
            shown += end - line + 1;
            continue;
        }
        if (isTooMuch)
            end = text.size();
        // An existing placeholder has the beginning of its line before it.
        const qsizetype head = line == 0 ? qMax<qsizetype>(0, HeadShown - before) : HeadShown;
        cursor->insertText(withUnifiedLineEnds(text.sliced(inserted, line - inserted)), QTextCharFormat());
        insertShortened(cursor, text, line, end, head);
        inserted = end;
        shown += head + TailShown;
    }
    cursor->insertText(withUnifiedLineEnds(text.sliced(inserted)), QTextCharFormat());
    if (after > MaxLineShown) {
        QTextCursor behind(*cursor);
        behind.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
        const int place = cursor->position();
        const QString whole = this->text(behind);
        behind.removeSelectedText();
        insertShortened(&behind, whole, 0, whole.size(), HeadShown);
        cursor->setPosition(place);
    }
    cursor->endEditBlock();
}

// Removes and returns the text of the line before the cursor. Long stored texts stay, so that many small insertions do
// not copy them again.
QString AbbreviatedRuns::takeBack(QTextCursor *cursor, qsizetype size)
{
    const int start = cursor->block().position();
    int from = cursor->position();
    for (; from > start; --from) {
        const auto run = m_runs.constFind(idAt(from - 1));
        if (run != m_runs.cend() && run->size > size)
            break;
        size += run == m_runs.cend() ? 1 : run->size;
    }
    cursor->setPosition(from, QTextCursor::KeepAnchor);
    const QString taken = text(*cursor);
    cursor->removeSelectedText();
    return taken;
}

void AbbreviatedRuns::insertShortened(QTextCursor *cursor, const QString &text, qsizetype from, qsizetype end,
                                      qsizetype head)
{
    const qsizetype first = wholeCharacter(text, qMin(from + head, end));
    const qsizetype last = qMax(first, wholeCharacter(text, qMax(from, end - TailShown)));
    cursor->insertText(withUnifiedLineEnds(text.sliced(from, first - from)), QTextCharFormat());
    if (last > first)
        insertRun(cursor, {text, first, last - first, last - first, {}});
    cursor->insertText(withUnifiedLineEnds(text.sliced(last, end - last)), QTextCharFormat());
}

void AbbreviatedRuns::insertRun(QTextCursor *cursor, const Run &run)
{
    if (m_lastId == 0)
        m_document->documentLayout()->registerHandler(RunObject, this);
    const int id = ++m_lastId;
    m_runs.insert(id, run);
    QTextCharFormat format;
    format.setObjectType(RunObject);
    format.setProperty(RunId, id);
    cursor->insertText(QString(QChar::ObjectReplacementCharacter), format);
    ++m_preparing;
    const std::function<Run()> read = [run] {
        Run prepared = run;
        const QString text = run.text();
        if (text.constData() != run.inserted.constData() + run.from) {
            prepared.inserted = text;
            prepared.from = 0;
            prepared.size = text.size();
        }
        prepared.json = json::quoted(text);
        prepared.json.chop(1);
        prepared.json.remove(0, 1);
        return prepared;
    };
    const std::function<void(const Run &)> done = [this, id](const Run &prepared) {
        if (m_runs.contains(id))
            m_runs[id] = prepared;
        if (--m_preparing == 0 && m_isWanted)
            prepare();
    };
    runInBackground(this, read, done);
}

// 0: an ordinary character.
int AbbreviatedRuns::idAt(int position) const
{
    QTextCursor cursor(m_document);
    cursor.setPosition(position + 1);
    return cursor.charFormat().intProperty(RunId);
}

template <typename Plain, typename Long>
void AbbreviatedRuns::eachPiece(int from, int end, Plain plain, Long run) const
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

QString AbbreviatedRuns::text() const
{
    QTextCursor all(m_document);
    all.select(QTextCursor::Document);
    return text(all);
}

QString AbbreviatedRuns::text(const QTextCursor &selection) const
{
    QString whole;
    eachPiece(
        selection.selectionStart(), selection.selectionEnd(), [&whole](QStringView plain) { whole += plain; },
        [&whole](const Run &run) { whole += run.text(); });
    return whole;
}

std::function<QString()> AbbreviatedRuns::lateText() const
{
    QList<Run> pieces;
    eachPiece(
        0, m_document->characterCount() - 1,
        [&pieces](QStringView plain) {
            pieces.append({plain.toString(), 0, plain.size(), 0, "-"});
        },
        [&pieces](const Run &run) { pieces.append(run); });
    return [pieces] {
        QString whole;
        for (const Run &piece : pieces)
            whole += piece.text();
        return whole;
    };
}

int AbbreviatedRuns::positionOf(qsizetype at) const
{
    if (m_runs.isEmpty())
        return int(qMin(at, qsizetype(m_document->characterCount() - 1)));
    qsizetype position = 0;
    bool isFound = false;
    const auto step = [&](qsizetype size, qsizetype shown) {
        if (isFound)
            return;
        isFound = at < size;
        position += isFound && size == shown ? at : isFound ? 0 : shown;
        at -= size;
    };
    eachPiece(
        0, m_document->characterCount() - 1, [&step](QStringView plain) { step(plain.size(), plain.size()); },
        [&step](const Run &run) { step(run.json.isEmpty() ? run.text().size() : run.size, 1); });
    return int(position);
}

bool AbbreviatedRuns::isShortened() const
{
    bool found = false;
    if (!m_runs.isEmpty())
        eachPiece(
            0, m_document->characterCount() - 1, [](QStringView) {}, [&found](const Run &) { found = true; });
    return found;
}

// A surrogate pair is never split, so that the joined pieces equal the whole.
QByteArrayList AbbreviatedRuns::quotedPieces() const
{
    QByteArrayList pieces{"\""};
    const auto inner = [](QStringView text) {
        const QByteArray json = json::quoted(text);
        return json.mid(1, json.size() - 2);
    };
    eachPiece(
        0, m_document->characterCount() - 1, [&](QStringView plain) { pieces.append(inner(plain)); },
        [&](const Run &run) { pieces.append(run.json.isEmpty() ? inner(run.text()) : run.json); });
    pieces.append("\"");
    return pieces;
}

QByteArray AbbreviatedRuns::quoted() const
{
    return m_joinedRevision == m_document->revision() ? m_joined : quotedPieces().join();
}

bool AbbreviatedRuns::isPrepared() const
{
    return m_preparing == 0 && m_joinedRevision == m_document->revision();
}

// One at a time: a text that has changed meanwhile is joined again.
void AbbreviatedRuns::prepare()
{
    m_isWanted = true;
    if (m_preparing > 0 || m_isJoining || isPrepared())
        return;
    m_isJoining = true;
    const std::function<QByteArray()> join = [pieces = quotedPieces()] { return pieces.join(); };
    const std::function<void(const QByteArray &)> done = [this,
                                                          revision = m_document->revision()](const QByteArray &joined) {
        m_isJoining = false;
        m_joined = joined;
        m_joinedRevision = revision;
        if (isPrepared())
            Q_EMIT prepared();
        else
            prepare();
    };
    runInBackground(this, join, done);
}

QString AbbreviatedRuns::label(const QTextFormat &format) const
{
    return tr("… %1 more characters …").arg(grouped(m_runs.value(format.intProperty(RunId)).shownSize));
}

QSizeF AbbreviatedRuns::intrinsicSize(QTextDocument *document, int position, const QTextFormat &format)
{
    Q_UNUSED(position)
    // No higher than a letter, so that all lines have the same height.
    const QFontMetricsF metrics(document->defaultFont());
    return {QFontMetricsF(smallFont()).horizontalAdvance(label(format)) + 2 * RunPadding, metrics.ascent()};
}

void AbbreviatedRuns::drawObject(QPainter *painter, const QRectF &area, QTextDocument *document, int position,
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
