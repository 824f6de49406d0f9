// SPDX-License-Identifier: Apache-2.0
#include "ui/form/schemaform.h"

#include "core/json/builder.h"
#include "core/shape/conditions.h"
#include "core/shape/example.h"
#include "core/shape/shapewalk.h"
#include "ui/form/editor.h"
#include "ui/form/field.h"
#include "ui/form/fieldfind.h"
#include "ui/form/fieldfindbar.h"
#include "ui/form/formarea.h"
#include "ui/form/formissues.h"
#include "ui/form/hints.h"
#include "ui/form/issuetext.h"
#include "ui/form/stacklayouts.h"
#include "ui/json/background.h"
#include "ui/theme/keys.h"
#include "ui/theme/readingorder.h"
#include "ui/theme/widgets.h"

#include <QApplication>
#include <QEvent>
#include <QKeyEvent>
#include <QPointer>
#include <QScrollBar>
#include <QShortcut>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

// All fields. FormArea gives it its size; a scroll area asks for a hint after each change all the same, and that of the
// layout needs the height of every text.
class FormContent : public QWidget {
public:
    using QWidget::QWidget;
    QSize sizeHint() const override { return size(); }
    QSize minimumSizeHint() const override { return {}; }
};

constexpr int MaxLayoutLevels = 24;
constexpr int LargeFrom = 20;  // fields

// At the first levels; no more than LargeFrom.
int fieldsOf(const ShapeReader &reader, const Shape &shape, int levels = 3)
{
    int count = 0;
    const QStringList names = shape.kind == Shape::Kind::Object && levels > 0 ? shape.propertyNames() : QStringList();
    for (const QString &name : names) {
        if (count >= LargeFrom)
            break;
        count += 1 + fieldsOf(reader, reader.property(shape, name), levels - 1);
    }
    return count;
}

// The place within the field, as the schema has it: there may be no such item.
QStringList wordsWithin(const ShapeReader &reader, const Field *field, const QStringList &tokens)
{
    QStringList words;
    Shape shape = field->shape();
    for (const QString &token : tokens) {
        const std::optional<qsizetype> item =
            shape.kind == Shape::Kind::List ? json::arrayIndex(token) : std::optional<qsizetype>();
        words.append(item ? itemWord(*item) : token);
        shape = item ? reader.item(shape, *item) : reader.property(shape, token);
    }
    return words;
}

// An issue of a place that is not shown appears at its nearest visible parent, with the rest of the path.
QString messageAt(const ShapeReader &reader, const Field *field, const FormIssue &issue)
{
    const qsizetype shown = field->draft()->pointer().tokens().size();
    return issueText(
        issue.words.isEmpty() ? wordsWithin(reader, field, issue.place.tokens().mid(shown)) : issue.words.mid(shown),
        issue.message);
}

}  // namespace

class SchemaForm::Private {
public:
    // The position of a place in the form: its index at each level, shown or not.
    struct Position {
        Field *field = nullptr;
        QList<qsizetype> ranks;
        bool isDrawn = true;  // false: there is a field further in, which will be
    };
    explicit Private(SchemaForm *form);
    void rebuild();
    void forgetRemote(const json::Pointer &place);
    void load(const QByteArray &bytes, bool isStep = false);
    bool step(bool (FormHistory::*isAny)() const, QList<Draft::Ptr> (FormHistory::*run)());
    void show(const QList<Draft::Ptr> &changed);
    void drawAnew(const QList<Draft::Ptr> &changed);
    Field *fieldOf(const Draft *place) const;
    void check();
    void take(const QList<FormIssue> &issues);
    void showIssues();
    QList<FormIssue> inOrder(QList<FormIssue> issues) const;
    Position positionOf(const json::Pointer &place, const QList<qsizetype> &path = {}) const;
    bool mayComplain(const Field *field) const;
    Field *reveal(const json::Pointer &place) const;  // the nearest that there is
    Field *first() const;                             // that can be filled in; null: there is no value
    Field *firstRequired(Field *group) const;         // within, opened; the group itself where there is none
    void markFound(Field *field);

