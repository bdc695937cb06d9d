# Finds meshoptimizer, which reorders and simplifies meshes: the target Meshoptimizer::Meshoptimizer, and Meshoptimizer_FOUND.
# Installed with Filo, for those who link its static libraries.

find_path(Meshoptimizer_INCLUDE_DIR meshoptimizer.h)
find_library(Meshoptimizer_LIBRARY meshoptimizer)
mark_as_advanced(Meshoptimizer_INCLUDE_DIR Meshoptimizer_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Meshoptimizer REQUIRED_VARS Meshoptimizer_LIBRARY Meshoptimizer_INCLUDE_DIR)

if(Meshoptimizer_FOUND AND NOT TARGET Meshoptimizer::Meshoptimizer)
    add_library(Meshoptimizer::Meshoptimizer UNKNOWN IMPORTED)
    set_target_properties(Meshoptimizer::Meshoptimizer PROPERTIES
        IMPORTED_LOCATION ${Meshoptimizer_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${Meshoptimizer_INCLUDE_DIR})
endif()
