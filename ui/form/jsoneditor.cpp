// SPDX-License-Identifier: Apache-2.0
#include "ui/form/jsoneditor.h"

#include "core/json/builder.h"
#include "ui/form/abbreviatedruns.h"
#include "ui/form/foundcontext.h"
#include "ui/form/inputs.h"
#include "ui/form/issuetext.h"
#include "ui/form/jsoncolors.h"
#include "ui/form/jsonfolding.h"
#include "ui/form/linenumbers.h"
#include "ui/form/schemaform.h"
#include "ui/json/background.h"
#include "ui/json/findbar.h"
#include "ui/json/pagefind.h"
#include "ui/theme/keys.h"
#include "ui/theme/theme.h"
#include "ui/theme/widgets.h"

#include <QKeyEvent>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextOption>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int MaxReadAtOnce = 32 * 1024;  // characters: longer texts need not be read at each key
constexpr int ReadPauseMs = 100;          // after the last key in a longer text
constexpr int MaxCompared = 128 * 1024;   // characters: longer texts are not compared with what was loaded

// A text box alters some characters. In JSON these occur only in strings, where an escape means the same; CR LF is only
// white space.
QString showable(const QByteArray &json)
{
    QString text = QString::fromUtf8(json);
    if (GrowingTextEdit::canHold(text))
        return text;
    text.replace("\r\n"_L1, "\n"_L1).replace(u'\r', u'\n');
    QString shown;
    shown.reserve(text.size());
    for (const QChar c : std::as_const(text)) {
        if (GrowingTextEdit::canHold(QString(c)))
            shown += c;
        else
            shown += u"\\u%1"_s.arg(int(c.unicode()), 4, 16, QLatin1Char('0'));
    }
    return shown;
}

json::Document readJson(const QByteArray &text, const QByteArray &whenEmpty)
{
    return json::Document::parse(text.trimmed().isEmpty() && !whenEmpty.isEmpty() ? whenEmpty : text);
}

// Whether the text box shows one character for each byte.
bool hasOneCharacterEach(const QByteArray &text)
{
    return std::none_of(text.cbegin(), text.cend(), [](char c) { return uchar(c) >= 0x80 || c == '\r' || c == '\0'; });
}

std::optional<json::Finding> errorOf(const json::Document &document)
{
    const QList<json::Finding> &findings = document.findings();
    const auto error = std::find_if(findings.begin(), findings.end(), [](const json::Finding &finding) {
        return finding.severity == json::Finding::Severity::Error;
    });
    return document.isValid() || error == findings.end() ? std::nullopt : std::optional(*error);
}

QString placeOfError(const json::Document &document)
{
    const std::optional<json::Finding> error = errorOf(document);
    if (!error)
        return {};
    const QByteArrayView before = QByteArrayView(document.text()).first(error->offset);
    const qsizetype column = QString::fromUtf8(before.sliced(before.lastIndexOf('\n') + 1)).size() + 1;
    return JsonEditor::tr("line %1, column %2").arg(before.count('\n') + 1).arg(column);
}

json::Document plainOf(const json::Document &document)
{
    return json::Document::parse(document.isValid() ? json::compact(document.root())
                                                    : json::quoted(QString::fromUtf8(document.text())));
}

JsonEditor::Reading readingOf(const QByteArray &text, const QByteArray &whenEmpty,
                              const JsonEditor::FindSecrets &findSecrets)
{
    JsonEditor::Reading reading;
    reading.document = readJson(text, whenEmpty);
    reading.isPlain = hasOneCharacterEach(reading.document.text());
    reading.problemPlace = placeOfError(reading.document);
    if (findSecrets && reading.document.isValid())
        reading.secrets = findSecrets(reading.document.root());
    return reading;
}

}  // namespace