    SchemaForm *q;
    FormContext *context;
    FormArea *area;
    FieldFindBar *findBar;
    FieldFind *find;
    QPointer<Field> foundField;
    QWidget *content = nullptr;
    QWidget *header = nullptr;
    TextLabel *nothing = nullptr;
    QString emptyText;
    Field *root = nullptr;
    schema::Schema rules;
    Shape shape;
    std::optional<QByteArray> editedText;
    QList<FormIssue> found;  // by the last check
    QList<FormIssue> known;
    QList<FormIssue> remote;
    QList<QPointer<Field>> marked;
    QPointer<Field> pointedAt;  // see markPlace()
    QList<QPointer<Field>> withInner;
    QList<std::function<void()>> waiting;  // steps back and forth, for what is not prepared yet
    QTimer checkDue;
    QTimer showDue;
    quint64 edition = 0;       // of the value
    quint64 foundEdition = 0;  // that found is about
    quint64 schemaEdition = 0;
    bool isChecking = false;
    bool wasLoaded = false;  // with a value: then what is missing is said at once
    bool wasSubmitted = false;
};

SchemaForm::Private::Private(SchemaForm *form)
    : q(form),
      context(new FormContext(form)),
      area(new FormArea(form)),
      findBar(new FieldFindBar(form)),
      find(new FieldFind(context, findBar))
{
    for (QTimer *timer : {&checkDue, &showDue}) {
        timer->setSingleShot(true);
        timer->setInterval(0);
    }
    QObject::connect(&checkDue, &QTimer::timeout, q, [this] { check(); });
    QObject::connect(&showDue, &QTimer::timeout, q, [this] { showIssues(); });
    QObject::connect(area, &FormArea::heightChanged, q, [this] {
        if (context->isForPerson)  // beside a tool, it has its room
            q->updateGeometry();
    });
    QObject::connect(context, &FormContext::built, q, [this] {
        showDue.start();
        if (!context->isDrawing())
            area->release();
    });
    QObject::connect(context, &FormContext::prepared, q, [this] {
        checkDue.start();
        const QList<std::function<void()>> steps = std::exchange(waiting, {});
        for (const std::function<void()> &step : steps)
            step();
        Q_EMIT q->prepared();
    });
    QObject::connect(context, &FormContext::submitted, q, [this] {
        q->markSubmitted();
        Q_EMIT q->submitted();
    });
    QObject::connect(context, &FormContext::edited, q, [this](const json::Pointer &place) {
        forgetRemote(place);
        context->history.endStep();
        ++edition;
        checkDue.start();
        Q_EMIT q->changed();
    });
    QObject::connect(context, &FormContext::undoRequested, q, [this] { q->undo(); });
    QObject::connect(context, &FormContext::redoRequested, q, [this] { q->redo(); });
    QObject::connect(context, &FormContext::focusRequested, q, &SchemaForm::focusPlace);
    QObject::connect(q, &SchemaForm::changed, find, &FieldFind::onEdited);
    QObject::connect(find, &FieldFind::filterChanged, q, [this] {
        if (!root)
            return;
        root->setFilter(context->filter.get());
        context->draw();
        Q_EMIT context->built();
    });
    QObject::connect(find, &FieldFind::shown, q, [this](const json::Pointer &place) {
        Field *field = reveal(place);
        markFound(field);
        if (field && field->editor())
            field->editor()->goTo(place.tokens().mid(field->draft()->pointer().tokens().size()));
        area->keepInView(field);
    });
    QObject::connect(find, &FieldFind::entered, q, &SchemaForm::focusPlace);
    QObject::connect(find, &FieldFind::ended, q, [this] { markFound(nullptr); });
}

void SchemaForm::Private::forgetRemote(const json::Pointer &place)
{
    remote.removeIf([&place](const FormIssue &issue) {
        const QStringList &there = issue.place.tokens();
        const QStringList &here = place.tokens();
        return there.mid(0, here.size()) == here;
    });
}

