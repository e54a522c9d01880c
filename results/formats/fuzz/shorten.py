# SPDX-FileCopyrightText: 2026 The Plumbline authors
# SPDX-License-Identifier: MIT
"""shorten.py FILE: prints the JSON with two entries of each list, as a seed for a fuzzer."""
import json
import sys


def shorten(value):
    if isinstance(value, list):
        return [shorten(one) for one in value[:2]]
    if isinstance(value, dict):
        return {key: shorten(one) for key, one in value.items()}
    return value


with open(sys.argv[1], encoding='utf-8') as file:
    json.dump(shorten(json.load(file)), sys.stdout)