JsonEditor::JsonEditor(QWidget *parent)
    : QWidget(parent),
      m_edit(new GrowingTextEdit),
      m_colors(new JsonColors(m_edit)),
      m_box(nullptr),
      m_problem(new TextLabel),
      m_reveal(new FlatButton({}))
{
    m_edit->setFont(monoFont());
    m_edit->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_edit->setLines(0, 0);
    // A line that begins with a right-to-left name would be laid out from the right otherwise.
    QTextOption option = m_edit->document()->defaultTextOption();
    option.setTextDirection(Qt::LeftToRight);
    m_edit->document()->setDefaultTextOption(option);
    m_edit->setAccessibleName(tr("JSON"));
    m_edit->installEventFilter(this);
    m_box = new InputBox(m_edit);
    m_reveal->setIcon(icon(u"eye"_s));
    m_reveal->setCheckable(true);
    m_reveal->setFocusPolicy(Qt::ClickFocus);
    m_reveal->setAccessibleName(tr("Show secrets"));
    m_reveal->setToolTip(tr("Show secrets"));
    m_reveal->setObjectName(u"revealJson"_s);
    m_reveal->hide();
    m_box->addTrailing(m_reveal);
    connect(m_reveal, &FlatButton::toggled, this, &JsonEditor::concealSecrets);
    connect(m_reveal, &FlatButton::clicked, m_edit, qOverload<>(&QWidget::setFocus));
    m_problem->setFont(smallFont());
    m_problem->setTone(Tone::ProtocolError);
    m_problem->setWordWrap(true);
    m_problem->setObjectName(u"jsonProblem"_s);
    m_problem->hide();
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Grid / 2);
    column->addWidget(m_box, 1);
    column->addWidget(m_problem);
    setFocusProxy(m_edit);
    m_readDue.setSingleShot(true);
    m_readDue.setInterval(ReadPauseMs);
    connect(&m_readDue, &QTimer::timeout, this, &JsonEditor::read);
    connect(m_edit, &QPlainTextEdit::textChanged, this, &JsonEditor::onTextChanged);
}

void JsonEditor::onTextChanged()
{
    if (m_isChanging)
        return;
    const int size = m_edit->document()->characterCount();
    const bool isShortened = m_edit->runs()->isShortened();
    // A change of the font is announced, too.
    if (size <= MaxCompared && !isShortened && m_isLoaded && m_edit->text() == showable(m_loaded))
        return;
    m_isLoaded = false;
    if (m_mayReadLater && (size > MaxReadAtOnce || isShortened)) {
        m_isPending = true;
        m_readDue.start();
    } else {
        validate();
    }
    Q_EMIT changed();
}

void JsonEditor::setJson(const QByteArray &json)
{
    {
        const QSignalBlocker quiet(m_edit);
        m_edit->setText(showable(json));
    }
    m_edit->document()->setUndoRedoEnabled(m_hasHistory);
    m_loaded = json;
    m_isLoaded = true;
    m_edit->fit();
    if (m_numbers)
        m_numbers->place();
    validate();
}

JsonEditor::Change JsonEditor::change(const QByteArray &before, const QByteArray &json, const QByteArray &whenEmpty,
                                      const FindSecrets &findSecrets)
{
    Change change{json, readingOf(json, whenEmpty, findSecrets), showable(json)};
    const QString shown = showable(before);
    const QString &now = change.shown;
    const qsizetype common = qMin(shown.size(), now.size());
    qsizetype first = std::mismatch(shown.cbegin(), shown.cbegin() + common, now.cbegin()).first - shown.cbegin();
    qsizetype last =
        std::mismatch(shown.crbegin(), shown.crbegin() + (common - first), now.crbegin()).first - shown.crbegin();
    // Not between the halves of a surrogate pair.
    if (first > 0 && shown.at(first - 1).isHighSurrogate())
        --first;
    if (last > 0 && shown.at(shown.size() - last).isLowSurrogate())
        --last;
    change.first = first;
    change.removed = shown.size() - first - last;
    change.inserted = now.size() - first - last;
    return change;
}

void JsonEditor::changeJson(const QByteArray &json)
{
    if (json != this->json())
        changeJson(change(this->json(), json, m_whenEmpty, findSecrets()));
}

