// SPDX-License-Identifier: Apache-2.0
#include "ui/form/jsoncompletion.h"

#include "core/json/builder.h"
#include "core/protocol/visibletext.h"
#include "core/shape/conditions.h"
#include "core/shape/example.h"
#include "core/shape/typehint.h"
#include "ui/form/abbreviatedruns.h"
#include "ui/form/hints.h"
#include "ui/form/inputs.h"
#include "ui/form/jsoneditor.h"
#include "ui/form/schemaform.h"
#include "ui/theme/keys.h"
#include "ui/theme/theme.h"
#include "ui/theme/widgets.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QCompleter>
#include <QKeyEvent>
#include <QPainter>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <algorithm>
#include <optional>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int MaxCompletedText = 200'000;  // characters: longer ones are not read at each key
constexpr qsizetype MaxShapes = 50;
constexpr qsizetype MaxOffered = 500;
constexpr int MaxOfferWidth = 480;  // px
constexpr int OfferHintRole = Qt::UserRole + 1;

// The hint is dim, at the right end.
class CompletionDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::paint(painter, option, index);
        const int used = option.fontMetrics.horizontalAdvance(index.data().toString()) + 3 * Grid;
        const QRect room = option.rect.adjusted(used, 0, -Grid, 0);
        painter->save();
        painter->setFont(smallFont());
        painter->setPen(option.state.testFlag(QStyle::State_Selected) ? option.palette.highlightedText().color()
                                                                      : colors().dim);
        const QString hint = index.data(OfferHintRole).toString();
        painter->drawText(room, Qt::AlignRight | Qt::AlignVCenter,
                          QFontMetrics(smallFont()).elidedText(hint, Qt::ElideRight, room.width()));
        painter->restore();
    }

    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const QSize label = QStyledItemDelegate::sizeHint(option, index);
        const int hint = QFontMetrics(smallFont()).horizontalAdvance(index.data(OfferHintRole).toString());
        return {qMin(MaxOfferWidth, label.width() + hint + 5 * Grid), qMax(label.height(), 2 * Grid + Grid / 2)};
    }
};

// Those that begin with what is typed, then those that have it.
void keepMatching(QList<JsonCompletion::Offer> *offers, const QString &typed)
{
    offers->removeIf(
        [&typed](const JsonCompletion::Offer &offer) { return !offer.label.contains(typed, Qt::CaseInsensitive); });
    std::stable_partition(offers->begin(), offers->end(), [&typed](const JsonCompletion::Offer &offer) {
        return offer.label.startsWith(typed, Qt::CaseInsensitive);
    });
}

}  // namespace

JsonCompletion::JsonCompletion(JsonEditor *editor, const SchemaForm *form)
    : QObject(editor), m_editor(editor), m_form(form), m_completer(new QCompleter(&m_model, this))
{
    m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    m_completer->setWidget(editor->edit());
    QAbstractItemView *popup = m_completer->popup();
    popup->setObjectName(u"jsonOffers"_s);
    popup->setItemDelegate(new CompletionDelegate(popup));
    popup->setAccessibleName(tr("Names and values from the schema"));
    popup->installEventFilter(this);
    editor->edit()->installEventFilter(this);
    connect(m_completer, qOverload<const QModelIndex &>(&QCompleter::activated), this,
            [this](const QModelIndex &index) { insert(index.row()); });
    connect(editor, &JsonEditor::changed, this, [this] {
        if (!m_isInserting && m_editor->edit()->hasFocus())
            show(false);
    });
}

