#!/usr/bin/env python3
"""Plans over git repositories made on the fly. usage: tests/plan/run.py BINARY"""
import json
import os
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

BINARY = str(Path(sys.argv[1]).resolve())

MASTER = """\
alpha-fp4-mi355x-vllm:
  image: vllm/vllm-openai-rocm:v0.16.0
  model: org/alpha
  model-prefix: alpha
  precision: fp4
  framework: vllm
  runner: mi355x
  multinode: false
  scenarios:
    fixed-seq-len:
    - isl: 8192
      osl: 1024
      search-space:
      - { tp: 8, conc-list: [16, 32] }
beta-fp8-mi355x-vllm:
  image: vllm/vllm-openai-rocm:v0.16.0
  model: org/beta
  model-prefix: beta
  precision: fp8
  framework: vllm
  runner: mi355x
  multinode: false
  scenarios:
    fixed-seq-len:
    - isl: 1024
      osl: 1024
      search-space:
      - { tp: 4, conc-start: 4, conc-end: 16 }
"""
RUNNERS = "labels:\n  mi355x: [mi355x-a_0, mi355x-a_1]\n"
HISTORY = """\
- config-keys:
  - old-key
  description:
  - First entry
  pr-link: https://github.com/o/r/pull/1
"""


def entry(*keys, **more):
    text = "\n- config-keys:\n" + "".join(f"  - {key}\n" for key in keys)
    text += "  description:\n  - A change\n  pr-link: XXX\n"
    return text + "".join(f"  {name.replace('_', '-')}: {value}\n" for name, value in more.items())


class Repository:
    def __init__(self, folder):
        self.folder = Path(folder)
        self.git("init", "-q")
        self.write("configs/amd-master.yaml", MASTER)
        self.write("configs/runners.yaml", RUNNERS)
        self.write("perf-changelog.yaml", HISTORY)
        self.commit("base")

    def git(self, *args):
        subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@example.invalid", *args],
                       cwd=self.folder, check=True, capture_output=True)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def append(self, text):
        self.write("perf-changelog.yaml", (self.folder / "perf-changelog.yaml").read_text() + text)

    def commit(self, tag):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", tag)
        self.git("tag", tag)

    def plan(self, *flags, base="base", head="head", env=None, cwd=None, status=0):
        result = subprocess.run(
            [BINARY, "plan", f"--base-ref={base}", f"--head-ref={head}", "--config-files",
             "configs/amd-master.yaml", *flags], cwd=cwd or self.folder, capture_output=True,
            text=True, env={**os.environ, "GITHUB_ACTIONS": "", **(env or {})}, timeout=60)
        assert result.returncode == status, (result.returncode, result.stderr)
        if status != 0:
            assert result.stdout == "", result.stdout
            return result.stderr
        return json.loads(result.stdout)


def concurrencies(plan):
    return [(row["model-prefix"], row["conc"])
            for rows in plan["single_node"].values() for row in rows]


def test_rows_and_evals(repo):
    repo.append(entry("alpha-*"))
    repo.commit("head")
    plan = repo.plan()
    assert concurrencies(plan) == [("alpha", 16), ("alpha", 32)]
    assert list(plan["single_node"]) == ["8k1k"] and plan["multi_node"] == {}
    assert [row["conc"] for row in plan["evals"]] == [32]
    assert all(row["eval-only"] for row in plan["evals"])
    assert all(len(row["recipe-fingerprint"]) == 64 for row in plan["single_node"]["8k1k"])
    metadata = plan["changelog_metadata"]
    assert (metadata["base_ref"], metadata["head_ref"]) == ("base", "head")
    assert metadata["entries"][0]["append-only"] is False


def test_trim_keeps_every_recipe(repo):
    repo.append(entry("'*'"))
    repo.commit("head")
    whole, trimmed = repo.plan(), repo.plan("--trim-conc")
    prints = lambda plan: {r["recipe-fingerprint"] for rows in plan["single_node"].values() for r in rows}
    assert prints(whole) == prints(trimmed)
    assert concurrencies(trimmed) == [("alpha", 16), ("beta", 4)]


def test_unknown_key_names_near_ones(repo):
    repo.append(entry("alpha-fp4-mi355x-vlm"))
    repo.commit("head")
    said = repo.plan(status=1)
    assert "perf-changelog.yaml:8:5: error: no config key 'alpha-fp4-mi355x-vlm'" in said, said
    assert "did you mean 'alpha-fp4-mi355x-vllm'" in said


