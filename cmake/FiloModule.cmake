# filo_module(name LAYER n [REQUIRES module…] [LINK library…])
#
# Declares the module whose sources are src/<name>/ and its folders and whose public headers are in include/filo/.
# It becomes a static library of its own, filo_<name> (alias filo::<name>), for programs that want only
# that part, and its objects go into the one library `filo` that filo_library() makes of all modules.
# What stands after REQUIRES and was not declared before, because an option leaves it out, is not linked.
# Both have only symbols that begin with filo_. Tests and benchmarks link filo_<name>_open, or filo_open for all
# modules, where private functions keep their names.

function(filo_module name)
    cmake_parse_arguments(ARG "" "LAYER;EXCLUDE" "REQUIRES;LINK" ${ARGN})
    if(NOT DEFINED ARG_LAYER)
        message(FATAL_ERROR "filo_module(${name}): say which LAYER it is in")
    endif()
    get_property(declared GLOBAL PROPERTY FILO_MODULES)
    set(missing ${ARG_REQUIRES})
    list(REMOVE_ITEM missing ${declared} "")
    list(REMOVE_ITEM ARG_REQUIRES ${missing} "")
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.c)
    if(ARG_EXCLUDE) # a regular expression of sources that this build does not have
        list(FILTER sources EXCLUDE REGEX "${ARG_EXCLUDE}")
    endif()

    add_library(filo_${name}_objects OBJECT ${sources})
    target_link_libraries(filo_${name}_objects PRIVATE filo_build_flags ${ARG_LINK})
    target_include_directories(filo_${name}_objects PRIVATE
        ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)

    add_library(filo_${name} STATIC $<TARGET_OBJECTS:filo_${name}_objects>)
    add_library(filo::${name} ALIAS filo_${name})
    list(TRANSFORM ARG_REQUIRES PREPEND filo_ OUTPUT_VARIABLE required)
    filo_usage_requirements(filo_${name} ${required} ${ARG_LINK})
    set_target_properties(filo_${name} PROPERTIES EXPORT_NAME ${name} LINKER_LANGUAGE C)
    filo_hide_symbols(filo_${name} base ${name})

    if(FILO_TESTS OR FILO_FUZZ OR FILO_BENCH)
        add_library(filo_${name}_open STATIC $<TARGET_OBJECTS:filo_${name}_objects>)
        list(TRANSFORM required APPEND _open)
        filo_usage_requirements(filo_${name}_open ${required} ${ARG_LINK})
        set_target_properties(filo_${name}_open PROPERTIES LINKER_LANGUAGE C)
    endif()

    set_property(GLOBAL APPEND PROPERTY FILO_MODULES ${name})
    set_property(GLOBAL APPEND PROPERTY FILO_LINK ${ARG_LINK})
    set_property(GLOBAL PROPERTY FILO_REQUIRES_${name} ${ARG_REQUIRES})
    set_property(GLOBAL PROPERTY FILO_LINK_${name} ${ARG_LINK})
endfunction()

# Adds the texts of src/<name>/shaders/*.glsl to a module, as a list of C.
function(filo_embed_shaders name)
    file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/shaders/*.glsl)
    list(SORT files)
    set(output ${PROJECT_BINARY_DIR}/${name}_shaders.c)
    set(script ${PROJECT_SOURCE_DIR}/cmake/FiloEmbedShaders.cmake)
    string(JOIN "," names ${files})
    add_custom_command(OUTPUT ${output} DEPENDS ${files} ${script} VERBATIM
        COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DFILES=${names} -P ${script})
    target_sources(filo_${name}_objects PRIVATE ${output})
endfunction()

# What every user of one of our libraries gets with it.
function(filo_usage_requirements target)
    target_include_directories(${target} PUBLIC
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_compile_options(${target} INTERFACE ${FILO_PUBLIC_FLAGS})
    target_link_libraries(${target} PUBLIC ${ARGN})
endfunction()

# Gives the private functions of these modules names that no program has.
function(filo_hide_symbols target)
    string(JOIN "," modules ${ARGN})
    add_custom_command(TARGET ${target} POST_BUILD VERBATIM COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM} -DOBJCOPY=${CMAKE_OBJCOPY}
        -DLIBRARY=$<TARGET_FILE:${target}> -DMODULES=${modules} -P ${PROJECT_SOURCE_DIR}/cmake/FiloHideSymbols.cmake)
endfunction()

# The one library of all modules declared so far.
function(filo_library)
    get_property(modules GLOBAL PROPERTY FILO_MODULES)
    get_property(links GLOBAL PROPERTY FILO_LINK)
    list(REMOVE_DUPLICATES links)
    if(FILO_SHARED)
        set(kind SHARED)
    else()
        set(kind STATIC)
    endif()
    set(objects "")
    foreach(module IN LISTS modules)
        list(APPEND objects $<TARGET_OBJECTS:filo_${module}_objects>)
    endforeach()
    add_library(filo ${kind} ${objects})
    add_library(filo::filo ALIAS filo)
    filo_usage_requirements(filo ${links})
    if(NOT FILO_SHARED)
        filo_hide_symbols(filo ${modules})
    endif()
    list(TRANSFORM modules REPLACE "(.+)" "filo_\\1_open" OUTPUT_VARIABLE open)
    add_library(filo_open INTERFACE)
    target_link_libraries(filo_open INTERFACE ${open})
    set_target_properties(filo PROPERTIES LINKER_LANGUAGE C
        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endfunction()