void SchemaForm::Private::load(const QByteArray &bytes, bool isStep)
{
    waiting.clear();
    context->settle();
    context->root = Draft::make(bytes.isEmpty() ? context->values.initial(shape) : bytes);
    context->history.setRoot(context->root, isStep);
    remote.clear();
    found.clear();
    wasSubmitted = false;
    ++edition;
    rebuild();
}

void SchemaForm::Private::rebuild()
{
    if (header)
        header->setParent(q);  // it outlives the fields
    const std::optional<json::Pointer> focused = q->focusedPlace();
    if (focused)
        q->setFocus();  // rather than whatever comes next in the window
    // The old fields are deleted at once: their places have left the draft.
    delete area->takeWidget();
    context->deleteDiscarded();
    context->fieldCount = 0;
    content = new FormContent;
    content->setAutoFillBackground(false);
    auto *column = new ColumnLayout(content);
    column->setContentsMargins(1, 0, Grid / 2, Grid);
    column->setSpacing(Grid);
    if (header) {
        column->addWidget(header);
        header->show();
    }
    nothing = nullptr;
    if (shape.kind == Shape::Kind::Object && shape.propertyNames().isEmpty() && !shape.isMap()) {
        const QString usual = shape.takesMore()
                                  ? SchemaForm::tr("This tool declares no arguments; you can add your own.")
                                  : SchemaForm::tr("This tool takes no arguments.");
        nothing = new TextLabel(emptyText.isEmpty() ? usual : emptyText, content);
        nothing->setDim(true);
        nothing->setObjectName(u"noArguments"_s);
        nothing->setWordWrap(true);
        nothing->setMinimumWidth(40);
        column->addWidget(nothing);
    }
    root = new Field(context, {context->root, shape, {}, Field::Role::Root, true}, content);
    column->addWidget(root);
    area->setWidget(content);
    content->setAutoFillBackground(false);
    area->fit();
    q->updateGeometry();
    checkDue.start();
    if (focused)
        q->focusPlace(*focused);
    find->onLoaded();
}

Field *SchemaForm::Private::reveal(const json::Pointer &place) const
{
    Field *field = root;
    for (const QString &token : place.tokens()) {
        Field *inner = field ? field->reveal(token) : nullptr;
        if (!inner)
            break;
        field = inner;
    }
    return field;
}

void SchemaForm::Private::markFound(Field *field)
{
    if (foundField)
        foundField->setFound(false);
    foundField = field;
    if (foundField)
        foundField->setFound(true);
}

// Where it is not drawn, of the nearest place around it that is.
Field *SchemaForm::Private::fieldOf(const Draft *place) const
{
    QList<const Draft *> chain;
    for (; place && place != context->root.get(); place = place->parent())
        chain.prepend(place);
    Field *field = root;
    for (const Draft *next : std::as_const(chain)) {
        const QList<Field *> inner = field->fields();
        const auto nextField =
            std::find_if(inner.cbegin(), inner.cend(), [next](const Field *at) { return at->draft().get() == next; });
        if (nextField == inner.cend())
            break;
        field = *nextField;
    }
    return field;
}

// What the step takes away has to be kept as JSON, to be done again.
bool SchemaForm::Private::step(bool (FormHistory::*isAny)() const, QList<Draft::Ptr> (FormHistory::*run)())
{
    if (!(context->history.*isAny)())
        return false;
    if (!context->isPrepared()) {
        waiting.append([this, isAny, run] { step(isAny, run); });
        return true;
    }
    context->settle();
    show((context->history.*run)());
    return true;
}

// After a step back or forth.
void SchemaForm::Private::show(const QList<Draft::Ptr> &changed)
{
    const QWidget *focus = QApplication::focusWidget();
    const bool isHere = !changed.isEmpty() && (!focus || q->isAncestorOf(focus) || q == focus);
    if (isHere)
        q->setFocus();  // rather than whatever comes next in the window
    drawAnew(changed);
    if (isHere)
        q->focusPlace(changed.constLast()->pointer());
    Q_EMIT q->changed();
}

void SchemaForm::Private::drawAnew(const QList<Draft::Ptr> &changed)
{
    context->history.setPaused(true);
    for (const Draft::Ptr &place : changed)
        fieldOf(place.get())->follow();
    context->history.setPaused(false);
    ++edition;
    checkDue.start();
}

