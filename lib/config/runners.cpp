#include <utility>

#include "sweep/config.h"
#include "sweep/schema.h"

namespace sweep::config {

Runners read_runners(std::shared_ptr<const SourceFile> file, Diagnostics& diagnostics) {
  auto document = yaml::read(std::move(file), diagnostics);
  return document == nullptr ? Runners() : read_runners(std::move(document), diagnostics);
}

Runners read_runners(std::shared_ptr<const yaml::Document> document, Diagnostics& diagnostics) {
  Runners runners;
  runners.document = std::move(document);
  const auto refusals = schema::check("runners", *runners.document, diagnostics);
  const yaml::Node& root = runners.document->root();
  const auto members = [&](std::string_view name) {
    const yaml::Node* mapping = root.find(name);
    return mapping == nullptr ? std::span<const yaml::Member>() : mapping->members;
  };
  for (const auto& member : members("labels")) {
    if (refusals.touched(*member.value)) continue;
    RunnerLabel& label = runners.labels.emplace_back();
    label.name = member.name();
    for (const auto* node : member.value->items) label.nodes.emplace_back(node->text);
  }
  for (const auto& member : members("hardware")) {
    if (refusals.touched(*member.value)) continue;
    runners.hardware.emplace_back(member.name(),
                                  Hardware{member.value->find("available-cpu-dram-mib")->integer,
                                           member.value->find("gpus-per-node")->integer});
  }
  return runners;
}

}  // namespace sweep::config
