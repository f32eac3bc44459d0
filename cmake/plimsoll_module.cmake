# Headers that nearly every source includes are compiled once. Not with ccache, which finds
# more by what each source says itself; so a source that forgets an include does not compile there.
function(plimsoll_precompile TARGET)
  if(PLIMSOLL_CCACHE)
    return()
  endif()
  cmake_parse_arguments(ARG "TEST" "" "" ${ARGN})
  set(owner plimsoll_common_headers)
  set(headers <algorithm> <array> <cstdint> <functional> <map> <optional> <span> <string>
              <string_view> <tuple> <utility> <vector>)
  if(ARG_TEST)
    set(owner plimsoll_test_headers)
    list(PREPEND headers <gtest/gtest.h>)
  endif()
  if(NOT TARGET ${owner})
    file(WRITE ${PROJECT_BINARY_DIR}/${owner}.cc "")
    add_library(${owner} OBJECT ${PROJECT_BINARY_DIR}/${owner}.cc)
    target_link_libraries(${owner} PRIVATE plimsoll_warnings)
    if(ARG_TEST)
      target_link_libraries(${owner} PRIVATE GTest::gtest_main)
      target_compile_options(${owner} PRIVATE -O0)
    endif()
    target_precompile_headers(${owner} PRIVATE ${headers})
  endif()
  target_precompile_headers(${TARGET} REUSE_FROM ${owner})
endfunction()

# plimsoll_module(NAME units SRCS money.cc HDRS money.h DEPS plimsoll::base)
# plimsoll_test(NAME money_test DEPS plimsoll::units)
#
# One module is one folder, one static library, one alias plimsoll::NAME. DEPS is the whole
# list of what the module may link; tools/tidy holds includes to it (tools/layers.txt).
function(plimsoll_module)
  cmake_parse_arguments(ARG "" "NAME" "SRCS;HDRS;DEPS;PRIVATE_DEPS" ${ARGN})
  if(ARG_SRCS)
    add_library(plimsoll_${ARG_NAME} STATIC ${ARG_SRCS} ${ARG_HDRS})
    target_link_libraries(plimsoll_${ARG_NAME} PUBLIC ${ARG_DEPS}
                          PRIVATE ${ARG_PRIVATE_DEPS} plimsoll_warnings)
    target_include_directories(plimsoll_${ARG_NAME} PUBLIC ${PROJECT_SOURCE_DIR}/src)
    plimsoll_precompile(plimsoll_${ARG_NAME})
  else()
    add_library(plimsoll_${ARG_NAME} INTERFACE)
    target_link_libraries(plimsoll_${ARG_NAME} INTERFACE ${ARG_DEPS})
    target_include_directories(plimsoll_${ARG_NAME} INTERFACE ${PROJECT_SOURCE_DIR}/src)
  endif()
  add_library(plimsoll::${ARG_NAME} ALIAS plimsoll_${ARG_NAME})
endfunction()

# A test program from SRCS (default NAME.cc). Its cases are one ctest, labelled LABEL
# (default unit). It runs with the repository's root in PLIMSOLL_ROOT.
function(plimsoll_test)
  if(NOT PLIMSOLL_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "" "NAME;LABEL" "SRCS;DEPS" ${ARGN})
  if(NOT ARG_SRCS)
    set(ARG_SRCS ${ARG_NAME}.cc)
  endif()
  if(NOT ARG_LABEL)
    set(ARG_LABEL unit)
  endif()
  add_executable(${ARG_NAME} ${ARG_SRCS})
  target_link_libraries(${ARG_NAME} PRIVATE ${ARG_DEPS} plimsoll_warnings GTest::gtest_main)
  # Tests are compiled once and run for seconds: optimizing them doubles the build for nothing.
  target_compile_options(${ARG_NAME} PRIVATE -O0)
  plimsoll_precompile(${ARG_NAME} TEST)
  add_test(NAME ${ARG_NAME} COMMAND ${ARG_NAME})
  set_tests_properties(${ARG_NAME} PROPERTIES LABELS "${ARG_LABEL}"
                       ENVIRONMENT "PLIMSOLL_ROOT=${PROJECT_SOURCE_DIR}")
endfunction()

# plimsoll_module_test(NAME units_test DEPS plimsoll::units)
#
# The unit tests of one folder as one program: every *_test.cc beside the code, without the
# *_shared_test.cc, which need ../shared and are programs of their own.
function(plimsoll_module_test)
  cmake_parse_arguments(ARG "" "NAME" "DEPS" ${ARGN})
  file(GLOB sources RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS *_test.cc)
  list(FILTER sources EXCLUDE REGEX "_shared_test[.]cc$")
  plimsoll_test(NAME ${ARG_NAME} SRCS ${sources} DEPS ${ARG_DEPS})
endfunction()
