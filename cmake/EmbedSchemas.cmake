# Writes one C++ source file with the text of all schemas in it.
# usage: cmake -DSCHEMAS="a.schema.json;b.schema.json" -DOUTPUT=embedded_schemas.cpp -P EmbedSchemas.cmake

# Compilers bound the length of one string literal; pieces side by side are put together again.
set(piece_bytes_max 12000)

# A C++ expression of raw string literals for `text`, cut after line ends.
function(raw_literals text path result)
  set(delimiter "json")
  set(counter 0)
  string(FIND "${text}" ")${delimiter}\"" at)
  while(NOT at EQUAL -1)
    math(EXPR counter "${counter} + 1")
    set(delimiter "json${counter}")
    string(FIND "${text}" ")${delimiter}\"" at)
  endwhile()

  set(literals "")
  string(LENGTH "${text}" left)
  while(left GREATER piece_bytes_max)
    string(SUBSTRING "${text}" 0 ${piece_bytes_max} piece)
    string(FIND "${piece}" "\n" end REVERSE)
    if(end EQUAL -1)
      message(FATAL_ERROR "${path}: a line is longer than ${piece_bytes_max} bytes: break it")
    endif()
    math(EXPR size "${end} + 1")
    string(SUBSTRING "${text}" 0 ${size} piece)
    string(SUBSTRING "${text}" ${size} -1 text)
    string(LENGTH "${text}" left)
    string(APPEND literals "\n    R\"${delimiter}(${piece})${delimiter}\"")
  endwhile()
  string(APPEND literals "\n    R\"${delimiter}(${text})${delimiter}\"")
  set(${result} "${literals}" PARENT_SCOPE)
endfunction()

set(texts "")
set(entries "")
set(count 0)
foreach(path IN LISTS SCHEMAS)
  get_filename_component(name "${path}" NAME)
  string(REGEX REPLACE "\\.schema\\.json$" "" name "${name}")
  file(READ "${path}" text)
  raw_literals("${text}" "${path}" literals)
  string(APPEND texts "constexpr char text_${count}[] =${literals};\n\n")
  string(APPEND entries
    "    EmbeddedSchema{\"${name}\", {text_${count}, sizeof(text_${count}) - 1}},\n")
  math(EXPR count "${count} + 1")
endforeach()

set(braced "{}")
if(count GREATER 0)
  set(braced "{\n${entries}}")
endif()

file(WRITE "${OUTPUT}" "// Made from schemas/*.schema.json while building: do not edit.
#include \"sweep/schema.h\"

#include <array>

namespace sweep::schema {
namespace {

${texts}constexpr std::array<EmbeddedSchema, ${count}> schemas${braced};

}  // namespace

std::span<const EmbeddedSchema> embedded_schemas() { return schemas; }

}  // namespace sweep::schema
")
