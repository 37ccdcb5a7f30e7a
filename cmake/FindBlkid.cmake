# libblkid, which recognises what is on a block device: imported target Blkid::blkid.
find_path(Blkid_INCLUDE_DIR blkid/blkid.h)
find_library(Blkid_LIBRARY blkid)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  Blkid REQUIRED_VARS Blkid_LIBRARY Blkid_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install libblkid-dev, or run ./bootstrap")
if(Blkid_FOUND AND NOT TARGET Blkid::blkid)
  add_library(Blkid::blkid UNKNOWN IMPORTED)
  set_target_properties(Blkid::blkid PROPERTIES IMPORTED_LOCATION ${Blkid_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${Blkid_INCLUDE_DIR})
endif()
mark_as_advanced(Blkid_INCLUDE_DIR Blkid_LIBRARY)
