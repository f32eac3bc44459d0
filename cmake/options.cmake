# Build-wide compile and link options: ccache, warnings, sanitizers, coverage.
find_program(PLIMSOLL_CCACHE ccache)
if(PLIMSOLL_CCACHE)
  # Paths below the source folder are hashed as relative: another clone finds the same objects.
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
               ${PLIMSOLL_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()

if(PLIMSOLL_ASAN)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
if(PLIMSOLL_TSAN)
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
endif()
if(PLIMSOLL_COVERAGE)
  add_compile_options(--coverage -O0)
  add_link_options(--coverage)
endif()
if(PLIMSOLL_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all)
  add_link_options(-fsanitize=address,undefined)
endif()

add_library(plimsoll_warnings INTERFACE)
target_compile_options(plimsoll_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -Wold-style-cast -Wcast-align -Woverloaded-virtual -Wnull-dereference -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 reports false null dereferences and uninitialized members inside libstdc++ when it
  # inlines std::variant and std::string under optimization.
  target_compile_options(plimsoll_warnings INTERFACE -Wno-null-dereference
                         -Wno-maybe-uninitialized -Wno-restrict)
endif()
