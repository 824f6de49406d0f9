// SPDX-License-Identifier: Apache-2.0
#include "core/session/largerecord.h"

#include "core/json/scan.h"
#include "core/protocol/messagefields.h"

#include <new>
#include <utility>

namespace sonde {

namespace {
constexpr qsizetype KeptWithoutMemory = 64 * 1024;
constexpr qsizetype WrittenAtOnce = 1024 * 1024;
constexpr qsizetype ShownOfOthers = 4096;  // of what is no message, as much as anybody shows in a row
}  // namespace

LargeRecord::LargeRecord(WireEvent event_, int connection_, quint32 about_, std::shared_ptr<void> hold_,
                         const Redactor &redactor_)
    : event(std::move(event_)),
      connection(connection_),
      about(about_),
      hold(std::move(hold_)),
      redactor(redactor_),
      bytes(event.bytes.isEmpty() ? event.message.raw() : event.bytes),
      size(bytes.size())
{
    event.bytes.clear();
}

void LargeRecord::examine()
{
    try {
        redactor.redactPayload(bytes, marks);
        if (event.kind != WireEvent::Kind::Message) {
            outline = bytes.left(ShownOfOthers);
            return;
        }
        // The message that came, where all that is asked of it is known without its tree, which others may be making
        // at the same time.
        const bool isSame = event.message.raw().constData() == bytes.constData();
        known = isSame && event.message.fields().isPlain ? event.message : Message::parse(bytes);
        outline = json::outline(bytes);
        if (known.kind() == Message::Kind::Batch) {
            elements = SessionIndex::elementsOf(known);
            batchSize = known.batchSize();
        }
    } catch (const std::bad_alloc &) {
        isOutOfMemory = true;
    }
}

void LargeRecord::cutToPart()
{
    bytes = (event.message.raw().isEmpty() ? bytes : event.message.raw()).left(KeptWithoutMemory);
    marks.clear();
    redactor.redactPayload(bytes, marks);
    known = {};
    outline.clear();
    elements.clear();
    event.kind = WireEvent::Kind::Partial;
    event.facts = EventFacts{.what = toString(EventCode::OutOfMemory)}.toJson();
}

void LargeRecord::cutPayload()
{
    bytes.truncate(KeptWithoutMemory);
    bytes.squeeze();
    marks.removeIf(
        [size = bytes.size()](const RedactionMark &mark) { return !mark.inFacts && mark.offset + mark.length > size; });
    line.payload = bytes;
    line.isCut = true;
}

void LargeRecord::write()
{
    elements = {};  // here, since it takes a while where there were many
    known = {};
    try {
        if (file)
            writeToFile();
        else
            writeToMemory();
    } catch (const std::bad_alloc &) {
        isOutOfMemory = true;
        text = {};
    }
}

void LargeRecord::writeToFile()
{
    QByteArray pieces;
    pieces.reserve(2 * WrittenAtOnce);
    const auto put = [&](bool isLast) {
        if (isLast || pieces.size() >= WrittenAtOnce) {
            problem = file->append(pieces);
            pieces.resize(0);
        }
        return !problem;
    };
    written = writeRecordLine(line, marks, [&](QByteArrayView piece) {
        pieces.append(piece.data(), piece.size());
        return put(false);
    });
    if (!problem)
        put(true);
}

void LargeRecord::writeToMemory()
{
    text.reserve(line.payload.size() + line.payload.size() / 8 + 4096);
    written = writeRecordLine(line, marks, [this](QByteArrayView piece) {
        text.append(piece.data(), piece.size());
        return true;
    });
}

}  // namespace sonde
