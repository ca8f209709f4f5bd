// Times the stages of full-sweep one by one, in one process.
// usage: stages [Google Benchmark's flags] MASTER… RUNNERS

#include <benchmark/benchmark.h>
#include <cstdio>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "config/rules.h"
#include "floor.h"
#include "schema/prepare.h"
#include "schema/shape.h"
#include "sweep/sweep.h"
#include "yaml/encoding.h"
#include "yaml/skim.h"

namespace {

using sweep::Diagnostics;
using sweep::SourceFile;
using sweep::yaml::Document;

using File = std::shared_ptr<const SourceFile>;

// The master configs, then the runners file.
std::vector<File> load(const std::vector<std::string>& names) {
  Diagnostics diagnostics;
  std::vector<File> files;
  for (const auto& name : names) {
    if (auto file = sweep::load_file(name, diagnostics)) files.push_back(std::move(file));
  }
  return files;
}

struct Configs {
  sweep::config::MasterConfig masters;
  sweep::config::Runners runners;
};

Configs read_configs(const std::vector<File>& files, Diagnostics& diagnostics) {
  return {sweep::config::read_master_configs({files.data(), files.size() - 1}, diagnostics),
          sweep::config::read_runners(files.back(), diagnostics)};
}

std::string full_sweep(const Configs& configs, Diagnostics& diagnostics) {
  const auto expansion =
      sweep::expand::full_sweep(configs.masters, configs.runners, {}, diagnostics);
  return sweep::expand::to_json(expansion.rows);
}

// What each stage starts from.
struct Prepared {
  std::vector<std::string> names;
  std::vector<File> files;
  std::vector<std::shared_ptr<const Document>> documents;
  std::vector<sweep::schema::Refusals> refusals;
  Configs configs;
  std::vector<sweep::expand::MatrixRow> rows;

  std::string_view schema(std::size_t file) const {
    return file + 1 < files.size() ? "master-config" : "runners";
  }
};

bool prepare(Prepared& prepared) {
  Diagnostics diagnostics;
  prepared.files = load(prepared.names);
  if (prepared.files.size() != prepared.names.size()) return false;
  for (std::size_t i = 0; i < prepared.files.size(); ++i) {
    auto document = sweep::yaml::read(prepared.files[i], diagnostics);
    if (document == nullptr) return false;
    prepared.refusals.push_back(sweep::schema::check(prepared.schema(i), *document, diagnostics));
    prepared.documents.push_back(std::move(document));
  }
  prepared.configs = read_configs(prepared.files, diagnostics);
  prepared.rows =
      sweep::expand::full_sweep(prepared.configs.masters, prepared.configs.runners, {}, diagnostics)
          .rows;
  return !diagnostics.has_errors() && !prepared.rows.empty();
}

template <typename Work>
void stage(const char* name, Work work) {
  benchmark::RegisterBenchmark(name,
                               [work](benchmark::State& state) {
                                 for (auto _ : state) work();
                               })
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

void register_stages(const Prepared& prepared) {
  stage("read", [&] { benchmark::DoNotOptimize(load(prepared.names)); });
  stage("encoding", [&] {
    Diagnostics diagnostics;
    for (const auto& file : prepared.files) {
      benchmark::DoNotOptimize(sweep::yaml::check_encoding(file, diagnostics));
    }
  });
  stage("skim", [&] {
    Diagnostics diagnostics;
    for (const auto& file : prepared.files) {
      benchmark::DoNotOptimize(sweep::yaml::skim(file, diagnostics));
    }
  });
  stage("floor", [&] {
    for (const auto& file : prepared.files) {
      std::istringstream stream{std::string(file->text())};
      parse_for_nobody(stream);
    }
  });
  stage("parse", [&] {
    Diagnostics diagnostics;
    for (const auto& file : prepared.files) {
      benchmark::DoNotOptimize(sweep::yaml::read(file, diagnostics));
    }
  });
  stage("schemas", [] {
    Diagnostics diagnostics;
    for (const auto& schema : sweep::schema::embedded_schemas()) {
      if (schema.name != "master-config" && schema.name != "runners") continue;
      const auto text = sweep::yaml::read_json(
          std::make_shared<SourceFile>(std::string(schema.name), std::string(schema.text)),
          diagnostics);
      const auto part = std::make_shared<Document>(text->file());
      part->set_root(sweep::schema::prepare(text->root(), part->store()));
      benchmark::DoNotOptimize(sweep::schema::compile(part, part->root()));
    }
  });
  stage("shape", [&] {
    Diagnostics diagnostics;
    for (std::size_t i = 0; i < prepared.documents.size(); ++i) {
      benchmark::DoNotOptimize(
          sweep::schema::check(prepared.schema(i), *prepared.documents[i], diagnostics));
    }
  });
  stage("rules", [&] {
    Diagnostics diagnostics;
    for (std::size_t i = 0; i + 1 < prepared.documents.size(); ++i) {
      auto refusals = prepared.refusals[i];
      for (const auto& member : prepared.documents[i]->root().members) {
        sweep::config::check_rules(*prepared.documents[i], member, refusals, diagnostics);
      }
    }
  });
  stage("expand", [&] {
    Diagnostics diagnostics;
    benchmark::DoNotOptimize(sweep::expand::full_sweep(prepared.configs.masters,
                                                       prepared.configs.runners, {}, diagnostics));
  });
  stage("print", [&] { benchmark::DoNotOptimize(sweep::expand::to_json(prepared.rows)); });
  stage("whole", [&] {
    Diagnostics diagnostics;
    const auto files = load(prepared.names);
    const auto configs = read_configs(files, diagnostics);
    benchmark::DoNotOptimize(full_sweep(configs, diagnostics));
  });
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  Prepared prepared;
  prepared.names.assign(argv + 1, argv + argc);
  if (prepared.names.size() < 2 || !prepare(prepared)) {
    std::fputs("stages: needs master configs and a runners file without faults\n", stderr);
    return 1;
  }
  register_stages(prepared);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
