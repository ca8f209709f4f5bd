"""Cases about findings: many at once, the rules and their texts, colours, and the production files."""

import collections
import json
import os
import pathlib
import pty
import re
from pathlib import Path
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIMEOUT_SECONDS = 60

RUNNERS = """labels:
  mi355x: [node_0]
  cluster:a: [node_1]
  cluster:b: [node_2]
hardware:
  cluster:a: { available-cpu-dram-mib: 1000000, gpus-per-node: 8 }
"""
TOP = """KEY:
  image: org/image:v1
  model: org/Model
  model-prefix: m
  precision: fp8
  framework: vllm
"""
SINGLE = TOP + """  runner: mi355x
  multinode: false
  scenarios:
    fixed-seq-len:
    - isl: 1024
      osl: 1024
      search-space:
      - { tp: 8, conc-list: [4] }
"""
MULTI = TOP + """  runner: cluster:a
  multinode: true
  scenarios:
    fixed-seq-len:
    - isl: 1024
      osl: 1024
      search-space:
      - conc-list: [4]
        prefill: { num-worker: 1, tp: 8, ep: 1, dp-attn: false }
        decode: { num-worker: 2, tp: 4, ep: 4, dp-attn: true }
"""
AGENTIC = TOP + """  runner: cluster:a
  multinode: false
  scenarios:
    agentic-coding:
    - search-space:
      - { tp: 8, kv-offloading: none, conc-list: [4] }
"""
DRAM = AGENTIC.replace("    - search", "    - dram-utilization: 0.5\n      search").replace(
    "none", "dram, kv-offload-backend: { name: lmcache }")

# One mistake each: its rule, a good entry, the text to be replaced and what comes in its place. `§`
# marks where the finding must point.
MISTAKES = (
    ("unknown-field", SINGLE, "  runner", "  §imgae: x\n  runner"),
    ("missing-field", SINGLE.replace("  model: org/Model\n", ""), "KEY", "§KEY"),
    ("missing-field", SINGLE, "{ tp: 8, ", "§{ "),
    ("wrong-type", SINGLE, "multinode: false", "§multinode: 'false'"),
    ("wrong-type", SINGLE, "tp: 8", '§tp: "8"'),
    ("wrong-type", SINGLE, "tp: 8", "§tp: 8.0"),
    ("wrong-type", SINGLE, "isl: 1024", "§isl: true"),
    ("bad-value", SINGLE, "isl: 1024", "§isl: 0"),
    ("bad-value", SINGLE, "tp: 8", "tp: 8, §spec-decoding: mpt"),
    ("bad-value", SINGLE, "image: org/image:v1", '§image: ""'),
    ("bad-value", SINGLE, "tp: 8", "tp: 8, router: { name: r, §version: image:x }"),
    ("missing-field", SINGLE, "tp: 8", "tp: 8, §router: { name: r }"),
    ("conc-both", SINGLE, "conc-list: [4]", "§conc-list: [4], conc-start: 4, conc-end: 8"),
    ("conc-missing", SINGLE, "{ tp: 8, conc-list: [4] }", "§{ tp: 8 }"),
    ("conc-range-incomplete", SINGLE, "conc-list: [4]", "§conc-end: 8"),
    ("conc-range-reversed", SINGLE, "conc-list: [4]", "§conc-start: 8, conc-end: 4"),
    ("dcp-divides-tp", SINGLE, "tp: 8", "tp: 8, §dcp-size: 3"),
    ("bad-value", SINGLE, "conc-list: [4]", "conc-list: [4, §0]"),
    ("bad-value", SINGLE, "tp: 8", "tp: 8, env: { §lower: 1 }"),
    ("wrong-type", SINGLE, "tp: 8", "tp: 8, env: { §NAME: [1] }"),
    ("key-wildcard", SINGLE, "KEY", "§KEY*"),
    ("bad-value", SINGLE, "  scenarios", "  §disagg: true\n  scenarios"),
    ("transfer-single-node", SINGLE, "  scenarios", "  §kv-p2p-transfer: nixl\n  scenarios"),
    ("scenario-missing", SINGLE[:SINGLE.index("\n    fixed")] + "\n", "scenarios:", "§scenarios: {}"),
    ("component-scope", SINGLE.replace("  runner", "  router: &r { name: r, version: v1 }\n  runner"),
     "tp: 8", "tp: 8, §router: *r"),
    ("wrong-type", SINGLE, "{ tp: 8, conc-list: [4] }", "§tp8"),
    ("hardware-pair", MULTI, "tp: 8", "tp: 8, §hardware: b200"),
    ("transfer-required", MULTI, "  scenarios", "  §disagg: true\n  scenarios"),
    ("missing-field", MULTI.replace(", dp-attn: true", ""), "decode:", "§decode:"),
    ("bad-value", MULTI, "num-worker: 1", "§num-worker: -1"),
    ("dcp-divides-tp", MULTI, "tp: 4", "tp: 4, §dcp-size: 3"),
    ("unknown-field", MULTI, "tp: 4", "tp: 4, §dp: 4"),
    ("agentic-runner", AGENTIC, "runner: cluster:a", "§runner: mi355x"),
    ("row-topology", AGENTIC.replace("multinode: false", "multinode: true"), "{ tp", "§{ tp"),
    ("missing-field", AGENTIC, "{ tp: 8, kv-offloading: none", "§{ tp: 8"),
    ("kv-offload-backend-required", DRAM, "kv-offloading: dram, kv-offload-backend: { name: lmcache }",
     "§kv-offloading: dram"),
    ("kv-offload-backend-unexpected", AGENTIC, "none", "none, §kv-offload-backend: { name: lmcache }"),
    ("dram-utilization-required", DRAM.replace("dram-utilization: 0.5\n      ", ""), "search-space",
     "§search-space"),
    ("bad-value", DRAM, "dram-utilization: 0.5", "§dram-utilization: 1.5"),
    ("runner-hardware-missing", DRAM, "runner: cluster:a", "§runner: cluster:b"),
)
WANTED_MISTAKES = 200


