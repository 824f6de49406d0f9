// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/versiondifference.h"

#include "core/json/builder.h"
#include "ui/json/background.h"
#include "ui/json/textview.h"
#include "ui/theme/widgets.h"

#include <QComboBox>
#include <QCryptographicHash>
#include <QHBoxLayout>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

QByteArray comparableText(const json::Value &part)
{
    if (const json::Value blob = part[u"blob"]; blob.exists()) {
        const QByteArray hash = QCryptographicHash::hash(blob.slice(), QCryptographicHash::Sha256).toHex();
        return VersionDifference::tr("Binary data; SHA-256 of its Base64 text: %1")
            .arg(QString::fromLatin1(hash))
            .toUtf8();
    }
    const QByteArray text = part[u"text"].utf8();
    const QByteArrayView start = QByteArrayView(text).trimmed();
    if ((!start.startsWith('{') && !start.startsWith('[')) || start.contains('\n'))
        return text;
    const json::Document document = json::Document::parse(text);
    return document.isValid() ? json::indented(document.root()) : text;
}

QByteArray comparableContents(const json::Value &result)
{
    const json::Value contents = result[u"contents"];
    if (contents.size() == 1)
        return comparableText(contents.at(0));
    QByteArray text;
    for (const json::Value &part : contents) {
        text += "[" + part[u"uri"].utf8() + "]\n" + comparableText(part);
        if (!text.endsWith('\n'))
            text += '\n';
    }
    return text;
}

}  // namespace

LineDifference differenceOfVersions(const json::Value &older, const json::Value &newer)
{
    return differenceOfLines(comparableContents(older), comparableContents(newer));
}

qsizetype versionBefore(const QList<ResourceVersion> &versions, qsizetype row)
{
    for (qsizetype older = row + 1; older < versions.size(); ++older) {
        if (versions[older].result.exists())
            return older;
    }
    return -1;
}

QString versionTime(const QDateTime &at)
{
    return at.toLocalTime().toString(u"HH:mm:ss"_s);
}

VersionDifference::VersionDifference(QWidget *parent)
    : QWidget(parent),
      m_caption(new TextLabel(tr("Compared with"))),
      m_older(new QComboBox),
      m_summary(new TextLabel),
      m_text(new TextView)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(2 * Grid, Grid, 2 * Grid, Grid);
    column->setSpacing(Grid);
    auto *head = new QHBoxLayout;
    head->setSpacing(Grid);
    m_caption->setDim(true);
    m_caption->setBuddy(m_older);
    head->addWidget(m_caption);
    m_older->setObjectName(u"olderVersion"_s);
    m_older->setAccessibleName(tr("Compared with"));
    m_older->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_older->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    head->addWidget(m_older);
    m_summary->setObjectName(u"differenceSummary"_s);
    m_summary->setElided(true);
    m_summary->setMinimumWidth(40);
    head->addWidget(m_summary, 1);
    column->addLayout(head);
    auto *sheet = new QFrame;
    sheet->setFrameShape(QFrame::StyledPanel);
    auto *inside = new QVBoxLayout(sheet);
    inside->setContentsMargins(1, 1, 1, 1);
    m_text->setObjectName(u"versionDifference"_s);
    m_text->setAccessibleName(tr("Difference between two versions"));
    inside->addWidget(m_text);
    column->addWidget(sheet, 1);
    connect(m_older, &QComboBox::currentIndexChanged, this, &VersionDifference::compare);
}

void VersionDifference::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fitCaption();
}

// What differs matters more.
void VersionDifference::fitCaption()
{
    const int needed = m_caption->sizeHint().width() + m_older->sizeHint().width() + m_summary->sizeHint().width();
    m_caption->setVisible(needed + 6 * Grid <= width());
}

void VersionDifference::setVersions(const QList<ResourceVersion> &versions, qsizetype newer)
{
    m_versions = versions;
    m_newer = newer;
    const QSignalBlocker quiet(m_older);
    m_older->clear();
    for (qsizetype older = versionBefore(versions, newer); older >= 0; older = versionBefore(versions, older))
        m_older->addItem(versionTime(versions[older].at), int(older));
    compare();
}

void VersionDifference::compare()
{
    const qsizetype older = m_older->currentIndex() < 0 ? -1 : m_older->currentData().toInt();
    m_comparing.reset();
    if (older < 0 || m_newer >= m_versions.size()) {
        show({});
        return;
    }
    const json::Value before = m_versions[older].result;
    const json::Value after = m_versions[m_newer].result;
    if (before.slice().size() + after.slice().size() <= BackgroundBytes)
        return show(differenceOfVersions(before, after));
    m_summary->setText(tr("Comparing…"));
    showLineDifference(m_text, {});
    m_comparing = std::make_unique<QObject>();
    runInBackground<LineDifference>(
        m_comparing.get(), [before, after] { return differenceOfVersions(before, after); },
        [this](const LineDifference &difference) { show(difference); });
}

void VersionDifference::show(const LineDifference &difference)
{
    m_summary->setText(difference.isEmpty()
                           ? tr("No differences.")
                           : tr("%1, %2").arg(counted(difference.added, tr("1 line added"), tr("%1 lines added")),
                                              counted(difference.removed, tr("1 removed"), tr("%1 removed"))));
    m_summary->setToolTip(plainToolTip(m_summary->text()));
    fitCaption();
    showLineDifference(m_text, difference);
}

}  // namespace sonde::ui
