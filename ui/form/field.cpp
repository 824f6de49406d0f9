// SPDX-License-Identifier: Apache-2.0
#include "ui/form/field.h"

#include "core/json/builder.h"
#include "core/protocol/visibletext.h"
#include "core/shape/typehint.h"
#include "ui/form/descriptionlabel.h"
#include "ui/form/hints.h"
#include "ui/form/inputs.h"
#include "ui/form/placeeditor.h"
#include "ui/form/stacklayouts.h"
#include "ui/form/tableeditor.h"
#include "ui/form/unioneditor.h"
#include "ui/theme/roundedframe.h"
#include "ui/theme/widgets.h"

#include <QActionGroup>
#include <QFontMetrics>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr qsizetype DepthOfWidePanels = 2;

}  // namespace

Field::Field(FormContext *context, const Spec &spec, QWidget *parent)
    : QWidget(parent), m_context(context), m_spec(spec), m_column(new ColumnLayout(this))
{
    m_context->countField();
    m_wasPresent = draft()->isPresent();
    m_isGroup = m_spec.role != Role::Root && hasContainerShape();
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(3);
    const bool isCard = m_isGroup && (m_spec.role == Role::Item || m_spec.role == Role::Extra);
    ColumnLayout *column = m_column;
    if (isCard) {
        auto *card = new RoundedFrame(nullptr, this);
        column = new ColumnLayout(card);
        column->setContentsMargins(Grid + 4, 4, Grid - 2, 4);
        column->setSpacing(Grid / 2);
        m_column->addWidget(card);
    }
    if (m_spec.role == Role::Member || isCard || m_spec.isTitled)
        column->addWidget(makeHeader());
    const QString description = visibleText(shape().text(u"description"));
    if (!description.trimmed().isEmpty() && m_spec.role == Role::Member)
        column->addWidget(new DescriptionLabel(description, this));

    const bool hasPanel = m_isGroup && m_spec.role == Role::Member && !isRows();
    m_body = hasPanel ? new RoundedFrame(nullptr, this) : new QWidget(this);
    m_row = new RowLayout(m_body);
    m_row->setContentsMargins(0, 0, 0, 0);
    if (hasPanel) {
        // Deep within others, a panel must not take the width that the values need.
        const int side = draft()->pointer().tokens().size() > DepthOfWidePanels ? Grid / 2 : Grid + 4;
        m_row->setContentsMargins(side, Grid + 2, side, Grid + 4);
    }
    if (isCard)
        m_row->setContentsMargins(0, 0, Grid - 2, Grid);
    m_row->setSpacing(Grid);
    column->addWidget(m_body);

    m_isExpanded = opensByItself();
    m_body->setVisible(m_isExpanded);
    if (m_isExpanded)
        build();
    showReadOnly();
    updateState();
    m_isMade = true;
    rename();
}

Field::~Field()
{
    --m_context->fieldCount;
    m_context->withProblem.remove(this);
}

bool Field::hasContainerShape() const
{
    if (shape().kind != Shape::Kind::Union)
        return shape().isContainer();
    for (qsizetype i = 0; i < shape().branches.size(); ++i) {
        if (m_context->reader().branch(shape(), i).isContainer())
            return true;
    }
    return false;
}

// A list or a map has only rows and a button to add one, which is there even if the place is omitted.
bool Field::isRows() const
{
    return shape().kind == Shape::Kind::List ||
           (shape().kind == Shape::Kind::Object && shape().isMap() && shape().propertyNames().isEmpty());
}

bool Field::opensByItself() const
{
    if (!m_isGroup)
        return true;
    const json::Pointer place = draft()->pointer();
    const qsizetype depth = place.tokens().size();
    if (m_context->opensFound && depth <= FormContext::OpenDepth && m_context->filterAt(place))
        return true;
    if (m_context->isLarge() || depth > FormContext::OpenDepth)
        return false;
    if (m_spec.role == Role::Item)
        return true;
    if (draft()->isPresent())
        return draft()->kind() != json::Kind::Null;
    if (isRows())
        return true;
    return m_spec.isRequired && depth < FormContext::EagerDepth && !isWithinItself();
}

