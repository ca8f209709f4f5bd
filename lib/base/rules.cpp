#include "sweep/rules.h"

#include <algorithm>
#include <iterator>

namespace sweep {
namespace {

// An example starts on the line below its opening quote, so that its indentation can be seen.
constexpr std::string_view example(std::string_view raw) { return raw.substr(1); }

constexpr RuleInfo table[] = {
    // -- reading files --------------------------------------------------------------------------
    {.id = "yaml-encoding",
     .title = "the file is not clean UTF-8",
     .explanation =
         "A YAML file must be UTF-8. Other encodings, bytes that are not UTF-8, control characters "
         "and a carriage return without a line feed are refused. Editors, git and YAML loaders "
         "treat such bytes in different ways, so the reviewer and the CI job would read two "
         "different files. A byte-order mark and CRLF line ends are fine.",
     .wrong = example(R"(
iconv -f UTF-8 -t UTF-16 draft.yaml > configs/trial.yaml
generate_sweeps full-sweep --config-files configs/trial.yaml)"),
     .right = example(R"(
iconv -f UTF-8 -t UTF-8 draft.yaml > configs/trial.yaml
generate_sweeps full-sweep --config-files configs/trial.yaml)")},
    {.id = "yaml-syntax",
     .title = "the text is not well-formed YAML",
     .explanation =
         "The text breaks the rules of YAML, or the file holds a second document. Loaders differ "
         "in how they mend a missing quote or bracket. A mended file may run another layout than "
         "the one meant, on reserved nodes and without an error. An unclosed bracket or quote is "
         "reported where it was opened, because that is where it has to be put right.",
     .wrong = example(R"(
      search-space:
      - { tp: 8, conc-list: [4, 8 })"),
     .right = example(R"(
      search-space:
      - { tp: 8, conc-list: [4, 8] })")},
    {.id = "yaml-limit",
     .title = "nesting, alias expansion or an integer beyond the limits",
     .explanation =
         "A file may nest at most 64 levels, its aliases may expand to at most 1,000,000 values, "
         "and an integer must fit into 64 bits. Configs in use stay far below that. A deeper or "
         "larger file is a slip or an attack, and reading it could use up the memory of the CI "
         "machine. A longer integer would be rounded or cut without a word; quote it if it is a "
         "text, such as a build number.",
     .wrong = example(R"(
  router:
    name: vllm-router
    version: 20260813120000000000)"),
     .right = example(R"(
  router:
    name: vllm-router
    version: "20260813120000000000")")},
    {.id = "yaml-tag",
     .title = "a tag that is not supported, or a value that does not fit its tag",
     .explanation =
         "The tags !!str, !!int, !!float, !!bool, !!null, !!seq and !!map are read, and the value "
         "must fit its tag. All other tags are refused, such as one that another tool fills from "
         "an environment variable. A private tag means something in one loader and nothing in "
         "the next. The file would no longer say which image or layout a job runs.",
     .wrong = example(R"(
  image: !env VLLM_IMAGE
  precision: fp4)"),
     .right = example(R"(
  image: vllm/vllm-openai-rocm:v0.27.1
  precision: fp4)")},
    {.id = "yaml-duplicate-key",
     .title = "the same key twice in one mapping",
     .explanation =
         "A mapping may hold each key once. Most loaders keep the last of two equal keys and drop "
         "the other in silence. The job would then run with a value that the reviewer, who read "
         "the first one, never saw. Both places are shown. A field that overrides one from a merge "
         "(<<) is no duplicate.",
     .wrong = example(R"(
      search-space:
      - tp: 8
        conc-list: [4, 8]
        tp: 4)"),
     .right = example(R"(
      search-space:
      - tp: 4
        conc-list: [4, 8])")},
    {.id = "yaml-ambiguous-scalar",
     .severity = Severity::warning,
     .title = "a value that YAML 1.1 and 1.2 read differently",
     .explanation =
         "Values are read as YAML 1.1 does: yes, no, on and off are booleans, a number with a "
         "leading zero is octal, and digits with colons are base 60. A YAML 1.2 tool reads the "
         "same text as a string or as another number. So 'tp: 010' asks for 8 GPUs here, and other "
         "tools and most readers take it for 10. Write true or false and plain decimal numbers, or "
         "quote the value where a text is meant.",
     .wrong = example(R"(
      search-space:
      - { tp: 010, dp-attn: yes, conc-list: [64, 128] })"),
     .right = example(R"(
      search-space:
      - { tp: 8, dp-attn: true, conc-list: [64, 128] })")},
    {.id = "json-syntax",
     .title = "a JSON input that is not valid JSON",
     .explanation =
         "A JSON input, such as a plan or a list of matrix rows, must be valid JSON, nested at "
         "most 64 levels, with each key once in an object. Comments, trailing commas and single "
         "quotes are refused. The workflow's own JSON parser would reject such a text, and no job "
         "of the matrix would start. Of two equal keys one would be lost in silence.",
     .wrong = example(R"(
[
  {"runner": "mi355x", "framework": "vllm",}
])"),
     .right = example(R"(
[
  {"runner": "mi355x", "framework": "vllm"}
])")},
    {.id = "file",
     .title = "a file that cannot be read",
     .explanation =
         "A file named on the command line cannot be read. It is not there, it is a directory or a "
         "device, it may not be opened, or it is larger than 16 MiB. The run stops. Without the "
         "file, its entries would be missing from the matrix, and a green check would stand for "
         "fewer jobs than meant.",
     .wrong = example(R"(
generate_sweeps full-sweep \
  --config-files configs/amd-masters.yaml)"),
     .right = example(R"(
generate_sweeps full-sweep \
  --config-files configs/amd-master.yaml)")},

    // -- fields ---------------------------------------------------------------------------------
    {.id = "missing-field",
     .title = "a required field is not there",
     .explanation =
         "A required field is missing. It has no default on purpose, because any value would be a "
         "guess about the recipe. A guessed precision, length or tensor parallel size would be "
         "measured for hours and published as if someone had chosen it.",
     .wrong = example(R"(
    fixed-seq-len:
    - isl: 8192
      search-space:
      - { tp: 8, conc-list: [4, 8] })"),
     .right = example(R"(
    fixed-seq-len:
    - isl: 8192
      osl: 1024
      search-space:
      - { tp: 8, conc-list: [4, 8] })")},
    {.id = "unknown-field",
     .title = "a field that is not known here",
     .explanation =
         "A field that the schema does not know is refused, at every level. It is nearly always a "
         "misspelling, such as dp_attn for dp-attn, or it stands one level too high or too low. "
         "If it were ignored, the default would be used instead. The job would then measure "
         "another layout than the one in the file, without any error.",
     .wrong = example(R"(
      search-space:
      - { tp: 8, ep: 8, dp_attn: true, conc-list: [64, 128] })"),
     .right = example(R"(
      search-space:
      - { tp: 8, ep: 8, dp-attn: true, conc-list: [64, 128] })")},
    {.id = "wrong-type",
     .title = "a value of the wrong type",
     .explanation =
         "The value has another type than the field takes: a quoted number, a number for a "
         "boolean, one value where a list belongs. Values are never converted, because a "
         "conversion hides slips. An unquoted version 1_000, for example, is the number 1000 in "
         "YAML, and the job would install another release than the one in the file. Quote a value "
         "that is meant as a text, and only that.",
     .wrong = example(R"(
      search-space:
      - { tp: "8", dp-attn: 1, conc-list: 64 })"),
     .right = example(R"(
      search-space:
      - { tp: 8, dp-attn: true, conc-list: [64] })")},
    {.id = "bad-value",
     .title = "a value that is not allowed",
     .explanation =
         "The value has the right type but is not allowed: it is not one of the choices, it is out "
         "of range, it is empty, or it has the wrong form. Nothing on the way to the node looks at "
         "it again. The job would wait for its node, pull the image, load the weights and only "
         "then fail, or run with a setting that the server ignores.",
     .wrong = example(R"(
      search-space:
      - { tp: 8, spec-decoding: eagle, conc-list: [0, 4] })"),
     .right = example(R"(
      search-space:
      - { tp: 8, spec-decoding: draft_model, conc-list: [1, 4] })")},

    // -- config keys ----------------------------------------------------------------------------
    {.id = "key-wildcard",
     .title = "a config key with '*' in it",
     .explanation =
         "A config key must not hold a '*'. In a changelog entry and on the command line '*' makes "
         "a pattern over the keys. A key with a '*' in its name could not be asked for alone: the "
         "request would select other entries too, and run jobs that nobody wanted.",
     .wrong = example(R"(
dsv4-fp4-mi355x-*:
  image: vllm/vllm-openai-rocm:v0.27.1)"),
     .right = example(R"(
dsv4-fp4-mi355x-vllm:
  image: vllm/vllm-openai-rocm:v0.27.1)")},
    {.id = "key-duplicate",
     .title = "the same config key in two files",
     .explanation =
         "Master configs that are given together are read as one, so a config key may stand in "
         "only one of them. With two entries, the order of the files on the command line would "
         "decide which one counts. A change to the other one would be reviewed and merged and "
         "never run.",
     .wrong = example(R"(
# configs/amd-master.yaml
dsv4-fp4-mi355x-vllm:
  image: vllm/vllm-openai-rocm:v0.27.1
# configs/amd-trial.yaml
dsv4-fp4-mi355x-vllm:
  image: vllm/vllm-openai-rocm:v0.28.0)"),
     .right = example(R"(
# configs/amd-master.yaml
dsv4-fp4-mi355x-vllm:
  image: vllm/vllm-openai-rocm:v0.27.1
# configs/amd-trial.yaml
dsv4-fp4-mi355x-vllm-trial:
  image: vllm/vllm-openai-rocm:v0.28.0)")},
    {.id = "key-unknown",
     .title = "a key or pattern that matches no config key",
     .explanation =
         "A key or pattern on the command line or in a changelog matches no config key. It is "
         "misspelt, or the entry was renamed or removed. If it were passed over, the change would "
         "be merged without its sweep, and the published curve would stay the old one. The keys "
         "with the nearest names are listed.",
     .wrong = example(R"(
generate_sweeps test-config --config-files configs/amd-master.yaml \
  --config-keys dsv4-fp4-mi355x-vlm)"),
     .right = example(R"(
generate_sweeps test-config --config-files configs/amd-master.yaml \
  --config-keys dsv4-fp4-mi355x-vllm)")},

    // -- entries and rows -----------------------------------------------------------------------
    {.id = "scenario-missing",
     .title = "an entry without a scenario",
     .explanation =
         "An entry needs at least one item in 'fixed-seq-len' or 'agentic-coding'. Without one it "
         "makes no job at all. A pull request that names it would turn green without a single "
         "measurement.",
     .wrong = example(R"(
  scenarios:
    fixed-seq-len: [])"),
     .right = example(R"(
  scenarios:
    fixed-seq-len:
    - isl: 1024
      osl: 1024
      search-space:
      - { tp: 8, conc-list: [4, 8] })")},
    {.id = "conc-both",
     .title = "a row with both a concurrency range and a list",
     .explanation =
         "A row gives its concurrencies either as a range, 'conc-start' and 'conc-end', or as "
         "'conc-list'. With both, one would win in silence. The points of the other would be "
         "missing from the curve, and the gap would look like a limit of the recipe.",
     .wrong = example(R"(
      search-space:
      - { tp: 8, conc-start: 4, conc-end: 64, conc-list: [96] })"),
     .right = example(R"(
      search-space:
      - { tp: 8, conc-list: [4, 8, 16, 32, 64, 96] })")},
    {.id = "conc-missing",
     .title = "a row without concurrencies",
     .explanation =
         "A row needs its concurrencies, as 'conc-start' and 'conc-end' or as 'conc-list'. Without "
         "them nobody knows how many requests to send, so the row makes no job. There is no "
         "default, because the points that make sense depend on the memory that the layout leaves "
         "to the KV cache.",
     .wrong = example(R"(
      search-space:
      - { tp: 8, ep: 8 })"),
     .right = example(R"(
      search-space:
      - { tp: 8, ep: 8, conc-start: 4, conc-end: 64 })")},
    {.id = "conc-range-incomplete",
     .title = "a concurrency range with one end only",
     .explanation =
         "A range needs both 'conc-start' and 'conc-end'. The other end would be a guess. Too high "
         "a guess fills the nodes with jobs in which requests only wait for KV cache, and too low "
         "a guess cuts the curve short. For a single point write a 'conc-list' of one.",
     .wrong = example(R"(
      search-space:
      - { tp: 8, conc-start: 4 })"),
     .right = example(R"(
      search-space:
      - { tp: 8, conc-start: 4, conc-end: 64 })")},
    {.id = "conc-range-reversed",
     .title = "a concurrency range that starts above its end",
     .explanation =
         "'conc-start' must not be greater than 'conc-end'. The concurrencies climb from the start "
         "to the end, step by step. A range that starts above its end has nothing to climb: it "
         "would give one point or none, and the points between the two would be missing from the "
         "curve.",
     .wrong = example(R"(
      search-space:
      - { tp: 8, conc-start: 64, conc-end: 4 })"),
     .right = example(R"(
      search-space:
      - { tp: 8, conc-start: 4, conc-end: 64 })")},
    {.id = "dcp-divides-tp",
     .title = "a tp that is not divisible by dcp-size",
     .explanation =
         "'tp' must be divisible by 'dcp-size', in a row and in a worker. Decode context "
         "parallelism adds no GPUs. It divides the TP ranks into groups of 'dcp-size' that share "
         "the KV cache among them. With a remainder some ranks have no group, and the server stops "
         "while it starts, after the job has waited for its node and pulled the image.",
     .wrong = example(R"(
      search-space:
      - { tp: 8, dcp-size: 3, conc-list: [4, 8] })"),
     .right = example(R"(
      search-space:
      - { tp: 8, dcp-size: 4, conc-list: [4, 8] })")},
    {.id = "hardware-pair",
     .title = "hardware on one of prefill and decode only",
     .explanation =
         "'hardware' says on which machines a worker runs when prefill and decode use different "
         "ones. Give it for both workers or for none. With one name only, the launch script would "
         "have to guess the machines of the other worker. The job could start on the wrong ones, "
         "and its result would be compared with runs on other hardware.",
     .wrong = example(R"(
      search-space:
      - conc-list: [8]
        prefill: { num-worker: 1, tp: 8, ep: 1, dp-attn: false, hardware: mi325x }
        decode: { num-worker: 1, tp: 8, ep: 1, dp-attn: false })"),
     .right = example(R"(
      search-space:
      - conc-list: [8]
        prefill: { num-worker: 1, tp: 8, ep: 1, dp-attn: false, hardware: mi325x }
        decode: { num-worker: 1, tp: 8, ep: 1, dp-attn: false, hardware: mi355x })")},
    {.id = "row-topology",
     .title = "an agentic row that is not of its entry's kind",
     .explanation =
         "An agentic row is single-node, with 'tp', or multi-node, with both 'prefill' and "
         "'decode', and it must be of the kind that its entry's 'multinode' says. The two kinds go "
         "to different workflow jobs and launch scripts. A row of the wrong kind would reach a "
         "script that does not know its fields. A row with one worker would wait for a partner "
         "that never starts.",
     .wrong = example(R"(
  multinode: true
  scenarios:
    agentic-coding:
    - search-space:
      - { tp: 8, kv-offloading: none, conc-list: [4, 8] })"),
     .right = example(R"(
  multinode: false
  scenarios:
    agentic-coding:
    - search-space:
      - { tp: 8, kv-offloading: none, conc-list: [4, 8] })")},
    {.id = "multinode-row-field",
     .title = "a layout field beside prefill and decode in an agentic row",
     .explanation =
         "In a multi-node agentic row the layout belongs into the workers. 'pp', 'dcp-size', "
         "'pcp-size', 'ep' and 'dp-attn' beside 'prefill' and 'decode' would reach neither of "
         "them. The servers would start with the workers' own values, and the file would claim a "
         "layout that was never measured.",
     .wrong = example(R"(
    agentic-coding:
    - search-space:
      - conc-list: [8]
        dp-attn: true
        prefill: { num-worker: 1, tp: 8, ep: 8, dp-attn: false }
        decode: { num-worker: 1, tp: 8, ep: 8, dp-attn: false })"),
     .right = example(R"(
    agentic-coding:
    - search-space:
      - conc-list: [8]
        prefill: { num-worker: 1, tp: 8, ep: 8, dp-attn: true }
        decode: { num-worker: 1, tp: 8, ep: 8, dp-attn: true })")},
    {.id = "kv-offload-backend-required",
     .title = "kv-offloading: dram without a backend",
     .explanation =
         "'kv-offloading: dram' needs 'kv-offload-backend'. Each backend moves KV blocks to host "
         "memory in its own way and is switched on by its own server flags. Without a name the "
         "launch script cannot choose them. The job would fail, or it would run without offloading "
         "and be published as if it had used it.",
     .wrong = example(R"(
      search-space:
      - tp: 8
        kv-offloading: dram
        conc-list: [16, 32])"),
     .right = example(R"(
      search-space:
      - tp: 8
        kv-offloading: dram
        kv-offload-backend: { name: lmcache }
        conc-list: [16, 32])")},
    {.id = "kv-offload-backend-unexpected",
     .title = "an offload backend where nothing is offloaded",
     .explanation =
         "'kv-offload-backend' goes only with 'kv-offloading: dram'. With 'none', or without the "
         "field, no backend is started. The result would be filed under a backend that did not "
         "run, or the offloading that someone meant to measure would be off.",
     .wrong = example(R"(
      search-space:
      - tp: 8
        kv-offloading: none
        kv-offload-backend: { name: lmcache }
        conc-list: [16, 32])"),
     .right = example(R"(
      search-space:
      - tp: 8
        kv-offloading: none
        conc-list: [16, 32])")},
    {.id = "dram-utilization-required",
     .title = "offloading to DRAM without dram-utilization",
     .explanation =
         "An agentic-coding item with a row of 'kv-offloading: dram' needs 'dram-utilization', the "
         "share of the host memory that offloading may take. The job's memory budget is reckoned "
         "from it. There is no default: with too much the kernel kills the server when memory runs "
         "out, and with too little the cache that is measured is smaller than the one meant.",
     .wrong = example(R"(
    agentic-coding:
    - search-space:
      - tp: 8
        kv-offloading: dram
        kv-offload-backend: { name: lmcache }
        conc-list: [16, 32])"),
     .right = example(R"(
    agentic-coding:
    - dram-utilization: 0.6
      search-space:
      - tp: 8
        kv-offloading: dram
        kv-offload-backend: { name: lmcache }
        conc-list: [16, 32])")},
    {.id = "component-scope",
     .title = "router or kv-p2p-transfer both in the entry and in a row",
     .explanation =
         "'router' and 'kv-p2p-transfer' stand either at the top of the entry, for all its rows, "
         "or in the rows. With both, one would win in silence. A version raised at the top would "
         "miss the rows that carry their own, and one curve would mix two routers. A null in a row "
         "is allowed: it switches the entry's value off for that row.",
     .wrong = example(R"(
  router: { name: vllm-router, version: "0.1.14" }
  scenarios:
    fixed-seq-len:
    - isl: 8192
      osl: 1024
      search-space:
      - { tp: 8, conc-list: [4], router: { name: vllm-router, version: "0.1.12" } })"),
     .right = example(R"(
  router: { name: vllm-router, version: "0.1.14" }
  scenarios:
    fixed-seq-len:
    - isl: 8192
      osl: 1024
      search-space:
      - { tp: 8, conc-list: [4] })")},
    {.id = "transfer-required",
     .title = "disagg: true without kv-p2p-transfer",
     .explanation =
         "With 'disagg: true' prefill and decode are different servers, and the KV cache has to "
         "travel from one to the other. 'kv-p2p-transfer' names what carries it, at the top of the "
         "entry or in every row. Without it the KV cache never reaches the decode server. Requests "
         "would hang or fail, and several nodes would be held until the job times out.",
     .wrong = example(R"(
  framework: sglang-disagg
  multinode: true
  disagg: true)"),
     .right = example(R"(
  framework: sglang-disagg
  multinode: true
  disagg: true
  kv-p2p-transfer: mori)")},
    {.id = "transfer-single-node",
     .title = "kv-p2p-transfer in a single-node entry",
     .explanation =
         "'kv-p2p-transfer' carries the KV cache between the prefill and decode servers of a "
         "multi-node entry. A single-node row has one server, so there is nothing to carry. The "
         "field would have no effect. Most likely the entry was copied from a multi-node one, or "
         "it was meant to be one and would run the wrong job.",
     .wrong = example(R"(
  framework: vllm
  multinode: false
  kv-p2p-transfer: nixl)"),
     .right = example(R"(
  framework: vllm
  multinode: false)")},

    // -- runners and their machines -------------------------------------------------------------
    {.id = "agentic-runner",
     .title = "an agentic scenario on a runner that is no cluster",
     .explanation =
         "An entry with 'agentic-coding' needs a runner that starts with 'cluster:'. Agentic jobs "
         "depend on the host memory of their node, and a cluster label stands for machines of one "
         "site that are alike. Any other label is a pool that may mix sites. The points of one "
         "curve would come from different machines and could not be compared.",
     .wrong = example(R"(
  runner: mi355x
  scenarios:
    agentic-coding:
    - search-space:
      - { tp: 8, kv-offloading: none, conc-list: [4, 8] })"),
     .right = example(R"(
  runner: cluster:mi355x-amds
  scenarios:
    agentic-coding:
    - search-space:
      - { tp: 8, kv-offloading: none, conc-list: [4, 8] })")},
    {.id = "runner-hardware-missing",
     .title = "offloading to DRAM on a runner without hardware facts",
     .explanation =
         "A row with 'kv-offloading: dram' runs on a label that has no entry under 'hardware' in "
         "the runners file. The job's memory budget is reckoned from 'available-cpu-dram-mib' and "
         "'gpus-per-node' there. Without them there is only a guess. Too high a guess gets the "
         "server killed for lack of memory, and too low a guess measures a cache that is too "
         "small.",
     .wrong = example(R"(
# the runners file; a row on this label has kv-offloading: dram
labels:
  cluster:mi355x-amds: [mi355x-amds-a_00, mi355x-amds-a_01])"),
     .right = example(R"(
# the runners file; a row on this label has kv-offloading: dram
labels:
  cluster:mi355x-amds: [mi355x-amds-a_00, mi355x-amds-a_01]
hardware:
  cluster:mi355x-amds: { available-cpu-dram-mib: 3095781, gpus-per-node: 8 })")},
    {.id = "gpus-exceed-node",
     .title = "a single-node row that needs more GPUs than a node has",
     .explanation =
         "A single-node row with 'kv-offloading: dram' needs more GPUs (tp × pp × pcp-size) than "
         "'gpus-per-node' of its runner. The job would take a node and fail as soon as the server "
         "asks for a GPU that is not there. Its share of the host memory, which goes by GPUs, "
         "would come out larger than the share of the whole node.",
     .wrong = example(R"(
      # nodes of 8 GPUs
      search-space:
      - tp: 8
        pp: 2
        kv-offloading: dram
        kv-offload-backend: { name: lmcache }
        conc-list: [16, 32])"),
     .right = example(R"(
      # nodes of 8 GPUs
      search-space:
      - tp: 4
        pp: 2
        kv-offloading: dram
        kv-offload-backend: { name: lmcache }
        conc-list: [16, 32])")},
    {.id = "worker-tiling",
     .title = "prefill replicas that do not fill nodes evenly",
     .explanation =
         "In a multi-node row with 'kv-offloading: dram' the GPUs of a prefill replica (tp × pp "
         "× pcp-size) must divide 'gpus-per-node' or be a multiple of it. Otherwise a replica ends "
         "in the middle of a node, and its share of the host memory differs from node to node. "
         "One budget for all would leave memory unused on one node and get the server killed on "
         "another.",
     .wrong = example(R"(
      # nodes of 8 GPUs
      search-space:
      - kv-offloading: dram
        kv-offload-backend: { name: hicache }
        conc-list: [16, 32]
        prefill: { num-worker: 2, tp: 6, ep: 1, dp-attn: false }
        decode: { num-worker: 1, tp: 8, ep: 1, dp-attn: false })"),
     .right = example(R"(
      # nodes of 8 GPUs
      search-space:
      - kv-offloading: dram
        kv-offload-backend: { name: hicache }
        conc-list: [16, 32]
        prefill: { num-worker: 2, tp: 4, ep: 1, dp-attn: false }
        decode: { num-worker: 1, tp: 8, ep: 1, dp-attn: false })")},
    {.id = "unknown-runner",
     .severity = Severity::warning,
     .title = "a runner label that the runners file does not list",
     .explanation =
         "The runner label is not under 'labels' in the runners file, so no known node answers to "
         "it. It is misspelt, or the label was removed. The jobs would queue for a machine that "
         "never comes, and the workflow run would stay open until CI gives up on it.",
     .wrong = example(R"(
  runner: mi355
  precision: fp4)"),
     .right = example(R"(
  runner: mi355x
  precision: fp4)")},

    // -- what is probably not meant -------------------------------------------------------------
    {.id = "duplicate-row",
     .severity = Severity::warning,
     .title = "two rows of one config key that make the same job",
     .explanation =
         "Two search-space rows of one config key expand to the same matrix row at one or more "
         "concurrencies. The same point is measured twice and takes its GPUs twice. Both results "
         "go by the same name, so nobody can tell them apart. The finding names the concurrencies "
         "and the GPUs that the copy wastes.",
     .wrong = example(R"(
      search-space:
      - { tp: 8, conc-start: 4, conc-end: 16 }
      - { tp: 8, conc-list: [16, 32] })"),
     .right = example(R"(
      search-space:
      - { tp: 8, conc-start: 4, conc-end: 16 }
      - { tp: 8, conc-list: [32] })")},
    {.id = "duplicate-across-keys",
     .severity = Severity::note,
     .title = "rows of two config keys that make the same job",
     .explanation =
         "Two config keys expand to the same matrix row at one or more concurrencies. That may be "
         "meant, as an A/B run, so validate says it as a note. It is a warning where one run "
         "selects both keys, because that run spends GPUs on the same measurement twice. If one of "
         "the keys is a leftover copy, remove it.",
     .wrong = example(R"(
gptoss-fp4-mi300x-vllm: &gptoss
  image: vllm/vllm-openai-rocm:v0.27.1
  # and the other fields
gptoss-fp4-mi300x-vllm-next:
  <<: *gptoss)"),
     .right = example(R"(
gptoss-fp4-mi300x-vllm: &gptoss
  image: vllm/vllm-openai-rocm:v0.27.1
  # and the other fields
gptoss-fp4-mi300x-vllm-next:
  <<: *gptoss
  image: vllm/vllm-openai-rocm:v0.28.0)")},
    {.id = "undispatched-length",
     .severity = Severity::warning,
     .title = "a pair of lengths that no workflow job picks up",
     .explanation =
         "The workflow has jobs for two pairs of lengths: isl 1024 with osl 1024, and isl 8192 "
         "with osl 1024. Rows of any other pair are expanded, but no job takes them. They would "
         "never be measured, and the workflow would be green all the same.",
     .wrong = example(R"(
    fixed-seq-len:
    - isl: 1024
      osl: 8192
      search-space:
      - { tp: 8, conc-list: [4, 8] })"),
     .right = example(R"(
    fixed-seq-len:
    - isl: 8192
      osl: 1024
      search-space:
      - { tp: 8, conc-list: [4, 8] })")},
    {.id = "image-mutable-tag",
     .severity = Severity::warning,
     .title = "an image whose content may change under its name",
     .explanation =
         "The image has neither a tag nor a digest, or its tag moves: latest, nightly, main or "
         "dev. The same config would run another server tomorrow, and two points of one curve may "
         "come from two builds. When a result drops, the image that gave the better one cannot be "
         "found again. Name a release tag or a digest.",
     .wrong = example(R"(
  image: vllm/vllm-openai-rocm:nightly
  framework: vllm)"),
     .right = example(R"(
  image: vllm/vllm-openai-rocm:v0.27.1
  framework: vllm)")},
    {.id = "unmatched-filter",
     .severity = Severity::warning,
     .title = "a filter value that no entry can match",
     .explanation =
         "A value given to a filter, such as --framework or --precision, matches no entry of the "
         "configs. The run goes on, because an empty result can be right. A misspelt value gives "
         "one too, though, and the workflow then ends green without a single job. Near names are "
         "listed.",
     .wrong = example(R"(
generate_sweeps full-sweep --config-files configs/amd-master.yaml \
  --framework vlm)"),
     .right = example(R"(
generate_sweeps full-sweep --config-files configs/amd-master.yaml \
  --framework vllm)")},
    {.id = "runners-skipped",
     .severity = Severity::note,
     .title = "no runners file, so its rules were skipped",
     .explanation =
         "Without a runners file nobody can tell whether a label has machines, or whether a "
         "layout fits into a node. The note says that those rules were not applied.",
     .wrong = example(R"(
generate_sweeps validate other/configs/amd-master.yaml)"),
     .right = example(R"(
generate_sweeps validate other/configs/amd-master.yaml \
  --runner-config other/configs/runners.yaml)")},
    {.id = "limit-rows",
     .title = "more rows than --max-rows",
     .explanation =
         "One run may make as many rows as --max-rows says, 100,000 by default. Every row is a job "
         "on real GPUs, and a matrix on GitHub holds 256. So many rows come from a slip, such as a "
         "far too long list or a filter that was left out. They would use up the memory of the CI "
         "machine and overrun the limit on a job's outputs. Narrow the selection, or raise the "
         "limit on purpose.",
     .wrong = example(R"(
generate_sweeps full-sweep --config-files configs/amd-master.yaml \
  --max-rows 50)"),
     .right = example(R"(
generate_sweeps full-sweep --config-files configs/amd-master.yaml \
  --max-rows 50 --model-prefix gptoss)")},

    // -- policy: well-formed rows that cannot run ----------------------------------------------
    {.id = "moe-backend-registered",
     .title = "a MoE backend that the server does not know",
     .explanation =
         "The name under 'moe-backend' must be one that the server registers: aiter, deep_gemm, "
         "deep_gemm_mega_moe, flashinfer_mxfp4, flydsl, flydsl_mega_moe or triton. With another "
         "name the server stops at once, after the nodes were taken and the image was pulled.",
     .wrong = example(R"(
      - { tp: 8, moe-backend: atier, conc-list: [4] })"),
     .right = example(R"(
      - { tp: 8, moe-backend: aiter, conc-list: [4] })")},
    {.id = "moe-backend-runnable",
     .title = "a MoE backend that is registered and cannot run",
     .explanation =
         "The server knows 'flydsl_mega_moe', but the backend's intra-node kernel imports "
         "mori.ir.flydsl, which no published image ships. The job starts, loads the model, and "
         "dies deep inside a kernel.",
     .wrong = example(R"(
      - { tp: 8, moe-backend: flydsl_mega_moe, conc-list: [4] })"),
     .right = example(R"(
      - { tp: 8, moe-backend: flydsl, conc-list: [4] })")},
    {.id = "dep8-out-of-scope",
     .title = "a DEP8 layout where no MegaMoE backend runs",
     .explanation =
         "On the vLLM route for DeepSeek-V4 on MI355X a DEP8 layout (tp 8, ep 8, dp-attn) needs "
         "a MegaMoE backend, and none runs there. Use TP8. The rule is for framework vllm, "
         "hardware mi355x and model-prefix dsv4; the workers of multi-node rows are not "
         "concerned.",
     .wrong = example(R"(
      - { tp: 8, ep: 8, dp-attn: true, conc-list: [64] })"),
     .right = example(R"(
      - { tp: 8, conc-list: [64] })")},
    {.id = "env-reserved",
     .title = "a name under env that the workflow sets itself",
     .explanation =
         "The workflow sets variables such as TP, CONC and MODEL from the row, and the runner "
         "sets PATH and what starts with GITHUB_, RUNNER_, ACTIONS_, PREFILL_ or DECODE_. A "
         "second value would run another job than the row says, and its result would stand under "
         "the wrong name.",
     .wrong = example(R"(
      - { tp: 8, conc-list: [4], env: { CONC: 8 } })"),
     .right = example(R"(
      - { tp: 8, conc-list: [8] })")},

    // -- policy files and waivers --------------------------------------------------------------
    {.id = "policy-schema",
     .title = "a policy rule that is no valid schema",
     .explanation =
         "Each rule of a policy file is a JSON Schema of draft 7. A keyword whose value has the "
         "wrong form would be read differently by each validator, so the file is refused.",
     .wrong = example(R"(
allOf:
- title: no-tp16
  description: No node has 16 GPUs.
  x-message: "tp {tp} does not fit"
  properties: [tp])"),
     .right = example(R"(
allOf:
- title: no-tp16
  description: No node has 16 GPUs.
  x-message: "tp {tp} does not fit"
  properties: { tp: { maximum: 8 } })")},
    {.id = "policy-title",
     .title = "a policy rule with the name of another rule",
     .explanation =
         "The title of a policy rule is its id: findings show it and waivers name it. A title that "
         "is used twice, or is the id of a built-in rule, would let a waiver of one rule hide the "
         "findings of another.",
     .wrong = example(R"(
allOf:
- title: dcp-divides-tp
  description: No node has 16 GPUs.
  x-message: "tp {tp} does not fit"
  properties: { tp: { maximum: 8 } })"),
     .right = example(R"(
allOf:
- title: no-tp16
  description: No node has 16 GPUs.
  x-message: "tp {tp} does not fit"
  properties: { tp: { maximum: 8 } })")},
    {.id = "policy-keyword",
     .title = "an unknown keyword in a policy rule",
     .explanation =
         "Validators pass over keywords that they do not know, so a misspelt one would let every "
         "row through. Keywords of draft 7 that change nothing here, such as 'format' and '$id', "
         "are refused too.",
     .wrong = example(R"(
allOf:
- title: no-tp16
  description: No node has 16 GPUs.
  x-message: "tp {tp} does not fit"
  propertys: { tp: { maximum: 8 } })"),
     .right = example(R"(
allOf:
- title: no-tp16
  description: No node has 16 GPUs.
  x-message: "tp {tp} does not fit"
  properties: { tp: { maximum: 8 } })")},
    {.id = "policy-annotation",
     .title = "an unknown annotation of a policy rule, or one out of place",
     .explanation =
         "A rule has the annotations x-message, x-help, x-severity and x-field, at its top. "
         "Another one would be passed over in silence.",
     .wrong = example(R"(
allOf:
- title: no-tp16
  description: No node has 16 GPUs.
  x-message: "tp {tp} does not fit"
  x-severty: warning
  properties: { tp: { maximum: 8 } })"),
     .right = example(R"(
allOf:
- title: no-tp16
  description: No node has 16 GPUs.
  x-message: "tp {tp} does not fit"
  x-severity: warning
  properties: { tp: { maximum: 8 } })")},
    {.id = "policy-reference",
     .title = "a reference that is remote, missing or circular",
     .explanation =
         "A rule may refer to '#/definitions/NAME' of its own file. Nothing is fetched, and a "
         "circle of references would never end.",
     .wrong = example(R"(
allOf:
- title: no-tp16
  description: No node has 16 GPUs.
  x-message: "tp {tp} does not fit"
  properties: { tp: { $ref: "#/definitions/size" } })"),
     .right = example(R"(
allOf:
- title: no-tp16
  description: No node has 16 GPUs.
  x-message: "tp {tp} does not fit"
  properties: { tp: { $ref: "#/definitions/size" } }
definitions:
  size: { maximum: 8 })")},
    {.id = "policy-pattern",
     .title = "a pattern that cannot be used",
     .explanation =
         "Patterns have the syntax of RE2, which always ends in time that grows with the text "
         "alone. Look-ahead and back-references are not part of it.",
     .wrong = example(R"(
allOf:
- title: no-tp16
  description: No node has 16 GPUs.
  x-message: "tp {tp} does not fit"
  properties: { image: { pattern: '^(?!nightly)' } })"),
     .right = example(R"(
allOf:
- title: no-tp16
  description: No node has 16 GPUs.
  x-message: "tp {tp} does not fit"
  properties: { image: { not: { pattern: '^nightly' } } })")},
    {.id = "policy-field",
     .title = "a text or place that names no field of a row",
     .explanation =
         "A {field} in x-message or x-help, and a name under x-field, must be a field of a "
         "resolved row, such as image or prefill.tp. Otherwise the finding would have a hole "
         "where the value should be.",
     .wrong = example(R"(
allOf:
- title: no-tp16
  description: No node has 16 GPUs.
  x-message: "tp {tpp} does not fit"
  properties: { tp: { maximum: 8 } })"),
     .right = example(R"(
allOf:
- title: no-tp16
  description: No node has 16 GPUs.
  x-message: "tp {tp} does not fit"
  properties: { tp: { maximum: 8 } })")},
    {.id = "waiver-document",
     .title = "a waiver document that does not exist",
     .explanation =
         "A waiver may name the document where it was decided, by its path from the root of the "
         "repository. A path that leads nowhere means that nobody can read why the rule was "
         "waived.",
     .wrong = example(R"(
- rule: image-mutable-tag
  config-keys: [trial-*]
  reason: bring-up of the nightly image
  document: docs/missing.md)"),
     .right = example(R"(
- rule: image-mutable-tag
  config-keys: [trial-*]
  reason: bring-up of the nightly image
  document: README.md)")},
    {.id = "waiver-expired",
     .severity = Severity::warning,
     .title = "a waiver past its last day",
     .explanation =
         "A waiver holds until the day under 'expires'. After it, what it waived is reported as "
         "before, and the waiver itself is a warning until it is removed or renewed.",
     .wrong = example(R"(
- rule: image-mutable-tag
  config-keys: [trial-*]
  reason: bring-up of the nightly image
  expires: "2020-01-31")"),
     .right = example(R"(
- rule: image-mutable-tag
  config-keys: [trial-*]
  reason: bring-up of the nightly image
  expires: "2099-01-31")")},
    {.id = "waiver-unused",
     .severity = Severity::warning,
     .title = "a waiver that waives nothing",
     .explanation =
         "A waiver whose rule and config keys meet no finding is either misspelt or no longer "
         "needed. Left in the file it would hide the next mistake of its kind.",
     .wrong = example(R"(
- rule: image-mutable-tags
  config-keys: [trial-*]
  reason: bring-up of the nightly image)"),
     .right = example(R"(
- rule: image-mutable-tag
  config-keys: [trial-*]
  reason: bring-up of the nightly image)")},

    // -- git and the changelog -----------------------------------------------------------------
    {.id = "git",
     .title = "git cannot give what a plan needs",
     .explanation =
         "A plan reads the changelog and the configs from two commits. The finding says what git "
         "said: a name that is no commit, a shallow clone without the base, a folder that is no "
         "repository, or a file that is not there or is a link or a submodule at that commit.",
     .wrong = example(R"(
generate_sweeps plan --base-ref no-such-branch --head-ref HEAD \
  --config-files configs/amd-master.yaml)"),
     .right = example(R"(
generate_sweeps plan --base-ref origin/main --head-ref HEAD \
  --config-files configs/amd-master.yaml)")},
    {.id = "changelog-deleted-line",
     .title = "a line of the changelog's history was changed",
     .explanation =
         "The changelog is the record of what was run and why. A change may only add to it; a "
         "line that is deleted, changed or moved is refused and shown, with its number in the "
         "old file.",
     .wrong = example(R"(
git diff main -- perf-changelog.yaml
-    - Raise the concurrency to 64
+    - Raise the concurrency to 128)"),
     .right = example(R"(
git diff main -- perf-changelog.yaml
+- config-keys: [dsv4-fp4-mi355x-vllm]
+  description: [Raise the concurrency to 128]
+  pr-link: XXX)")},
    {.id = "changelog-no-entry",
     .title = "a change without a changelog entry",
     .explanation =
         "A plan runs what the added changelog entries name. Without one there is nothing to "
         "run, which is rarely what was meant.",
     .wrong = example(R"(
git diff main -- perf-changelog.yaml)"),
     .right = example(R"(
git diff main -- perf-changelog.yaml
+- config-keys: [dsv4-fp4-mi355x-vllm]
+  description: [Raise the concurrency to 128]
+  pr-link: XXX)")},
    {.id = "changelog-append-only",
     .title = "append-only together with a field that is about evals",
     .explanation =
         "A changelog entry with 'append-only: true' runs just the points that the change adds to "
         "curves already there, and no evals. So it goes with neither 'evals-only' nor 'all-evals' "
         "nor 'eval-min-prefill-ep', which say what evals to run. With both, either the new points "
         "or the evals would be left out in silence. Ask for the evals in a change of their own.",
     .wrong = example(R"(
- config-keys:
  - dsv4-fp4-mi355x-vllm
  description:
  - Add concurrency 128 to TP8
  pr-link: XXX
  append-only: true
  all-evals: true)"),
     .right = example(R"(
- config-keys:
  - dsv4-fp4-mi355x-vllm
  description:
  - Add concurrency 128 to TP8
  pr-link: XXX
  append-only: true)")},
};

}  // namespace

std::span<const RuleInfo> rules() { return table; }

const RuleInfo* find_rule(std::string_view id) {
  const auto* found = std::ranges::find(table, id, &RuleInfo::id);
  return found == std::end(table) ? nullptr : found;
}

}  // namespace sweep