void JsonEditor::changeJson(const Change &change)
{
    const bool isWhole = m_edit->runs()->isShortened();
    const int top = m_edit->verticalScrollBar()->value();
    {
        const QScopedValueRollback<bool> changing(m_isChanging, true);
        QTextCursor cursor(m_edit->document());
        cursor.select(QTextCursor::Document);
        if (!isWhole) {
            cursor.setPosition(int(change.first));
            cursor.setPosition(int(change.first + change.removed), QTextCursor::KeepAnchor);
        }
        m_edit->runs()->insert(&cursor, isWhole ? change.shown : change.shown.sliced(change.first, change.inserted),
                               AbbreviatedRuns::Extent::Beginning);
    }
    if (isWhole)
        m_edit->verticalScrollBar()->setValue(top);
    m_loaded = change.json;
    m_isLoaded = true;
    m_readDue.stop();
    m_isPending = false;
    m_readRevision = m_edit->document()->revision();
    setReading(change.reading);
}

void JsonEditor::setReading(const Reading &reading)
{
    m_reading = reading;
    showProblem();
    showSecrets(reading.secrets);
}

QByteArray JsonEditor::json() const
{
    return m_isLoaded ? m_loaded : m_edit->text().toUtf8();
}

json::Document JsonEditor::document() const
{
    return m_reading.document;
}

json::Value JsonEditor::plainValue() const
{
    return m_reading.plain.isNull() ? plainOf(m_reading.document).root() : m_reading.plain.root();
}

bool JsonEditor::isValidJson() const
{
    return m_reading.document.isValid();
}

void JsonEditor::showSecrets(const QList<json::Value> &found)
{
    if (m_secretFinder && isValidJson() && !m_isPending)
        setSecrets(found);
}

void JsonEditor::setSecrets(const QList<json::Value> &values)
{
    if (values.isEmpty() && m_secrets.isEmpty())
        return;
    QList<QTextCursor> secrets;
    m_secrets.clear();
    for (const json::Value &value : values) {
        if (value.slice().size() <= 2)
            continue;  // an empty one hides nothing
        QTextCursor cursor(m_edit->document());
        const qsizetype end = value.offset() + value.slice().size() - 1;
        cursor.setPosition(positionOf(value.offset() + 1));
        cursor.setPosition(positionOf(end), QTextCursor::KeepAnchor);
        secrets.append(cursor);
        m_secrets.append({characterOf(value.offset() + 1), characterOf(end)});
    }
    m_reveal->setVisible(!secrets.isEmpty());
    m_edit->setConcealed(secrets);
    concealSecrets();
}

void JsonEditor::concealSecrets()
{
    const bool isRevealed = m_reveal->isChecked();
    m_edit->setConcealing(!isRevealed);
    if (m_find)
        m_find->setConcealed(isRevealed ? QList<EditFind::Span>() : m_secrets);
}

// Of what is shown: the text may differ from the loaded bytes in characters that a text box alters.
qsizetype JsonEditor::characterOf(qsizetype offset) const
{
    return m_reading.isPlain ? offset : showable(m_reading.document.text().left(offset)).size();
}

// Long lines have a placeholder.
int JsonEditor::positionOf(qsizetype offset) const
{
    return m_edit->runs()->positionOf(qMin(characterOf(offset), qsizetype(std::numeric_limits<int>::max())));
}

void JsonEditor::goTo(const json::Pointer &place, const QList<qsizetype> &path)
{
    const json::Value value = nearest(place, path);
    m_edit->setFocus();
    QTextCursor cursor(m_edit->document());
    cursor.setPosition(positionOf(value.offset() + value.slice().size()));
    cursor.setPosition(positionOf(value.offset()), QTextCursor::KeepAnchor);
    m_edit->setTextCursor(cursor);
}

void JsonEditor::mark(const std::optional<json::Pointer> &place)
{
    const json::Value value =
        place && isValidJson() && !m_isPending ? place->resolve(m_reading.document.root()) : json::Value();
    if (!value.exists() || place->isRoot())
        return m_colors->setMarked({});
    const QByteArrayView key = value.keySlice();
    const qsizetype start = key.isEmpty() ? value.offset() : key.data() - m_reading.document.text().constData();
    QTextCursor cursor(m_edit->document());
    cursor.setPosition(positionOf(start));
    cursor.setPosition(positionOf(value.offset() + value.slice().size()), QTextCursor::KeepAnchor);
    m_colors->setMarked(cursor);
    QTextCursor first(m_edit->document());
    first.setPosition(cursor.selectionStart());
    const QRect line = m_edit->cursorRect(first);
    if (line.top() < 0 || line.bottom() > m_edit->viewport()->height())
        m_edit->verticalScrollBar()->setValue(first.block().firstLineNumber() -
                                              m_edit->viewport()->height() / qMax(1, line.height()) / 3);
}

