// SPDX-License-Identifier: Apache-2.0
#include "ui/form/encodededitor.h"

#include "ui/form/abbreviatedruns.h"
#include "ui/form/contentencoding.h"
#include "ui/form/filecontent.h"
#include "ui/form/inputs.h"
#include "ui/theme/theme.h"
#include "ui/theme/widgets.h"

namespace sonde::ui {

EncodedEditor::EncodedEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, const QString &label,
                             QWidget *parent)
    : TextEditor(context, draft, shape, label, parent),
      m_content(new FileContent(*encodingOf(shape), shape.text(u"contentMediaType"), this))
{
    edit()->setFont(monoFont());
    edit()->setLines(1, 4);
    edit()->setWordWrapMode(QTextOption::WrapAnywhere);  // there are no words
    addTrailing(m_content->button());
    addBelow(m_content);
    m_content->takeDrops(edit()->viewport());
    showSize();
    connect(this, &Editor::edited, m_content, [this] { showSize(); });
    connect(edit()->runs(), &AbbreviatedRuns::prepared, m_content, [this] { showSize(); });
    connect(m_content, &FileContent::loaded, this, &EncodedEditor::replaceText);
    connect(m_content->button(), &FlatButton::clicked, edit(), qOverload<>(&QWidget::setFocus));
}

bool EncodedEditor::reload()
{
    if (!TextEditor::reload())
        return false;
    showSize();
    return true;
}

void EncodedEditor::rename(const QString &pointer)
{
    TextEditor::rename(pointer);
    m_content->rename(pointer);
}

// Of a long text that was typed, as soon as it is prepared.
void EncodedEditor::showSize()
{
    const AbbreviatedRuns *runs = edit()->runs();
    m_content->setContent(runs->isShortened() && runs->isPrepared() ? runs->quoted() : draft()->bytes());
}

}  // namespace sonde::ui