// Of a union, those branches that the value may be meant for; the member that is typed decides nothing.
QList<Shape> JsonCompletion::possible(const Shape &shape, const json::Value &value, const QString &typed,
                                      int depth) const
{
    const ShapeValues &values = m_form->shapeValues();
    if (shape.kind == Shape::Kind::Union && depth < MaxUnionDepth) {
        const bool isOpen =
            value.isObject() && !typed.isEmpty() && (value.size() == 1 || values.discriminator(shape) == typed);
        const bool isBegun = value.exists() && !isOpen && !(value.isContainer() && value.isEmpty());
        const int chosen = isBegun ? values.branchFor(shape, value) : -1;
        QList<Shape> all;
        for (qsizetype i = 0; i < shape.branches.size() && all.size() < MaxShapes; ++i) {
            if (chosen < 0 || i == chosen)
                all += possible(values.reader().branch(shape, i), value, typed, depth + 1);
        }
        return all;
    }
    return {shape.hasConditions() ? withConditions(values.reader(), shape, value).value_or(shape) : shape};
}

QList<Shape> JsonCompletion::shapesAt(const QString &text, const JsonCaret &caret) const
{
    // Reading a long text takes longest, and only branches and conditions depend on it.
    std::optional<json::Value> root;
    const auto valueFor = [&](const QList<Shape> &here, qsizetype depth) {
        const bool isNeeded = std::any_of(here.cbegin(), here.cend(), [](const Shape &shape) {
            return shape.kind == Shape::Kind::Union || shape.hasConditions();
        });
        if (!isNeeded)
            return json::Value();
        // What is typed at the moment decides nothing.
        if (!root) {
            QString known = caret.isName ? text.left(caret.from) + text.mid(caret.to) : text;
            root = json::parse(known.replace(QChar::ParagraphSeparator, u'\n').toUtf8());
        }
        return json::Pointer(caret.path.first(depth)).resolve(*root);
    };
    const ShapeReader &reader = m_form->shapeValues().reader();
    QList<Shape> shapes{m_form->shape()};
    for (qsizetype i = 0; i <= caret.path.size(); ++i) {
        const bool isPlace = i == caret.path.size();
        const QString typed = !caret.isName && i + 1 == caret.path.size() ? caret.path.constLast() : QString();
        const json::Value value = isPlace && !caret.isName ? json::Value() : valueFor(shapes, i);
        QList<Shape> here;
        for (const Shape &shape : std::as_const(shapes))
            here += possible(shape, value, typed);
        if (isPlace)
            return here.mid(0, MaxShapes);
        const QString &token = caret.path.at(i);
        shapes.clear();
        for (const Shape &shape : here.mid(0, MaxShapes)) {
            if (shape.kind == Shape::Kind::List)
                shapes.append(reader.item(shape, token.toLongLong()));
            else if (shape.kind == Shape::Kind::Object)
                shapes.append(shape.property(token).exists() ? reader.property(shape, token)
                                                             : reader.extraMember(shape, token));
        }
    }
    return shapes;
}

QList<JsonCompletion::Offer> JsonCompletion::offers(const QString &text, int at) const
{
    if (text.size() > MaxCompletedText)
        return {};
    const JsonCaret caret = jsonCaretAt(text, at);
    const QList<Shape> shapes = shapesAt(text, caret);
    QList<Offer> found = caret.isName ? names(shapes, caret) : values(shapes);
    if (caret.isQuoted && !caret.isName)
        found.removeIf([](const Offer &offer) { return !offer.text.startsWith(u'"'); });
    keepMatching(&found, caret.typed);
    return found.mid(0, MaxOffered);
}

QList<JsonCompletion::Offer> JsonCompletion::names(const QList<Shape> &shapes, const JsonCaret &caret) const
{
    const ShapeValues &values = m_form->shapeValues();
    QList<Offer> required;
    QList<Offer> optional;
    QSet<QString> known(caret.names.cbegin(), caret.names.cend());
    for (const Shape &shape : shapes) {
        const QStringList names = shape.kind == Shape::Kind::Object ? shape.propertyNames() : QStringList();
        for (const QString &name : names) {
            if (known.contains(name))
                continue;
            known.insert(name);
            const Shape member = values.reader().property(shape, name);
            Offer offer{name, typeHint(values, member), visibleText(member.text(u"description")), {}};
            const bool isRequired = shape.isRequired(name);
            if (isRequired)
                offer.hint.prepend(u"* "_s);
            offer.text = QString::fromUtf8(json::quoted(name));
            if (!caret.hasColon) {
                offer.text += u": "_s;
                offer.member = member;
            }
            (isRequired ? required : optional).append(offer);
            if (required.size() + optional.size() > 4 * MaxOffered)
                return required + optional;
        }
    }
    return required + optional;
}