SchemaForm::Private::Position SchemaForm::Private::positionOf(const json::Pointer &place,
                                                              const QList<qsizetype> &path) const
{
    Position position{root, {}};
    const QStringList &tokens = place.tokens();
    for (qsizetype i = 0; i < tokens.size(); ++i) {
        const Editor *editor = position.field->editor();
        if (!editor)
            break;
        position.ranks.append(editor->rankOf(tokens.at(i)));
        Field *inner = editor->fieldAt(tokens.at(i));
        position.isDrawn = inner || !editor->hasField(tokens.at(i));
        if (!inner)
            break;
        const QList<qsizetype> meant = path.first(qMin(i + 1, path.size()));
        if (meant.size() > i && placePath(*inner->draft()) != meant) {
            const QList<Field *> fields = editor->fields();
            const auto namesake = std::find_if(fields.cbegin(), fields.cend(), [&meant](const Field *field) {
                return placePath(*field->draft()) == meant;
            });
            inner = namesake == fields.cend() ? inner : *namesake;
        }
        position.field = inner;
    }
    return position;
}

// A new form shows no errors before the user has typed: required fields have a star.
bool SchemaForm::Private::mayComplain(const Field *field) const
{
    return field == root ? q->isBegun()
                         : wasLoaded || wasSubmitted || field->wasTouched() || field->draft()->isPresent();
}

// On another thread, one check at a time: typing never waits for a large value or a slow schema.
void SchemaForm::Private::check()
{
    if (isChecking || !root || !context->isPrepared())
        return;  // it starts again by itself when the value has changed meanwhile
    context->settle();
    isChecking = true;
    // The reader caches what it reads, so it belongs to this thread.
    const std::function<QByteArray()> value = context->root->lateBytes();
    const std::function<QList<FormIssue>()> judge = [rules = rules, shape = shape, text = editedText, value,
                                                     takesPlaceholders = context->takesPlaceholders] {
        return formIssues(rules, ShapeValues(ShapeReader(rules)), shape, json::parse(text ? *text : value()),
                          takesPlaceholders);
    };
    const std::function<void(const QList<FormIssue> &)> done = [this, judged = edition,
                                                                schema = schemaEdition](const QList<FormIssue> &all) {
        isChecking = false;
        if (judged != edition || schema != schemaEdition) {
            checkDue.start();
            return;
        }
        foundEdition = judged;
        take(all);
    };
    runInBackground(q, judge, done);
}

void SchemaForm::Private::take(const QList<FormIssue> &issues)
{
    found = issues;
    showIssues();
}

QList<FormIssue> SchemaForm::Private::inOrder(QList<FormIssue> issues) const
{
    const QSet<const Field *> withProblem = editedText ? QSet<const Field *>() : context->withProblem;
    for (const Field *field : withProblem)
        issues.prepend({field->draft()->pointer(), field->problem(), placeWords(*field->draft()), false,
                        placePath(*field->draft())});
    QList<std::pair<QList<qsizetype>, qsizetype>> order;
    for (qsizetype i = 0; i < issues.size(); ++i)
        order.append({positionOf(issues.at(i).place, issues.at(i).path).ranks, i});
    std::sort(order.begin(), order.end());
    QList<FormIssue> sorted;
    for (const auto &[ranks, index] : std::as_const(order))
        sorted.append(issues.at(index));
    return sorted;
}

