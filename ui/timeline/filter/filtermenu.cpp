// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/filter/filtermenu.h"

#include "ui/timeline/filter/filterline.h"

#include <QDataStream>
#include <QMenu>
#include <QPainter>
#include <QPixmap>

namespace sonde::ui {

namespace {

constexpr int MaxKept = 100;
constexpr Tone RuleTones[] = {Tone::Ok, Tone::Accent, Tone::Asks, Tone::Finding, Tone::ToolError, Tone::ProtocolError};

QString toneName(Tone tone)
{
    switch (tone) {
        case Tone::Ok:
            return FilterMenu::tr("Green");
        case Tone::Accent:
            return FilterMenu::tr("Blue");
        case Tone::Asks:
            return FilterMenu::tr("Violet");
        case Tone::ToolError:
            return FilterMenu::tr("Orange");
        case Tone::ProtocolError:
            return FilterMenu::tr("Red");
        default:
            return FilterMenu::tr("Turquoise");
    }
}

QIcon swatch(Tone tone)
{
    QPixmap pixmap(32, 32);
    pixmap.setDevicePixelRatio(2);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(color(tone));
    painter.setBrush(softColor(tone));
    painter.drawRoundedRect(QRectF(1.5, 1.5, 13, 13), 3, 3);
    return QIcon(pixmap);
}

// As the text of an action: no mnemonics, and not as wide as the screen.
QString shown(const QString &filter)
{
    constexpr qsizetype MaxLength = 60;
    QString text = filter.size() > MaxLength ? filter.first(MaxLength - 1) + QChar(0x2026) : filter;
    return text.replace(QLatin1Char('&'), QStringLiteral("&&"));
}

bool isUsable(const QString &filter)
{
    const Filter::Parsed parsed = Filter::parse(filter);
    return !parsed.problem && !parsed.filter.matchesAll();
}

}  // namespace

FilterMenu::FilterMenu(FilterLine *line, QWidget *parent) : QToolButton(parent), m_menu(new QMenu(this)), m_line(line)
{
    setObjectName(QStringLiteral("timelineFilterMenu"));
    setAccessibleName(tr("Saved filters and highlights"));
    setToolTip(tr("Saved filters and highlights"));
    setIcon(ui::icon(QStringLiteral("bookmark")));
    setPopupMode(QToolButton::InstantPopup);
    setMenu(m_menu);
    connect(m_menu, &QMenu::aboutToShow, this, &FilterMenu::fill);
}

void FilterMenu::fill()
{
    const bool isFilter = !m_line->problem() && !m_line->filter().matchesAll();
    m_current = isFilter ? m_line->filter().text().trimmed() : QString();
    m_menu->clear();
    addKept();
    m_menu->addSeparator();
    addColors();
}

void FilterMenu::addKept()
{
    for (const QString &filter : std::as_const(m_kept))
        m_menu->addAction(shown(filter), this, [this, filter] { m_line->setText(filter); });
    if (m_kept.isEmpty())
        m_menu->addAction(tr("No saved filters"))->setEnabled(false);
    m_menu->addSeparator();
    QAction *keep = m_menu->addAction(tr("Save filter"), this, [this] { setKept(QStringList{m_current} + m_kept); });
    keep->setEnabled(!m_current.isEmpty() && !m_kept.contains(m_current) && m_kept.size() < MaxKept);
    QMenu *forget = m_menu->addMenu(tr("Delete"));
    forget->setEnabled(!m_kept.isEmpty());
    for (const QString &filter : std::as_const(m_kept))
        forget->addAction(shown(filter), this, [this, filter] {
            QStringList others = m_kept;
            others.removeAll(filter);
            setKept(others);
        });
}

void FilterMenu::addColors()
{
    QMenu *give = m_menu->addMenu(tr("Highlight matching rows"));
    give->setEnabled(!m_current.isEmpty() && m_rules.size() < MaxKept);
    for (const Tone tone : RuleTones) {
        give->addAction(swatch(tone), toneName(tone), this, [this, tone] {
            QList<ColorRule> rules = m_rules;
            rules.removeIf([this](const ColorRule &rule) { return rule.filter == m_current; });
            rules.prepend({m_current, tone});
            setRules(rules);
        });
    }
    QMenu *take = m_menu->addMenu(tr("Remove highlight"));
    take->setEnabled(!m_rules.isEmpty());
    for (const ColorRule &rule : std::as_const(m_rules)) {
        take->addAction(swatch(rule.tone), shown(rule.filter), this, [this, rule] {
            QList<ColorRule> others = m_rules;
            others.removeAll(rule);
            setRules(others);
        });
    }
}

void FilterMenu::setKept(const QStringList &kept)
{
    m_kept = kept;
    Q_EMIT changed();
}

void FilterMenu::setRules(const QList<ColorRule> &rules)
{
    m_rules = rules;
    Q_EMIT rulesChanged();
    Q_EMIT changed();
}

void FilterMenu::save(QDataStream &stream) const
{
    stream << m_kept << qint32(m_rules.size());
    for (const ColorRule &rule : m_rules)
        stream << rule.filter << qint32(rule.tone);
}

void FilterMenu::restore(QDataStream &stream)
{
    QStringList kept;
    qint32 count = 0;
    stream >> kept >> count;
    QList<ColorRule> rules;
    for (qint32 i = 0; i < count && stream.status() == QDataStream::Ok && i < MaxKept; ++i) {
        QString filter;
        qint32 tone = 0;
        stream >> filter >> tone;
        if (isUsable(filter))
            rules.append({filter, Tone(qBound(0, tone, int(Tone::Finding)))});
    }
    if (stream.status() != QDataStream::Ok)
        return;
    kept.removeIf([](const QString &filter) { return !isUsable(filter); });
    m_kept = kept.mid(0, MaxKept);
    m_rules = rules;
    Q_EMIT rulesChanged();
}

}  // namespace sonde::ui
