# SPDX-FileCopyrightText: 2026 The Plumbline authors
# SPDX-License-Identifier: MIT
"""shorten.py FILE: prints the JSON with two entries of each list, as a seed for a fuzzer.

Of the rows it keeps the first that is like each of the first cluster's rows, one of each other
verdict, and one of each other layer, so that what must agree is there.
"""
import json
import sys


def shorten(value):
    if isinstance(value, list):
        return [shorten(one) for one in value[:2]]
    if isinstance(value, dict):
        return {key: shorten(one) for key, one in value.items()}
    return value


def choose(report):
    def is_of(row, cluster, seen):
        return row["layer"] == cluster["layer"] and all(row[key] == seen[key] for key in ("case", "mode", "scope"))

    rows = [row for cluster in report["clusters"][:2] for seen in cluster["rows"][:2] for row in report["runs"]
            if is_of(row, cluster, seen)]
    for key in ("verdict", "layer"):
        for row in report["runs"]:
            if row[key] not in [chosen[key] for chosen in rows]:
                rows.append(row)
    return rows


with open(sys.argv[1], encoding='utf-8') as file:
    report = json.load(file)
short = shorten(report)
short["runs"] = [shorten(row) for row in choose(report)]
json.dump(short, sys.stdout)
