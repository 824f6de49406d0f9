// SPDX-License-Identifier: Apache-2.0
#include "ui/form/schemaform.h"

#include "core/json/builder.h"
#include "core/protocol/visibletext.h"
#include "ui/form/editor.h"
#include "ui/form/fallbacks.h"
#include "ui/form/field.h"
#include "ui/form/formissues.h"
#include "ui/theme/widgets.h"

#include <QCoreApplication>
#include <QEvent>
#include <QKeyEvent>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int MaxLayoutLevels = 24;

// An issue of a place that is not drawn is shown where the way to it ends, and says how it goes on.
QString messageAt(const json::Pointer &shown, const FormIssue &issue)
{
    const QStringList rest = issue.place.tokens().mid(shown.tokens().size());
    return rest.isEmpty() ? issue.message : visibleLine(rest.join(u'/'), 80) + u": "_s + issue.message;
}

}  // namespace

class SchemaForm::Private {
public:
    explicit Private(SchemaForm *form);
    void rebuild();
    void load(const QByteArray &bytes);
    void showIssues();
    void visit(Field *field, const std::function<void(Field *)> &act) const;
    Field *deepest(const json::Pointer &place) const;
    bool mayComplain(const Field *field) const;

    SchemaForm *q;
    FormContext *context;
    QScrollArea *area;
    QWidget *content = nullptr;
    TextLabel *nothing = nullptr;
    Field *root = nullptr;
    schema::Schema rules;
    Shape shape;
    QList<FormIssue> remote;
    QTimer issuesDue;
    bool wasLoaded = false;  // with a value: then what is missing is said at once
    bool wasSubmitted = false;
};

SchemaForm::Private::Private(SchemaForm *form) : q(form), context(new FormContext(form)), area(new QScrollArea(form))
{
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setFocusPolicy(Qt::NoFocus);
    area->viewport()->setAutoFillBackground(false);
    issuesDue.setSingleShot(true);
    issuesDue.setInterval(0);
    QObject::connect(&issuesDue, &QTimer::timeout, q, [this] { showIssues(); });
    QObject::connect(context, &FormContext::built, q, [this] { issuesDue.start(); });
    QObject::connect(context, &FormContext::submitted, q, [this] {
        wasSubmitted = true;
        issuesDue.start();
        Q_EMIT q->submitted();
    });
    QObject::connect(context, &FormContext::edited, q, [this](const json::Pointer &place) {
        remote.removeIf([&place](const FormIssue &issue) {
            const QStringList &there = issue.place.tokens();
            const QStringList &here = place.tokens();
            return there.mid(0, here.size()) == here;
        });
        issuesDue.start();
        Q_EMIT q->changed();
    });
}

void SchemaForm::Private::load(const QByteArray &bytes)
{
    context->root = Draft::make(bytes.isEmpty() ? context->reader.initial(shape) : bytes);
    remote.clear();
    wasSubmitted = false;
    rebuild();
}

void SchemaForm::Private::rebuild()
{
    // The old fields go at once: their places have left the draft.
    delete area->takeWidget();
    context->fieldCount = 0;
    content = new QWidget;
    content->setAutoFillBackground(false);
    auto *column = new QVBoxLayout(content);
    column->setContentsMargins(1, 0, Grid / 2, Grid);
    column->setSpacing(Grid);
    nothing = nullptr;
    if (shape.kind == Shape::Kind::Object && shape.propertyNames().isEmpty() && !shape.isMap()) {
        nothing = new TextLabel(SchemaForm::tr("No arguments are declared."), content);
        nothing->setDim(true);
        nothing->setObjectName(u"noArguments"_s);
        column->addWidget(nothing);
    }
    root = new Field(context, {context->root, shape, {}, Field::Role::Root, true}, content);
    column->addWidget(root);
    column->addStretch(1);
    area->setWidget(content);
    content->setAutoFillBackground(false);
    q->updateGeometry();
    issuesDue.start();
}

void SchemaForm::Private::visit(Field *field, const std::function<void(Field *)> &act) const
{
    act(field);
    const QList<Field *> inner = field->fields();
    for (Field *child : inner)
        visit(child, act);
}

Field *SchemaForm::Private::deepest(const json::Pointer &place) const
{
    Field *field = root;
    QStringList tokens = place.tokens();
    for (bool found = true; found && !tokens.isEmpty();) {
        found = false;
        const QList<Field *> inner = field->fields();
        // The last of that name: an earlier duplicate is not what the value means.
        for (auto child = inner.crbegin(); child != inner.crend() && !found; ++child) {
            if ((*child)->draft()->pointer().tokens().constLast() == tokens.constFirst()) {
                field = *child;
                tokens.removeFirst();
                found = true;
            }
        }
    }
    return field;
}

// A new form is not red before anybody has typed: an untouched required field has its star.
bool SchemaForm::Private::mayComplain(const Field *field) const
{
    return wasLoaded || wasSubmitted || field->wasTouched() || field->draft()->isPresent();
}

