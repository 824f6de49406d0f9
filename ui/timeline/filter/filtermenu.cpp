// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/filter/filtermenu.h"

#include "ui/timeline/filter/filterline.h"

#include <QDataStream>
#include <QMenu>
#include <QPainter>
#include <QPixmap>

namespace sonde::ui {

namespace {

constexpr int MaxSaved = 100;
constexpr Tone HighlightTones[] = {Tone::Ok,      Tone::Accent,    Tone::Asks,
                                   Tone::Finding, Tone::ToolError, Tone::ProtocolError};

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

// As the text of an action: without mnemonics, and shortened.
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
    addSaved();
    m_menu->addSeparator();
    addHighlights();
}

void FilterMenu::addSaved()
{
    for (const QString &filter : std::as_const(m_saved))
        m_menu->addAction(shown(filter), this, [this, filter] { m_line->setText(filter); });
    if (m_saved.isEmpty())
        m_menu->addAction(tr("No saved filters"))->setEnabled(false);
    m_menu->addSeparator();
    QAction *save = m_menu->addAction(tr("Save filter"), this, [this] { setSaved(QStringList{m_current} + m_saved); });
    save->setEnabled(!m_current.isEmpty() && !m_saved.contains(m_current) && m_saved.size() < MaxSaved);
    QMenu *remove = m_menu->addMenu(tr("Delete"));
    remove->setEnabled(!m_saved.isEmpty());
    for (const QString &filter : std::as_const(m_saved))
        remove->addAction(shown(filter), this, [this, filter] {
            QStringList others = m_saved;
            others.removeAll(filter);
            setSaved(others);
        });
}

void FilterMenu::addHighlights()
{
    QMenu *add = m_menu->addMenu(tr("Highlight matching rows"));
    add->setEnabled(!m_current.isEmpty() && m_highlights.size() < MaxSaved);
    for (const Tone tone : HighlightTones) {
        add->addAction(swatch(tone), toneName(tone), this, [this, tone] {
            QList<Highlight> highlights = m_highlights;
            highlights.removeIf([this](const Highlight &each) { return each.filter == m_current; });
            highlights.prepend({m_current, tone});
            setHighlights(highlights);
        });
    }
    QMenu *removeHighlight = m_menu->addMenu(tr("Remove highlight"));
    removeHighlight->setEnabled(!m_highlights.isEmpty());
    for (const Highlight &each : std::as_const(m_highlights)) {
        removeHighlight->addAction(swatch(each.tone), shown(each.filter), this, [this, each] {
            QList<Highlight> others = m_highlights;
            others.removeAll(each);
            setHighlights(others);
        });
    }
}

void FilterMenu::setSaved(const QStringList &saved)
{
    m_saved = saved;
    Q_EMIT changed();
}

void FilterMenu::setHighlights(const QList<Highlight> &highlights)
{
    m_highlights = highlights;
    Q_EMIT highlightsChanged();
    Q_EMIT changed();
}

void FilterMenu::save(QDataStream &stream) const
{
    stream << m_saved << qint32(m_highlights.size());
    for (const Highlight &each : m_highlights)
        stream << each.filter << qint32(each.tone);
}

void FilterMenu::restore(QDataStream &stream)
{
    QStringList saved;
    qint32 count = 0;
    stream >> saved >> count;
    QList<Highlight> highlights;
    for (qint32 i = 0; i < count && stream.status() == QDataStream::Ok && i < MaxSaved; ++i) {
        QString filter;
        qint32 tone = 0;
        stream >> filter >> tone;
        if (isUsable(filter))
            highlights.append({filter, Tone(qBound(0, tone, int(Tone::Finding)))});
    }
    if (stream.status() != QDataStream::Ok)
        return;
    saved.removeIf([](const QString &filter) { return !isUsable(filter); });
    m_saved = saved.mid(0, MaxSaved);
    m_highlights = highlights;
    Q_EMIT highlightsChanged();
}

}  // namespace sonde::ui
