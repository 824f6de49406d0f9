// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/senddialog.h"

#include "core/json/builder.h"
#include "core/protocol/message.h"
#include "core/replay/rules.h"
#include "ui/dialogs/headereditor.h"
#include "ui/form/jsoneditor.h"
#include "ui/json/bytestext.h"
#include "ui/theme/lineinput.h"
#include "ui/theme/widgets.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QShortcut>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

// A JSON object with a method, whose members can be edited in one line each.
bool hasParts(const json::Document &document)
{
    const json::Value message = document.root();
    return document.isValid() && message.isObject() && message[u"method"].isString() &&
           LineInput::canHold(message[u"method"].string()) && message[u"id"].slice().size() <= LineInput::MaxLength;
}

QByteArray laidOut(const QByteArray &text)
{
    const json::Document document = json::Document::parse(text);
    return document.isValid() ? json::indented(document.root()) : text;
}

// The object's members in their order, with some replaced: new members are appended, empty ones removed. Values need
// not be valid JSON.
QByteArray replaced(const json::Value &object, QList<std::pair<QString, QByteArray>> values)
{
    QList<QByteArray> members;
    for (const json::Value &member : object) {
        QByteArray value = member.bytes();
        const auto given = std::find_if(values.begin(), values.end(),
                                        [&member](const auto &each) { return each.first == member.key(); });
        if (given != values.end()) {
            value = given->second;
            values.erase(given);
        }
        if (!value.isEmpty())
            members.append(member.keySlice().toByteArray() + ':' + value);
    }
    for (const auto &[name, value] : std::as_const(values)) {
        if (!value.isEmpty())
            members.append(json::quoted(name) + ':' + value);
    }
    return '{' + members.join(',') + '}';
}

}  // namespace

SendDialog::SendDialog(const QByteArray &message, const QByteArray &freshId, const SendDraft &draft,
                       const RecordedHeaders &headers, QWidget *parent)
    : QDialog(parent),
      m_freshId(freshId),
      m_original(message),
      m_modes(new SegmentedControl),
      m_pages(new QStackedWidget),
      m_method(new LineInput),
      m_id(new QComboBox),
      m_idNote(new TextLabel),
      m_params(new JsonEditor),
      m_text(new JsonEditor),
      m_finding(new TextLabel),
      m_send(new PrimaryButton(tr("Send  Ctrl+↵"))),
      m_startOver(new QPushButton(tr("Reset")))
{
    const Message original = Message::parse(message);
    if (original.kind() == Message::Kind::Request) {
        m_ownId = original.id().toJson();
        m_original = withId(message, freshId);
    }
    layOut(headers);
    restore(draft);
    connect(m_modes, &SegmentedControl::currentChanged, this, &SendDialog::showMode);
    connect(m_method, &QLineEdit::textChanged, this, &SendDialog::updateFindings);
    connect(m_id, &QComboBox::currentTextChanged, this, &SendDialog::updateFindings);
    for (JsonEditor *editor : {m_params, m_text}) {
        editor->setSearchable();
        connect(editor, &JsonEditor::changed, this, &SendDialog::updateFindings);
        connect(editor, &JsonEditor::submitted, this, &QDialog::accept);
    }
    if (m_headers)
        connect(m_headers, &HeaderEditor::edited, this, &SendDialog::updateFindings);
    for (const auto key : {Qt::Key_Return, Qt::Key_Enter})
        connect(new QShortcut(Qt::CTRL | key, this), &QShortcut::activated, this, &QDialog::accept);
    connect(m_startOver, &QPushButton::clicked, this, &SendDialog::startOver);
    updateFindings();
    (m_pages->currentIndex() == PartsMode ? m_params : m_text)->setFocus();
}

void SendDialog::layOut(const RecordedHeaders &headers)
{
    setObjectName(u"sendDialog"_s);
    setWindowTitle(tr("Edit and send"));
    resize(680, headers.ownNames.isEmpty() ? 520 : 640);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(2 * Grid, 2 * Grid, 2 * Grid, 2 * Grid);
    column->setSpacing(Grid);
    m_modes->setObjectName(u"sendModes"_s);
    m_modes->setAccessibleName(tr("Editing mode"));
    m_modes->addSegment(tr("Fields"), tr("Method, id and params"));
    m_modes->addSegment(tr("Raw JSON"));
    column->addWidget(m_modes, 0, Qt::AlignLeft);
    m_text->setObjectName(u"messageEditor"_s);
    m_text->edit()->setAccessibleName(tr("Message"));
    m_pages->addWidget(makeParts());
    m_pages->addWidget(m_text);
    m_finding->setObjectName(u"sendFinding"_s);
    m_finding->setWordWrap(true);
    auto *message = new QWidget;
    auto *messageColumn = new QVBoxLayout(message);
    messageColumn->setContentsMargins(0, 0, 0, 0);
    messageColumn->setSpacing(Grid);
    messageColumn->addWidget(m_pages, 1);
    messageColumn->addWidget(m_finding);
    if (headers.ownNames.isEmpty()) {
        column->addWidget(message, 1);
    } else {
        m_headers = new HeaderEditor(headers);
        auto *halves = new QSplitter(Qt::Vertical);
        halves->setObjectName(u"sendHalves"_s);
        halves->setChildrenCollapsible(false);
        halves->setHandleWidth(Grid + 4);
        halves->addWidget(message);
        halves->addWidget(m_headers);
        halves->setStretchFactor(0, 1);
        halves->setSizes({250, 290});
        column->addWidget(halves, 1);
    }
    addButtons(column);
}

