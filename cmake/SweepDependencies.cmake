# One imported target for each library that whoever links `sweep` must link too:
# sweep_dependency::yaml-cpp, ::sodium, ::utf8proc and ::re2. Found by their files, since packages differ in
# the names of their targets and give the shared library alone; the static archive comes first.
# Installed beside the package configuration file, so that both sides see the same targets.
# Needed before: find_package(Threads).

if(NOT DEFINED SWEEP_STATIC_DEPENDENCIES)
  set(SWEEP_STATIC_DEPENDENCIES ON)
endif()
# Whether every one of them was found as an archive.
set(SWEEP_DEPENDENCIES_ARE_ARCHIVES ${SWEEP_STATIC_DEPENDENCIES})

# sweep_dependency(NAME HEADER): the target of lib<NAME>; sets sweep_include_dir, sweep_library.
macro(sweep_dependency name header)
  set(sweep_names ${name})
  if(SWEEP_STATIC_DEPENDENCIES)
    list(PREPEND sweep_names lib${name}.a)
  endif()
  find_library(SWEEP_${name}_LIBRARY NAMES ${sweep_names} REQUIRED)
  find_path(SWEEP_${name}_INCLUDE_DIR ${header} REQUIRED)
  mark_as_advanced(SWEEP_${name}_LIBRARY SWEEP_${name}_INCLUDE_DIR)
  set(sweep_library "${SWEEP_${name}_LIBRARY}")
  set(sweep_include_dir "${SWEEP_${name}_INCLUDE_DIR}")
  if(NOT sweep_library MATCHES "\\.a$")
    set(SWEEP_DEPENDENCIES_ARE_ARCHIVES OFF)
  endif()
  if(NOT TARGET sweep_dependency::${name})
    add_library(sweep_dependency::${name} UNKNOWN IMPORTED)
    set_target_properties(sweep_dependency::${name} PROPERTIES
      IMPORTED_LOCATION "${sweep_library}"
      INTERFACE_INCLUDE_DIRECTORIES "${sweep_include_dir}"
      INTERFACE_LINK_LIBRARIES Threads::Threads)
  endif()
endmacro()

sweep_dependency(yaml-cpp yaml-cpp/eventhandler.h)
sweep_dependency(sodium sodium.h)
sweep_dependency(utf8proc utf8proc.h)
sweep_dependency(re2 re2/re2.h)

# Since 2023 RE2 stands on Abseil, and its headers show that.
file(STRINGS "${sweep_include_dir}/re2/re2.h" sweep_abseil REGEX "include \"absl/")
if(sweep_abseil)
  cmake_path(GET sweep_library PARENT_PATH sweep_library_dir)
  file(GLOB sweep_abseil "${sweep_library_dir}/libabsl_*.a")
  if(sweep_library MATCHES "\\.a$" AND sweep_abseil)
    # Which of its many archives RE2 needs, and in what order, is for the linker to find out.
    list(JOIN sweep_abseil "," sweep_abseil)
    set_property(TARGET sweep_dependency::re2 APPEND PROPERTY
      INTERFACE_LINK_LIBRARIES "$<LINK_GROUP:RESCAN,${sweep_abseil}>")
  else()
    set(SWEEP_DEPENDENCIES_ARE_ARCHIVES OFF)
    find_package(absl CONFIG REQUIRED)
    set_property(TARGET sweep_dependency::re2 APPEND PROPERTY
      INTERFACE_LINK_LIBRARIES absl::absl_check absl::absl_log absl::flat_hash_map
      absl::flat_hash_set absl::str_format absl::strings absl::synchronization)
  endif()
endif()
