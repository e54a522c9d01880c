#!/usr/bin/env -S python3 -B
# SPDX-FileCopyrightText: 2026 The Plumbline authors
# SPDX-License-Identifier: MIT
"""Reads results.json for the checks: as a Python module, or from a shell.

    results.py rows RUN FIELD...    prints a line for each row, with these fields of it
    results.py value RUN FIELD...   prints fields of the file, in one line
    results.py output RUN FILE      prints a program's part of FILE, the standard output of `plumbline run`
    results.py bisection OUT        prints the last good and the first bad build (counted from 1), the
                                    number of questions and their seconds

RUN is an output directory of validate or run, or a file of JSON. A FIELD may be nested: jvms.0.counters.recorded,
mismatch.truncated; the field `wrong` of a row is the sum of its mismatches. A missing count of `refused` or `mismatch` is 0, as results/README.md says. OUT is an output
directory of bisect: its bisect.log is read. Exit status 3 if the file, or a field, is not there.
"""
import json
import math
import os
import sys

COUNTED = ('refused', 'mismatch', 'own_mismatch', 'undecided_by')  # which leave out what is 0
EXACT_LAYERS = ('ground', 'gst', 'safepoint')  # whose general limit is 0


def read(run):
    """The results.json of an output directory, or the JSON of a file."""
    with open(os.path.join(run, 'results.json') if os.path.isdir(run) else run, encoding='utf-8') as file:
        return json.load(file)


def bisection(out):
    """The end of a bisection that found something, as its log has it.

    bisect.log has a line `build N PATH` for each build and `step N build N ... answer WORD ... seconds S ...` for each
    question. The ends of the list are good and bad by assumption.
    """
    builds, questions, seconds, answers = 0, 0, 0.0, {'good': set(), 'bad': set()}
    with open(os.path.join(out, 'bisect.log'), encoding='utf-8') as file:
        for line in file:
            words = line.partition(' note')[0].split()
            builds += words[:1] == ['build']
            if words[:1] == ['step']:
                pairs = dict(zip(words[::2], words[1::2]))
                questions += 1
                seconds += float(pairs['seconds'])
                answers.get(pairs['answer'], set()).add(int(pairs['build']))
    return max({0} | answers['good']) + 1, min({builds - 1} | answers['bad']) + 1, questions, round(seconds)


def field(value, path):
    """The field that `path` names, whose parts are joined by dots; `wrong` of a row: its walking errors."""
    if path == 'wrong':
        return walking_errors(value)
    parts = path.split('.')
    for before, part in zip([''] + parts, parts):
        if before in COUNTED:
            value = value.get(part, 0)
        else:
            value = value[int(part) if isinstance(value, list) else part]
    return value


def program_output(run, path):
    """The program's part of the standard output of `plumbline run`, as bytes.

    The runner writes behind it an empty line, one line on the program's end, an empty line, and report.txt.
    """
    with open(os.path.join(run, 'report.txt'), 'rb') as file:
        report = file.read()
    with open(path, 'rb') as file:
        before, found, _ = file.read().rpartition(report)
    program, line, _ = before.removesuffix(b'\n\n').rpartition(b'\n')
    if not found or not line:
        raise ValueError(f'{path} does not end with the report')
    return program


def walking_errors(row):
    """How many walking errors a row has."""
    return sum(row['mismatch'].values())


def release(results):
    """The feature release of the JDK under test: 8 of 1.8.0_504, 25 of 25.0.3."""
    parts = results['jdk']['version'].replace('_', '.').split('.')
    return int(parts[1] if parts[0] == '1' else parts[0])


def probability(first, last, trials, rate):
    """That of `first` to `last` events among the trials. Beyond 12 widths from the mean there are none."""
    mean, width = trials * rate, 12 * math.sqrt(trials * rate * (1 - rate)) + 60
    return math.fsum(
        math.exp(math.lgamma(trials + 1) - math.lgamma(i + 1) - math.lgamma(trials - i + 1)
                 + i * math.log(rate) + (trials - i) * math.log1p(-rate))
        for i in range(max(first, int(mean - width)), min(last, int(mean + width)) + 1))


def surely_above(count, trials, rate):
    """Does the exact 95 % interval of count/trials lie above the rate?

    It does if so many events, or more, have a probability below 2.5 % at that rate.
    """
    if count == 0 or rate >= 1:
        return False
    if rate <= 0:
        return True
    return 1 - probability(0, count - 1, trials, rate) < 0.025


def interval(count, trials):
    """The exact 95 % interval (Clopper and Pearson) of count/trials, by halving."""
    ends = [(0.0, 1.0), (0.0, 1.0)]
    for _ in range(60):
        low, high = ((a + b) / 2 for a, b in ends)
        above, below = surely_above(count, trials, low), count == trials or probability(0, count, trials, high) >= 0.025
        ends = [(low, ends[0][1]) if above else (ends[0][0], low), (high, ends[1][1]) if below else (ends[1][0], high)]
    return ends[0][0], ends[1][1]


def text(value):
    """A field as a word for the shell."""
    return value if isinstance(value, str) else json.dumps(value)


def main():
    if len(sys.argv) < (3 if sys.argv[1:2] == ['bisection'] else 4):
        sys.exit(__doc__)
    command, place, fields = sys.argv[1], sys.argv[2], sys.argv[3:]
    try:
        if command == 'rows':
            for row in read(place)['runs']:
                print(*(text(field(row, path)) for path in fields))
        elif command == 'value':
            results = read(place)
            print(*(text(field(results, path)) for path in fields))
        elif command == 'output':
            sys.stdout.buffer.write(program_output(place, fields[0]))
        elif command == 'bisection':
            print(*bisection(place))
        else:
            sys.exit(__doc__)
    except (OSError, ValueError, LookupError) as error:
        print(f'results.py: {place}: {error!r}', file=sys.stderr)
        sys.exit(3)


if __name__ == '__main__':
    main()
