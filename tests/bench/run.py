"""Prints one table: where full-sweep's time goes, beside what yaml-cpp alone takes.

Whole processes are run in turn, so that a busy machine slows all of them alike. Instructions are
counted where valgrind is installed: unlike times they hardly differ from run to run.
"""

import argparse
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

import generate

FILES = ("amd-master.yaml", "nvidia-master.yaml", "runners.yaml")

# Stages as `stages` names them; those indented are parts of the one above, or stand for themselves.
STAGES = [
    ("read", "read the files"),
    ("parse", "parse"),
    ("encoding", "  of which bytes (UTF-8, control characters)"),
    ("skim", "  of which skim (tokens, syntax)"),
    ("floor", "  yaml-cpp's events, done alone"),
    ("shape", "validate: schemas"),
    ("rules", "validate: rules across fields"),
    ("expand", "expand"),
    ("print", "print as JSON"),
]
SUMMED = ("read", "parse", "shape", "rules", "expand", "print")


def output_of(command):
    ran = subprocess.run(command, capture_output=True, text=True)
    if ran.returncode != 0:
        sys.exit(f"bench: {command[0]} failed\n{ran.stderr}")
    return ran.stdout


def stage_medians(stages, files, repetitions):
    """Milliseconds a stage."""
    report = json.loads(output_of([
        stages, "--benchmark_format=json", f"--benchmark_repetitions={repetitions}",
        "--benchmark_min_time=0.02", "--benchmark_enable_random_interleaving=true",
        "--benchmark_report_aggregates_only=true", *files]))
    return {run["run_name"].split("/")[0]: run["real_time"] for run in report["benchmarks"]
            if run["aggregate_name"] == "median"}


def interleaved(measure, commands, runs):
    """For each command: median and least milliseconds, MiB at the peak."""
    samples = {name: [] for name in commands}
    for turn in range(runs + 1):
        for name, command in commands.items():
            nanoseconds, kibibytes = map(int, output_of([measure, *command]).split())
            if turn > 0:  # the first one warms the caches
                samples[name].append((nanoseconds / 1e6, kibibytes / 1024))
    return {name: (statistics.median(time for time, _ in taken), min(time for time, _ in taken),
                   max(memory for _, memory in taken)) for name, taken in samples.items()}


def instructions(command):
    """As callgrind counts them; None where it is not installed."""
    if shutil.which("valgrind") is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        ran = subprocess.run(["valgrind", "--tool=callgrind",
                              f"--callgrind-out-file={folder}/out", *command],
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    counted = re.search(r"Collected : (\d+)", ran.stderr)
    return int(counted[1]) if counted else None


def print_stages(medians):
    print(f"{'stage, in one process':<46}{'median ms':>10}{'of whole':>10}")
    for name, words in STAGES:
        print(f"{words:<46}{medians[name]:>10.2f}{medians[name] / medians['whole']:>10.1%}")
    rest = medians["whole"] - sum(medians[name] for name in SUMMED)
    print(f"{'the rest: typed values, giving memory back':<46}{rest:>10.2f}"
          f"{rest / medians['whole']:>10.1%}")
    print(f"{'whole':<46}{medians['whole']:>10.2f}")
    print(f"{'compiling the schemas, once a process':<46}{medians['schemas']:>10.2f}")


def print_processes(measured, counted, runs):
    print(f"{f'process, {runs} runs in turn':<26}{'median ms':>10}{'least ms':>10}"
          f"{'peak MiB':>10}{'M instructions':>16}")

    def line(name, median, least, memory, count):
        shown = "-" if count is None else f"{count:.1f}" if count >= 10 else f"{count:.2f}"
        print(f"{name:<26}{median:>10.2f}{least:>10.2f}{memory:>10.1f}{shown:>16}")

    for name, values in measured.items():
        count = counted[name]
        line(name, *values, None if count is None else count / 1e6)
    tool, floor = ("generate_sweeps full-sweep", "yaml_floor")
    ratios = [ours / theirs for ours, theirs in zip(measured[tool], measured[floor])]
    both = counted[tool] and counted[floor]
    line("ratio to yaml_floor", *ratios, counted[tool] / counted[floor] if both else None)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("tool", "floor", "stages", "measure"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--configs", type=pathlib.Path, required=True,
                        help="where the production files lie, if they do")
    parser.add_argument("--generated", type=pathlib.Path, required=True,
                        help="where files like them are written if not")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--repetitions", type=int, default=31)
    arguments = parser.parse_args()

    folder = arguments.configs
    if not all((folder / name).is_file() for name in FILES):
        folder = arguments.generated
        generate.write(folder)
    files = [str(folder / name) for name in FILES]
    size = sum(pathlib.Path(file).stat().st_size for file in files)
    print(f"full-sweep of {', '.join(FILES)}: {size / 1000:.0f} kB in {folder}\n")

    commands = {
        "generate_sweeps full-sweep": [arguments.tool, "full-sweep", "--config-files", *files[:-1],
                                       "--runner-config", files[-1]],
        "yaml_floor": [arguments.floor, *files],
        "generate_sweeps --version": [arguments.tool, "--version"],
    }
    print_stages(stage_medians(arguments.stages, files, arguments.repetitions))
    print()
    measured = interleaved(arguments.measure, commands, arguments.runs)
    counted = {name: instructions(command) for name, command in commands.items()}
    print_processes(measured, counted, arguments.runs)


if __name__ == "__main__":
    main()
