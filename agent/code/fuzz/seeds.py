#!/usr/bin/env -S python3 -B
# SPDX-FileCopyrightText: 2026 The Plumbline authors
# SPDX-License-Identifier: MIT
"""seeds.py LAYOUT.H DIR: structure tables that do not lie, as vmstructs_target.c takes them: all, and the first ten rows."""
import re
import struct
import sys

NAME = 0xfeed << 48
FIELD_ROW, TYPE_ROW, INT_ROW = struct.Struct('<QQQiiQQ'), struct.Struct('<QQ'), struct.Struct('<Qi4x')
INT, ADDRESS, U2, EMBEDDED, KIND = range(5)  # behind the pairs of types and fields
OF_WIDTH = {'16': EMBEDDED, '8': ADDRESS, '2': U2}


def table(rows, row, columns):
    return b''.join(row.pack(*r) for r in rows) + bytes(row.size), row.size, columns


def seed(widths):
    kinds = 2 * len(widths)
    fields = [(NAME + 2 * i, NAME + 2 * i + 1, NAME + kinds + OF_WIDTH.get(w, INT), 0, 0, 16, 0) for i, w in enumerate(widths)]
    tables = [table(fields, FIELD_ROW, [0, 8, 16, 24, 32, 40]),
              table([(NAME + 2 * i, 104) for i in range(len(widths))], TYPE_ROW, [0, 8]),
              table([(NAME + kinds + KIND, 7)], INT_ROW, [0, 8])]
    memory = b''.join(t for t, _, _ in tables)
    head, behind = b'', len(memory)
    for rows, stride, columns in tables:
        head += struct.pack('<8H', behind, stride, *columns, *[0] * (6 - len(columns)))
        behind -= len(rows)
    return head + memory


def main():
    widths = re.findall(r'^ *F\(\w+, ([0-9 |]+),', open(sys.argv[1], encoding='ascii').read(), re.M)
    for name, part in (('all', len(widths)), ('ten', 10)):
        with open(f'{sys.argv[2]}/{name}', 'wb') as out:
            out.write(seed([w.split('|')[-1].strip() for w in widths[:part]]))


if __name__ == '__main__':
    main()
