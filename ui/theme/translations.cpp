// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/translations.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

QString english()
{
    return u"en"_s;
}

bool isThere(const QString &code)
{
    const QList<Language> all = Translations::all();
    return std::any_of(all.begin(), all.end(), [&code](const Language &language) { return language.code == code; });
}

QString languageFor(const QString &code)
{
    return isThere(code) ? code : Translations::firstOf(QLocale::system().uiLanguages());
}

}  // namespace

Translations::Translations(const QString &language, QObject *parent) : QObject(parent), m_language(english())
{
    setLanguage(language);
}

Translations::~Translations() = default;

QList<Language> Translations::all()
{
    return {{english(), u"English"_s}, {u"de"_s, u"Deutsch"_s}, {u"ja"_s, u"日本語"_s}, {u"zh_CN"_s, u"简体中文"_s}};
}

QString Translations::firstOf(const QStringList &wanted)
{
    for (const QString &name : wanted) {
        const QLocale locale(name);
        if (locale.language() == QLocale::Chinese) {  // the other script is not this language
            if (locale.script() == QLocale::SimplifiedHanScript)
                return u"zh_CN"_s;
            continue;
        }
        const QString code = QLocale::languageToCode(locale.language());
        if (isThere(code))
            return code;
    }
    return english();
}

bool Translations::isOther(const QString &code) const
{
    return languageFor(code) != m_language;
}

void Translations::setLanguage(const QString &code)
{
    const QString language = languageFor(code);
    if (language == m_language)
        return;
    m_installed.clear();
    m_language = language;
    if (language == english())
        return;
    // Those of the dialogs and buttons that come from Qt are part of its packages, and may be missing.
    const std::pair<QString, QString> files[] = {
        {u"qtbase_"_s + language, QLibraryInfo::path(QLibraryInfo::TranslationsPath)},
        {u"sonde_"_s + language, u":/translations"_s}};
    for (const auto &[name, folder] : files) {
        auto translator = std::make_unique<QTranslator>();
        if (translator->load(name, folder) && QCoreApplication::installTranslator(translator.get()))
            m_installed.push_back(std::move(translator));
    }
}

}  // namespace sonde::ui
