# How every target of the project is compiled: warnings, sanitizers, hardening.
# sweep_target_flags(target) applies them; they are never passed on to those who link the library.

if(PROJECT_IS_TOP_LEVEL)
  find_program(SWEEP_CCACHE ccache)
  mark_as_advanced(SWEEP_CCACHE)
  if(SWEEP_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${SWEEP_CCACHE}")
  endif()

  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release)
  endif()
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

function(sweep_target_flags target)
  # No function of ours is replaced at load time: it may be inlined though it is position independent.
  target_compile_options(${target} PRIVATE -fno-semantic-interposition)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wold-style-cast
    -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough -Wcast-align -Wunused
    -Wformat=2)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # -Wrestrict of GCC 12 sees overlaps in plain std::string concatenation.
    target_compile_options(${target} PRIVATE
      -Wduplicated-cond -Wduplicated-branches -Wlogical-op -Wno-restrict)
  endif()
  if(SWEEP_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()

  if(SWEEP_SANITIZE)
    target_compile_options(${target} PRIVATE
      -fsanitize=${SWEEP_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=${SWEEP_SANITIZE})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # Instrumented code makes GCC guess at uninitialised values that are none.
      target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
    endif()
  else()
    # Some systems predefine _FORTIFY_SOURCE, hence the -U.
    target_compile_options(${target} PRIVATE
      -fstack-protector-strong
      "$<$<NOT:$<CONFIG:Debug>>:SHELL:-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2>")
  endif()
  target_compile_definitions(${target} PRIVATE $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)
  target_link_options(${target} PRIVATE -Wl,-z,relro,-z,now,-z,noexecstack -Wl,--as-needed)
endfunction()
