#!/usr/bin/env python3
"""Other JSON Schema validators must find in resolved rows what the tool finds in the config.

usage: python3 tests/policy/agreement.py BINARY

Writes a config of one row a key, prints its resolved rows, runs every policy rule over each of them
with python3-jsonschema, and with ajv when tests/validators/node_modules is there, and compares the
rules that refuse a row with the tool's own findings for its key.
"""
import itertools
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]
POLICY = ROOT / "schemas" / "row-policy.schema.json"
MORE_POLICY = ROOT / "tests" / "fixtures" / "shared" / "policy-warning.json"
RUNNERS = ROOT / "tests" / "fixtures" / "runners.yaml"
VALIDATORS = ROOT / "tests" / "validators"
TIMEOUT_SECONDS = 60
RANDOM_ROWS = 120

BACKENDS = ["aiter", "deep_gemm", "deep_gemm_mega_moe", "flashinfer_mxfp4", "flydsl", "flydsl_mega_moe",
            "triton", "flydsl_mega", "Aiter"]
LAYOUTS = {
    "tp8": {"tp": 8},
    "tep8": {"tp": 8, "ep": 8},
    "dep8": {"tp": 8, "ep": 8, "dp-attn": True},
    "dep8-off": {"tp": 8, "ep": 8, "dp-attn": False},
    "dp8": {"tp": 8, "ep": 1, "dp-attn": True},
    "dep4": {"tp": 4, "ep": 4, "dp-attn": True},
    "dep8-pp2": {"tp": 8, "ep": 8, "dp-attn": True, "pp": 2},
    "dep8-pcp2": {"tp": 8, "ep": 8, "dp-attn": True, "pcp-size": 2},
    "dep8-dcp2": {"tp": 8, "ep": 8, "dp-attn": True, "dcp-size": 2},
    "tp1": {"tp": 1},
}
FRAMEWORKS = ["vllm", "sglang"]
RUNNER_LABELS = ["mi355x", "cluster:mi355x-lab", "b200"]
PREFIXES = ["dsv4", "dsr1"]
RESERVED = ("TP PP EP EP_SIZE DP_ATTENTION DCP_SIZE PCP_SIZE PP_SIZE CONC CONC_LIST ISL OSL MAX_MODEL_LEN MODEL "
            "MODEL_PREFIX IMAGE FRAMEWORK PRECISION SPEC_DECODING DISAGG RUN_EVAL EVAL_ONLY EVAL_CONC DURATION "
            "EXP_NAME SCENARIO_TYPE KV_OFFLOADING TOTAL_CPU_DRAM_GB PATH HOME LD_PRELOAD LD_LIBRARY_PATH "
            "GITHUB_TOKEN RUNNER_NAME ACTIONS_CACHE PREFILL_TP DECODE_ENV").split()
FREE = ["VLLM_ROCM_DSV4_SPARSE_GLUON", "TP_SIZE", "MY_GITHUB_TOKEN", "PATHS", "PREFILL", "GITHUB", "XPATH", "CONC_"]
VALUES = [1, 0, -7, True, False, "text", "1", ""]


def entry(row, framework="vllm", runner="mi355x", prefix="dsv4", agentic=False):
    """A config entry with this one row."""
    multinode = "prefill" in row
    if agentic:
        scenarios = {"agentic-coding": [{"search-space": [{"kv-offloading": "none", **row}]}]}
    else:
        scenarios = {"fixed-seq-len": [{"isl": 1024, "osl": 1024, "search-space": [row]}]}
    return {"image": "example/server:v1.2.0", "model": "lab/model", "model-prefix": prefix, "precision": "fp4",
            "framework": framework, "runner": runner, "multinode": multinode, "scenarios": scenarios}


def workers(prefill=None, decode=None, **rest):
    worker = {"num-worker": 1, "tp": 8, "ep": 1, "dp-attn": False}
    return {"prefill": {**worker, **(prefill or {})}, "decode": {**worker, **(decode or {})}, "conc-list": [8], **rest}


def chosen_entries():
    """Every layout on every route, every backend in every place, every name of a variable."""
    single = {"conc-list": [4]}
    for (name, layout), framework, runner, prefix in itertools.product(
            LAYOUTS.items(), FRAMEWORKS, RUNNER_LABELS, PREFIXES):
        yield f"layout-{name}", entry({**layout, **single}, framework, runner, prefix)
    for backend in BACKENDS:
        chosen = {"moe-backend": backend}
        cluster = "cluster:mi355x-lab"
        yield "backend-fixed", entry({"tp": 8, **chosen, **single})
        yield "backend-agentic", entry({"tp": 8, **chosen, **single}, runner=cluster, agentic=True)
        yield "backend-prefill", entry(workers(prefill=chosen), runner=cluster)
        yield "backend-decode", entry(workers(decode=chosen), runner=cluster)
        yield "backend-both-agentic", entry(workers(chosen, chosen), runner=cluster, agentic=True)
    for name, value in zip(RESERVED + FREE, itertools.cycle(VALUES)):
        yield "env", entry({"tp": 8, "env": {"FIRST": 1, name: value}, **single})
    yield "env-of-workers", entry(workers(env={"PREFILL_ARGS": "x"}), runner="cluster:mi355x-lab")
    yield "env-empty", entry({"tp": 8, "env": {}, **single})


