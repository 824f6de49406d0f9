// SPDX-License-Identifier: Apache-2.0
#include "ui/form/jsoneditor.h"

#include "ui/form/abbreviatedruns.h"
#include "ui/form/inputs.h"
#include "ui/form/jsoncolors.h"
#include "ui/form/linenumbers.h"
#include "ui/theme/keys.h"
#include "ui/theme/theme.h"
#include "ui/theme/widgets.h"

#include <QKeyEvent>
#include <QVBoxLayout>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

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

}  // namespace

JsonEditor::JsonEditor(QWidget *parent)
    : QWidget(parent),
      m_edit(new GrowingTextEdit),
      m_box(nullptr),
      m_problem(new TextLabel),
      m_reveal(new FlatButton({}))
{
    m_edit->setFont(monoFont());
    m_edit->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_edit->setLines(0, 0);
    m_edit->setAccessibleName(tr("JSON"));
    new JsonColors(m_edit);
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
    connect(m_reveal, &FlatButton::toggled, m_edit, [this](bool on) { m_edit->setConcealing(!on); });
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
    connect(m_edit, &QPlainTextEdit::textChanged, this, [this] {
        m_isLoaded = false;
        validate();
        Q_EMIT changed();
    });
}

void JsonEditor::setJson(const QByteArray &json)
{
    {
        const QSignalBlocker quiet(m_edit);
        m_edit->setText(showable(json));
    }
    m_loaded = json;
    m_isLoaded = true;
    m_edit->fit();
    if (m_numbers)
        m_numbers->place();
    validate();
}

QByteArray JsonEditor::json() const
{
    return m_isLoaded ? m_loaded : m_edit->text().toUtf8();
}

json::Document JsonEditor::document() const
{
    return m_document;
}

bool JsonEditor::isValidJson() const
{
    return m_document.isValid();
}

void JsonEditor::setSecrets(const QList<json::Value> &values)
{
    // Behind a placeholder for what is too long to be shown, places in the text are not those in the box.
    const QString shown = m_edit->runs()->isShortened() ? m_edit->toPlainText() : QString();
    const qsizetype placeholder = shown.indexOf(QChar::ObjectReplacementCharacter);
    QList<QTextCursor> secrets;
    qsizetype at = 0;
    qsizetype position = 0;
    const auto positionAt = [&](qsizetype offset) {
        position += showable(m_document.text().sliced(at, offset - at)).size();
        at = offset;
        return position;
    };
    for (const json::Value &value : values) {
        if (value.slice().size() <= 2)
            continue;  // an empty one hides nothing
        const qsizetype first = positionAt(value.offset() + 1);
        const qsizetype last = positionAt(value.offset() + value.slice().size() - 1);
        if (placeholder >= 0 && last > placeholder)
            break;
        QTextCursor cursor(m_edit->document());
        cursor.setPosition(int(first));
        cursor.setPosition(int(last), QTextCursor::KeepAnchor);
        secrets.append(cursor);
    }
    m_reveal->setVisible(!secrets.isEmpty());
    m_edit->setConcealed(secrets);
}

// Of what is shown: the text may differ from the loaded bytes in characters that a text box alters.
int JsonEditor::positionOf(qsizetype offset) const
{
    return int(showable(m_document.text().left(offset)).size());
}

void JsonEditor::goTo(const json::Pointer &place)
{
    const json::Value value = nearest(place);
    m_edit->setFocus();
    if (m_edit->runs()->isShortened())
        return;
    QTextCursor cursor(m_edit->document());
    cursor.setPosition(positionOf(value.offset() + value.slice().size()));
    cursor.setPosition(positionOf(value.offset()), QTextCursor::KeepAnchor);
    m_edit->setTextCursor(cursor);
}

void JsonEditor::goToProblem()
{
    if (const std::optional<json::Finding> error = this->error(); error && !m_edit->runs()->isShortened()) {
        QTextCursor cursor(m_edit->document());
        cursor.setPosition(positionOf(error->offset));
        m_edit->setTextCursor(cursor);
    }
    m_edit->setFocus();
}

std::optional<json::Finding> JsonEditor::error() const
{
    const QList<json::Finding> &findings = m_document.findings();
    const auto error = std::find_if(findings.begin(), findings.end(), [](const json::Finding &finding) {
        return finding.severity == json::Finding::Severity::Error;
    });
    return m_document.isValid() || error == findings.end() ? std::nullopt : std::optional(*error);
}

QString JsonEditor::problem() const
{
    const std::optional<json::Finding> error = this->error();
    return error ? tr("%1: %2").arg(problemPlace(), error->reason) : QString();
}

QString JsonEditor::problemPlace() const
{
    const std::optional<json::Finding> error = this->error();
    if (!error)
        return {};
    const QByteArray before = m_document.text().left(error->offset);
    const qsizetype column = QString::fromUtf8(before.mid(before.lastIndexOf('\n') + 1)).size() + 1;
    return tr("line %1, column %2").arg(lineOf(error->offset)).arg(column);
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

void JsonEditor::setLineNumbers()
{
    m_numbers = new LineNumbers(m_edit);
}

void JsonEditor::setProblems(const QList<json::Pointer> &places)
{
    constexpr qsizetype maxMarked = 100;
    if (!m_numbers)
        return;
    QSet<int> lines;
    if (const std::optional<json::Finding> error = this->error())
        lines.insert(lineOf(error->offset));
    for (const json::Pointer &place : places.mid(0, maxMarked))
        lines.insert(lineOf(nearest(place).offset()));
    m_numbers->setProblems(lines);
}

// The value, or the innermost one around its place.
json::Value JsonEditor::nearest(const json::Pointer &place) const
{
    json::Value value = m_document.root();
    for (const QString &token : place.tokens()) {
        const json::Value inner = json::Pointer({token}).resolve(value);
        if (!inner.exists())
            break;
        value = inner;
    }
    return value;
}

int JsonEditor::lineOf(qsizetype offset) const
{
    return int(m_document.text().left(offset).count('\n')) + 1;
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
    const QByteArray text = json();
    m_document = json::Document::parse(text.trimmed().isEmpty() && !m_whenEmpty.isEmpty() ? m_whenEmpty : text);
    showProblem();
}

void JsonEditor::showProblem()
{
    const QString text = m_isProblemShown ? problem() : QString();
    m_problem->setText(text.isEmpty() ? QString() : u"▲ "_s + text);
    m_problem->setVisible(!text.isEmpty());
    m_box->setWrong(m_isMarked || !text.isEmpty());
}

bool JsonEditor::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_edit && event->type() == QEvent::KeyPress && isCtrlEnter(static_cast<QKeyEvent *>(event))) {
        Q_EMIT submitted();
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