// A tree of nodes would open one within the other, although any of them may be the last.
bool Field::isWithinItself() const
{
    for (const QWidget *above = parentWidget(); above && above != m_context->parent(); above = above->parentWidget()) {
        const auto *field = qobject_cast<const Field *>(above);
        if (field && std::any_of(shape().layers.begin(), shape().layers.end(), [field](const json::Value &layer) {
                return std::any_of(field->shape().layers.begin(), field->shape().layers.end(),
                                   [&layer](const json::Value &other) { return other.isSameNode(layer); });
            }))
            return true;
    }
    return false;
}

bool Field::isOfServer() const
{
    return m_spec.role == Role::Member && shape().keyword(u"readOnly").toBool();
}

// A value that is there is sent, and can be changed and omitted.
bool Field::isReadOnly() const
{
    return isOfServer() && !m_wasPresent;
}

void Field::showReadOnly()
{
    if (!m_isGroup && m_spec.role == Role::Member && !m_spec.isRequired && m_editor && !m_editor->showsPresence() &&
        !isReadOnly() && !m_presence)
        addPresenceButton();
    m_body->setEnabled(!isReadOnly());
}

QString Field::hint() const
{
    QString hint = typeHint(m_context->values, shape());
    if (shownName() != m_spec.label && !m_spec.label.isEmpty())
        hint.prepend(visibleLine(m_spec.label, 40) + u" · "_s);
    if (looksSecret(m_spec.label, shape()))
        hint += u" · "_s + tr("secret (detected)");
    if (isOfServer())
        hint += u" · "_s + (isReadOnly() ? tr("read-only, not sent") : tr("read-only"));
    return hint;
}

// The name is what is sent; a person is asked by the title.
QString Field::shownName() const
{
    const QString title = m_context->isForPerson && m_spec.role == Role::Member ? shape().text(u"title") : QString();
    if (!title.trimmed().isEmpty())
        return title;
    return m_spec.label.isEmpty() && m_spec.role == Role::Member ? u"\"\""_s : m_spec.label;
}

QWidget *Field::makeHeader()
{
    auto *header = new QWidget(this);
    m_title = new ElidedText(this);
    m_title->setStrong();
    m_title->setText(m_spec.role == Role::Member ? visibleLine(shownName()) : QString());
    m_hint = new ElidedText(this);
    m_hint->setText(hint());
    m_header = new HeaderLayout(header, m_title, m_hint);
    m_header->setContentsMargins(0, 0, 0, 0);
    m_header->setSpacing(Grid / 2);
    followFont(header, [this, header] {
        m_header->invalidate();
        header->updateGeometry();
    });
    if (shape().keyword(u"deprecated").toBool()) {
        QFont struck = m_title->font();
        struck.setStrikeOut(true);
        m_title->setFont(struck);
    }
    showStar();
    if (TableEditor::canShow(*m_context, shape()))
        addViewSwitch();
    if (!isReadOnly() && (m_isGroup || m_spec.isRequired || shape().kind == Shape::Kind::Boolean)) {
        m_presence = new FlatButton(u"⋯"_s, this);
        m_presence->setFocusPolicy(Qt::ClickFocus);
        m_header->addWidget(m_presence);
        connect(m_presence, &FlatButton::clicked, this, &Field::showMenu);
    }
    if (m_isGroup) {
        m_expander = new FlatButton(u"▾"_s, this);
        m_header->addWidget(m_expander);
        connect(m_expander, &FlatButton::clicked, this, [this] { setExpanded(!m_isExpanded); });
        m_expander->installEventFilter(this);
    }
    return header;
}

void Field::showStar()
{
    const bool isShown = m_spec.isRequired && !isReadOnly();
    if (isShown && !m_star) {
        m_star = new TextLabel(u"*"_s, this);
        m_star->setTone(Tone::ProtocolError);
        m_star->setFont(m_title->font());
        m_star->setAccessibleName(tr("required"));
        m_header->insertWidget(m_header->indexOf(m_title) + 1, m_star);
    }
    if (m_star)
        m_star->setVisible(isShown);
}

void Field::setRequired(bool required)
{
    m_spec.isRequired = required;
    if (m_header)
        showStar();
    updateState();
}

void Field::setFilter(const FieldFilter *filter)
{
    if (filter && m_isGroup && !m_isExpanded && m_context->opensFound)
        setExpanded(true);
    else if (m_editor)
        m_editor->setFilter(filter);
}

void Field::setFound(bool found)
{
    m_isFound = found;
    update();
}