void SendDialog::addButtons(QVBoxLayout *column)
{
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_send->setObjectName(u"sendMessage"_s);
    m_send->setAccessibleName(tr("Send"));
    m_send->setMinimumSize(130, 28);
    m_send->setAutoDefault(false);
    buttons->addButton(m_send, QDialogButtonBox::AcceptRole);
    m_startOver->setObjectName(u"sendStartOver"_s);
    m_startOver->setAutoDefault(false);
    buttons->addButton(m_startOver, QDialogButtonBox::ResetRole);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

QWidget *SendDialog::makeParts()
{
    auto *page = new QWidget;
    auto *form = new QFormLayout(page);
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(2 * Grid);
    form->setVerticalSpacing(Grid);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_method->setObjectName(u"sendMethod"_s);
    m_method->setAccessibleName(tr("Method"));
    m_method->setFont(monoFont());
    form->addRow(tr("Method"), m_method);
    m_id->setObjectName(u"sendId"_s);
    m_id->setAccessibleName(tr("ID, as JSON"));
    m_id->setEditable(true);
    LineInput::refuseTooLong(m_id->lineEdit());
    m_id->setFont(monoFont());
    m_id->setMinimumWidth(22 * Grid);
    m_id->setInsertPolicy(QComboBox::NoInsert);
    m_id->lineEdit()->setPlaceholderText(tr("none (notification)"));
    m_id->addItem(QString::fromUtf8(m_freshId));
    if (!m_ownId.isEmpty())
        m_id->addItem(QString::fromUtf8(m_ownId));
    m_idNote->setObjectName(u"sendIdNote"_s);
    m_idNote->setDim(true);
    m_idNote->setElided(true);
    m_idNote->setMinimumWidth(20);
    auto *id = new QHBoxLayout;
    id->setSpacing(Grid);
    id->addWidget(m_id);
    id->addWidget(m_idNote, 1);
    form->addRow(tr("ID"), id);
    m_params->setObjectName(u"sendParams"_s);
    m_params->edit()->setAccessibleName(tr("Params"));
    m_params->setPlaceholder(tr("no params"));
    form->addRow(tr("Params"), m_params);
    m_params->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    return page;
}

QByteArray SendDialog::withId(const QByteArray &message, const QByteArray &id)
{
    const json::Document document = json::Document::parse(message);
    if (!document.isValid() || !document.root().isObject())
        return message;
    const json::Value root = document.root();
    const json::Value params = root[u"params"];
    const json::Value token = params[u"_meta"][u"progressToken"];
    // Sonde uses the id as progress token. A token that the user chose stays.
    if (!token.exists() || RequestId::fromValue(token) != RequestId::fromValue(root[u"id"]))
        return replaced(root, {{u"id"_s, id}});
    const QByteArray meta = replaced(params[u"_meta"], {{u"progressToken"_s, id}});
    return replaced(root, {{u"id"_s, id}, {u"params"_s, replaced(params, {{u"_meta"_s, meta}})}});
}

void SendDialog::restore(const SendDraft &draft)
{
    QByteArray text = draft.text.isEmpty() ? m_original : draft.text;
    // The id that was new when the draft was written has been used since.
    if (!draft.freshId.isEmpty() && draft.freshId != m_freshId && Message::parse(text).id().toJson() == draft.freshId)
        text = withId(text, m_freshId);
    load(text);
    if (m_headers)
        m_headers->setRows(draft.headers.value_or(m_headers->original()));
}

void SendDialog::load(const QByteArray &text)
{
    const json::Document document = json::Document::parse(text);
    const int mode = hasParts(document) ? PartsMode : TextMode;
    if (mode == PartsMode)
        loadParts(document.root());
    m_text->setJson(laidOut(text));
    const QSignalBlocker quiet(m_modes);
    m_modes->setCurrent(mode);
    m_pages->setCurrentIndex(mode);
}

void SendDialog::loadParts(const json::Value &message)
{
    m_base = message.document();
    const QSignalBlocker quietMethod(m_method);
    const QSignalBlocker quietId(m_id);
    m_method->setText(message[u"method"].string());
    m_id->setEditText(decodedUtf8(message[u"id"].slice()));
    const json::Value params = message[u"params"];
    m_params->setJson(params.exists() ? json::indented(params) : QByteArray());
}

QByteArray SendDialog::text() const
{
    return m_pages->currentIndex() == TextMode ? m_text->json() : partsText();
}

QByteArray SendDialog::partsText() const
{
    return replaced(m_base.root(), {{u"method"_s, json::quoted(m_method->text())},
                                    {u"id"_s, m_id->currentText().trimmed().toUtf8()},
                                    {u"params"_s, m_params->json().trimmed()}});
}

QByteArray SendDialog::message() const
{
    const QByteArray typed = text();
    const json::Document document = json::Document::parse(typed);
    // A message is one line: white space outside of strings is removed.
    return document.isValid() ? json::compact(document.root()) : QByteArray(typed).replace('\n', ' ');
}

SendDraft SendDialog::draft() const
{
    const json::Document original = json::Document::parse(m_original);
    const QByteArray unchanged = original.isValid() ? json::compact(original.root()) : m_original;
    SendDraft draft;
    if (message() != unchanged)
        draft.text = text();
    if (m_headers && m_headers->isChanged())
        draft.headers = m_headers->rows();
    if (!draft.isEmpty())
        draft.freshId = m_freshId;
    return draft;
}

MessageHeaders SendDialog::headers() const
{
    return m_headers ? m_headers->headers() : MessageHeaders();
}

void SendDialog::done(int result)
{
    if (m_headers)
        m_headers->commit();  // a cell that is being typed into belongs to the draft
    QDialog::done(result);
}

void SendDialog::accept()
{
    if (m_headers)
        m_headers->commit();
    if (m_headers && !m_headers->canBeSent())
        m_headers->setFocus();
    else
        QDialog::accept();
}

void SendDialog::showMode(int mode)
{
    if (mode == m_pages->currentIndex())
        return;
    if (mode == TextMode) {
        m_text->setJson(laidOut(partsText()));
    } else {
        if (!hasParts(m_text->document())) {
            // The fields cannot represent this text, so the raw view stays.
            m_modes->setCurrent(TextMode);
            m_finding->setTone(Tone::ProtocolError);
            m_finding->setText(tr("▲ Editing as fields needs valid JSON: an object with a method."));
            return;
        }
        loadParts(m_text->document().root());
    }
    m_pages->setCurrentIndex(mode);
    updateFindings();
}

void SendDialog::startOver()
{
    const SendDraft back = std::exchange(m_putAway, m_putAway.isEmpty() ? draft() : SendDraft());
    restore(back);
    updateFindings();
}

void SendDialog::updateFindings()
{
    const QByteArray sent = message();
    const json::Document document = json::Document::parse(sent);
    const Message parsed = Message::parse(sent);
    m_params->setProblemShown(!m_params->json().trimmed().isEmpty());
    const QByteArray id = m_id->currentText().trimmed().toUtf8();
    m_idNote->setText(id.isEmpty()      ? tr("No ID; no response will follow")
                      : id == m_freshId ? tr("new ID")
                      : id == m_ownId   ? tr("Original ID; the response may be matched to the first request")
                                        : tr("Custom ID, as JSON"));
    QString finding;
    if (!document.isValid())
        finding = tr("▲ This is not valid JSON. It will be sent anyway, unchanged, on one line.");
    else if (!parsed.problems().isEmpty())
        finding = sign(Tone::Finding) + u' ' + parsed.problems().join(u'\n');
    else if (holdsSecretMark(QString::fromUtf8(sent)))
        finding =
            sign(Tone::Finding) + u' ' + tr("A secret was redacted in the session. Replace ‹…› with the real value.");
    m_finding->setTone(!document.isValid() ? Tone::ProtocolError : Tone::Finding);
    m_finding->setServerText(finding);
    m_finding->setVisible(!finding.isEmpty());
    const bool isChanged = !draft().isEmpty();
    if (isChanged && !m_putAway.isEmpty())
        m_putAway = {};  // something new was typed
    m_send->setEnabled(!m_headers || m_headers->canBeSent());
    m_startOver->setText(m_putAway.isEmpty() ? tr("Reset") : tr("Undo reset"));
    m_startOver->setEnabled(isChanged || !m_putAway.isEmpty());
}

}  // namespace sonde::ui
