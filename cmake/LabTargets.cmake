# The shapes of this project's targets: warnings in one place, tests beside
# what they test.

add_library(lab_warnings INTERFACE)
# gcc 12's -Wrestrict sees overlaps in std::string's operator+ that aren't there
# (GCC bug 105329).
target_compile_options(
  lab_warnings INTERFACE
  -Wall -Wextra -Wshadow -Wpointer-arith -Wno-missing-field-initializers
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor -Woverloaded-virtual>
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>
  $<$<BOOL:${LAB_WERROR}>:-Werror>)

# lab_library(NAME SOURCES a.cc b.cc LINK lib…)
function(lab_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PUBLIC ${ARG_LINK} PRIVATE lab_warnings)
endfunction()

# lab_test(NAME SOURCES a_test.cc LINK lib… [LABELS unit])
# Every GoogleTest case is a ctest case of its own.
function(lab_test name)
  if(NOT LAB_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "" "LABELS" "SOURCES;LINK" ${ARGN})
  if(NOT ARG_LABELS)
    set(ARG_LABELS unit)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest_main lab_warnings)
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES LABELS ${ARG_LABELS} TIMEOUT 120)
endfunction()
