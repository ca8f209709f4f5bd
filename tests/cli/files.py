"""Cases about files: where results go, and inputs that are no plain files."""

import errno
import json
import os
import pathlib
import resource
import signal
import stat
import subprocess
import tempfile

TIMEOUT_SECONDS = 60

MASTER = """k:
  image: org/image:v1
  model: org/Model
  model-prefix: m
  precision: fp8
  framework: vllm
  runner: mi355x
  multinode: false
  scenarios:
    fixed-seq-len:
    - isl: 1024
      osl: 1024
      search-space:
      - { tp: 8, conc-list: [4] }
"""
RUNNERS = "labels:\n  mi355x: [node_0]\n"
COMMAND = ["full-sweep", "--config-files", "master.yaml", "--runner-config", "runners.yaml"]
HIDDEN = {"master.yaml", "runners.yaml"}


class Folder:
    """A fresh folder with a small config, in which the tool is run."""

    def __init__(self, binary, env, path):
        self.binary, self.env, self.path = binary, env, path
        (path / "master.yaml").write_text(MASTER)
        (path / "runners.yaml").write_text(RUNNERS)
        self.faults = []

    def run(self, *words, stdout=subprocess.PIPE, command=None, before=None):
        return subprocess.run([self.binary, *(command or COMMAND), *words], cwd=self.path,
                              env=self.env, stdin=subprocess.DEVNULL, stdout=stdout,
                              stderr=subprocess.PIPE, text=True, timeout=TIMEOUT_SECONDS,
                              preexec_fn=before, check=False)

    def expect(self, what, holds):
        if not holds:
            self.faults.append(what)

    def expect_status(self, result, status):
        self.expect(f"exit status {result.returncode}, expected {status}: {result.stderr[:200]}",
                    result.returncode == status)
        if status != 0:
            self.expect("something is on standard output", not result.stdout)
            self.expect("nothing on standard error", result.stderr)

    def expect_rows(self, name):
        text = (self.path / name).read_text() if (self.path / name).exists() else ""
        self.expect(f"'{name}' does not hold one line with the row: {text[:100]!r}",
                    text.endswith("]\n") and text.count("\n") == 1 and len(json.loads(text)) == 1)

    def expect_names(self, *names):
        """Nothing lies in the folder but the config and these."""
        found = set(os.listdir(self.path)) - HIDDEN
        self.expect(f"the folder holds {sorted(found)}", found == set(names))


def output_new_file(folder):
    result = folder.run("--output", "rows.json")
    folder.expect_status(result, 0)
    folder.expect("something is on standard output", not result.stdout)
    folder.expect_rows("rows.json")
    folder.expect_names("rows.json")


def output_new_file_follows_the_mask(folder):
    old = os.umask(0o027)
    try:
        folder.expect_status(folder.run("--output", "rows.json"), 0)
    finally:
        os.umask(old)
    mode = stat.S_IMODE((folder.path / "rows.json").stat().st_mode)
    folder.expect(f"the mode is {mode:o}", mode == 0o640)


def output_replaced_file_keeps_its_mode(folder):
    target = folder.path / "rows.json"
    target.write_text("old\n" * 10_000)
    target.chmod(0o604)
    folder.expect_status(folder.run("--output", "rows.json"), 0)
    folder.expect_rows("rows.json")
    mode = stat.S_IMODE(target.stat().st_mode)
    folder.expect(f"the mode is {mode:o}", mode == 0o604)


def output_through_a_link(folder):
    (folder.path / "sub").mkdir()
    (folder.path / "sub" / "real.json").write_text("old\n")
    (folder.path / "link.json").symlink_to("sub/real.json")
    folder.expect_status(folder.run("--output", "link.json"), 0)
    folder.expect("the link is gone", (folder.path / "link.json").is_symlink())
    folder.expect_rows("sub/real.json")
    folder.expect_names("sub", "link.json")
    folder.expect("left in sub", os.listdir(folder.path / "sub") == ["real.json"])


def output_through_a_link_to_a_new_file(folder):
    (folder.path / "sub").mkdir()
    (folder.path / "link.json").symlink_to("sub/new.json")
    folder.expect_status(folder.run("--output", "link.json"), 0)
    folder.expect("the link is gone", (folder.path / "link.json").is_symlink())
    folder.expect_rows("sub/new.json")


def output_through_a_chain_of_links(folder):
    (folder.path / "a.json").symlink_to("b.json")
    (folder.path / "b.json").symlink_to(folder.path / "c.json")
    folder.expect_status(folder.run("--output", "a.json"), 0)
    folder.expect_rows("c.json")
    folder.expect("a link is gone", (folder.path / "a.json").is_symlink() and
                  (folder.path / "b.json").is_symlink())


