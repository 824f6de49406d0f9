// SPDX-License-Identifier: Apache-2.0
#include "tests/pictures/camera.h"

#include "tests/pictures/labels.h"
#include "tests/support/testregistry.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QImage>
#include <QPixmap>
#include <QSet>
#include <QTest>
#include <QWidget>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::pictures {
namespace {

constexpr int SameInARow = 20;      // of the looks that qWaitFor() takes, every 10 ms
constexpr int MaxDifferences = 20;  // printed for each scene

// The light one last, as the next scene begins with it.
using Mode = ui::ThemeController::Mode;
const std::pair<QString, Mode> Themes[] = {
    {u"dark"_s, Mode::Dark}, {u"high-contrast"_s, Mode::HighContrast}, {u"light"_s, Mode::Light}};

// The colours of areas and of text as they are, and one of each group of similar ones for the edges of letters, so that
// a colour of few pixels does not become grey.
QList<QRgb> paletteFor(const QHash<QRgb, int> &counts)
{
    constexpr int MaxColors = 256;
    constexpr int ExactColors = 64;
    constexpr QRgb GroupMask = 0xfff0f0f0;
    QList<QRgb> colors = counts.keys();
    std::sort(colors.begin(), colors.end(),
              [&counts](QRgb a, QRgb b) { return std::pair(-counts.value(a), a) < std::pair(-counts.value(b), b); });
    QList<QRgb> palette = colors.first(std::min<qsizetype>(colors.size(), ExactColors));
    QSet<QRgb> groups;
    for (const QRgb color : std::as_const(colors)) {
        if (palette.size() == MaxColors)
            break;
        if (groups.contains(color & GroupMask))
            continue;
        groups.insert(color & GroupMask);
        if (!palette.contains(color))
            palette.append(color);
    }
    return palette;
}

// A picture of a window looks the same with 256 colours, and its file is a third as large.
QImage withPalette(const QImage &image)
{
    QHash<QRgb, int> counts;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x)
            ++counts[image.pixel(x, y)];
    }
    const QList<QRgb> palette = paletteFor(counts);
    QHash<QRgb, uchar> nearest;
    for (auto it = counts.constBegin(); it != counts.constEnd(); ++it) {
        const auto distance = [color = it.key()](QRgb other) {
            const int red = qRed(color) - qRed(other);
            const int green = qGreen(color) - qGreen(other);
            const int blue = qBlue(color) - qBlue(other);
            return red * red + green * green + blue * blue;
        };
        const auto found = std::min_element(palette.constBegin(), palette.constEnd(),
                                            [&](QRgb a, QRgb b) { return distance(a) < distance(b); });
        nearest.insert(it.key(), uchar(found - palette.constBegin()));
    }
    QImage result(image.size(), QImage::Format_Indexed8);
    result.setColorTable(palette);
    for (int y = 0; y < image.height(); ++y) {
        uchar *line = result.scanLine(y);
        for (int x = 0; x < image.width(); ++x)
            line[x] = nearest.value(image.pixel(x, y));
    }
    return result;
}

}  // namespace

QStringList Camera::themes()
{
    QStringList names;
    for (const auto &[name, mode] : Themes)
        names.append(name);
    return names;
}

QStringList Camera::settledLabels(QWidget *shown)
{
    QStringList labels;
    int same = 0;
    const bool isSettled = QTest::qWaitFor(
        [&] {
            const QStringList now = labelsOf(shown);
            same = now == labels ? same + 1 : 0;
            labels = now;
            return same >= SameInARow;
        },
        test::Patience);
    if (!isSettled)
        m_problems.append(u"What %1%2 shows does not come to rest"_s.arg(m_scene, m_part));
    return labels;
}

void Camera::take(QWidget *shown, ui::ThemeController &theme, const QString &part)
{
    m_part = part.isEmpty() ? QString() : u'-' + part;
    const QStringList labels = settledLabels(shown);
    m_taken.append(m_scene);
    if (m_task == Task::Check) {
        check(labels);
    } else if (!m_themes.isEmpty()) {
        photograph(shown, theme, m_themes);
    } else {
        photograph(shown, theme, {u"dark"_s, u"light"_s});
        writeLabels(labels);
    }
}

void Camera::photograph(QWidget *shown, ui::ThemeController &theme, const QStringList &themes)
{
    for (const auto &[name, mode] : Themes) {
        if (!themes.contains(name))
            continue;
        theme.setMode(mode);
        // What is drawn by a worker arrives in a later turn.
        settledLabels(shown);
        const QString file = path(u'-' + name + m_suffix + u".png"_s);
        if (!withPalette(shown->grab().toImage().convertToFormat(QImage::Format_RGB32)).save(file, "PNG", 0))
            m_problems.append(u"%1 cannot be written"_s.arg(file));
    }
}

void Camera::writeLabels(const QStringList &labels)
{
    QFile text(path(u".txt"_s));
    if (!text.open(QIODevice::WriteOnly) || text.write(labels.join(u'\n').toUtf8() + '\n') < 0)
        m_problems.append(u"%1 cannot be written"_s.arg(text.fileName()));
}

void Camera::check(const QStringList &labels)
{
    for (const QString &ending : {u"-light.png"_s, u"-dark.png"_s}) {
        if (!QFileInfo::exists(path(ending)))
            m_problems.append(u"%1 is missing"_s.arg(path(ending)));
    }
    QFile text(path(u".txt"_s));
    if (!text.open(QIODevice::ReadOnly)) {
        m_problems.append(u"%1 is missing"_s.arg(text.fileName()));
        return;
    }
    QStringList lines = differences(QString::fromUtf8(text.readAll()).trimmed().split(u'\n'), labels);
    if (lines.isEmpty())
        return;
    const qsizetype rest = lines.size() - MaxDifferences;
    if (rest > 0)
        lines = lines.first(MaxDifferences) << u"and %1 more"_s.arg(rest);
    m_problems.append(
        u"The pictures of “%1” show what Sonde no longer says (-), or not what it says now (+):\n    %2"_s.arg(
            m_scene, lines.join(u"\n    "_s)));
}

}  // namespace sonde::pictures
