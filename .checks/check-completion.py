#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Plumbline authors
# SPDX-License-Identifier: MIT
"""check-completion.py BUILD: types command lines into bash and zsh, in a terminal (a pty), presses the tabulator, and
compares the line that the shell makes of it. A shell that is not installed is named and left out; with none of them
the check fails."""
import os, pty, re, select, shutil, sys, tempfile, time

BUILD = os.path.abspath(sys.argv[1])
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# What is typed, and what the line must be after the tabulator.
LINES = [
    ("plumbline val", "plumbline validate "),
    ("plumbline bisect-", "plumbline bisect-step "),
    ("plumbline --ver", "plumbline --version "),
    ("plumbline validate --mod", "plumbline validate --modes "),
    ("plumbline validate --modes tier", "plumbline validate --modes tiered "),
    ("plumbline validate --modes int,tier", "plumbline validate --modes int,tiered "),
    ("plumbline validate --modes=int,tier", "plumbline validate --modes=int,tiered "),
    ("plumbline validate --cases deoptc", "plumbline validate --cases deoptcaller "),
    ("plumbline validate --layers sand", "plumbline validate --layers sandwich "),
    ("plumbline validate --layers async,host", "plumbline validate --layers async,hostile "),
    ("plumbline validate --layers surv", "plumbline validate --layers survive "),
    ("plumbline validate --preset=qu", "plumbline validate --preset=quick "),
    ("plumbline validate --walker AsyncGetCallTraceT", "plumbline validate --walker AsyncGetCallTraceThread "),
    ("plumbline validate --profiler jfr-cpu-", "plumbline validate --profiler jfr-cpu-driven "),
    ("plumbline validate --cases jrub", "plumbline validate --cases jruby "),
    ("plumbline list prof", "plumbline list profilers "),
    ("plumbline show lat", "plumbline show latest "),
    ("plumbline show 2", "plumbline show 21-made-up/"),
    ("plumbline compare latest 2", "plumbline compare latest 21-made-up/"),
    ("plumbline run -- -jar app.", "plumbline run -- -jar app.jar "),
]


class Shell:
    """A shell in a terminal of its own. ^U clears the line; a marker is printed around the line as it stands."""

    def __init__(self, words, environment, directory):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(directory)
            os.execvpe(words[0], words, environment)

    def send(self, text):
        os.write(self.fd, text.encode())

    def until(self, pattern, limit=60.0):
        text, end = "", time.monotonic() + limit
        while time.monotonic() < end:
            if select.select([self.fd], [], [], 0.2)[0]:
                try:
                    text += os.read(self.fd, 65536).decode(errors="replace")
                except OSError:
                    break
                found = re.search(pattern, text, re.S)
                if found:
                    return found
        raise SystemExit(f"check-completion: no answer within {limit} s: {text[-500:]!r}")

    def line_after(self, typed):
        # The line is put into a variable by the shell's own editor, bound to ^Xl, and printed.
        self.send("\x15" + typed + "\t")
        self.send("\x18l")
        line = self.until(r"<<LINE:(.*?):LINE>>").group(1)
        self.send("\x15")
        return line

    def close(self):
        self.send("\x15exit\n")
        os.close(self.fd)
        os.waitpid(self.pid, 0)


BASHRC = f"""
PS1='ready> '
PATH={BUILD}:$PATH
source {ROOT}/runner/install/plumbline.bash
show_line() {{ printf '<<LINE:%s:LINE>>' "$READLINE_LINE"; }}
bind -x '"\\C-xl": show_line'
bind 'set show-all-if-ambiguous off' 'set bell-style none' 'set enable-bracketed-paste off'
"""
ZSHRC = f"""
PS1='ready> '
PATH={BUILD}:$PATH
fpath=($ZDOTDIR/functions $fpath)
autoload -Uz compinit && compinit -u -D
show_line() {{ print -rn -- "<<LINE:$BUFFER:LINE>>" }}
zle -N show_line
bindkey -e
bindkey '^Xl' show_line
setopt no_beep no_always_last_prompt
unset zle_bracketed_paste
"""


def start(name, directory):
    environment = {"PATH": os.environ["PATH"], "HOME": directory, "TERM": "dumb", "ZDOTDIR": directory,
                   "XDG_STATE_HOME": directory, "LC_ALL": "C.UTF-8"}
    os.makedirs(f"{directory}/functions", exist_ok=True)
    shutil.copy(f"{ROOT}/runner/install/plumbline.zsh", f"{directory}/functions/_plumbline")
    with open(f"{directory}/.bashrc", "w") as file:
        file.write(BASHRC)
    with open(f"{directory}/.zshrc", "w") as file:
        file.write(ZSHRC)
    # Runs: a directory of results, here and among the newest.
    for run in ("out/21-made-up", "21-made-up"):
        os.makedirs(f"{directory}/{run}", exist_ok=True)
        open(f"{directory}/{run}/results.json", "w").close()
    open(f"{directory}/app.jar", "w").close()
    words = {"bash": ["bash", "--noprofile", "--rcfile", f"{directory}/.bashrc", "-i"], "zsh": ["zsh", "-i"]}[name]
    shell = Shell(words, environment, directory)
    shell.until("ready> ")
    return shell


def main():
    wrong = tried = 0
    for name in ("bash", "zsh"):
        if shutil.which(name) is None:
            print(f"completion: {name} is not installed: not tried")
            continue
        with tempfile.TemporaryDirectory() as directory:
            shell = start(name, directory)
            for typed, expected in LINES:
                line = shell.line_after(typed)
                tried += 1
                if line != expected:
                    wrong += 1
                    print(f"completion: {name}: {typed!r} became {line!r}, not {expected!r}")
            shell.close()
    if tried == 0 or wrong != 0:
        raise SystemExit(1)
    print(f"completion: ok: {tried} lines")


main()