std::optional<json::Pointer> JsonEditor::placeAtCursor() const
{
    if (!isValidJson() || m_readRevision != m_edit->document()->revision() || m_edit->runs()->isShortened())
        return std::nullopt;
    const int position = m_edit->textCursor().position();
    const qsizetype at = m_reading.isPlain ? position : m_edit->toPlainText().left(position).toUtf8().size();
    const char *const text = m_reading.document.text().constData();
    QStringList path;
    for (json::Value value = m_reading.document.root(), next; value.isContainer(); value = next) {
        qsizetype index = 0;
        next = {};
        for (const json::Value &inner : value) {
            const QByteArrayView key = inner.keySlice();
            const qsizetype start = key.isEmpty() ? inner.offset() : key.data() - text;
            if (start > at)
                break;
            if (at <= inner.offset() + inner.slice().size()) {
                next = inner;
                path.append(value.isObject() ? inner.key() : QString::number(index));
                break;
            }
            ++index;
        }
    }
    return json::Pointer(path);
}

void JsonEditor::goToProblem()
{
    if (const std::optional<json::Finding> error = this->error()) {
        QTextCursor cursor(m_edit->document());
        cursor.setPosition(positionOf(error->offset));
        m_edit->setTextCursor(cursor);
    }
    m_edit->setFocus();
}

std::optional<json::Finding> JsonEditor::error() const
{
    return errorOf(m_reading.document);
}

QString JsonEditor::problem() const
{
    const std::optional<json::Finding> error = this->error();
    return error ? tr("%1: %2").arg(problemPlace(), error->reason) : QString();
}

QPlainTextEdit *JsonEditor::edit() const
{
    return m_edit;
}

void JsonEditor::setGrowing(int minLines, int maxLines)
{
    m_edit->setLines(minLines, maxLines);
    m_box->setSizePolicy(QSizePolicy::Expanding, maxLines == 0 ? QSizePolicy::Expanding : QSizePolicy::Fixed);
}

void JsonEditor::setHistoryElsewhere()
{
    m_hasHistory = false;
    m_edit->document()->setUndoRedoEnabled(false);
}

void JsonEditor::setLineNumbers()
{
    m_numbers = new LineNumbers(m_edit);
    m_numbers->setFolding(new JsonFolding(m_edit));
}

void JsonEditor::setSearchable()
{
    auto *bar = new FindBar(this);
    auto *context = new FoundContext(this);
    auto *column = static_cast<QVBoxLayout *>(layout());
    column->insertWidget(0, bar);
    column->insertWidget(1, context);
    new PageFind(this, bar);
    m_find = new EditFind(m_edit);
    connect(m_find, &EditFind::shownWithin, context, &FoundContext::setLine);
}

void JsonEditor::setIssues(const QList<FormIssue> &issues)
{
    constexpr qsizetype maxMarked = 100;
    if (!m_numbers)
        return;
    QHash<int, Tone> lines;
    const auto mark = [this, &lines](qsizetype offset, bool isRemark) {
        Tone &tone = lines[m_edit->document()->findBlock(positionOf(offset)).blockNumber() + 1];
        tone = isRemark && tone != Tone::ProtocolError ? Tone::Finding : Tone::ProtocolError;
    };
    if (const std::optional<json::Finding> error = this->error())
        mark(error->offset, false);
    for (const FormIssue &issue : lines.isEmpty() ? issues.first(qMin(maxMarked, issues.size())) : QList<FormIssue>())
        mark(nearest(issue.place, issue.path).offset(), issue.isRemark);
    m_numbers->setMarks(lines);
}

// The value, or the innermost one around its place.
json::Value JsonEditor::nearest(const json::Pointer &place, const QList<qsizetype> &path) const
{
    json::Value value = m_reading.document.root();
    if (!path.isEmpty())
        return valueAt(value, path);
    for (const QString &token : place.tokens()) {
        const json::Value inner = json::Pointer({token}).resolve(value);
        if (!inner.exists())
            break;
        value = inner;
    }
    return value;
}