void SchemaForm::Private::showIssues()
{
    if (!root)
        return;
    QHash<Field *, FormIssue> messages;  // the first; a remark only where nothing is wrong
    QHash<Field *, QString> remoteMessages;
    QHash<Field *, QList<FormIssue>> inner;  // of editors that show them themselves
    const auto isInner = [&inner](Field *field, const FormIssue &issue) {
        const bool isWithin = field->editor() && field->editor()->showsInner() &&
                              issue.place.tokens().size() > field->draft()->pointer().tokens().size();
        if (isWithin)
            inner[field].append(issue);
        return isWithin;
    };
    // Of a text that is no value of the form, nothing is said at its fields.
    const QList<FormIssue> ofFields = editedText ? QList<FormIssue>() : found;
    for (const FormIssue &issue : ofFields) {
        const Position position = positionOf(issue.place, issue.path);
        Field *field = position.field;
        // One that is not drawn yet will say it itself.
        if (!position.isDrawn || isInner(field, issue))
            continue;
        const auto before = messages.constFind(field);
        if ((before == messages.cend() || (before->isRemark && !issue.isRemark)) && mayComplain(field))
            messages.insert(field, issue);
    }
    for (const FormIssue &issue : std::as_const(remote)) {
        Field *field = positionOf(issue.place).field;
        if (isInner(field, issue))
            continue;
        remoteMessages.insert(field, messageAt(context->reader(), field, issue));
    }
    // Only fields that have or had a message.
    for (const QPointer<Field> &field : std::as_const(marked)) {
        if (field && !messages.contains(field))
            field->setIssue({});
        if (field && !remoteMessages.contains(field))
            field->setRemoteIssue({});
    }
    for (const QPointer<Field> &field : std::as_const(withInner)) {
        if (field && field->editor() && !inner.contains(field))
            field->editor()->setInnerIssues({});
    }
    withInner.clear();
    for (auto it = inner.cbegin(); it != inner.cend(); ++it) {
        it.key()->editor()->setInnerIssues(it.value());
        withInner.append(it.key());
    }
    marked.clear();
    for (auto it = messages.cbegin(); it != messages.cend(); ++it) {
        it.key()->setIssue(messageAt(context->reader(), it.key(), it.value()), it.value().isRemark);
        marked.append(it.key());
    }
    for (auto it = remoteMessages.cbegin(); it != remoteMessages.cend(); ++it) {
        it.key()->setRemoteIssue(it.value());
        marked.append(it.key());
    }
    // Nested groups pass new heights up one level per turn; doing it at once avoids visible growing.
    for (int level = 0; level < MaxLayoutLevels && q->isVisible(); ++level)
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    const QList<FormIssue> all = inOrder(found);
    const bool isNew = !std::equal(
        all.begin(), all.end(), known.begin(), known.end(), [](const FormIssue &left, const FormIssue &right) {
            return left.place == right.place && left.message == right.message && left.path == right.path;
        });
    known = all;
    QSet<QString> atFault;
    for (const FormIssue &issue : ofFields) {
        if (!issue.isRemark)
            atFault.insert(issue.place.toString());
    }
    find->setAtFault(atFault);
    if (isNew)
        Q_EMIT q->issuesChanged();
}

SchemaForm::SchemaForm(QWidget *parent) : QWidget(parent), d(std::make_unique<Private>(this))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Grid / 2);
    column->addWidget(d->findBar);
    column->addWidget(d->area);
    // Tab moves between fields; these keys also reach the small buttons next to them. Text inputs keep the plain keys.
    for (const Qt::Key key : {Qt::Key_Left, Qt::Key_Right}) {
        auto *shortcut = new QShortcut(Qt::ALT | key, this);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this,
                [this, key] { focusNextIn(d->content, key == Qt::Key_Right, Stops::All); });
    }
}

SchemaForm::~SchemaForm()
{
    // Fields use the context in their destructors, so they are deleted first.
    delete d->area->takeWidget();
    d->context->deleteDiscarded();
}

void SchemaForm::setHeader(QWidget *header)
{
    if (header == d->header)
        return;
    d->header = header;
    if (header && d->content)
        static_cast<ColumnLayout *>(d->content->layout())->insertWidget(0, header);
}

void SchemaForm::setSchema(const json::Value &schema)
{
    // Validated after each key press: a value that takes more than a few milliseconds is not validated.
    schema::Schema::Options options = schema::Schema::forArguments();
    options.limits.maxSteps = 100'000;
    if (d->context->isForPerson)
        options.formats = schema::Formats::Asserted;  // elicitation names the formats that it means
    d->rules = schema::Schema(schema, options);
    d->context->values = ShapeValues(ShapeReader(d->rules));
    ++d->schemaEdition;
    d->shape = d->context->reader().read(schema);
    // Arguments are an object, even if the schema does not say so.
    const bool isFree = d->shape.kind == Shape::Kind::AnyJson && d->shape.type != "array"_L1;
    if (isFree && (schema.isObject() || !schema.exists()))
        d->shape.kind = Shape::Kind::Object;
    d->wasLoaded = false;
    d->find->setForm(d->rules, d->shape, fieldsOf(d->context->reader(), d->shape) >= LargeFrom);
    d->load({});
}

