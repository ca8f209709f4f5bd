#!/usr/bin/env python3
"""Compares the tool with validators that others wrote.

usage: python3 tests/validators/run.py BINARY [--conformance DIR] [NAME...]

  fixtures   every master config among the fixtures and the recorded cases: python3-jsonschema, ajv
             and the tool agree
  rows       the rows of the own configs and of the recorded answers satisfy the schema of rows
  sarif      what `validate --format sarif` prints satisfies the SARIF schema
  editor     yaml-language-server, as editors run it, marks a broken config and no good one

NAME keeps some of them. The npm packages are those of package-lock.json beside this file, put there
by `npm ci` where they are missing. Without npm or Debian's python3-jsonschema and python3-yaml the
parts that need them are left out, and the last line says `skipped: …`.
"""
import argparse
import gzip
import json
import math
import multiprocessing
import os
import pathlib
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time

try:
    import jsonschema
    import yaml
except ImportError as problem:
    print(f"skipped: {problem}; tools/bootstrap --tests installs it")
    sys.exit(0)

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FIXTURES = pathlib.Path("tests/fixtures")
RUNNERS = str(FIXTURES / "runners.yaml")
TIMEOUT_SECONDS = 120

# Rules that JSON Schema cannot say: arithmetic, and what lies outside one JSON document.
CODE_RULES = {
    "conc-range-reversed", "dcp-divides-tp", "gpus-exceed-node", "key-duplicate", "key-unknown",
    "limit-rows", "runner-hardware-missing", "worker-tiling",
    # Policy has a schema of its own, which tests/policy compares.
    "dep8-out-of-scope", "env-reserved", "moe-backend-registered", "moe-backend-runnable",
    "policy-annotation", "policy-field", "policy-keyword", "policy-pattern", "policy-reference",
    "policy-schema", "policy-title", "waiver-document", "waiver-expired", "waiver-unused",
}
# Findings of other rules that no schema can say either, and why.
CODE_FINDINGS = {
    "err/bad-value-length-overflow": "a sum of two fields",
    "err/wrong-type-key": "JSON has no keys but strings",
    "err/wrong-type-merge": "merge keys are YAML's",
}
# Good configs that PyYAML cannot read.
UNREAD = {
    "ok/anchors-and-merges": "it sets an anchor twice",
    "ok/layout-block": "it parts tokens by tabs",
}


class Skipped(Exception):
    """Something that a part needs is not to be had."""


class Loader(yaml.SafeLoader):
    """Reads YAML 1.1, except that dates, `=` and a `<<` that is a value are strings."""

    yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in resolvers
                if tag not in ("tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:value")]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()}


Loader.add_constructor("tag:yaml.org,2002:merge", Loader.construct_yaml_str)


def tool(*words, text=None):
    environment = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
    return subprocess.run([BINARY, *words], input=text or "", capture_output=True, text=True,
                          encoding="utf-8", timeout=TIMEOUT_SECONDS, env=environment, check=False)


def schema(name):
    return json.loads(tool("schema", name).stdout)


def packages():
    """The folder of the npm packages, installed where need be."""
    folder = HERE / "node_modules"
    lock = HERE / "package-lock.json"
    mark = folder / ".package-lock.json"
    if mark.exists() and mark.stat().st_mtime >= lock.stat().st_mtime:
        return folder
    if not shutil.which("npm"):
        raise Skipped("npm is not installed")
    try:
        done = subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=HERE,
                              capture_output=True, text=True, timeout=300, check=False)
    except subprocess.TimeoutExpired:
        raise Skipped("npm ci does not end") from None
    if done.returncode != 0:
        raise Skipped(f"npm ci: {(done.stderr.strip() or 'failed').splitlines()[-1]}")
    mark.touch()
    return folder


def ajv(the_schema, documents, draft=7):
    """For each document None, or what ajv finds wrong with it."""
    packages()
    given = json.dumps({"draft": draft, "schema": the_schema, "documents": documents})
    done = subprocess.run(["node", str(HERE / "ajv.cjs")], input=given, capture_output=True, text=True,
                          timeout=TIMEOUT_SECONDS, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"ajv: {done.stderr[-500:]}")
    return json.loads(done.stdout)


