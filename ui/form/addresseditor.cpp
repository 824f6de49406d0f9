// SPDX-License-Identifier: Apache-2.0
#include "ui/form/addresseditor.h"

#include "core/protocol/consenturl.h"
#include "ui/form/inputs.h"
#include "ui/panels/openaddressdialog.h"
#include "ui/theme/widgets.h"

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int MaxAddress = 16 * 1024;  // characters; longer ones are never opened

}  // namespace

AddressEditor::AddressEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, const QString &label,
                             QWidget *parent)
    : TextEditor(context, draft, shape, label, parent), m_open(new FlatButton(tr("Open")))
{
    m_open->setIcon(icon(u"popout"_s));
    m_open->setAccessibleName(tr("Open in the browser"));
    m_open->setFocusPolicy(Qt::ClickFocus);
    addTrailing(m_open);
    showState();
    connect(edit(), &GrowingTextEdit::textChanged, this, &AddressEditor::showState);
    connect(m_open, &FlatButton::clicked, this, [this] { (new OpenAddressDialog(edit()->text(), window()))->open(); });
}

bool AddressEditor::isFor(const Shape &shape)
{
    const QString format = shape.text(u"format");
    return format == "uri"_L1 || format == "iri"_L1 || format == "url"_L1 || format == "uri-reference"_L1 ||
           format == "iri-reference"_L1;
}

void AddressEditor::rename(const QString &pointer)
{
    TextEditor::rename(pointer);
    m_open->setObjectName("browse:"_L1 + pointer);
}

void AddressEditor::showState()
{
    const int size = edit()->document()->characterCount() - 1;
    const QString refusal = size == 0           ? tr("Enter a URL to open it in the browser.")
                            : size > MaxAddress ? tr("This URL is too long to be opened.")
                                                : ConsentUrl::fromText(edit()->text()).refusal;
    m_open->setEnabled(refusal.isEmpty());
    const QString tip = refusal.isEmpty() ? tr("Open in the browser, after a confirmation") : refusal;
    m_open->setToolTip(plainToolTip(tip));
    m_open->setAccessibleDescription(tip);
}

}  // namespace sonde::ui