void SchemaForm::setValue(const json::Value &value)
{
    const bool isStep = d->wasLoaded || d->context->history.canUndo();
    d->wasLoaded = value.exists() && !value.isEmpty();
    d->load(value.exists() ? json::compact(value) : QByteArray(), isStep);
}

// Unlike a loaded value, this one is not complained about before the user has typed.
void SchemaForm::fillDefaults()
{
    const json::Value initial = json::parse(value());
    json::Builder builder;
    builder.beginObject();
    const QStringList names = d->shape.kind == Shape::Kind::Object ? d->shape.propertyNames() : QStringList();
    bool isAny = false;
    for (const QString &name : names) {
        const json::Value given =
            initial[name].exists() ? initial[name] : d->context->reader().property(d->shape, name).keyword(u"default");
        if (!given.exists())
            continue;
        builder.key(name).raw(json::compact(given));
        isAny = true;
    }
    builder.endObject();
    if (isAny)
        d->load(builder.take());
}

void SchemaForm::fillExample()
{
    // A reader of its own: what it spends is not missing where fields are drawn.
    const std::function<QByteArray()> find = [rules = d->rules] {
        const ShapeReader reader(rules);
        return exampleOf(reader, reader.read(rules.root()));
    };
    const std::function<void(const QByteArray &)> fill = [this, edition = d->schemaEdition](const QByteArray &json) {
        if (edition != d->schemaEdition)
            return;
        if (json.isEmpty()) {
            Q_EMIT exampleMissing();
            return;
        }
        d->wasLoaded = true;
        d->load(json, true);
        Q_EMIT changed();
        Q_EMIT exampleFilled();
    };
    runInBackground(this, find, fill);
}

void SchemaForm::setForPerson()
{
    d->context->isForPerson = true;
}

void SchemaForm::setTakesPlaceholders()
{
    d->context->takesPlaceholders = true;
}

void SchemaForm::setEmptyText(const QString &text)
{
    d->emptyText = text;
}

QByteArray SchemaForm::value() const
{
    d->context->settle();
    const QByteArray bytes = d->context->root ? d->context->root->bytes() : QByteArray();
    return bytes.isEmpty() ? QByteArrayLiteral("{}") : bytes;
}

std::function<QByteArray()> SchemaForm::lateValue() const
{
    d->context->settle();
    return [late = d->context->root ? d->context->root->lateBytes() : nullptr] {
        const QByteArray bytes = late ? late() : QByteArray();
        return bytes.isEmpty() ? QByteArrayLiteral("{}") : bytes;
    };
}

qsizetype SchemaForm::valueSize() const
{
    return d->context->root ? d->context->root->size() : 0;
}

bool SchemaForm::isPrepared() const
{
    return d->context->isPrepared();
}

void SchemaForm::markSubmitted()
{
    d->wasSubmitted = true;
    d->showDue.start();
}

bool SchemaForm::hasFields() const
{
    return d->shape.kind != Shape::Kind::Object || !d->shape.propertyNames().isEmpty() || d->shape.isMap();
}

bool SchemaForm::accepts(const QString &name) const
{
    const auto takes = [this, &name](const Shape &shape) {
        return shape.kind != Shape::Kind::Object || shape.takesMore() || mayDeclare(d->context->reader(), shape, name);
    };
    if (d->shape.kind != Shape::Kind::Union)
        return takes(d->shape);
    for (qsizetype i = 0; i < d->shape.branches.size(); ++i) {
        if (takes(d->context->reader().branch(d->shape, i)))
            return true;
    }
    return false;
}

void SchemaForm::clear()
{
    setValue({});
}