def run(binary, env, *words, folder=ROOT):
    return subprocess.run([binary, *words], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, encoding="utf-8", timeout=TIMEOUT_SECONDS,
                          check=False)


def mistaken_config():
    """A config with many mistakes, and of each its (line, column, rule), in the file's order."""
    lines, places = [], []
    for number in range(WANTED_MISTAKES):
        rule, entry, old, new = MISTAKES[number % len(MISTAKES)]
        text = entry.replace(old, new, 1).replace("KEY", f"key-{number}")
        for line in text.splitlines():
            if "§" in line:
                places.append((len(lines) + 1, line.index("§") + 1, rule))
            lines.append(line.replace("§", ""))
    return "\n".join(lines) + "\n", places


def many_mistakes_each_at_its_place(binary, env):
    text, wanted = mistaken_config()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "master.yaml").write_text(text, encoding="utf-8")
        (folder / "runners.yaml").write_text(RUNNERS, encoding="utf-8")
        start = time.monotonic()
        result = run(binary, env, "validate", "--kind", "master", "--format", "json", "--runner-config",
                     "runners.yaml", "master.yaml", folder=folder)
        seconds = time.monotonic() - start
    found = [(each["line"], each["column"], each["rule"])
             for each in json.loads(result.stdout)["diagnostics"] if each["severity"] == "error"]
    print(f"{len(found)} findings of {len(MISTAKES)} kinds of mistakes in {seconds:.3f} s")
    faults = [f"not found: {place}" for place in wanted if place not in found]
    faults += [f"found too: {place}" for place in found if place not in wanted]
    if not faults and found != wanted:
        faults.append("the findings are not in the order of the file")
    if len(wanted) != WANTED_MISTAKES:
        faults.append(f"{len(wanted)} mistakes were made")
    if seconds >= 1:
        faults.append(f"it took {seconds:.2f} s")
    return faults


def rule_ids(binary, env):
    return [line.split()[0] for line in run(binary, env, "explain").stdout.splitlines()]


def fixture_rules(*kinds):
    """The rules that the expected findings of the fixtures name."""
    found = set()
    for kind in kinds:
        for path in (ROOT / "tests/fixtures" / kind).glob("*.out"):
            found |= set(re.findall(r"^.*?(?:error|warning|note): .* \[([a-z0-9-]+)\]$",
                                    path.read_text(encoding="utf-8"), re.MULTILINE))
    return found


# These need a git repository, or a folder without runners: tests/plan and this file show them.
SHOWN_ELSEWHERE = {"git", "changelog-deleted-line", "changelog-no-entry", "runners-skipped"}
# Rules of the fixtures' own policy files.
RULES_OF_FIXTURES = {"image-too-old", "tp1-slow"}


def every_rule_has_a_fixture(binary, env):
    shown = fixture_rules("err") | SHOWN_ELSEWHERE
    return [f"no fixture shows {rule}" for rule in rule_ids(binary, env) if rule not in shown]


def every_rule_is_explained(binary, env):
    listed = rule_ids(binary, env)
    faults = [f"{rule} is listed twice" for rule, count in collections.Counter(listed).items() if count > 1]
    faults += [f"{rule} is not listed" for rule in sorted(fixture_rules("ok", "err") - set(listed) - RULES_OF_FIXTURES)]
    for rule in listed:
        result = run(binary, env, "explain", rule)
        if result.returncode != 0 or not re.match(rf"{rule} \((error|warning|note)\)\n", result.stdout):
            faults.append(f"explain {rule}: exit {result.returncode}: {result.stdout[:80]!r}")
        faults += [f"explain {rule}: no part {part}" for part in ("Wrong:", "Right:")
                   if part not in result.stdout]
    return faults


