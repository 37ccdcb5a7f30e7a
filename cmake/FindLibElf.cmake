# libelf of elfutils, which reads the symbols of programs and libraries: imported target
# LibElf::libelf.
find_path(LibElf_INCLUDE_DIR gelf.h)
find_library(LibElf_LIBRARY elf)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  LibElf REQUIRED_VARS LibElf_LIBRARY LibElf_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install libelf-dev, or run ./bootstrap")
if(LibElf_FOUND AND NOT TARGET LibElf::libelf)
  add_library(LibElf::libelf UNKNOWN IMPORTED)
  set_target_properties(LibElf::libelf PROPERTIES IMPORTED_LOCATION ${LibElf_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${LibElf_INCLUDE_DIR})
endif()
mark_as_advanced(LibElf_INCLUDE_DIR LibElf_LIBRARY)
