# Writes a C file that has the texts of files: the list gfx3d_shader_files of src/gfx3d/materials/shader_text.h.
#
#     cmake -DOUTPUT=shaders.c "-DFILES=a.glsl,b.glsl" -P FiloEmbedShaders.cmake
#
# Texts are lists of bytes, because compilers need not accept string literals of more than 4095 bytes.

string(REPLACE "," ";" files "${FILES}")
set(texts "")
set(rows "")
set(number 0)
foreach(file IN LISTS files)
    cmake_path(GET file FILENAME name)
    file(READ ${file} bytes HEX)
    string(REGEX REPLACE "(................................)" "\\1\n    " bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND texts "static const unsigned char text_${number}[] = { // ${name}\n    ${bytes}0 };\n\n")
    string(APPEND rows "    { \"${name}\", (const char *)text_${number} },\n")
    math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUTPUT} "// Written by FiloEmbedShaders.cmake.\n\n#include \"gfx3d/materials/shader_text.h\"\n\n#include <stddef.h>\n\n\
${texts}const Gfx3dShaderFile gfx3d_shader_files[] = {\n${rows}    { NULL, NULL },\n};\n")
