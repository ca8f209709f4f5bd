#!/usr/bin/env python3
"""Runs the examples of schemas/POLICY.md.

usage: python3 tests/policy/document.py BINARY [--update]

The blocks are known by the second word of their first line:

  policy, config, waivers   are files; a new policy ends the waivers before it
  finding                   is all that full-sweep says about the files above, on standard error
  row N                     is the N-th resolved row of the config
  program, output           is Python that runs beside policy.json (the last JSON policy) and rows.json
                            (the rows of its config), and what it prints

--update writes findings and rows into the document instead of comparing.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "schemas" / "POLICY.md"
RUNNERS = ROOT / "tests" / "fixtures" / "runners.yaml"
BLOCK = re.compile(r"^```(\w+) (policy|config|waivers|finding|row|program|output)(?: (\d+))?\n(.*?)^```$", re.M | re.S)
WANTED = {"policy": 3, "config": 3, "waivers": 1, "finding": 4, "row": 1, "program": 1, "output": 1}
TIMEOUT_SECONDS = 60


class Runner:
    """The files that the blocks so far have left in a folder."""

    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder
        self.flags, self.waivers, self.printed, self.rows_wanted = [], [], "", False

    def write(self, name, text):
        pathlib.Path(self.folder, name).write_text(text, encoding="utf-8")

    def run(self, command):
        environment = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, env=environment,
                              timeout=TIMEOUT_SECONDS, check=False)

    def full_sweep(self, *flags):
        return self.run([self.binary, "full-sweep", "--config-files", "config.yaml", "--runner-config", str(RUNNERS),
                         *self.flags, *self.waivers, *flags])

    def take(self, language, kind, number, text):
        """Works a block off. Returns what it should hold, and a complaint or None."""
        if kind == "policy":
            name = f"policy.{language}"
            self.write(name, text)
            self.flags, self.waivers = ["--policy", name], []
            self.rows_wanted = language == "json"
        elif kind == "config":
            self.write("config.yaml", text)
            rows = self.full_sweep("--resolved").stdout
            if self.rows_wanted:
                self.write("rows.json", rows)
        elif kind == "waivers":
            self.write("waivers.yaml", text)
            self.waivers = ["--waivers", "waivers.yaml"]
        elif kind == "finding":
            done = self.full_sweep()
            status = 1 if ": error: " in done.stderr else 0
            good = done.returncode == status and bool(done.stdout) == (status == 0)
            return done.stderr, None if good else f"exit status {done.returncode}, or wrongly printed rows"
        elif kind == "row":
            rows = json.loads(self.full_sweep("--resolved").stdout)
            return json.dumps(rows[int(number) - 1], indent=2, ensure_ascii=False) + "\n", None
        elif kind == "program":
            done = self.run([sys.executable, "-c", text])
            self.printed = done.stdout
            return text, done.stderr or None
        elif kind == "output":
            return self.printed, None
        return text, None


def main():
    binary = os.path.abspath(sys.argv[1])
    update = "--update" in sys.argv[2:]
    document = DOCUMENT.read_text(encoding="utf-8")
    counts = dict.fromkeys(WANTED, 0)
    complaints = []

    def work_off(match):
        language, kind, number, text = match.groups()
        counts[kind] += 1
        line = document.count("\n", 0, match.start()) + 1
        wanted, complaint = runner.take(language, kind, number, text)
        if complaint:
            complaints.append(f"{DOCUMENT.name}:{line}: {complaint}")
        if wanted != text and not update:
            complaints.append(f"{DOCUMENT.name}:{line}: the {kind} is now:\n{wanted}")
        return f"```{language} {kind}{' ' + number if number else ''}\n{wanted}```"

    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(binary, folder)
        written = BLOCK.sub(work_off, document)
    if update:
        DOCUMENT.write_text(written, encoding="utf-8")
    complaints += [f"{counts[kind]} blocks of the kind {kind}, not {wanted}"
                   for kind, wanted in WANTED.items() if counts[kind] < wanted]
    print("\n".join([*complaints, f"document: {sum(counts.values())} blocks, {len(complaints)} complaints"]))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