def skipped_runner_rules_are_said(binary, env):
    with tempfile.TemporaryDirectory() as folder:
        master = Path(folder) / "master.yaml"
        master.write_text("{}\n", encoding="utf-8")
        result = subprocess.run([str(Path(binary).resolve()), "validate", "--kind", "master",
                                 "master.yaml"], cwd=folder, env=env, capture_output=True, text=True)
    said = "note: no runners file" in result.stdout and "[runners-skipped]" in result.stdout
    return [] if result.returncode == 0 and said else [f"{result.returncode}: {result.stdout}"]


def readme_lists_the_rules(binary, env):
    readme = ROOT / "README.md"
    if not readme.exists():
        return []
    block = re.search(r"<!-- rules -->\n+```(?:text)?\n(.*?)```\n+<!-- /rules -->",
                      readme.read_text(encoding="utf-8"), re.DOTALL)
    if not block:
        return ["README.md has no fenced block between <!-- rules --> and <!-- /rules -->"]
    if block[1] != run(binary, env, "explain").stdout:
        return ["README.md's list of rules is not what `generate_sweeps explain` prints"]
    return []


def on_a_terminal(binary, env, *words):
    """What the tool writes when both its outputs are a terminal."""
    ours, its = pty.openpty()
    with subprocess.Popen([binary, *words], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=its, stderr=its,
                          env={**env, "TERM": "xterm-256color"}) as process:
        os.close(its)
        parts = []
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # the terminal's other end is closed
                break
            if not part:
                break
            parts.append(part)
        process.wait(TIMEOUT_SECONDS)
    os.close(ours)
    return b"".join(parts).decode("utf-8", "replace")


def colours_only_on_a_terminal(binary, env):
    words = ("validate", "--kind", "master", "tests/fixtures/err/bad-value-entry.yaml")
    no_color = {**env, "NO_COLOR": "1"}
    texts = (
        ("a terminal", True, on_a_terminal(binary, env, *words)),
        ("a terminal with NO_COLOR", False, on_a_terminal(binary, no_color, *words)),
        ("a terminal with --color never", False, on_a_terminal(binary, env, *words, "--color", "never")),
        ("JSON on a terminal", False, on_a_terminal(binary, env, *words, "--format", "json")),
        ("a pipe", False, run(binary, env, *words).stdout),
        ("a pipe with --color always", True, run(binary, env, *words, "--color", "always").stdout),
    )
    return [f"{where}: {'no colours' if wanted else 'colours'}" for where, wanted, text in texts
            if ("\x1b[" in text) != wanted]


def line_ends_in_a_file_name(binary, env):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "a\r\n::error::b%.yaml").write_text("[]\n", encoding="utf-8")
        (folder / "runners.yaml").write_text(RUNNERS, encoding="utf-8")
        words = ("validate", "--kind", "master", "--runner-config", "runners.yaml", "a\r\n::error::b%.yaml")
        github = run(binary, env, *words, "--format", "github", folder=folder).stdout
        text = run(binary, env, *words, folder=folder).stdout
    faults = []
    if not github.startswith("::error file=a%0D%0A%3A%3Aerror%3A%3Ab%25.yaml,") or github.count("\n") != 1:
        faults.append(f"github: {github!r}")
    if not text.startswith("a\\r\\n::error::b%.yaml:1:1: error: "):
        faults.append(f"text: {text[:200]!r}")
    return faults


def production_files_have_the_known_findings(binary, env):
    data = pathlib.Path(os.environ.get("SWEEP_CONFORMANCE_DIR") or "none") / "data/configs"
    if not data.is_dir():
        return []
    files = [str(data / name) for name in ("amd-master.yaml", "nvidia-master.yaml", "runners.yaml")]
    result = run(binary, env, "validate", "--format", "json", "--runner-config", files[2], *files)
    found = collections.Counter(each["rule"] for each in json.loads(result.stdout)["diagnostics"])
    wanted = {"unknown-runner": 8, "duplicate-row": 1, "duplicate-across-keys": 3}
    return [] if found == wanted and result.returncode == 0 else [f"exit {result.returncode}: {found}"]


TESTS = (many_mistakes_each_at_its_place, skipped_runner_rules_are_said, every_rule_has_a_fixture, every_rule_is_explained,
         readme_lists_the_rules, colours_only_on_a_terminal, line_ends_in_a_file_name,
         production_files_have_the_known_findings)


def tests(binary, env):
    """Pairs of a title and a function that gives the faults found."""
    return [(test.__name__.replace("_", " "), lambda test=test: test(binary, env)) for test in TESTS]
