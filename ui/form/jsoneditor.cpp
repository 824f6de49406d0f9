// SPDX-License-Identifier: Apache-2.0
#include "ui/form/jsoneditor.h"

#include "ui/form/inputs.h"
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
    : QWidget(parent), m_edit(new GrowingTextEdit), m_box(nullptr), m_problem(new TextLabel)
{
    m_edit->setFont(monoFont());
    m_edit->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_edit->setLines(0, 0);
    m_edit->setAccessibleName(tr("JSON"));
    m_edit->installEventFilter(this);
    m_box = new InputBox(m_edit);
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

QString JsonEditor::problem() const
{
    if (m_document.isValid())
        return {};
    const QList<json::Finding> &findings = m_document.findings();
    const auto error = std::find_if(findings.begin(), findings.end(), [](const json::Finding &finding) {
        return finding.severity == json::Finding::Severity::Error;
    });
    if (error == findings.end())
        return {};
    const QByteArray before = m_document.text().left(error->offset);
    const qsizetype line = before.count('\n') + 1;
    const qsizetype column = QString::fromUtf8(before.mid(before.lastIndexOf('\n') + 1)).size() + 1;
    return tr("line %1, column %2: %3").arg(line).arg(column).arg(error->reason);
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
    m_document = json::Document::parse(json());
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
    return QWidget::eventFilter(watched, event);
}

}  // namespace sonde::ui
