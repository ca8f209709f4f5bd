#include "schema/embedded.h"

#include <map>
#include <mutex>
#include <stdexcept>
#include <string>

#include "schema/prepare.h"
#include "sweep/schema.h"

namespace sweep::schema {
namespace {

// The prepared tree, and what its texts lie in.
struct Prepared {
  std::shared_ptr<const yaml::Document> whole;
  std::shared_ptr<yaml::Document> part;
};

std::shared_ptr<const Compiled> compile_embedded(const EmbeddedSchema& schema) {
  Diagnostics diagnostics;
  auto file = std::make_shared<SourceFile>(std::string(schema.name), std::string(schema.text));
  const auto prepared = std::make_shared<Prepared>();
  prepared->whole = yaml::read_json(file, diagnostics);
  if (prepared->whole == nullptr) {
    throw std::logic_error("embedded schema " + file->name() + " is not valid JSON");
  }
  prepared->part = std::make_shared<yaml::Document>(file);
  prepared->part->set_root(prepare(prepared->whole->root(), prepared->part->store()));
  const std::shared_ptr<const yaml::Document> document(prepared, prepared->part.get());
  return compile(document, document->root());
}

}  // namespace

const Shape& embedded_shape(std::string_view name) {
  static std::mutex mutex;
  static std::map<std::string_view, std::shared_ptr<const Compiled>> compiled;
  const std::lock_guard lock(mutex);
  auto& slot = compiled[name];
  if (slot == nullptr) {
    for (const auto& schema : embedded_schemas()) {
      if (schema.name == name) slot = compile_embedded(schema);
    }
    if (slot == nullptr) throw std::logic_error("no embedded schema " + std::string(name));
  }
  return slot->root();
}

}  // namespace sweep::schema