// Behind the name; a field without one is marked as a whole.
void Field::paintEvent(QPaintEvent *event)
{
    QWidget::paintEvent(event);
    if (!m_isFound)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors().selection);
    const QRect name = m_title ? QRect(m_title->mapTo(this, QPoint()), m_title->size()) : rect();
    painter.drawRoundedRect(name.adjusted(-3, 0, 3, 0), 3, 3);
}

bool Field::isShort() const
{
    if (m_isGroup || m_spec.role != Role::Member)
        return false;
    switch (shape().kind) {
        case Shape::Kind::Number:
        case Shape::Kind::Boolean:
        case Shape::Kind::Choice:
        case Shape::Kind::Constant:
            return true;
        case Shape::Kind::Text: {
            const QString format = shape().text(u"format");
            return format == "date"_L1 || format == "time"_L1 || format == "date-time"_L1 || format == "duration"_L1;
        }
        default:
            return false;
    }
}

int Field::shortWidth() const
{
    constexpr int characters = 20;
    constexpr int charactersOfAMoment = 26;
    constexpr qsizetype maxDescription = 160;  // is too long anyway
    const bool isMoment = shape().text(u"format") == "date-time"_L1;
    const int value = fontMetrics().averageCharWidth() * (isMoment ? charactersOfAMoment : characters);
    const int described =
        QFontMetrics(smallFont()).horizontalAdvance(visibleLine(shape().text(u"description"), maxDescription));
    return std::max(
        {m_header->fullWidth(), described, value + (isPresenceBeside() ? m_presence->sizeHint().width() + Grid : 0)});
}

void Field::addViewSwitch()
{
    m_views = new SegmentedControl(this);
    m_views->addSegment(tr("List"));
    m_views->addSegment(tr("Table"));
    m_views->setCurrent(m_context->isTable(*draft()) ? 1 : 0);
    for (const int index : {0, 1}) {
        m_views->button(index)->setFocusPolicy(Qt::ClickFocus);
        m_views->button(index)->setFont(smallFont());
    }
    m_header->addWidget(m_views);
    connect(m_views, &SegmentedControl::currentChanged, this, [this](int view) {
        m_context->settle();
        m_context->setTable(*draft(), view == 1);
        m_isJson = false;
        m_isExpanded = true;
        build();
        m_body->setVisible(true);
        updateState();
        focusControl();
    });
}

void Field::addPresenceButton()
{
    m_presence = new FlatButton({}, this);
    m_presence->setFocusPolicy(Qt::ClickFocus);
    m_presence->setFramed(true);
    placePresence();
    connect(m_presence, &FlatButton::clicked, this, &Field::showMenu);
}

bool Field::isPresenceBeside() const
{
    return m_presence && m_header->indexOf(m_presence) < 0;
}

// A union has it beside the choice of the type: in a narrow form, the value is below both of them.
void Field::placePresence()
{
    auto *choice = qobject_cast<UnionEditor *>(m_editor);
    if (!choice || !choice->addBesideChoice(m_presence))
        m_row->addWidget(m_presence);
    m_presence->show();
}

void Field::build()
{
    if (m_editor)
        m_context->settle();
    dropEditor();
    if (m_isJson) {
        m_editor = new PlaceEditor(m_context, draft(), shape(), this);
        m_context->watch(m_editor);
    } else {
        m_editor = makeEditor(m_context, draft(), shape(), m_spec.label, this);
    }
    m_row->insertWidget(m_lead, m_editor, 1);
    if (isPresenceBeside())
        placePresence();
    connect(m_editor, &Editor::edited, this, &Field::onEdited);
    connect(m_editor, &Editor::linesEntered, this, &Field::linesEntered);
    connect(m_editor, &Editor::outdated, this, &Field::refresh);
    if (m_spec.role == Role::Item && !m_isGroup)
        m_editor->control()->installEventFilter(this);
    if (m_isMade) {
        m_editor->show();
        rename();
    }
    showIssue();
    m_context->draw();
    if (m_isMade)
        Q_EMIT m_context->built();
}

void Field::dropEditor()
{
    if (!m_editor)
        return;
    m_row->removeWidget(m_editor);
    if (isPresenceBeside())
        m_row->addWidget(m_presence);  // rather than go with it
    m_editor->setObjectName(QString());
    m_editor->disconnect(this);
    m_context->discard(std::exchange(m_editor, nullptr));
}

QList<Field *> Field::fields() const
{
    return m_editor ? m_editor->fields() : QList<Field *>();
}

