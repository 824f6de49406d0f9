// SPDX-License-Identifier: Apache-2.0
#include "ui/form/filecontent.h"

#include "core/files/filelimits.h"
#include "core/files/readfile.h"
#include "core/json/document.h"
#include "core/protocol/visibletext.h"
#include "core/protocol/worker.h"
#include "ui/result/outcometext.h"
#include "ui/theme/widgets.h"

#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QStandardPaths>
#include <QUrl>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

struct EncodedFile {
    QString text;
    QByteArray json;
};

QString shownName(const QString &path)
{
    return visibleLine(QFileInfo(path).fileName(), 60);
}

Result<EncodedFile> readEncoded(const schema::TextEncoding &encoding, const QString &path)
{
    const qint64 max = encoding.bytesIn(filelimits::LoadedContent);
    if (const QFileInfo file(path); file.isFile() && file.size() > max)
        return Error::local(FileContent::tr("%1 has %2. A message can carry a file of at most %3.")
                                .arg(shownName(path), sizeText(file.size()), sizeText(max)));
    const Result<QByteArray> bytes = readFile(path, max);
    if (!bytes)
        return bytes.error();
    const QByteArray content = encoding.encoded(*bytes);
    return EncodedFile{QString::fromLatin1(content), '"' + content + '"'};  // nothing in it needs an escape
}

}  // namespace

FileContent::FileContent(const schema::TextEncoding &encoding, const QString &mediaType, QWidget *parent)
    : QWidget(parent),
      m_encoding(encoding),
      m_mediaType(visibleLine(mediaType, 60)),
      m_button(new FlatButton(tr("Load file…"))),
      m_said(new TextLabel)
{
    const QString tip = tr("Replace the value with the content of a file, encoded. You can also drop a file here.");
    m_button->setIcon(icon(u"open"_s));
    m_button->setToolTip(tip);
    m_button->setAccessibleDescription(tip);
    m_button->setFocusPolicy(Qt::ClickFocus);
    m_said->setFont(smallFont());
    m_said->setWordWrap(true);
    m_said->setMinimumWidth(40);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_said);
    hide();
    connect(m_button, &FlatButton::clicked, this, &FileContent::choose);
}

void FileContent::takeDrops(QWidget *target)
{
    target->setAcceptDrops(true);
    target->installEventFilter(this);
}

bool FileContent::eventFilter(QObject *watched, QEvent *event)
{
    const bool isDrop = event->type() == QEvent::Drop;
    if (!isDrop && event->type() != QEvent::DragEnter && event->type() != QEvent::DragMove)
        return QWidget::eventFilter(watched, event);
    auto *drop = static_cast<QDropEvent *>(event);
    if (!drop->mimeData()->hasUrls())
        return QWidget::eventFilter(watched, event);
    drop->setDropAction(Qt::CopyAction);
    drop->accept();
    if (isDrop) {
        const QList<QUrl> urls = drop->mimeData()->urls();
        if (urls.size() == 1 && urls.constFirst().isLocalFile())
            load(urls.constFirst().toLocalFile());
        else
            say(tr("Drop one file of this computer."), true);
    }
    return true;
}

void FileContent::choose()
{
    auto *dialog = new QFileDialog(this, tr("Load file"));
    dialog->setObjectName(u"loadDialog"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setDirectory(QStandardPaths::writableLocation(QStandardPaths::HomeLocation));
    connect(dialog, &QFileDialog::fileSelected, this, &FileContent::load);
    dialog->open();
}

void FileContent::load(const QString &path)
{
    delete m_loading;
    say(tr("Reading %1…").arg(shownName(path)));
    m_loading = runOnWorker(
        this, [encoding = m_encoding, path] { return readEncoded(encoding, path); },
        [this, path](const std::optional<Result<EncodedFile>> &file) {
            if (!file)
                say(tr("There is not enough memory for %1.").arg(shownName(path)), true);
            else if (!file->ok())
                say(file->error().message, true);
            else
                Q_EMIT loaded((*file)->text, (*file)->json);
        });
}

void FileContent::setContent(const QByteArray &json)
{
    delete m_loading;
    delete m_measuring;
    if (json.size() <= 2 || !json.startsWith('"')) {
        say({});
        return;
    }
    m_measuring = runOnWorker(
        this,
        [encoding = m_encoding, json] {
            const schema::TextEncoding::Decoded content = encoding.decoded(json::parse(json).string());
            return content.isValid() ? content.bytes.size() : -1;
        },
        [this](const std::optional<qsizetype> &size) {
            // What is wrong with the encoding is said by the check of the form.
            if (!size || *size < 0)
                say({});
            else
                say(m_mediaType.isEmpty() ? sizeText(*size) : tr("%1, %2").arg(sizeText(*size), m_mediaType));
        });
}

void FileContent::say(const QString &text, bool isProblem)
{
    m_said->setTone(isProblem ? Tone::ProtocolError : Tone::Neutral);
    m_said->setDim(!isProblem);
    const QString shown = isProblem ? u"▲ "_s + text : text;
    if (m_said->text() != shown)
        m_said->setText(shown);
    if (isHidden() == !text.isEmpty())
        setVisible(!text.isEmpty());
}

void FileContent::rename(const QString &pointer)
{
    m_button->setObjectName("load:"_L1 + pointer);
    m_said->setObjectName("content:"_L1 + pointer);
}

}  // namespace sonde::ui
