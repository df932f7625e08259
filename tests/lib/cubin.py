# SPDX-License-Identifier: Apache-2.0
"""Cubins, fatbins and host objects made of bytes a test names; nothing of them comes from a compiler.

    cubin.elf(86, [cubin.kernel("_Z1kPf", registers=40, shared=1024)])
    cubin.fatbin([cubin.member(86, elf)]), cubin.host([fatbin, fatbin])
"""
import struct


def kernel(name, registers=32, shared=0, stack=0, const=352, barriers=0, code=256, entry=True):
    return dict(name=name, registers=registers, shared=shared, stack=stack, const=const, barriers=barriers, code=code, entry=entry)


def _sections(head, sections):
    """ELF of (name, type, flags, link, info, bytes or size of what holds none), with its names and headers."""
    body, strings, headers, at = b"", b"\0", b"\0" * 64, 64
    sections = sections + [(".shstrtab", 3, 0, 0, 0, None)]
    offsets = []
    for name, *_ in sections:
        offsets.append(len(strings))
        strings += name.encode() + b"\0"
    for (name, kind, flags, link, info, data), offset in zip(sections, offsets):
        data = strings if data is None else data
        size = data if isinstance(data, int) else len(data)
        headers += struct.pack("<IIQQQQIIQQ", offset, kind, flags, 0, at + len(body), size, link, info, 4, 0)
        body += b"" if isinstance(data, int) else data
    body += b"\0" * (-len(body) % 8)
    n = len(sections) + 1
    return head(at + len(body), n, n - 1) + body + headers


def elf(arch, kernels):
    """A cubin of ABI version 8."""
    names, symbols, info = b"\0", b"\0" * 24, b""
    for i, k in enumerate(kernels):
        symbols += struct.pack("<IBBHQQ", len(names), 0x12, 0x10 if k["entry"] else 0, 0, 0, k["code"])
        names += k["name"].encode() + b"\0"
        if k["entry"]:
            info += struct.pack("<BBHII", 4, 0x2f, 8, i + 1, k["registers"]) + struct.pack("<BBHII", 4, 0x12, 8, i + 1, k["stack"])
    parts = [(".strtab", 3, 0, 0, 0, names), (".symtab", 2, 0, 1, 0, symbols), (".nv.info", 0x70000000, 0, 2, 0, info)]
    for i, k in enumerate(kernels):
        parts.append((".text." + k["name"], 1, 6, 2, i + 1, b"\0" * k["code"]))
        parts.append((".nv.info." + k["name"], 0x70000000, 0, 2, 0, struct.pack("<BBH", 2, 0x4c, k["barriers"])))
        if k["shared"]:
            parts.append((".nv.shared." + k["name"], 8, 3, 0, 0, k["shared"]))
        if k["entry"]:
            parts.append((".nv.constant0." + k["name"], 1, 2, 0, 0, b"\0" * k["const"]))

    def head(at, n, strings):
        return b"\x7fELF\2\1\1" + bytes([65, 8]) + b"\0" * 7 + struct.pack("<HHIQQQIHHHHHH", 2, 190, 1, 0, 0, at, 0x6000002 | arch << 8,
                                                                     64, 56, 0, 64, n, strings)
    return _sections(head, parts)


def member(arch, data, kind=2, flags=0x11, plain=0):
    return struct.pack("<HHIQIIIIQQQQ", kind, 0x101, 64, len(data), len(data) if plain else 0, 0, 0, arch, 0, flags, 0, plain) + data


def fatbin(members):
    body = b"".join(members)
    return struct.pack("<IHHQ", 0xba55ed50, 1, 16, len(body)) + body


def host(containers):
    """An object of the host that carries these."""
    body = b""
    for c in containers:
        body += c + b"\0" * (-len(c) % 8)

    def head(at, n, strings):
        return b"\x7fELF\2\1\1" + b"\0" * 9 + struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 0, at, 0, 64, 56, 0, 64, n, strings)
    return _sections(head, [(".text", 1, 6, 0, 0, b"\x90" * 16), (".nv_fatbin", 1, 2, 0, 0, body)])