// Valid where that is easy to find, but no text or choice that nobody has made.
QByteArray JsonCompletion::emptyValue(const Shape &shape) const
{
    if (const json::Value given = shape.keyword(u"default"); given.exists())
        return json::compact(given);
    const QByteArray initial = m_form->shapeValues().initial(shape);
    if (!initial.isEmpty())
        return initial;
    if (shape.kind == Shape::Kind::Text || (shape.kind == Shape::Kind::Choice && shape.choices.value(0).isString()))
        return "\"\"";
    if (shape.kind == Shape::Kind::Object)
        return "{}";
    if (shape.kind == Shape::Kind::List)
        return "[]";
    if (shape.kind == Shape::Kind::Boolean)
        return "false";
    // A reader of its own: what it spends is not missing where fields are drawn.
    const QByteArray example = exampleOf(ShapeReader(m_form->shapeValues().reader().schema()), shape);
    return example.isEmpty() ? QByteArrayLiteral("null") : example;
}

QList<JsonCompletion::Offer> JsonCompletion::values(const QList<Shape> &shapes) const
{
    QList<Offer> all;
    QSet<QByteArray> known;
    const auto add = [&](const QByteArray &json, const QString &title, const QString &hint) {
        if (json.isEmpty() || known.contains(json) || all.size() >= 4 * MaxOffered)
            return;
        known.insert(json);
        const json::Value value = json::parse(json);
        Offer offer{value.isString() ? value.string() : QString::fromUtf8(json), hint, {}, {}};
        if (title != offer.label && !title.isEmpty())
            offer.hint = title;
        offer.label = visibleLine(offer.label, 120);
        offer.text = QString::fromUtf8(json);
        all.append(offer);
    };
    for (const Shape &shape : shapes) {
        for (qsizetype i = 0; i < shape.choices.size() && i < 4 * MaxOffered; ++i)
            add(shape.choices.json(i), shape.choices.label(i), {});
        if (shape.kind == Shape::Kind::Boolean) {
            add("true", {}, {});
            add("false", {}, {});
        }
        if (const json::Value given = shape.keyword(u"default"); given.exists())
            add(json::compact(given), {}, tr("default"));
        for (const json::Value &example : shape.keyword(u"examples"))
            add(json::compact(example), {}, tr("example"));
        if (shape.nullable)
            add("null", {}, {});
    }
    return all;
}

