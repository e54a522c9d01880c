#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Plumbline authors
# SPDX-License-Identifier: MIT
"""shorten.py FILE: prints the results.json with two entries of most lists, as a seed for a fuzzer.

Of the rows it keeps the first that is like each of the first clusters' rows, one of each other
verdict, and one of each other layer; of the JVMs those of the rows and of the clusters' examples.
So what must agree is there. Counters of 0 are left out, and what only the writer needs.
"""
import json
import sys

NAMES = ("case", "mode", "scope")
MOST = {"names": 1000, "nodes": 1000}  # of a tree, which is whole


def shorten(value, most=2):
    if isinstance(value, list):
        return [shorten(one) for one in value[:most]]
    if isinstance(value, dict):
        return {key: shorten(one, MOST.get(key, 2)) for key, one in value.items()}
    return value


def same(one, other, *more):
    return all(one[key] == other[key] for key in (*NAMES, *more))


def choose_rows(report):
    rows = [row for cluster in report["clusters"][:2] for seen in cluster["rows"][:2] for row in report["runs"]
            if row["layer"] == cluster["layer"] and same(row, seen)]
    for key in ("verdict", "layer"):
        for row in report["runs"]:
            if row[key] not in [chosen[key] for chosen in rows]:
                rows.append(row)
    return rows


def shorten_jvm(jvm):
    counters = {key: count for key, count in jvm.get("counters", {}).items() if count != 0}
    return {**shorten({key: part for key, part in jvm.items() if key not in ("hostile", "survive")}),
            "counters": counters}


def keep_jvms(report, short):
    examples = [cluster["example"] for cluster in short["clusters"] if "example" in cluster]
    kept = [i for i, jvm in enumerate(report["jvms"])
            if i in [example["jvm"] for example in examples] or any(same(jvm, row) for row in short["runs"])]
    short["jvms"] = [shorten_jvm(report["jvms"][i]) for i in kept]
    for example in examples:
        example["jvm"] = kept.index(example["jvm"])


with open(sys.argv[1], encoding='utf-8') as file:
    whole = json.load(file)
seed = shorten(whole)
seed["runs"] = [shorten(row) for row in choose_rows(whole)]
keep_jvms(whole, seed)
json.dump(seed, sys.stdout)
