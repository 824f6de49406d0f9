// A form on the screen, and the hands of a person.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/schemaform.h"

#include <memory>

namespace sonde::test {

class FormFixture {
protected:
    void begin();
    void end();
    void open(const QByteArray &schema, const QByteArray &value = {});
    template <typename T>
    T *find(const QString &name) const
    {
        return m_form->findChild<T *>(name);
    }
    void settle() const;  // what a person would see before the next click
    void click(const QString &name) const;
    void type(const QString &name, const QString &text) const;
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) const;  // where the focus is
    void choose(const QString &presence, const QString &action) const;
    QString issueAt(const QString &pointer) const;

    std::unique_ptr<ui::SchemaForm> m_form;
};

}  // namespace sonde::test
