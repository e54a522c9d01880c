# SPDX-FileCopyrightText: 2026 The Plumbline authors
# SPDX-License-Identifier: MIT
"""For the checks: JDKs whose walkers are broken, and validate on them and on sound ones."""
import os
import shutil
import subprocess

import results


def make_jdk(build, jdk, fault, home):
    """A JDK at `home`, in front of whose walker stands the fault (cases/README.md lists them)."""
    shutil.rmtree(home, ignore_errors=True)
    subprocess.run(['cases/faults/bad-jdk', f'{build}/libfaultjvm.so', jdk, fault, home], check=True,
                   stdout=subprocess.DEVNULL, env=dict(os.environ, BUILD=build))


def validate(build, jdk, out, options, env=None):
    """The exit status and results.json of validate. It writes to `out`, and what it prints to out.log.

    `env` None: this process's environment."""
    shutil.rmtree(out, ignore_errors=True)
    with open(f'{out}.log', 'w', encoding='utf-8') as log:
        status = subprocess.run([f'{build}/plumbline', 'validate', '--jdk', jdk, '--out', out, *options],
                                stdout=log, stderr=subprocess.STDOUT, timeout=600, check=False, env=env).returncode
    return status, results.read(out)
