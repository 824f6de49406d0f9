// SPDX-License-Identifier: Apache-2.0
#include "ui/form/editor.h"

#include "core/shape/typehint.h"
#include "ui/form/addresseditor.h"
#include "ui/form/booleaneditor.h"
#include "ui/form/checklisteditor.h"
#include "ui/form/choiceeditor.h"
#include "ui/form/constanteditor.h"
#include "ui/form/contentencoding.h"
#include "ui/form/encodededitor.h"
#include "ui/form/hints.h"
#include "ui/form/listeditor.h"
#include "ui/form/numbereditor.h"
#include "ui/form/objecteditor.h"
#include "ui/form/placeeditor.h"
#include "ui/form/schemaform.h"
#include "ui/form/secreteditor.h"
#include "ui/form/tableeditor.h"
#include "ui/form/texteditor.h"
#include "ui/form/timeeditor.h"
#include "ui/form/unioneditor.h"

namespace sonde::ui {

Field *Editor::fieldAt(const QString &token) const
{
    Q_UNUSED(token)
    return nullptr;
}

bool Editor::hasField(const QString &token) const
{
    Q_UNUSED(token)
    return false;
}

qsizetype Editor::rankOf(const QString &token) const
{
    Q_UNUSED(token)
    return 0;
}

Field *Editor::reveal(const QString &token)
{
    Q_UNUSED(token)
    return nullptr;
}

void Editor::setInnerIssues(const QList<FormIssue> &issues)
{
    Q_UNUSED(issues)
}

void Editor::rename(const QString &pointer)
{
    control()->setObjectName(QLatin1String("field:") + pointer);
}

QString Editor::placeholder() const
{
    if (m_draft->isPresent())
        return m_draft->kind() == json::Kind::Null ? tr("null") : QString();
    // The button next to it shows that it is omitted.
    const QString value = defaultText(m_shape);
    if (!value.isEmpty())
        return tr("default %1").arg(value);
    return m_draft->isBlank() ? tr("not sent while empty") : QString();
}

void Editor::writeNothing()
{
    if (m_draft->isDeclared())
        m_draft->retract();
    else
        m_draft->makeBlank();
}

static Editor *textEditorFor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, const QString &label,
                             QWidget *parent)
{
    if (encodingOf(shape))
        return new EncodedEditor(context, draft, shape, label, parent);
    if (TimeEditor::isFor(shape))
        return new TimeEditor(context, draft, shape, label, parent);
    if (AddressEditor::isFor(shape))
        return new AddressEditor(context, draft, shape, label, parent);
    return new TextEditor(context, draft, shape, label, parent);
}

static Editor *editorFor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, const QString &label,
                         QWidget *parent)
{
    const bool isNull = shape.nullable && draft->kind() == json::Kind::Null;
    // These may be very long, and are not read for that.
    const json::Kind kind = draft->kind();
    const bool isSameKind = (shape.kind == Shape::Kind::Text && kind == json::Kind::String) ||
                            (shape.kind == Shape::Kind::List && kind == json::Kind::Array) ||
                            (shape.kind == Shape::Kind::Object && kind == json::Kind::Object) ||
                            (shape.kind == Shape::Kind::Number && context->isPlaceholder(draft->value()));
    if (draft->isPresent() && !isNull && !isSameKind && !context->values.canShow(shape, draft->value()))
        return new PlaceEditor(context, draft, shape, parent);
    switch (shape.kind) {
        case Shape::Kind::Text:
            if (looksSecret(label, shape) && SecretEditor::canHold(draft))
                return new SecretEditor(context, draft, shape, parent);
            if (!TextEditor::canHold(draft) && (!encodingOf(shape) || !TextEditor::canHoldLong(draft)))
                return new PlaceEditor(context, draft, shape, parent);
            return textEditorFor(context, draft, shape, label, parent);
        case Shape::Kind::Number:
            if (!NumberEditor::canHold(draft))
                return new PlaceEditor(context, draft, shape, parent);
            return new NumberEditor(context, draft, shape, parent);
        case Shape::Kind::Boolean:
            return new BooleanEditor(context, draft, shape, parent);
        case Shape::Kind::Choice:
            if (!ChoiceEditor::canHold(draft))
                return new PlaceEditor(context, draft, shape, parent);
            return new ChoiceEditor(context, draft, shape, parent);
        case Shape::Kind::Constant:
            return new ConstantEditor(context, draft, shape, parent);
        case Shape::Kind::Object:
            return new ObjectEditor(context, draft, shape, parent);
        case Shape::Kind::List:
            if (CheckListEditor::canHold(*context, draft, shape))
                return new CheckListEditor(context, draft, shape, label, parent);
            if (context->isTable(*draft) && TableEditor::canShow(*context, shape))
                return new TableEditor(context, draft, shape, label, parent);
            return new ListEditor(context, draft, shape, label, parent);
        case Shape::Kind::Union:
            return new UnionEditor(context, draft, shape, label, parent);
        case Shape::Kind::AnyJson:
        case Shape::Kind::Undrawn:
            break;
    }
    return new PlaceEditor(context, draft, shape, parent);
}

Editor *makeEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, const QString &label,
                   QWidget *parent)
{
    Editor *editor = editorFor(context, draft, shape, label, parent);
    context->watch(editor);
    return editor;
}

}  // namespace sonde::ui
