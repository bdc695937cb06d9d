# Finds libvorbisfile, which reads Vorbis files: the target Vorbisfile::Vorbisfile, and Vorbisfile_FOUND.
# Installed with Filo, for those who link its static libraries.

find_path(Vorbisfile_INCLUDE_DIR vorbis/vorbisfile.h)
find_library(Vorbisfile_LIBRARY vorbisfile)
mark_as_advanced(Vorbisfile_INCLUDE_DIR Vorbisfile_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Vorbisfile REQUIRED_VARS Vorbisfile_LIBRARY Vorbisfile_INCLUDE_DIR)

if(Vorbisfile_FOUND AND NOT TARGET Vorbisfile::Vorbisfile)
    add_library(Vorbisfile::Vorbisfile UNKNOWN IMPORTED)
    set_target_properties(Vorbisfile::Vorbisfile PROPERTIES
        IMPORTED_LOCATION ${Vorbisfile_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${Vorbisfile_INCLUDE_DIR})
endif()
