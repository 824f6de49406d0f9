// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/binaryfile.h"

#include "core/doctor/doctor.h"
#include "core/files/filelimits.h"
#include "core/files/readfile.h"
#include "core/protocol/visibletext.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

constexpr int MaxProgramHeaders = 128;
constexpr quint32 InterpreterHeader = 3;  // PT_INTERP
constexpr quint16 X86 = 3;
constexpr quint16 X86With64Bit = 62;

// The Executable and Linkable Format, as far as it says who can run it.
class ElfHeader {
public:
    explicit ElfHeader(const QByteArray &bytes) : m_bytes(bytes) {}

    bool isElf() const
    {
        return m_bytes.startsWith(
                   "\x7F"
                   "ELF") &&
               m_bytes.size() >= 52;
    }
    bool is64() const { return m_bytes.at(4) == 2; }
    quint16 machine() const { return quint16(number(18, 2)); }
    // The loader of its libraries; empty where it needs none.
    QByteArray interpreter() const
    {
        const auto table = qint64(is64() ? number(32, 8) : number(28, 4));
        const auto size = qint64(number(is64() ? 54 : 42, 2));
        const auto count = int(qMin<quint64>(number(is64() ? 56 : 44, 2), MaxProgramHeaders));
        for (int i = 0; i < count; ++i) {
            const qint64 at = table + i * size;
            if (number(at, 4) != InterpreterHeader)
                continue;
            const auto begin = qint64(number(at + (is64() ? 8 : 4), is64() ? 8 : 4));
            const QByteArray name = begin > 0 && begin < m_bytes.size() ? m_bytes.mid(begin, 4096) : QByteArray();
            return name.contains('\0') ? name.left(name.indexOf('\0')) : QByteArray();
        }
        return {};
    }

private:
    // Zero beyond the end.
    quint64 number(qint64 at, int size) const
    {
        if (at < 0 || at > m_bytes.size() - size)
            return 0;
        const bool isBig = m_bytes.at(5) == 2;
        quint64 value = 0;
        for (int i = 0; i < size; ++i)
            value = value << 8 | uchar(m_bytes.at(at + (isBig ? i : size - 1 - i)));
        return value;
    }

    QByteArray m_bytes;
};

QByteArray headerOf(const QString &path)
{
    const Result<QByteArray> start = readFile(path, filelimits::BinaryHeader, IfLarger::ReadStart);
    return start ? *start : QByteArray();
}

QString nameOfMachine(quint16 machine)
{
    switch (machine) {
        case X86:
            return u"x86 (32-bit)"_s;
        case 8:
            return u"MIPS"_s;
        case 21:
            return u"PowerPC (64-bit)"_s;
        case 22:
            return u"IBM Z"_s;
        case 40:
            return u"ARM (32-bit)"_s;
        case X86With64Bit:
            return u"x86-64"_s;
        case 183:
            return u"ARM (64-bit)"_s;
        case 243:
            return u"RISC-V"_s;
        default:
            return Doctor::tr("another processor");
    }
}

Error otherSystem(const QString &system)
{
    return Error::local(Doctor::tr("the program is for %1").arg(system),
                        Doctor::tr("Install the one for this system."));
}

}  // namespace

Error problemOfBinary(const QString &path)
{
    const QByteArray bytes = headerOf(path);
    if (bytes.startsWith("MZ"))
        return otherSystem(u"Windows"_s);
    for (const char *magic : {"\xCF\xFA\xED\xFE", "\xFE\xED\xFA\xCF", "\xCA\xFE\xBA\xBE"}) {
        if (bytes.startsWith(magic))
            return otherSystem(u"macOS"_s);
    }
    const ElfHeader elf(bytes);
    if (!elf.isElf())
        return Error::local(
            Doctor::tr("neither a program of this system nor a script that names its interpreter"),
            Doctor::tr("A script needs a first line such as “#!/bin/sh”; or start it through its interpreter."));
    const ElfHeader own(headerOf(QCoreApplication::applicationFilePath()));
    const bool mayRun = elf.machine() == own.machine() || (elf.machine() == X86 && own.machine() == X86With64Bit);
    if (own.isElf() && !mayRun)
        return Error::local(Doctor::tr("the program is for %1; this computer is %2")
                                .arg(nameOfMachine(elf.machine()), nameOfMachine(own.machine())),
                            Doctor::tr("Install the one for this system."));
    const QString loader = QFile::decodeName(elf.interpreter());
    if (!loader.isEmpty() && !QFileInfo::exists(loader))
        return Error::local(
            Doctor::tr("the program needs the loader %1, which does not exist").arg(visibleLine(loader, 120)),
            Doctor::tr("It was built for another distribution, such as one with musl."));
    return {};
}

}  // namespace sonde
