// The languages of the window, and the translations that are installed for one of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QObject>
#include <QString>
#include <memory>
#include <vector>

class QTranslator;

namespace sonde::ui {

struct Language {
    QString code;  // as in the name of its translation file: "de", "zh_CN"
    QString name;  // in itself
};

// Texts that exist already stay as they are: what shows them is made anew. Numbers, dates and times follow the system
// in every language. Without this object everything is English. GUI thread.
class Translations : public QObject {
    Q_OBJECT
public:
    explicit Translations(const QString &language, QObject *parent = nullptr);  // see setLanguage()
    ~Translations() override;

    static QList<Language> all();  // English first
    // The one among these languages that comes first in a list such as QLocale::uiLanguages(); English if there is
    // none.
    static QString firstOf(const QStringList &wanted);

    // A code of all(). Empty, or one that is not there: the language of the system.
    void setLanguage(const QString &code);
    bool isOther(const QString &code) const;         // whether that would change something
    QString language() const { return m_language; }  // whose texts are installed

private:
    QString m_language;
    std::vector<std::unique_ptr<QTranslator>> m_installed;
};

}  // namespace sonde::ui