Field *Field::reveal(const QString &token)
{
    setExpanded(true);
    return m_editor ? m_editor->reveal(token) : nullptr;
}

void Field::setExpanded(bool expanded)
{
    m_isExpanded = expanded || !m_isGroup;
    if (m_isExpanded && !m_editor)
        build();
    m_body->setVisible(m_isExpanded);
    updateState();
}

void Field::choose(Presence presence)
{
    m_context->settle();
    const bool wasNull = draft()->kind() == json::Kind::Null;
    switch (presence) {
        case Presence::NotSent:
            draft()->retract();
            break;
        case Presence::Null:
            if (draft()->isPresent() && !wasNull)
                m_beforeNull = draft()->bytes();
            draft()->assign("null");
            break;
        case Presence::Default:
            draft()->assign(json::compact(shape().keyword(u"default")));
            break;
        case Presence::Value:
            if (!draft()->isPresent() && draft()->hasBytes())
                draft()->restore();
            if (draft()->isPresent() && draft()->kind() != json::Kind::Null)
                break;
            if (const QByteArray json = m_beforeNull.isEmpty() ? m_context->values.initial(shape()) : m_beforeNull;
                !json.isEmpty())
                draft()->assign(json);
            else
                draft()->retract();  // a number or a choice is sent as soon as there is one
            break;
    }
    showDraft();
    onEdited();
    if (presence == Presence::Value)
        focusControl();
}

void Field::assign(const QByteArray &json)
{
    m_context->settle();
    draft()->assign(json);
    showDraft();
    onEdited();
    focusControl();
}

void Field::showDraft()
{
    const bool showsBody = draft()->isPresent() && draft()->kind() != json::Kind::Null;
    m_isExpanded = !m_isGroup || showsBody || (isRows() && !draft()->isPresent());
    if (m_isExpanded)
        build();
    else
        dropEditor();
    m_body->setVisible(m_isExpanded);
}

void Field::setJson(bool json)
{
    if (m_isJson == json)
        return;
    m_isJson = json;
    m_isExpanded = true;
    build();
    m_body->setVisible(true);
    updateState();
    focusControl();
}

void Field::refresh()
{
    if (!m_editor || !m_isExpanded || !m_editor->reload())
        showDraft();
    else
        showIssue();
    updateStates();
}

void Field::follow()
{
    if (!m_isGroup || m_isExpanded || !m_wasPresent)
        return refresh();
    dropEditor();
    updateStates();
}