void SchemaForm::setEditedText(const std::optional<QByteArray> &json)
{
    if (d->editedText == json)
        return;
    d->editedText = json;
    ++d->edition;
    d->checkDue.start();
}

std::function<QList<json::Value>(const json::Value &value)> SchemaForm::secretFinder() const
{
    // The reader caches what it reads, so it belongs to the thread that uses it.
    return [rules = d->rules, shape = d->shape](const json::Value &value) {
        QList<json::Value> secrets;
        QHash<QString, bool> known;
        visitShapes(ShapeValues(ShapeReader(rules)), shape, value,
                    [&secrets, &known](const json::Value &at, const Shape &there, const QString &name) {
                        if (at.isString() && looksSecret(name, there, &known))
                            secrets.append(at);
                    });
        std::sort(secrets.begin(), secrets.end(),
                  [](const json::Value &left, const json::Value &right) { return left.offset() < right.offset(); });
        return secrets;
    };
}

bool SchemaForm::isBegun() const
{
    const bool isEdited = !d->context->isPrepared() || d->context->history.canUndo();
    return d->wasLoaded || d->wasSubmitted || isEdited || (d->root && d->root->wasTouched());
}

bool SchemaForm::canUndo() const
{
    // An edit that takes long to settle is one that can be undone.
    if (!d->context->isPrepared())
        return true;
    d->context->settle();
    return d->context->history.canUndo();
}

bool SchemaForm::canRedo() const
{
    if (!d->context->isPrepared())
        return false;
    d->context->settle();
    return d->context->history.canRedo();
}

bool SchemaForm::undo()
{
    return d->step(&FormHistory::canUndo, &FormHistory::undo);
}

bool SchemaForm::redo()
{
    return d->step(&FormHistory::canRedo, &FormHistory::redo);
}

std::shared_ptr<const FormSteps> SchemaForm::steps() const
{
    if (d->context->isPrepared())
        d->context->settle();
    return std::make_shared<const FormSteps>(d->context->history.steps());
}

void SchemaForm::setSteps(const FormSteps &steps)
{
    d->context->history.setSteps(steps);
}

void SchemaForm::typeText(const QByteArray &text, const json::Value &value)
{
    d->context->settle();
    d->context->history.typeText(text);
    const QList<Draft::Ptr> changed = value.exists() ? d->context->root->become(value) : QList<Draft::Ptr>();
    d->context->history.endStep();
    if (changed.isEmpty())
        return;
    for (const Draft::Ptr &place : changed)
        d->forgetRemote(place->pointer());
    d->drawAnew(changed);
}

void SchemaForm::followText(const QByteArray &text)
{
    d->context->history.followText(text);
}

QByteArray SchemaForm::text() const
{
    return d->context->history.text();
}

QList<FormIssue> SchemaForm::issues() const
{
    if (!d->root)
        return {};
    const QByteArray bytes = d->editedText ? *d->editedText : value();
    if (d->foundEdition == d->edition)
        return d->inOrder(d->found);
    return d->inOrder(
        formIssues(d->rules, d->context->values, d->shape, json::parse(bytes), d->context->takesPlaceholders));
}

QList<FormIssue> SchemaForm::knownIssues() const
{
    return d->known;
}

int SchemaForm::fieldCount() const
{
    return d->context->fieldCount;
}

const Shape &SchemaForm::shape() const
{
    return d->shape;
}

const ShapeValues &SchemaForm::shapeValues() const
{
    return d->context->values;
}

void SchemaForm::setRemoteIssues(const QList<FormIssue> &issues)
{
    d->remote = issues;
    d->showDue.start();
}

Field *SchemaForm::Private::first() const
{
    const auto firstIn = [](const QList<Field *> &fields) {
        const auto first = std::find_if(fields.cbegin(), fields.cend(), [](const Field *field) {
            return field->shape().kind != Shape::Kind::Constant;  // nothing can be typed into one
        });
        return first == fields.cend() ? fields.constFirst() : *first;
    };
    Field *at = root;
    while (at && (at == root || at->isGroup())) {
        // The turn may have spent its room on fields of values that were shown before.
        if (at->fields().isEmpty())
            context->draw(1);
        if (at->fields().isEmpty())
            break;
        at = firstIn(at->fields());
    }
    return at;
}

