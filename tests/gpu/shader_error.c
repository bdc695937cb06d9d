// Parsing the compiler messages of different drivers.

#include "support/test.h"

#include "gpu/shader_text.h"

static void assert_message(const char *log, const char *message) {
    FiloResult result = gpu_shader_error("sprites", "fragment shader", log);
    assert_int_equal(result.code, FILO_ERROR_DATA);
    assert_string_equal(result.message, message);
}

FILO_TEST(supported_forms_give_line_and_text) {
    assert_message("0:12(5): error: `colour' undeclared\n",
                   "sprites (fragment shader), line 12: `colour' undeclared");
    assert_message("0(12) : error C1008: undefined variable \"colour\"\n",
                   "sprites (fragment shader), line 12: undefined variable \"colour\"");
    assert_message("0:12(1): preprocessor error: #error no\n",
                   "sprites (fragment shader), line 12: #error no");
    assert_message("ERROR: 0:12: 'colour' : undeclared identifier\n",
                   "sprites (fragment shader), line 12: 'colour' : undeclared identifier");
    assert_message("ERROR: 1:7: ';' : syntax error", "sprites (fragment shader), line 7: ';' : syntax error");
}

FILO_TEST(warnings_are_passed_over_and_further_errors_counted) {
    assert_message("0:3(1): warning: `x' used uninitialized\n0:5(9): error: first\n0:6(1): error: "
                   "second\n0:7(1): error: "
                   "third\n",
                   "sprites (fragment shader), line 5: first (and 2 more)");
    assert_message("0(3) : warning C7050: might be used\n0(4) : error C0000: syntax error\n",
                   "sprites (fragment shader), line 4: syntax error");
}

FILO_TEST(other_forms_are_shown_as_they_are) {
    assert_message("\n  Internal compiler fault 7\nmore",
                   "sprites (fragment shader): Internal compiler fault 7");
    assert_message("", "sprites (fragment shader): the driver does not say why");
    assert_message("0:", "sprites (fragment shader): 0:");
    assert_message("0:99999999999999999999999(", "sprites (fragment shader): 0:99999999999999999999999(");
    assert_message("error", "sprites (fragment shader): error");
}

FILO_TEST(version_lines_are_found_outside_of_comments) {
    assert_int_equal(gpu_shader_version_line("#version 330\n"), 1);
    assert_int_equal(gpu_shader_version_line("// #version\n\n  #  version 330"), 3);
    assert_int_equal(gpu_shader_version_line("/* #version\n#version */ void main() {}\n//*\n#version 3"), 4);
    assert_int_equal(gpu_shader_version_line("int a; // #version"), 0);
    assert_int_equal(gpu_shader_version_line("#define version 3"), 0);
    assert_int_equal(gpu_shader_version_line(""), 0);
    assert_int_equal(gpu_shader_version_line("/*"), 0);
}