def random_entries(source):
    """Rows in which several rules may be broken at once."""
    for _ in range(RANDOM_ROWS):
        row = {**source.choice(list(LAYOUTS.values())), "conc-list": [1]}
        if source.random() < 0.3:
            row = workers(source.choice(list(LAYOUTS.values())), source.choice(list(LAYOUTS.values())))
            for worker in ("prefill", "decode"):
                if source.random() < 0.3:
                    row[worker]["moe-backend"] = source.choice(BACKENDS)
        elif source.random() < 0.5:
            row["moe-backend"] = source.choice(BACKENDS)
        if source.random() < 0.5:
            names = source.sample(RESERVED + FREE, source.randint(1, 3))
            row["env"] = {name: source.choice(VALUES) for name in names}
        agentic = source.random() < 0.3
        runner = "cluster:mi355x-lab" if agentic else source.choice(RUNNER_LABELS)
        yield "random", entry(row, source.choice(FRAMEWORKS), runner, source.choice(PREFIXES), agentic)


def run(binary, folder, *flags):
    environment = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8"}
    command = [binary, "full-sweep", "--config-files", "config.yaml", "--runner-config", str(RUNNERS),
               "--policy", str(MORE_POLICY), "--diagnostics", "json", *flags]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=TIMEOUT_SECONDS,
                          env=environment, check=False)


def tool_verdicts(findings, keys, rules):
    """Key -> the policy rules that the tool finds broken. One entry stands on one line."""
    broken = {key: set() for key in keys}
    for finding in findings:
        if finding["rule"] in rules:
            broken[keys[finding["line"] - 1]].add(finding["rule"])
        elif finding["severity"] == "error":
            raise SystemExit(f"the test's own config is refused: {finding['message']}")
    return broken


def jsonschema_verdicts(rows, rules):
    validators = {name: jsonschema.Draft7Validator(rule) for name, rule in rules.items()}
    return {row["config-key"]: {name for name, validator in validators.items() if not validator.is_valid(row)}
            for row in rows}


AJV = """
const Ajv = require("ajv"), input = JSON.parse(require("fs").readFileSync(0, "utf8"));
const validators = Object.entries(input.rules).map(
  ([name, rule]) => [name, new Ajv({ strict: false }).compile(rule)]);
console.log(JSON.stringify(Object.fromEntries(input.rows.map(
  (row) => [row["config-key"], validators.filter(([, valid]) => !valid(row)).map(([name]) => name)]))));
"""


def ajv_verdicts(rows, rules):
    done = subprocess.run(["node", "-e", AJV], cwd=VALIDATORS, input=json.dumps({"rules": rules, "rows": rows}),
                          capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False)
    if done.returncode != 0:
        raise SystemExit(f"ajv does not run: {done.stderr}")
    return {key: set(names) for key, names in json.loads(done.stdout).items()}


def differences(name, ours, theirs):
    """What the tool and another validator say differently, a line a row."""
    return [f"{key}: the tool refuses by {sorted(ours[key])}, {name} by {sorted(theirs.get(key, set()))}"
            for key in ours if ours[key] != theirs.get(key, set())]


def main():
    binary = os.path.abspath(sys.argv[1])
    entries = [*chosen_entries(), *random_entries(random.Random(4))]
    keys = [f"{kind}-{number}" for number, (kind, _) in enumerate(entries)]
    rules = {}
    for path in (POLICY, MORE_POLICY):
        policy = json.loads(path.read_text(encoding="utf-8"))
        for rule in policy["allOf"]:
            rules[rule["title"]] = {**rule, "definitions": policy.get("definitions", {})}
    with tempfile.TemporaryDirectory() as folder:
        text = "".join(f"{key}: {json.dumps(config)}\n" for key, (_, config) in zip(keys, entries))
        pathlib.Path(folder, "config.yaml").write_text(text, encoding="utf-8")
        resolved = run(binary, folder, "--resolved")
        checked = run(binary, folder)
    if resolved.returncode != 0 or checked.returncode != 1 or checked.stdout:
        print(f"exit status {resolved.returncode} and {checked.returncode}, not 0 and 1, or rows were printed")
        print(resolved.stderr[:2000], checked.stderr[:2000], checked.stdout[:200])
        return 1
    rows = json.loads(resolved.stdout)
    ours = tool_verdicts(json.loads(checked.stderr)["diagnostics"], keys, rules)
    complaints = []
    if [row["config-key"] for row in rows] != keys:
        complaints.append("the resolved rows are not those of the config")
    complaints += differences("jsonschema", ours, jsonschema_verdicts(rows, rules))
    if (VALIDATORS / "node_modules").exists():
        complaints += differences("ajv", ours, ajv_verdicts(rows, rules))
    else:
        print("skipped: ajv (no tests/validators/node_modules)")
    for name in rules:
        if not any(name in broken for broken in ours.values()):
            complaints.append(f"no row breaks {name}")
    refused = sum(bool(broken) for broken in ours.values())
    if len(rows) < 80 or refused < 25:
        complaints.append("too few rows")
    print("\n".join([*complaints, f"policy: {len(rows)} rows, {refused} refused, {len(rules)} rules; "
                                  f"{len(complaints)} complaints"]))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
