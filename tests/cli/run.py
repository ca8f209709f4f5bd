#!/usr/bin/env python3
"""Runs generate_sweeps as users do. usage: run.py BINARY [NAME...]

Each *.case file beside this one holds cases; files.py and findings.py hold those that need more
than a command line. NAME keeps the cases whose `file: title` holds it. A case file looks like this:

    --- file NAME            files of all cases (before the first `==`) or of one case
    ...content...
    == title
    --- run ARGS             the command line, quoted as in a shell; $ROOT is the project's root
    --- stdin                standard input (else nothing)
    --- status N             the exit status (else 0)
    --- stdout               all of standard output (else, and on status 1 and 2, nothing; what
                             `validate` finds may be there on status 1)
    --- stdout has           parts of it, one a line; `not PART` must be missing
    --- rows FIELD           a field of every row, values parted by blanks; `none` for no row
    --- stderr, stderr has   the same for standard error

Lines that start with `#` between cases are comments.
"""

import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TIMEOUT_SECONDS = 60


def read_cases(path):
    """The cases of a file as (title, shared files, sections); a section is (head, text)."""
    shared, cases, sections, head, lines = [], [], None, None, []

    def end_section():
        nonlocal head, lines
        if head is not None:
            text = "".join(line + "\n" for line in lines)
            (shared if sections is None else sections).append((head, text))
        head, lines = None, []

    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            end_section()
            sections = []
            cases.append((line[3:], shared, sections))
        elif line.startswith("--- "):
            end_section()
            head = line[4:]
        elif head is not None and not (line.startswith("#") and not head.startswith("file ")):
            lines.append(line)
    end_section()
    return cases


def write_files(folder, sections):
    for head, text in sections:
        if head.startswith("file "):
            path = folder / head[5:]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def shown(value):
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))


def check_parts(name, text, parts):
    for part in filter(None, parts.split("\n")):
        missing = part.startswith("not ")
        part = part[4:] if missing else part
        if (part in text) == missing:
            yield f"{name} {'holds' if missing else 'lacks'}: {part}"


def check_rows(field, output, expected):
    try:
        rows = json.loads(output)
    except ValueError:
        return [f"standard output is no JSON: {output[:200]!r}"]
    values = " ".join(shown(row.get(field)) for row in rows) or "none"
    wanted = " ".join(expected.split())
    return [] if values == wanted else [f"{field} of the rows: {values}\n    expected: {wanted}"]


def check(result, sections):
    """The faults of a finished run."""
    heads = [head for head, _ in sections]
    status = next((int(head.split()[1]) for head in heads if head.startswith("status")), 0)
    faults = []
    if result.returncode != status:
        faults.append(f"exit status {result.returncode}, expected {status}")
    for name, output in (("stdout", result.stdout), ("stderr", result.stderr)):
        told = [head for head in heads if head.split()[0] == name or
                (name == "stdout" and head.startswith("rows "))]
        if not told and output:
            faults.append(f"{name} is not empty: {output[:300]!r}")
    if status == 1 and any(head.startswith("run validate ") for head in heads):
        pass  # the findings are its result
    elif status in (1, 2):
        if result.stdout:
            faults.append("something is on standard output of a refused run")
        if not result.stderr:
            faults.append("a refused run says nothing")
    for head, text in sections:
        words = head.split()
        if head in ("stdout", "stderr"):
            if getattr(result, head) != text:
                faults.append(f"{head} is {getattr(result, head)!r}\n    expected: {text!r}")
        elif head in ("stdout has", "stderr has"):
            faults += check_parts(words[0], getattr(result, words[0]), text)
        elif words[0] == "rows":
            faults += check_rows(words[1], result.stdout, text)
        elif words[0] not in ("run", "stdin", "file", "status"):
            faults.append(f"unknown section: {head}")
    return faults


def run_case(binary, shared, sections):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_files(folder, shared)
        write_files(folder, sections)
        runs = [head for head, _ in sections if head == "run" or head.startswith("run ")]
        if len(runs) != 1:
            return [f"{len(runs)} command lines, expected one"]
        words = shlex.split(runs[0][3:].replace("$ROOT", str(ROOT)))
        given = "".join(text for head, text in sections if head == "stdin")
        try:
            result = subprocess.run([binary, *words], cwd=folder, input=given, text=True,
                                    encoding="utf-8", capture_output=True, env=environment(),
                                    timeout=TIMEOUT_SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return [f"no end after {TIMEOUT_SECONDS} seconds"]
        return check(result, sections)


def environment():
    """What the runs see: nothing that changes the form of findings."""
    return {name: value for name, value in os.environ.items()
            if name not in ("GITHUB_ACTIONS", "GITHUB_OUTPUT", "NO_COLOR")}


def main():
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(HERE))
    import files  # pylint: disable=import-outside-toplevel
    import findings  # pylint: disable=import-outside-toplevel

    if len(sys.argv) < 2:
        sys.exit(__doc__)
    binary = str(pathlib.Path(sys.argv[1]).resolve())
    wanted = sys.argv[2:]
    jobs = []
    for path in sorted(HERE.glob("*.case")):
        for title, shared, sections in read_cases(path):
            jobs.append((f"{path.stem}: {title}",
                         lambda s=shared, c=sections: run_case(binary, s, c)))
    for module in (files, findings):
        for title, test in module.tests(binary, environment()):
            jobs.append((f"{module.__name__}: {title}", test))
    failed = 0
    total = 0
    for title, job in jobs:
        if wanted and not any(part in title for part in wanted):
            continue
        total += 1
        faults = job()
        if faults:
            failed += 1
            print(f"FAILED {title}")
            for fault in faults:
                print(f"  {fault}")
    print(f"{total - failed} of {total} cases passed")
    sys.exit(1 if failed or not total else 0)


if __name__ == "__main__":
    main()