void JsonCompletion::show(bool isAsked)
{
    auto *edit = qobject_cast<GrowingTextEdit *>(m_editor->edit());
    m_completer->popup()->hide();
    QTextCursor cursor = edit->textCursor();
    if (edit->document()->characterCount() > MaxCompletedText || cursor.hasSelection() || edit->runs()->isShortened() ||
        edit->isReadOnly())
        return;
    const QString text = edit->runs()->rawText();
    const JsonCaret caret = jsonCaretAt(text, cursor.position());
    // Behind a comma or a bracket, one has to ask.
    if (!isAsked && !caret.isQuoted && (caret.typed.isEmpty() || caret.isName))
        return;
    m_offers = offers(text, cursor.position());
    const bool isAlreadyThere =
        m_offers.size() == 1 && m_offers.constFirst().text == text.sliced(caret.from, caret.to - caret.from);
    if (m_offers.isEmpty() || (isAlreadyThere && !isAsked))
        return;
    m_model.clear();
    for (const Offer &offer : std::as_const(m_offers)) {
        auto *item = new QStandardItem(offer.label);
        const QString description = visibleLine(offer.description, 200);
        item->setData(description.isEmpty() ? offer.hint : offer.hint + u" · "_s + description, OfferHintRole);
        item->setData(plainToolTip(offer.description), Qt::ToolTipRole);
        item->setData(QString(offer.label + u", "_s + offer.hint), Qt::AccessibleTextRole);
        m_model.appendRow(item);
    }
    QAbstractItemView *popup = m_completer->popup();
    cursor.setPosition(caret.from);
    const int width = qMin(MaxOfferWidth, popup->sizeHintForColumn(0)) + popup->verticalScrollBar()->sizeHint().width();
    QRect place = edit->cursorRect(cursor).translated(edit->viewport()->pos());
    place.setWidth(qMax(width, 20 * Grid));
    m_completer->complete(place);
    popup->setCurrentIndex(m_completer->completionModel()->index(0, 0));
}

void JsonCompletion::insert(int row)
{
    if (row < 0 || row >= m_offers.size())
        return;
    const Offer offer = m_offers.at(row);
    QPlainTextEdit *edit = m_editor->edit();
    const QString text = edit->toPlainText();
    const JsonCaret caret = jsonCaretAt(text, edit->textCursor().position());
    const QByteArray value = offer.member ? emptyValue(*offer.member) : QByteArray();
    const QString inserted = offer.text + QString::fromUtf8(value);
    const bool needsComma = caret.isName && !caret.hasColon && text.mid(caret.to).trimmed().startsWith(u'"');
    int end = caret.from;
    {
        const QScopedValueRollback<bool> inserting(m_isInserting, true);
        QTextCursor cursor = edit->textCursor();
        cursor.beginEditBlock();
        cursor.setPosition(caret.from);
        cursor.setPosition(caret.to, QTextCursor::KeepAnchor);
        cursor.insertText(needsComma ? inserted + u',' : inserted);
        if (caret.lacksComma) {
            qsizetype before = caret.from;
            while (before > 0 && text.at(before - 1).isSpace())
                --before;
            cursor.setPosition(int(before));
            cursor.insertText(u","_s);
            ++end;
        }
        cursor.endEditBlock();
        // What is to be typed next takes the place of the value, or is between its quotes or brackets.
        end += int(inserted.size());
        const bool isOpen = value == "\"\"" || value == "[]" || value == "{}";
        cursor.setPosition(end - (isOpen ? 1 : 0));
        if (!isOpen)
            cursor.setPosition(end - int(QString::fromUtf8(value).size()), QTextCursor::KeepAnchor);
        edit->setTextCursor(cursor);
        edit->ensureCursorVisible();
    }
    if (offer.member && offer.member->kind == Shape::Kind::Choice && value == "\"\"")
        show(true);
}

bool JsonCompletion::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::KeyPress)
        return QObject::eventFilter(watched, event);
    auto *key = static_cast<QKeyEvent *>(event);
    const bool isAsking = key->key() == Qt::Key_Space && key->modifiers() == Qt::ControlModifier;
    if (watched == m_editor->edit() && isAsking) {
        show(true);
        return true;
    }
    QAbstractItemView *popup = m_completer->popup();
    if (watched != popup)
        return QObject::eventFilter(watched, event);
    // The list would pass each key to the text first, past its event filters.
    const bool isTaking = key->key() == Qt::Key_Tab || isPlainEnter(key);
    if (isTaking || key->key() == Qt::Key_Escape) {
        const int row = popup->currentIndex().row();
        popup->hide();
        if (isTaking)
            insert(row);
        return true;
    }
    if (key->modifiers().testFlag(Qt::ControlModifier)) {
        popup->hide();
        QApplication::sendEvent(m_editor->edit(), event);
        return true;
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace sonde::ui