void SchemaForm::focusFirstField()
{
    Field *first = d->first();
    if (!first)
        return;
    d->area->keepInView(first);  // what is above it may still be laid out
    first->focusControl();
}

void SchemaForm::showFirstField()
{
    if (Field *first = d->first(); first && first != d->root)
        d->area->keepInView(first);
}

void SchemaForm::focusPlace(const json::Pointer &place)
{
    Field *field = d->reveal(place);
    if (!field)
        return;
    if (field->editor())
        field->editor()->goTo(place.tokens().mid(field->draft()->pointer().tokens().size()));
    // Fields above it may still be created or shown.
    d->area->keepInView(field);
    field->focusControl();
}

Field *SchemaForm::Private::firstRequired(Field *group) const
{
    Field *field = group;
    for (int level = 0; level < FormContext::OpenDepth && field->isGroup(); ++level) {
        field->setExpanded(true);
        Shape inside = field->editor()->shape();
        if (inside.kind == Shape::Kind::Union)
            inside =
                context->reader().branch(inside, qMax(0, context->values.branchFor(inside, field->draft()->value())));
        const QStringList names = inside.kind == Shape::Kind::Object ? inside.propertyNames() : QStringList();
        const auto required = std::find_if(names.cbegin(), names.cend(), [this, &inside](const QString &name) {
            return inside.isRequired(name) && context->reader().property(inside, name).kind != Shape::Kind::Constant;
        });
        Field *inner = required == names.cend() ? nullptr : field->reveal(*required);
        if (!inner)
            break;
        field = inner;
    }
    return field;
}

void SchemaForm::focusIssue(const FormIssue &issue)
{
    Field *field = d->reveal(issue.place);
    if (!field)
        return;
    if (field->draft()->pointer() == issue.place && !field->draft()->isPresent())
        field = d->firstRequired(field);
    else if (!issue.path.isEmpty())
        field = d->positionOf(issue.place, issue.path).field;
    else
        return focusPlace(issue.place);
    d->area->keepInView(field);
    field->focusControl();
}

void SchemaForm::markPlace(const std::optional<json::Pointer> &place)
{
    Field *field = place && d->root ? d->positionOf(*place).field : nullptr;
    if (field == d->root)
        field = nullptr;
    if (d->pointedAt && d->pointedAt != field)
        d->pointedAt->setFound(false);
    d->pointedAt = field;
    if (!field)
        return;
    field->setFound(true);
    d->area->showField(field, Grid);
}

std::optional<json::Pointer> SchemaForm::focusedPlace() const
{
    QWidget *at = QApplication::focusWidget();
    while (at && !qobject_cast<Field *>(at))
        at = at->parentWidget();
    if (!at || !d->content || !d->content->isAncestorOf(at))
        return std::nullopt;
    return static_cast<Field *>(at)->draft()->pointer();
}

QSize SchemaForm::sizeHint() const
{
    const QSize content = d->content ? d->content->layout()->totalSizeHint() : QSize();
    return QSize(qMax(320, content.width()), content.height()) + QSize(2, 2);
}

void SchemaForm::openFind()
{
    d->find->open();
}

// One find for what has the focus: elsewhere the key means another one.
bool SchemaForm::event(QEvent *event)
{
    return (event->type() == QEvent::ShortcutOverride && d->find->handleKey(static_cast<QKeyEvent *>(event))) ||
           QWidget::event(event);
}

void SchemaForm::keyPressEvent(QKeyEvent *event)
{
    if (d->find->handleKey(event))
        return;
    if (isCtrlEnter(event))
        Q_EMIT d->context->submitted();
    else if (event->matches(QKeySequence::Undo))
        undo();
    else if (event->matches(QKeySequence::Redo))
        redo();
    else if (!isPlainEnter(event))  // in a dialog, it would press the default button
        QWidget::keyPressEvent(event);
}

}  // namespace sonde::ui
