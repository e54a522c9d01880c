#!/usr/bin/env -S python3 -B
# SPDX-FileCopyrightText: 2026 The Plumbline authors
# SPDX-License-Identifier: MIT
"""Reads results.json for the checks: as a Python module, or from a shell.

    results.py rows RUN FIELD...    prints a line for each row, with these fields of it
    results.py value RUN FIELD      prints one field of the file

RUN is an output directory of validate or run. A FIELD may be nested: jvms.0.counters.recorded, mismatch.truncated.
A missing count of `refused` or `mismatch` is 0, as results/README.md says. Exit status 3 if the file, or a field,
is not there.
"""
import json
import math
import os
import sys

COUNTED = ('refused', 'mismatch', 'own_mismatch', 'undecided_by')  # which leave out what is 0
EXACT_LAYERS = ('ground', 'gst', 'safepoint')  # whose general limit is 0


def read(run):
    """The results.json of an output directory."""
    with open(os.path.join(run, 'results.json'), encoding='utf-8') as file:
        return json.load(file)


def field(value, path):
    """The field that `path` names, whose parts are joined by dots."""
    parts = path.split('.')
    for before, part in zip([''] + parts, parts):
        if before in COUNTED:
            value = value.get(part, 0)
        else:
            value = value[int(part) if isinstance(value, list) else part]
    return value


def walking_errors(row):
    """How many walking errors a row has."""
    return sum(row['mismatch'].values())


def release(results):
    """The feature release of the JDK under test: 8 of 1.8.0_504, 25 of 25.0.3."""
    parts = results['jdk']['version'].replace('_', '.').split('.')
    return int(parts[1] if parts[0] == '1' else parts[0])


def surely_above(count, trials, rate):
    """Does the exact 95 % interval of count/trials lie above the rate?

    It does if so many events, or more, have a probability below 2.5 % at that rate.
    """
    if count == 0 or rate >= 1:
        return False
    if rate <= 0:
        return True
    fewer = math.fsum(
        math.exp(math.lgamma(trials + 1) - math.lgamma(i + 1) - math.lgamma(trials - i + 1)
                 + i * math.log(rate) + (trials - i) * math.log1p(-rate)) for i in range(count))
    return 1 - fewer < 0.025


def text(value):
    """A field as a word for the shell."""
    return value if isinstance(value, str) else json.dumps(value)


def main():
    if len(sys.argv) < 4 or sys.argv[1] not in ('rows', 'value'):
        sys.exit(__doc__)
    try:
        results = read(sys.argv[2])
        if sys.argv[1] == 'value':
            print(text(field(results, sys.argv[3])))
        else:
            for row in results['runs']:
                print(*(text(field(row, path)) for path in sys.argv[3:]))
    except (OSError, ValueError, LookupError) as error:
        print(f'results.py: {sys.argv[2]}: {error!r}', file=sys.stderr)
        sys.exit(3)


if __name__ == '__main__':
    main()
