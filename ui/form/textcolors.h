// Colours of a text in a language that a schema names.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/shape/shape.h"

namespace sonde::ui {

class GrowingTextEdit;

enum class TextLanguage { None, Json, Markdown, Sql };

// By its "contentMediaType". None: another one, or the text is an encoding of it.
TextLanguage languageOf(const Shape &shape);
// Colours the text box from now on, unless its text is very long. They follow the palette.
void addColors(GrowingTextEdit *edit, TextLanguage language);

}  // namespace sonde::ui
