# A room is one library of src/, with its unit tests beside the code:
#   *.cc -> library timbre_ROOM      *_test.cc -> program timbre_ROOM_tests
add_library(timbre_flags INTERFACE)
target_compile_options(timbre_flags INTERFACE -Wall -Wextra -Wshadow -Wno-missing-field-initializers)
if(TIMBRE_WERROR)
  target_compile_options(timbre_flags INTERFACE -Werror)
endif()
if(TIMBRE_SANITIZE)
  target_compile_options(timbre_flags INTERFACE
    -fsanitize=${TIMBRE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(timbre_flags INTERFACE -fsanitize=${TIMBRE_SANITIZE})
endif()
target_include_directories(timbre_flags INTERFACE ${CMAKE_SOURCE_DIR}/src)

# Tests find their data and the fetched files by these, wherever they run.
set(TIMBRE_TEST_DEFINITIONS
  TIMBRE_SOURCE_DIR="${CMAKE_SOURCE_DIR}" TIMBRE_THIRD_PARTY_DIR="${TIMBRE_THIRD_PARTY}")

# timbre_tests(TARGET LABEL SOURCES... LINK libraries...)
function(timbre_tests target label)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  if(NOT ARG_SOURCES)
    return()
  endif()
  add_executable(${target} ${ARG_SOURCES})
  target_link_libraries(${target} PRIVATE ${ARG_LINK} timbre_test_support timbre_flags
    GTest::gtest GTest::gtest_main)
  target_compile_definitions(${target} PRIVATE ${TIMBRE_TEST_DEFINITIONS})
  target_precompile_headers(${target} PRIVATE <gtest/gtest.h> <string> <vector> <expected>)
  gtest_discover_tests(${target} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
    TEST_PREFIX "${target}." PROPERTIES LABELS ${label} TIMEOUT 240)
endfunction()

# timbre_room(ROOM LINK libraries... [RECURSE])
function(timbre_room room)
  cmake_parse_arguments(ARG "" "" "LINK;PRIVATE_LINK" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cc)
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  add_library(timbre_${room} STATIC ${sources})
  target_link_libraries(timbre_${room} PUBLIC ${ARG_LINK} timbre_flags PRIVATE ${ARG_PRIVATE_LINK})
  target_precompile_headers(timbre_${room} PRIVATE
    <algorithm> <cmath> <cstdint> <expected> <filesystem> <memory> <span> <string> <vector> <fmt/format.h>)
  timbre_tests(timbre_${room}_tests unit SOURCES ${tests} LINK timbre_${room})
endfunction()
