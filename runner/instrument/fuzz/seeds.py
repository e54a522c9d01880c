#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Plumbline authors
# SPDX-License-Identifier: MIT
#
# seeds.py DIR: two run-time images (runner/instrument/image.c), the first corpus of their fuzzer.
import struct
import sys

MODULE, PARENT, BASE, EXTENSION, OFFSET, COMPRESSED, UNCOMPRESSED = range(1, 8)


def location(values):
    data = b""
    for kind, value in values:
        size = max(1, (value.bit_length() + 7) // 8)
        data += bytes([kind << 3 | size - 1]) + value.to_bytes(size, "big")
    return data + b"\0"


def image(entries):
    strings, places = b"\0", {"": 0}
    locations, offsets, resources = b"\0", [], b""
    for *names, content in entries:
        for name in names:
            if name not in places:
                places[name] = len(strings)
                strings += name.encode() + b"\0"
        values = list(zip((MODULE, PARENT, BASE, EXTENSION), (places[name] for name in names)))
        values += [(OFFSET, len(resources)), (UNCOMPRESSED, len(content))]
        offsets.append(len(locations))
        locations += location(values)
        resources += content
    count = len(entries)
    header = struct.pack("<7I", 0xCAFEDADA, 1 << 16, 0, count, count, len(locations), len(strings))
    tables = struct.pack(f"<{count}i", *[0] * count) + struct.pack(f"<{count}I", *offsets)
    return header + tables + locations + strings + resources


one = [("java.base", "java/lang", "Object", "class", b"\xca\xfe\xba\xbe" + bytes(20))]
more = one + [("java.base", "", "module-info", "class", b"\xca\xfe\xba\xbe\0\0"),
              ("java.base", "java/util", "sizes", "txt", b"12"),
              ("java.desktop", "a/b", "C", "class", b"")]
for name, entries in (("one", one), ("more", more)):
    with open(f"{sys.argv[1]}/{name}", "wb") as out:
        out.write(image(entries))