void SchemaForm::Private::showIssues()
{
    if (!root)
        return;
    QHash<const Field *, QString> messages;
    const QList<FormIssue> found = formIssues(rules, context->reader, shape, context->root->value());
    for (const FormIssue &issue : found) {
        const Field *field = deepest(issue.place);
        if (messages.contains(field) || !mayComplain(field))
            continue;
        messages.insert(field, messageAt(field->draft()->pointer(), issue));
    }
    QHash<const Field *, QString> remoteMessages;
    for (const FormIssue &issue : std::as_const(remote)) {
        const Field *field = deepest(issue.place);
        remoteMessages.insert(field, messageAt(field->draft()->pointer(), issue));
    }
    visit(root, [&](Field *field) {
        field->setIssue(messages.value(field));
        field->setRemoteIssue(remoteMessages.value(field));
    });
    // Groups within groups pass their new heights up one level a turn; all at once, nobody sees them grow.
    for (int level = 0; level < MaxLayoutLevels && q->isVisible(); ++level)
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
}

SchemaForm::SchemaForm(QWidget *parent) : QWidget(parent), d(std::make_unique<Private>(this))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(d->area);
}

SchemaForm::~SchemaForm()
{
    // Fields report to the context while they go; they must go first.
    delete d->area->takeWidget();
}

void SchemaForm::setSchema(const json::Value &schema)
{
    // Judged again with every key: a value that takes more than some milliseconds to judge is not judged at all.
    schema::Schema::Options options;
    options.limits.maxSteps = 100'000;
    d->rules = schema::Schema(schema, options);
    d->context->reader = ShapeReader(d->rules);
    d->shape = d->context->reader.read(schema);
    // Arguments are an object, also where the schema only says what else holds.
    const bool isFree = d->shape.kind == Shape::Kind::AnyJson && d->shape.type != "array"_L1;
    if (isFree && (schema.isObject() || !schema.exists()))
        d->shape.kind = Shape::Kind::Object;
    d->wasLoaded = false;
    d->load({});
}

void SchemaForm::setValue(const json::Value &value)
{
    d->wasLoaded = value.exists() && !value.isEmpty();
    d->load(value.exists() ? json::compact(value) : QByteArray());
}

QByteArray SchemaForm::value() const
{
    const QByteArray bytes = d->context->root ? d->context->root->bytes() : QByteArray();
    return bytes.isEmpty() ? QByteArrayLiteral("{}") : bytes;
}

void SchemaForm::clear()
{
    setValue({});
}

QList<FormIssue> SchemaForm::issues() const
{
    if (!d->root)
        return {};
    QList<FormIssue> all;
    QHash<const Field *, qsizetype> order;
    d->visit(d->root, [&all, &order](Field *field) {
        order.insert(field, order.size());
        if (const QString problem = field->problem(); !problem.isEmpty())
            all.append({field->draft()->pointer(), problem});
    });
    all += formIssues(d->rules, d->context->reader, d->shape, json::parse(value()));
    std::stable_sort(all.begin(), all.end(), [this, &order](const FormIssue &left, const FormIssue &right) {
        return order.value(d->deepest(left.place)) < order.value(d->deepest(right.place));
    });
    return all;
}

QList<json::Pointer> SchemaForm::fallbacks() const
{
    if (!d->root)
        return {};
    return fallbacksOf(d->context->reader, d->shape, json::parse(value()));
}

int SchemaForm::fieldCount() const
{
    return d->context->fieldCount;
}

void SchemaForm::setRemoteIssues(const QList<FormIssue> &issues)
{
    d->remote = issues;
    d->issuesDue.start();
}

void SchemaForm::focusFirstField()
{
    if (!d->root)
        return;
    const QList<Field *> fields = d->root->fields();
    Field *first = fields.isEmpty() ? d->root : fields.constFirst();
    while (first->isGroup() && !first->fields().isEmpty())
        first = first->fields().constFirst();
    first->focusControl();
    d->area->ensureWidgetVisible(first);
}

void SchemaForm::focusPlace(const json::Pointer &place)
{
    Field *field = d->root;
    for (const QString &token : place.tokens()) {
        Field *inner = field ? field->reveal(token) : nullptr;
        if (!inner)
            break;
        field = inner;
    }
    if (!field)
        return;
    d->content->layout()->activate();
    field->focusControl();
    d->area->ensureWidgetVisible(field, 0, 2 * Grid);
}

QSize SchemaForm::sizeHint() const
{
    const QSize content = d->content ? d->content->sizeHint() : QSize();
    return QSize(qMax(320, content.width()), content.height()) + QSize(2, 2);
}

void SchemaForm::keyPressEvent(QKeyEvent *event)
{
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isEnter && event->modifiers().testFlag(Qt::ControlModifier)) {
        event->accept();
        Q_EMIT d->context->submitted();
        return;
    }
    QWidget::keyPressEvent(event);
}

}  // namespace sonde::ui