def output_through_a_loop_of_links(folder):
    (folder.path / "a.json").symlink_to("b.json")
    (folder.path / "b.json").symlink_to("a.json")
    folder.expect_status(folder.run("--output", "a.json"), 3)
    folder.expect_names("a.json", "b.json")


def output_onto_a_folder(folder):
    (folder.path / "out").mkdir()
    folder.expect_status(folder.run("--output", "out"), 3)
    folder.expect("left in out", not os.listdir(folder.path / "out"))
    folder.expect_names("out")


def output_into_a_missing_folder(folder):
    folder.expect_status(folder.run("--output", "none/rows.json"), 3)
    folder.expect_names()


def output_onto_a_full_device(folder):
    folder.expect_status(folder.run("--output", "/dev/full"), 3)
    folder.expect("/dev/full is gone", stat.S_ISCHR(os.stat("/dev/full").st_mode))
    folder.expect_names()


def output_onto_a_pipe(folder):
    os.mkfifo(folder.path / "pipe")
    folder.expect_status(folder.run("--output", "pipe"), 3)
    folder.expect("the pipe is gone", stat.S_ISFIFO((folder.path / "pipe").stat().st_mode))
    folder.expect_names("pipe")


def output_past_the_size_limit(folder):
    (folder.path / "rows.json").write_text("old\n")

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))

    folder.expect_status(folder.run("--output", "rows.json", before=limit), 3)
    folder.expect("the file changed", (folder.path / "rows.json").read_text() == "old\n")
    folder.expect_names("rows.json")


def output_of_refused_input(folder):
    (folder.path / "rows.json").write_text("old\n")
    (folder.path / "master.yaml").write_text(MASTER.replace("tp: 8", "tp: 0"))
    folder.expect_status(folder.run("--output", "rows.json"), 1)
    folder.expect("the file changed", (folder.path / "rows.json").read_text() == "old\n")
    folder.expect_names("rows.json")


def standard_output_full(folder):
    with open("/dev/full", "w", encoding="utf-8") as full:
        folder.expect_status(folder.run(stdout=full), 3)
        folder.expect_status(folder.run(stdout=full, command=["--help"]), 3)
        folder.expect_status(folder.run(stdout=full, command=["--version"]), 3)


def standard_output_without_reader(folder):
    read_end, write_end = os.pipe()
    os.close(read_end)
    with os.fdopen(write_end, "w") as pipe:
        folder.expect_status(folder.run(stdout=pipe), 3)


def standard_output_closed(folder):
    command = '"$0" "$@" >&-'
    result = subprocess.run(["sh", "-c", command, folder.binary, *COMMAND], cwd=folder.path,
                            env=folder.env, capture_output=True, text=True,
                            timeout=TIMEOUT_SECONDS, check=False)
    folder.expect_status(result, 3)


def input_is_a_pipe(folder):
    os.mkfifo(folder.path / "pipe")  # nobody writes: opening it must not wait
    for words in (["--config-files", "pipe"], ["--runner-config", "pipe"]):
        result = folder.run(*words)
        folder.expect_status(result, 1)
        folder.expect("the pipe is not named", "'pipe'" in result.stderr)


def input_is_a_device(folder):
    folder.expect_status(folder.run("--config-files", "/dev/zero"), 1)
    folder.expect_status(folder.run("--config-files", "/dev/full"), 1)


def input_may_not_be_read(folder):
    if os.geteuid() == 0:
        return  # root reads everything
    (folder.path / "master.yaml").chmod(0)
    folder.expect_status(folder.run(), 1)


def input_is_a_link(folder):
    (folder.path / "link.yaml").symlink_to("master.yaml")
    folder.expect_status(folder.run("--config-files", "link.yaml"), 0)
    (folder.path / "broken.yaml").symlink_to("none.yaml")
    result = folder.run("--config-files", "broken.yaml")
    folder.expect_status(result, 1)
    folder.expect(f"no reason: {result.stderr}", os.strerror(errno.ENOENT) in result.stderr)


def input_is_too_large(folder):
    with open(folder.path / "large.yaml", "wb") as large:
        large.truncate(16 * 1024 * 1024 + 1)
    result = folder.run("--config-files", "large.yaml")
    folder.expect_status(result, 1)
    folder.expect("the size is not named", "16 MiB" in result.stderr)


TESTS = [value for name, value in sorted(globals().items())
         if name.startswith(("output_", "standard_", "input_"))]


def tests(binary, env):
    """Pairs of a title and a function that gives the faults found."""
    def run(test):
        with tempfile.TemporaryDirectory() as name:
            folder = Folder(binary, env, pathlib.Path(name))
            try:
                test(folder)
            except subprocess.TimeoutExpired:
                folder.faults.append(f"no end after {TIMEOUT_SECONDS} seconds")
            return folder.faults
    return [(test.__name__.replace("_", " "), lambda test=test: run(test)) for test in TESTS]
