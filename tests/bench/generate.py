"""Writes configs of the size and the make of the production ones: always the same.

usage: generate.py FOLDER [--scale N]
"""

import argparse
import itertools
import pathlib

AMD_BYTES = 53_000
NVIDIA_BYTES = 324_000
NODES_PER_LABEL = 12

# Scheduling labels, each with the GPUs of a node.
AMD_RUNNERS = [("cluster:mi300x-amds", 8), ("cluster:mi325x-amds", 8), ("cluster:mi355x-amds", 8)]
NVIDIA_RUNNERS = [("cluster:h100-cw", 8), ("cluster:h200-nb", 8), ("cluster:b200-dgxc", 8)]
MULTINODE_RUNNERS = [("b200-multinode", 8), ("b300", 8), ("gb200", 4), ("gb300", 4)]
RUNNERS = AMD_RUNNERS + NVIDIA_RUNNERS + MULTINODE_RUNNERS
MODELS = [("dsr1", "deepseek-ai/DeepSeek-R1-0528"), ("gptoss", "openai/gpt-oss-120b"),
          ("llama70b", "meta-llama/Llama-3.3-70B-Instruct"), ("qwen3.5", "Qwen/Qwen3.5-397B-A17B")]


def runners():
    lines = ["labels:"]
    for label, _ in RUNNERS:
        lines.append(f"  {label}:")
        node = label.removeprefix("cluster:")
        lines += [f"    - {node}-slurm_{i:02}" for i in range(NODES_PER_LABEL)]
    lines.append("hardware:")
    for label, gpus in RUNNERS:
        lines += [f"  {label}:", "    available-cpu-dram-mib: 2_063_837",
                  f"    gpus-per-node: {gpus}"]
    return "\n".join(lines) + "\n"


def head(number, label, framework, precision, multinode):
    prefix, model = MODELS[number % len(MODELS)]
    family = label.removeprefix("cluster:").split("-")[0]
    lines = [f"{prefix}-{precision}-{family}-{framework}-{number:04}:",
             f"  image: example.com/{framework}/runtime:0.{number % 19}.{number % 7}.post1",
             f"  model: {model}", f"  model-prefix: {prefix}", f"  runner: {label}",
             f"  precision: {precision}", f"  framework: {framework}"]
    if multinode:
        lines += ['  router: { name: dynamo-router, version: "0.8.1.post1" }',
                  "  kv-p2p-transfer: nixl", "  multinode: true", "  disagg: true"]
    else:
        lines += ["  multinode: false"]
    return lines + ["  scenarios:"]


def single_node(number, label):
    framework = ("vllm", "sglang", "atom")[number % 3]
    lines = head(number, label, framework, ("fp8", "fp4")[number % 2], False)
    if number % 4 == 3:
        lines += ["    agentic-coding:", "    - dram-utilization: 0.60", "      search-space:",
                  "      - { tp: 8, ep: 1, kv-offloading: none, conc-list: [1, 4, 8, 16, 32] }",
                  "      - { tp: 4, kv-offloading: dram, kv-offload-backend: { name: lmcache }, "
                  "conc-list: [8, 16] }"]
        return lines
    lines.append("    fixed-seq-len:")
    ep, dp_attn = ((1, "false"), (8, "true"))[number % 2]
    for isl in (1024, 8192):
        lines += [f"    - isl: {isl}", "      osl: 1024", "      search-space:",
                  "      - { tp: 4, conc-start: 4, conc-end: 64 }",
                  f"      - {{ tp: 8, ep: {ep}, dp-attn: {dp_attn}, conc-start: 16, "
                  "conc-end: 64, spec-decoding: mtp }"]
    return lines


def worker(name, workers, size, wide, recipe):
    lines = [f"        {name}:", f"          num-worker: {workers}", f"          tp: {size}",
             f"          ep: {size}", f"          dp-attn: {str(wide).lower()}"]
    if recipe:
        lines += ["          additional-settings:",
                  f"          # https://example.com/recipes/blob/main/recipes/{recipe}",
                  f'          - "CONFIG_FILE=recipes/{recipe}"']
    return lines


def multi_node(number, label):
    lines = head(number, label, "dynamo-trt", ("fp8", "fp4")[number % 2], True)
    lines += ["    fixed-seq-len:", "    - isl: 8192", "      osl: 1024", "      search-space:",
              "      # Configurations with MTP"]
    for row in range(4):
        size = (4, 8, 16, 32)[row]
        recipe = (f"trtllm/{label.removeprefix('cluster:')}/8k1k/mtp/"
                  f"ctx{row + 1}_gen{number % 5 + 1}_dep{size}_batch{8 << row}_eplb0_mtp3.yaml")
        lines += ['      - spec-decoding: "mtp"', f"        conc-list: [{6 << row}, {90 << row}]"]
        lines += worker("prefill", row + 1, 4, True, recipe)
        lines += worker("decode", number % 5 + 1, size, row % 2 == 1, None)
    return lines


def entries(size, makers, single_node_runners):
    blocks, total = [], 0
    for number in itertools.count():
        maker = makers[number % len(makers)]
        chosen = MULTINODE_RUNNERS if maker is multi_node else single_node_runners
        label, _ = chosen[number % len(chosen)]
        block = "\n".join(maker(number, label)) + "\n"
        blocks.append(block)
        total += len(block) + 1
        if total >= size:
            return "\n".join(blocks)


def write(folder, scale=1):
    folder.mkdir(parents=True, exist_ok=True)
    amd = entries(AMD_BYTES * scale, [single_node], AMD_RUNNERS)
    nvidia = entries(NVIDIA_BYTES * scale, [single_node, multi_node, multi_node], NVIDIA_RUNNERS)
    (folder / "amd-master.yaml").write_text(amd)
    (folder / "nvidia-master.yaml").write_text(nvidia)
    (folder / "runners.yaml").write_text(runners())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--scale", type=int, default=1, help="how many times the usual size")
    arguments = parser.parse_args()
    write(arguments.folder, arguments.scale)