def first_error(document):
    error = next(VALIDATOR.iter_errors(document), None)
    return None if error is None else f"/{'/'.join(map(str, error.path))} {error.message}"[:200]


def by_jsonschema(the_schema, documents):
    """For each document None, or what python3-jsonschema finds wrong with it."""
    global VALIDATOR  # pylint: disable=global-statement
    VALIDATOR = jsonschema.Draft7Validator(the_schema)
    with multiprocessing.get_context("fork").Pool() as pool:
        return pool.map(first_error, documents, 50)


def finite(value):
    """The value with a text for each infinity and NaN, which JSON does not know."""
    if isinstance(value, dict):
        return {key: finite(part) for key, part in value.items()}
    if isinstance(value, list):
        return [finite(part) for part in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def master_fixtures():
    """The fixtures that are master configs."""
    for path in sorted([*FIXTURES.glob("ok/*.yaml"), *FIXTURES.glob("err/*.yaml")]):
        with path.open("rb") as file:
            first = file.readline().decode("utf-8", "replace")
        words = first.split()
        other = first.startswith("# args:") and ("--runner-config FILE" in first or "validate" in words)
        if not other:
            yield path


def master_configs():
    """Pairs of a name and a file: the fixtures, and the recorded configs with one fault each."""
    for path in master_fixtures():
        yield f"{path.parent.name}/{path.stem}", path
    if CONFORMANCE:
        cases = json.loads((CONFORMANCE / "configs/cases.json").read_text(encoding="utf-8"))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "master.yaml"
            for case in cases:
                path.write_text(case["yaml"], encoding="utf-8", newline="")
                yield f"recorded/{case['id']}", path


def fixtures():
    """The schema of master configs means the same to all."""
    names, documents, wanted, faults = [], [], [], []
    malformed = 0
    listed = set(CODE_FINDINGS) | set(UNREAD)
    faults += [f"{name}: listed here, but no such fixture" for name in sorted(listed)
               if not (FIXTURES / f"{name}.yaml").exists()]
    for name, path in master_configs():
        done = tool("validate", "--kind", "master", "--format", "json", "--runner-config", RUNNERS,
                    str(path))
        errors = {finding["rule"] for finding in json.loads(done.stdout)["diagnostics"]
                  if finding["severity"] == "error"}
        if any(rule.startswith("yaml-") for rule in errors):
            malformed += 1
            continue
        if name in CODE_FINDINGS and not errors:
            faults.append(f"{name}: accepted, but it breaks a rule: {CODE_FINDINGS[name]}")
        if name in listed:
            continue
        document = yaml.load(path.read_bytes(), Loader)
        names.append(name)
        documents.append(finite(document))
        wanted.append(errors - CODE_RULES)
    said = {"python3-jsonschema": by_jsonschema(schema("master-config"), documents)}
    try:
        said["ajv"] = ajv(schema("master-config"), documents)
    finally:
        for validator, answers in said.items():
            for name, rules, answer in zip(names, wanted, answers):
                if rules and answer is None:
                    faults.append(f"{name}: {validator} accepts what breaks {', '.join(sorted(rules))}")
                if not rules and answer is not None:
                    faults.append(f"{name}: {validator} refuses what the tool accepts: {answer}")
        FAULTS.extend(faults)
    refused = sum(map(bool, wanted))
    return (f"{len(names)} master configs, {refused} of them refused; aside: {malformed} that are not "
            f"well-formed, {len(listed)} listed")


def objects(value):
    """All matrix rows within a JSON value."""
    if isinstance(value, dict):
        if "runner" in value and "framework" in value:
            yield value
        else:
            for part in value.values():
                yield from objects(part)
    elif isinstance(value, list):
        for part in value:
            yield from objects(part)


def rows():
    """Rows, the tool's own and the recorded ones, satisfy the schema of rows."""
    done = tool("full-sweep", "--config-files", "configs/amd-master.yaml", "configs/nvidia-master.yaml",
                "--runner-config", "configs/runners.yaml")
    own = json.loads(done.stdout)
    if not own:
        FAULTS.append("the own configs have no row")
    unlike = {json.dumps(row, sort_keys=True): row for row in own}
    recorded = 0
    for path in sorted(CONFORMANCE.glob("*/expected/*.json.gz")) if CONFORMANCE else []:
        for row in objects(json.loads(gzip.decompress(path.read_bytes()))):
            recorded += 1
            unlike.setdefault(json.dumps(row, sort_keys=True), row)
    documents = list(unlike.values())
    for answer, row in zip(by_jsonschema(schema("matrix-row"), documents), documents):
        if answer is not None:
            FAULTS.append(f"python3-jsonschema: {answer}, in {json.dumps(row)[:300]}")
    checked = tool("validate", "--kind", "matrix", "-", text=json.dumps(documents))
    if checked.returncode != 0:
        FAULTS.append(f"validate --kind matrix: exit {checked.returncode}: {checked.stdout[:600]}")
    return f"{len(own)} own rows, {recorded} recorded ones, {len(documents)} of them unlike"


SARIF_FIXTURES = (
    "agentic-runner", "bad-value-and-others", "bad-value-unicode-place", "component-scope",
    "conc-range-reversed", "dcp-divides-tp-anchor", "image-mutable-tag", "unknown-field-misspelt",
    "unknown-runner", "yaml-duplicate-key", "yaml-encoding-invalid", "yaml-syntax-bad-escape",
)


def sarif_logs(runs):
    for files in runs:
        done = tool("validate", "--kind", "master", "--format", "sarif", "--runner-config", RUNNERS, *files)
        yield json.loads(done.stdout)


def sarif():
    """The SARIF form of findings is SARIF 2.1.0."""
    schemas = packages() / "@microsoft/jest-sarif/lib/schemas"
    the_schema = json.loads((schemas / "sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8"))
    paths = [str(FIXTURES / "err" / f"{name}.yaml") for name in SARIF_FIXTURES]
    runs = [[path] for path in paths] + [paths, ["configs/amd-master.yaml"], ["no-such-file.yaml"]]
    with tempfile.TemporaryDirectory() as folder:
        odd = pathlib.Path(folder) / "50% [odd] \\ näme#?.yaml"  # the places of findings are URIs
        odd.write_text("[]\n", encoding="utf-8")
        runs.append([str(odd)])
        logs = list(sarif_logs(runs))
    for files, log, answer in zip(runs, logs, ajv(the_schema, logs, draft=4)):
        if answer is not None:
            FAULTS.append(f"{' '.join(files)}: {answer}")
        if log["version"] != "2.1.0":
            FAULTS.append(f"{' '.join(files)}: version {log['version']}")
    results = sum(len(run["results"]) for log in logs for run in log["runs"])
    if not results:
        FAULTS.append("no log has a result")
    return f"{len(logs)} logs with {results} results"


class Editor:
    """yaml-language-server, spoken to as an editor does."""

    def __init__(self, folder, settings):
        program = folder / "yaml-language-server/bin/yaml-language-server"
        self.server = subprocess.Popen(["node", str(program), "--stdio"], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.settings = settings
        self.messages = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self._send({"id": 1, "method": "initialize",
                    "params": {"processId": os.getpid(), "rootUri": ROOT.as_uri(),
                               "capabilities": {"workspace": {"configuration": True}}}})
        self._until(lambda message: message.get("id") == 1)
        self._send({"method": "initialized", "params": {}})
        self._send({"method": "workspace/didChangeConfiguration", "params": {"settings": settings}})

    def _send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.server.stdin.flush()

    def _read(self):
        stream = self.server.stdout
        while line := stream.readline():
            length = 0
            while line.strip():
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
                line = stream.readline()
            self.messages.put(json.loads(stream.read(length)))

    def _until(self, wanted):
        """The first wanted message; the server's own questions are answered meanwhile."""
        end = time.monotonic() + 60
        while True:
            try:
                message = self.messages.get(timeout=max(0.1, end - time.monotonic()))
            except queue.Empty:
                raise RuntimeError("yaml-language-server does not answer") from None
            if "method" in message and "id" in message:
                result = None
                if message["method"] == "workspace/configuration":
                    result = [self.settings.get(item.get("section"))
                              for item in message["params"]["items"]]
                self._send({"id": message["id"], "result": result})
            elif wanted(message):
                return message

    def diagnostics(self, uri, text):
        self._send({"method": "textDocument/didOpen", "params": {"textDocument": {
            "uri": uri, "languageId": "yaml", "version": 1, "text": text}}})
        return self._until(lambda message: message.get("method") == "textDocument/publishDiagnostics"
                           and message["params"]["uri"] == uri)["params"]["diagnostics"]

    def close(self):
        self.server.terminate()
        self.server.wait(30)


GOOD = """\
alpha-fp8-mi355x:
  image: example/server:v1.2.0
  model: lab/alpha-70b
  model-prefix: alpha
  precision: fp8
  framework: vllm
  runner: mi355x
  multinode: false
  scenarios:
    fixed-seq-len:
    - isl: 1024
      osl: 1024
      search-space:
      - { tp: 8, ep: 8, conc-start: 4, conc-end: 64 }
      - { tp: 4, conc-list: [4, 8], spec-decoding: mtp }
"""
# What is broken in GOOD: a text, what stands there instead, and the line (from 1) to be marked.
BROKEN = (
    ("precision: fp8", "precison: fp8", 5),
    ("multinode: false", "multinode: 0", 8),
    ("isl: 1024", "isl: 0", 11),
    ("tp: 8", 'tp: "8"', 14),
    ("spec-decoding: mtp", "spec-decoding: mpt", 15),
    (", conc-end: 64", "", 14),
)


def editor():
    """An editor with the schema marks what is broken, and nothing else."""
    where = (ROOT / "schemas/master-config.schema.json").as_uri()
    settings = {"yaml": {"schemas": {where: ["*.yaml"]}, "validate": True, "yamlVersion": "1.1",
                         "schemaStore": {"enable": False}}}
    session = Editor(packages(), settings)
    try:
        goods = {"good.yaml": GOOD}
        for name in ("amd-master.yaml", "nvidia-master.yaml"):
            goods[name] = (ROOT / "configs" / name).read_text(encoding="utf-8")
        for name, text in goods.items():
            found = session.diagnostics(f"file:///sweeps/{name}", text)
            if found:
                FAULTS.append(f"{name}: line {found[0]['range']['start']['line'] + 1}: {found[0]['message']}")
        for number, (old, new, line) in enumerate(BROKEN):
            found = session.diagnostics(f"file:///sweeps/broken-{number}.yaml", GOOD.replace(old, new, 1))
            lines = sorted({each["range"]["start"]["line"] + 1 for each in found})
            if line not in lines:
                FAULTS.append(f"{new or 'no' + old}: marked are lines {lines}, not {line}")
    finally:
        session.close()
    return f"{len(goods)} good configs without a mark, {len(BROKEN)} broken ones with one"


PARTS = {"fixtures": fixtures, "rows": rows, "sarif": sarif, "editor": editor}
FAULTS = []
VALIDATOR = None
BINARY = ""
CONFORMANCE = None


def main():
    global BINARY, CONFORMANCE  # pylint: disable=global-statement
    parser = argparse.ArgumentParser(usage="run.py BINARY [--conformance DIR] [NAME...]")
    parser.add_argument("binary")
    parser.add_argument("--conformance", type=pathlib.Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_intermixed_args()
    BINARY = os.path.abspath(options.binary)
    if options.conformance and options.conformance.is_dir():
        CONFORMANCE = options.conformance.resolve()
    os.chdir(ROOT)
    if unknown := [name for name in options.names if name not in PARTS]:
        parser.error(f"no part {unknown[0]}: {', '.join(PARTS)}")
    missing = None
    failed = 0
    for name in options.names or PARTS:
        FAULTS.clear()
        try:
            print(f"{name}: {PARTS[name]()}")
        except Skipped as problem:
            missing = problem
            print(f"{name}: left out, {problem}")
        for fault in FAULTS:
            print(f"  {fault}")
        failed += len(FAULTS)
    if failed:
        print(f"{failed} faults")
        return 1
    if missing:
        print(f"skipped: {missing}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