// As in a tree: the arrow keys open and close a group. In a box of many lines Ctrl+Backspace takes away a word, until
// there is none.
bool Field::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_expander) {
        if (event->type() != QEvent::KeyPress)
            return false;
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool isPlain = (key->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
        const bool opens = isPlain && key->key() == (isRightToLeft() ? Qt::Key_Left : Qt::Key_Right);
        const bool closes = isPlain && key->key() == (isRightToLeft() ? Qt::Key_Right : Qt::Key_Left);
        if (opens || closes)
            setExpanded(opens);
        return opens || closes;
    }
    if (event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const auto *box = qobject_cast<GrowingTextEdit *>(watched);
        const bool isWord = box && !box->isSingleLine() && !box->document()->isEmpty();
        if (key->key() == Qt::Key_Backspace && key->modifiers() == Qt::ControlModifier && !isWord) {
            Q_EMIT removalRequested();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void Field::onEdited()
{
    m_wasTouched = true;
    m_remoteText.clear();
    showIssue();
    updateStates();
    Q_EMIT m_context->edited(draft()->pointer());
}

// Places above may now be sent together with this one, or not any more.
void Field::updateStates()
{
    for (QWidget *widget = this; widget; widget = widget->parentWidget()) {
        auto *field = qobject_cast<Field *>(widget);
        if (field && field->m_editor)
            field->m_editor->contentsEdited();
        if (field)
            field->updateState();
    }
}

void Field::updateState()
{
    const bool isPresent = draft()->isPresent();
    // What follows a change elsewhere adds nothing of its own.
    if (isPresent && !m_wasPresent && m_editor && !m_context->history.isPaused())
        m_editor->becamePresent();
    if (std::exchange(m_wasPresent, isPresent) != isPresent && isOfServer()) {
        m_hint->setText(hint());
        showReadOnly();
    }
    const bool isNull = isPresent && shape().nullable && draft()->kind() == json::Kind::Null;
    if (m_presence) {
        const QString menuSign = u" ▾"_s;
        const QString state = !isPresent ? tr("Omitted") : isNull ? tr("Null") : m_isJson ? tr("JSON") : tr("Set");
        // If there is nothing to decide, the button only opens its menu.
        const bool isSettled = m_spec.isRequired && (!m_isGroup || (isPresent && !isNull));
        const bool asText = m_spec.role == Role::Member && !isSettled && shape().kind != Shape::Kind::Boolean;
        // This runs after each key press, and a new text lays out all parents.
        const QString shown = asText ? state + menuSign : u"⋯"_s;
        const QString spoken = tr("%1: %2").arg(visibleLine(shownName(), 60), state);
        if (m_presence->text() != shown || m_presence->accessibleName() != spoken) {
            m_presence->setText(shown);
            m_presence->setAccessibleName(spoken);
            m_presence->setToolTip(tr("Set, omit or null this argument"));
            if (!m_isGroup && asText)
                m_presence->setMinimumWidth(m_presence->fontMetrics().horizontalAdvance(tr("Omitted") + menuSign) +
                                            2 * Grid);
            m_presence->updateGeometry();
            m_presence->update();
        }
    }
    if (m_expander) {
        const QString sign = m_isExpanded ? u"▾"_s : u"▸"_s;
        const QString spoken = m_isExpanded ? tr("Collapse %1").arg(visibleLine(shownName(), 60))
                                            : tr("Expand %1").arg(visibleLine(shownName(), 60));
        if (m_expander->text() != sign || m_expander->accessibleName() != spoken) {
            m_expander->setText(sign);
            m_expander->setAccessibleName(spoken);
            // Tab opens what is closed, and goes on to the values of what is open.
            m_expander->setFocusPolicy(m_isExpanded ? Qt::ClickFocus : Qt::StrongFocus);
        }
    }
    if (m_spec.role == Role::Item && m_header && !m_spec.isTitled)
        m_hint->setText(summary(draft()->value(), m_context->values, shape()));
}

void Field::showMenu()
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName("menu:"_L1 + draft()->pointer().toString());
    fillMenu(menu);
    menu->popup(m_presence->mapToGlobal(QPoint(0, m_presence->height())));
}

void Field::fillMenu(QMenu *menu)
{
    const auto add = [this, menu](const QString &text, const QString &name, auto &&act) {
        QAction *action = menu->addAction(text);
        action->setObjectName(name);
        connect(action, &QAction::triggered, this, act);
        return action;
    };
    auto *states = new QActionGroup(menu);
    const auto addState = [&](const QString &text, const QString &name, bool isOn, Presence presence) {
        QAction *action = add(text, name, [this, presence] { choose(presence); });
        action->setCheckable(true);
        action->setChecked(isOn);
        states->addAction(action);
    };
    const bool isPresent = draft()->isPresent();
    const bool isNull = isPresent && draft()->kind() == json::Kind::Null;
    if (m_spec.role == Role::Member)
        addState(tr("Omitted"), u"not-sent"_s, !isPresent, Presence::NotSent);
    if (m_spec.role == Role::Member || shape().nullable)
        addState(tr("Set"), u"value"_s, isPresent && !isNull, Presence::Value);
    if (shape().nullable)
        addState(tr("Null"), u"Null"_s, isNull, Presence::Null);
    if (const QString value = defaultText(shape()); !value.isEmpty()) {
        add(tr("Default: %1").arg(value).replace(u'&', "&&"_L1), u"default"_s, [this] { choose(Presence::Default); });
    }
    constexpr int maxExamples = 5;
    int examples = 0;
    for (const json::Value &example : shape().keyword(u"examples")) {
        if (++examples > maxExamples)
            break;
        add(tr("Example: %1").arg(summary(example)).replace(u'&', "&&"_L1), u"example:%1"_s.arg(examples),
            [this, json = json::compact(example)] { assign(json); });
    }
    const bool isOnlyJson = shape().kind == Shape::Kind::AnyJson || shape().kind == Shape::Kind::Undrawn;
    if (isOnlyJson)
        return;
    const bool isJson = qobject_cast<PlaceEditor *>(m_editor) != nullptr;
    QAction *asJson = add(tr("Edit as JSON"), u"json"_s, [this, isJson] {
        if (isJson && !m_isJson)
            refresh();  // the value had not the shape; it may have it now
        else
            setJson(!m_isJson);
    });
    asJson->setCheckable(true);
    asJson->setChecked(isJson);
}

void Field::setIssue(const QString &message, bool isRemark)
{
    if (m_issueText == message && m_isRemark == isRemark)
        return;
    m_issueText = message;
    m_isRemark = isRemark;
    showIssue();
}

void Field::setRemoteIssue(const QString &message)
{
    if (m_remoteText == message)
        return;
    m_remoteText = message;
    showIssue();
}

QString Field::problem() const
{
    return m_editor ? m_editor->problem() : QString();
}

void Field::showIssue()
{
    QString text = problem();
    if (text.isEmpty())
        m_context->withProblem.remove(this);
    else
        m_context->withProblem.insert(this);
    if (!m_remoteText.isEmpty())
        text = tr("Server: %1").arg(visibleLine(m_remoteText));
    const bool isRemark = text.isEmpty() && m_isRemark;
    if (text.isEmpty())
        text = m_issueText;
    const bool isWrong = !text.isEmpty() && !isRemark;
    if (m_editor)
        m_editor->setWrong(isWrong);
    Q_EMIT issueShown(isWrong);
    if (text.isEmpty() && !m_issue)
        return;
    if (!m_issue) {
        m_issue = new TextLabel({}, this);
        m_issue->setFont(smallFont());
        m_issue->setWordWrap(true);
        m_issue->setMinimumWidth(40);
        m_issue->setObjectName("issue:"_L1 + draft()->pointer().toString());
        if (m_spec.role == Role::Root) {
            m_issue->setContentsMargins(0, 0, 0, Grid / 2);
            m_column->insertWidget(0, m_issue);
        } else if (m_isGroup) {
            // Below its name: the end of the body may be far away.
            auto *column = static_cast<ColumnLayout *>(m_body->parentWidget()->layout());
            column->insertWidget(column->indexOf(m_body), m_issue);
        } else {
            m_column->addWidget(m_issue);
        }
    }
    // Each of these lays out the form again.
    const QString shown = text.isEmpty() ? QString() : (isRemark ? u"◆ "_s : u"▲ "_s) + text;
    m_issue->setTone(isRemark ? Tone::Finding : Tone::ProtocolError);
    if (m_issue->text() != shown)
        m_issue->setText(shown);
    if (m_issue->isHidden() == !text.isEmpty())
        m_issue->setVisible(!text.isEmpty());
}

void Field::rename()
{
    const QString pointer = draft()->pointer().toString();
    const QString spoken = m_spec.label.isEmpty() ? tr("arguments") : visibleLine(shownName(), 80);
    setObjectName("place:"_L1 + pointer);
    if (m_editor) {
        m_editor->rename(pointer);
        if (!m_isGroup && m_spec.role != Role::Root) {
            m_editor->control()->setAccessibleName(spoken);
            const QString hint = m_hint ? m_hint->text() : typeHint(m_context->values, shape());
            const QString description = shape().text(u"description");
            m_editor->control()->setAccessibleDescription(visibleLine(hint + u". "_s + description, 400));
        }
    }
    if (m_presence)
        m_presence->setObjectName((shape().kind == Shape::Kind::Boolean ? "menu-button:"_L1 : "presence:"_L1) +
                                  pointer);
    if (m_views) {
        m_views->button(0)->setObjectName("as-list:"_L1 + pointer);
        m_views->button(1)->setObjectName("as-table:"_L1 + pointer);
    }
    if (m_expander)
        m_expander->setObjectName("open:"_L1 + pointer);
    if (m_issue)
        m_issue->setObjectName("issue:"_L1 + pointer);
}

void Field::setTitle(const QString &title, const QString &label)
{
    if (m_title)
        m_title->setText(title);
    m_spec.label = label;
}

void Field::addHandle(QWidget *handle)
{
    if (m_isGroup) {
        m_header->insertWidget(0, handle);
        return;
    }
    m_row->insertWidget(0, handle);
    ++m_lead;
    if (m_header)  // the title begins where the input does
        m_header->setContentsMargins(handle->minimumWidth() + m_row->spacing(), 0, 0, 0);
}

void Field::addButton(QWidget *button)
{
    m_buttons.append(button);
    if (m_isGroup)
        m_header->addWidget(button);
    else
        m_row->addWidget(button);
}

void Field::focusControl()
{
    QWidget *control = m_editor && m_isExpanded ? m_editor->control() : m_expander;
    if (control)
        m_context->focusLater(control);
}

}  // namespace sonde::ui
