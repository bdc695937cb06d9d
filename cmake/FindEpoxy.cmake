# Finds libepoxy, which finds the functions of OpenGL: the target Epoxy::Epoxy, and Epoxy_FOUND.
# Installed with Filo, for those who link its static libraries.

find_path(Epoxy_INCLUDE_DIR epoxy/gl.h)
find_library(Epoxy_LIBRARY epoxy)
mark_as_advanced(Epoxy_INCLUDE_DIR Epoxy_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Epoxy REQUIRED_VARS Epoxy_LIBRARY Epoxy_INCLUDE_DIR)

if(Epoxy_FOUND AND NOT TARGET Epoxy::Epoxy)
    add_library(Epoxy::Epoxy UNKNOWN IMPORTED)
    set_target_properties(Epoxy::Epoxy PROPERTIES
        IMPORTED_LOCATION ${Epoxy_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${Epoxy_INCLUDE_DIR})
endif()