void JsonEditor::setPlaceholder(const QString &text)
{
    m_edit->setPlaceholder(text);
}

void JsonEditor::setProblemShown(bool shown)
{
    m_isProblemShown = shown;
    showProblem();
}

void JsonEditor::setWrong(bool wrong)
{
    m_isMarked = wrong;
    showProblem();
}

void JsonEditor::validate()
{
    m_readDue.stop();
    m_isPending = false;
    m_readRevision = m_edit->document()->revision();
    setReading(readingOf(json(), m_whenEmpty, findSecrets()));
}

// On another thread. Where the text changes meanwhile, it is read again.
void JsonEditor::read()
{
    const std::function<Reading()> work = [text = m_edit->runs()->lateText(), whenEmpty = m_whenEmpty,
                                           find = findSecrets()] {
        Reading reading = readingOf(text().toUtf8(), whenEmpty, find);
        reading.plain = plainOf(reading.document);
        return reading;
    };
    const std::function<void(const Reading &)> done =
        [this, revision = m_edit->document()->revision()](const Reading &reading) {
            if (!m_isPending || revision != m_edit->document()->revision())
                return;
            m_isPending = false;
            m_readRevision = revision;
            Reading former = m_reading;
            m_loaded = reading.document.text();
            m_isLoaded = m_whenEmpty.isEmpty() || m_loaded != m_whenEmpty;
            setReading(reading);
            Q_EMIT changed();
            // Last, when nobody else has them any more.
            freeInBackground(std::move(former));
        };
    runInBackground(this, work, done);
}

void JsonEditor::finish()
{
    if (!m_isPending)
        return;
    validate();
    Q_EMIT changed();
}

void JsonEditor::showProblem()
{
    const QString text = m_isProblemShown ? problem() : QString();
    m_problem->setText(text.isEmpty() ? QString() : u"▲ "_s + text);
    m_problem->setVisible(!text.isEmpty());
    m_box->setWrong(m_isMarked || !text.isEmpty());
}

// Indented like the line before, or deeper within a bracket, whose partner goes to a line of its own.
void JsonEditor::breakLine()
{
    QTextCursor cursor = m_edit->textCursor();
    cursor.beginEditBlock();
    cursor.removeSelectedText();
    const QString line = cursor.block().text();
    const int at = cursor.positionInBlock();
    qsizetype indent = 0;
    while (indent < at && (line.at(indent) == u' ' || line.at(indent) == u'\t'))
        ++indent;
    const QString before = line.left(at).trimmed();
    const QString behind = line.mid(at).trimmed();
    const bool isDeeper = before.endsWith(u'{') || before.endsWith(u'[');
    const QString unit = line.startsWith(u'\t') ? u"\t"_s : u"  "_s;
    cursor.insertText(u'\n' + line.left(indent) + (isDeeper ? unit : QString()));
    if (isDeeper && (behind.startsWith(u'}') || behind.startsWith(u']'))) {
        const int place = cursor.position();
        cursor.insertText(u'\n' + line.left(indent));
        cursor.setPosition(place);
    }
    cursor.endEditBlock();
    m_edit->setTextCursor(cursor);
    m_edit->ensureCursorVisible();
}

bool JsonEditor::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_edit && event->type() == QEvent::KeyPress && isCtrlEnter(static_cast<QKeyEvent *>(event))) {
        Q_EMIT submitted();
        return true;
    }
    if (watched == m_edit && event->type() == QEvent::KeyPress && m_numbers &&
        isPlainEnter(static_cast<QKeyEvent *>(event)) && !m_edit->isReadOnly()) {
        breakLine();
        return true;
    }
    if (watched == m_edit && event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->matches(QKeySequence::Undo) && !m_edit->document()->isUndoAvailable()) {
            Q_EMIT undoRequested();
            return true;
        }
        if (key->matches(QKeySequence::Redo) && !m_edit->document()->isRedoAvailable()) {
            Q_EMIT redoRequested();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace sonde::ui