def test_deleted_line_is_shown(repo):
    repo.write("perf-changelog.yaml", HISTORY.replace("First", "Changed") + entry("alpha-*"))
    repo.commit("head")
    said = repo.plan(status=1)
    assert "perf-changelog.yaml:4:1: error" in said and "First entry" in said, said


def test_no_entry(repo):
    repo.append("\n# only a comment\n")
    repo.commit("head")
    assert "changelog-no-entry" in repo.plan(status=1)


def test_append_only(repo):
    repo.write("configs/amd-master.yaml", MASTER.replace("[16, 32]", "[16, 32, 64]"))
    repo.append(entry("alpha-fp4-mi355x-vllm", append_only="true"))
    repo.commit("head")
    assert concurrencies(repo.plan()) == [("alpha", 64)]


def test_append_only_refuses_a_removal(repo):
    repo.write("configs/amd-master.yaml", MASTER.replace("[16, 32]", "[16, 64]"))
    repo.append(entry("alpha-fp4-mi355x-vllm", append_only="true"))
    repo.commit("head")
    said = repo.plan(status=1)
    assert "append-only: concurrency 32 of 'alpha-fp4-mi355x-vllm' was removed" in said, said


def test_append_only_refuses_other_changes(repo):
    text = MASTER.replace("[16, 32]", "[16, 32, 64]").replace("conc-end: 16", "conc-end: 32")
    repo.write("configs/amd-master.yaml", text)
    repo.append(entry("alpha-fp4-mi355x-vllm", append_only="true"))
    repo.commit("head")
    assert "'beta-fp8-mi355x-vllm' changed and is not selected" in repo.plan(status=1)


def test_hostile_refs(repo):
    repo.append(entry("alpha-*"))
    repo.commit("head")
    for ref in ["--output=x", "-", "", "no such ref", "0" * 40, "head\nbase", "$(touch x)", "base:"]:
        said = repo.plan(base=ref, status=1)
        assert "[git]" in said, said
    assert not (repo.folder / "x").exists()


def test_not_a_repository(repo):
    with tempfile.TemporaryDirectory() as folder:
        env = {"GIT_CEILING_DIRECTORIES": str(Path(folder).parent)}
        assert "[git]" in repo.plan(cwd=folder, env=env, status=1)


def test_no_git(repo):
    assert "not on PATH" in repo.plan(env={"PATH": "/nowhere"}, status=1)


def test_attributes_and_configuration_have_no_say(repo):
    repo.append(entry("alpha-*"))
    repo.write(".gitattributes", "perf-changelog.yaml -diff binary\n")
    repo.commit("head")
    repo.git("config", "diff.external", "/bin/false")
    repo.git("config", "diff.algorithm", "patience")
    repo.git("config", "color.diff", "always")
    repo.git("config", "diff.noprefix", "true")
    assert len(concurrencies(repo.plan(env={"GIT_EXTERNAL_DIFF": "/bin/false"}))) == 2


def test_link_in_place_of_a_config(repo):
    (repo.folder / "configs/amd-master.yaml").unlink()
    (repo.folder / "configs/amd-master.yaml").symlink_to("/etc/passwd")
    repo.append(entry("alpha-*"))
    repo.commit("head")
    said = repo.plan(status=1)
    assert "is a symbolic link" in said and "root:" not in said, said


def test_submodule_in_place_of_a_config(repo):
    repo.append(entry("alpha-*"))
    repo.git("rm", "-q", "--cached", "configs/amd-master.yaml")
    (repo.folder / "configs/amd-master.yaml").unlink()
    commit = subprocess.run(["git", "rev-parse", "base"], cwd=repo.folder, capture_output=True,
                            text=True, check=True).stdout.strip()
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{commit},configs/amd-master.yaml")
    repo.git("add", "perf-changelog.yaml")
    repo.git("commit", "-q", "-m", "head")
    repo.git("tag", "head")
    assert "is a submodule" in repo.plan(status=1)


def test_long_changelog(repo):
    repo.append("".join(entry("alpha-*") for _ in range(16000)))
    repo.commit("head")
    assert len(concurrencies(repo.plan())) == 2


def main():
    failed = []
    tests = [(name, test) for name, test in globals().items() if name.startswith("test_")]
    for name, test in tests:
        with tempfile.TemporaryDirectory() as folder:
            try:
                test(Repository(folder))
            except Exception:
                failed.append(name)
                print(f"{name} failed:\n{traceback.format_exc()}")
    print(f"plans: {len(tests) - len(failed)} of {len(tests)} hold")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
