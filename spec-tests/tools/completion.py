"""completion.py -- types command lines into shells and checks what they complete.

    completion.py bash|zsh SCRIPT        (SCRIPT: what `loom help --completion` printed)

The shell runs at a terminal of its own, where `loom` is a function that prints its words. A line is typed
with a tab at its end, then Enter: what the function prints is what was completed. Where several words
fit, what the shell lists is looked at instead.
"""

import atexit
import os
import pty
import select
import shutil
import signal
import sys
import tempfile

shell, script = sys.argv[1], os.path.abspath(sys.argv[2])
folder = tempfile.mkdtemp()
atexit.register(shutil.rmtree, folder, True)
open(os.path.join(folder, "smoke test.mlir"), "w").close()
os.mkdir(os.path.join(folder, "tier"))

START = {
    "bash": "PS1='> '; bind 'set enable-bracketed-paste off' 'set completion-query-items 0' 'set page-completions off'\n"
    "bind 'set bell-style none'; . '%s'\n" % script,
    "zsh": "PS1='> '; fpath=('%s' $fpath); autoload -U compinit; compinit -u -D; LISTMAX=0; unsetopt beep zle_bracketed_paste\n"
    % os.path.dirname(script),
}
WORDS = {"bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"]}

pid, terminal = pty.fork()
if pid == 0:
    os.chdir(folder)
    os.environ.update(TERM="dumb", COLUMNS="200", LC_ALL="C", HOME=folder)
    os.execvp(shell, WORDS[shell])


def read_until(text):
    """What comes up to and with the text; fails after ten seconds of silence."""
    said = ""
    while text not in said:
        if not select.select([terminal], [], [], 10)[0]:
            sys.exit("%s: no %r in %r" % (shell, text, said))
        said += os.read(terminal, 65536).decode(errors="replace").replace("\r", "")
    return said


def send(text):
    os.write(terminal, text.encode())


def completed(typed, expected):
    send(typed + "\t\n")
    said = read_until(":end")
    words = said[said.rindex("got:") + 4 : said.rindex(":end")]
    if words != expected:
        sys.exit("%s: %r becomes %r, not %r" % (shell, typed, words, expected))


def listed(typed, expected):
    """The second tab lists; Ctrl-U takes the line back."""
    send(typed + "\t\t")
    said = read_until(expected[-1])
    send("\x15loom done\n")
    said += read_until("got:done:end")
    for word in expected:
        if word not in said.split():
            sys.exit("%s: %r does not list %s: %r" % (shell, typed, word, said))


send(START[shell])
send("loom() { local IFS='|'; printf 'got:%s:%s\\n' \"$*\" end; }; loom ready\n")
read_until("got:ready:end")
completed("loom bu", "build")
completed("loom build --se", "build|--seed")
completed("loom run --order s", "run|--order|serial")
completed("loom map --adg te", "map|--adg|temporal")
completed("loom map --adg smo", "map|--adg|smoke test.mlir")
listed("loom map --adg ", ["tiny", "small", "medium", "large", "xl", "full", "temporal"])
listed("loom build x.c --adg t", ["tier/", "tiny", "temporal"])
completed("loom adg med", "adg|medium")
completed("loom config enc", "config|encode")
completed("loom opt smo", "opt|smoke test.mlir")
os.kill(pid, signal.SIGHUP)
