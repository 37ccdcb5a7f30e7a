# The configured source tree of exactly the fio that will load the engines:
# imported target Fio::headers and FioSource_VERSION (the text of FIO_VERSION).
#
# FIO_SOURCE_DIR names the tree; ./bootstrap puts one for Debian's fio into
# .deps/fio. It has to be configured, since fio.h includes config-host.h.
set(FIO_SOURCE_DIR "$ENV{FIO_SOURCE_DIR}" CACHE PATH "Configured source tree of the installed fio")
if(NOT FIO_SOURCE_DIR AND EXISTS ${CMAKE_SOURCE_DIR}/.deps/fio/fio.h)
  set(FIO_SOURCE_DIR ${CMAKE_SOURCE_DIR}/.deps/fio CACHE PATH "" FORCE)
endif()
find_path(FioSource_INCLUDE_DIR fio.h PATHS ${FIO_SOURCE_DIR} NO_DEFAULT_PATH)
find_file(FioSource_CONFIG config-host.h PATHS ${FIO_SOURCE_DIR} NO_DEFAULT_PATH)
if(FioSource_INCLUDE_DIR AND EXISTS ${FioSource_INCLUDE_DIR}/FIO-VERSION-FILE)
  file(STRINGS ${FioSource_INCLUDE_DIR}/FIO-VERSION-FILE _line REGEX "FIO_VERSION")
  string(REGEX REPLACE ".*= *" "" FioSource_VERSION "${_line}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  FioSource REQUIRED_VARS FioSource_INCLUDE_DIR FioSource_CONFIG FioSource_VERSION
  VERSION_VAR FioSource_VERSION
  REASON_FAILURE_MESSAGE
    "run ./bootstrap, or set FIO_SOURCE_DIR to a configured source tree of the installed fio")
if(FioSource_FOUND AND NOT TARGET Fio::headers)
  add_library(Fio::headers INTERFACE IMPORTED)
  target_include_directories(Fio::headers SYSTEM INTERFACE ${FioSource_INCLUDE_DIR})
  target_compile_options(Fio::headers INTERFACE -include ${FioSource_CONFIG} -D_GNU_SOURCE)
endif()
mark_as_advanced(FioSource_INCLUDE_DIR FioSource_CONFIG)
