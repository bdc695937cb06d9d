// Reading ecotopes: what is in a file, and every error by its message.

#include "placement/ecotopes.h"
#include "support/failing_allocator.h"

#include <filo/files.h>
#include <filo/strings.h>

static const char example[] =
    "{'filo': 'ecotope',\n"
    " 'maps': {'woods': {}, 'road_distance': {'range': [0, 200]}, 'road_direction': {'wraps': true}, "
    "'unused': {}},\n"
    " 'footprints': {'trees': {'metres': 3.5}, 'undergrowth': {'metres': 1, 'pattern': 4}},\n"
    " 'let': {'off': {'curve': [[4, 0], [12, 1]], 'of': 'road_distance'}},\n"
    " 'ecotopes': [{'name': 'meadow', 'density': 'off', 'layers': [{'name': 'grass', 'footprint': "
    "'undergrowth'}],\n"
    "  'ecotopes': [{'name': 'wood', 'replace': true, 'density': {'multiply': ['woods', {'invert': "
    "'wetness'}]},\n"
    "   'layers': [{'name': 'pine', 'footprint': 'trees', 'towards': 'road_direction', 'color': ['#355e2b', "
    "'#5b804080']},\n"
    "    {'name': 'fern', 'footprint': 'undergrowth', 'density': {'near': ['pine'], 'within': 6}}]}]}]}";

FILO_TEST(a_file_says_which_maps_it_needs_and_what_is_in_it) {
    // Wetness has the range 2 to 18, and is no density.
    FiloEcotope *ecotope;
    assert_error(parse_text(&ecotope, example, NULL), FILO_ERROR_DATA,
                 "a.json:6:95: invert: \"wetness\" is between 2 and 18, not a density: use it in a curve or "
                 "a threshold");
    assert_null(ecotope);
    char text[2048];
    snprintf(text, sizeof text, "%s", example);
    memcpy(strstr(text, "'wetness'"), "  'woods'", 9);
    ecotope = parse(text);
    assert_int_equal(filo_ecotope_map_count(ecotope), 3);
    assert_string_equal(filo_ecotope_map_name(ecotope, 0), "woods");
    assert_string_equal(filo_ecotope_map_name(ecotope, 1), "road_distance");
    assert_string_equal(filo_ecotope_map_name(ecotope, 2), "road_direction");
    assert_string_equal(filo_ecotope_map_name(ecotope, 3), "");
    assert_int_equal(filo_ecotope_footprint_count(ecotope), 2);
    assert_string_equal(filo_ecotope_footprint_name(ecotope, 1), "undergrowth");
    assert_string_equal(filo_ecotope_footprint_name(ecotope, 2), "");
    // Footprint by footprint.
    static const char *const layers[] = { "pine", "grass", "fern", "" };
    assert_int_equal(filo_ecotope_layer_count(ecotope), 3);
    for (size_t i = 0; i < 4; i++) assert_string_equal(filo_ecotope_layer_name(ecotope, i), layers[i]);
    filo_ecotope_free(ecotope);
}

FILO_TEST(an_ecotope_is_loaded_from_a_file) {
    const char *path = filo_test_path("forest.ecotope.json"), *text = quoted(ONE_LAYER("0.5"));
    assert_ok(filo_file_write(path, text, strlen(text), NULL));
    FiloEcotope *ecotope;
    assert_ok(filo_ecotope_load(&ecotope, path, NULL));
    assert_string_equal(filo_ecotope_layer_name(ecotope, 0), "layer");
    filo_ecotope_free(ecotope);
    assert_error(filo_ecotope_load(&ecotope, filo_test_path("none"), NULL), FILO_ERROR_NOT_FOUND, "none");
    assert_null(ecotope);
    assert_ok(filo_file_write(path, "{", 1, NULL));
    assert_error(filo_ecotope_load(&ecotope, path, NULL), FILO_ERROR_DATA, "forest.ecotope.json:1:2: ");
}

FILO_TEST(the_example_of_the_manual_is_an_ecotope) {
    FiloFileData manual;
    assert_ok(filo_file_read(&manual, FILO_TEST_SOURCES "/../../docs/ecotopes.md", NULL));
    const char *begin = strstr(manual.text, "```json\n");
    assert_non_null(begin);
    const char *end = strstr(begin + 8, "```");
    assert_non_null(end);
    FiloEcotope *ecotope;
    assert_ok(filo_ecotope_parse(&ecotope, begin + 8, (size_t)(end - begin - 8), "docs/ecotopes.md", NULL));
    assert_int_equal(filo_ecotope_layer_count(ecotope), 5);
    assert_int_equal(filo_ecotope_map_count(ecotope), 3);
    filo_ecotope_free(ecotope);
    filo_file_free(&manual);
}

FILO_TEST(misuse_is_reported) {
    FiloEcotope *ecotope;
    expect_mistake("pass a pointer for the ecotope", filo_ecotope_parse(NULL, "", 0, NULL, NULL));
    expect_mistake("pass the text of the ecotope", filo_ecotope_parse(&ecotope, NULL, 0, NULL, NULL));
    expect_mistake("pass a pointer for the ecotope", filo_ecotope_load(NULL, "", NULL));
    expect_mistake("pass the path of the ecotope", filo_ecotope_load(&ecotope, NULL, NULL));
    expect_fault("pass the ecotope", assert_int_equal(filo_ecotope_map_count(NULL), 0));
    expect_fault("pass the ecotope", assert_string_equal(filo_ecotope_layer_name(NULL, 0), ""));
    filo_ecotope_free(NULL);
}

// ---- Errors ---------------------------------------------------------------------------------------------------

static void assert_message(const char *text, FiloCode code, const char *message) {
    FiloEcotope *ecotope;
    FiloResult result = parse_text(&ecotope, text, NULL);
    if (result.code == FILO_OK) fail_msg("expected \"%s\", but it is accepted: %s", message, text);
    assert_string_equal(result.message, message);
    assert_int_equal(result.code, code);
    assert_null(ecotope);
}

// Of a density, at its column.
static void assert_density(const char *density, FiloCode code, const char *message) {
    char text[8192], full[512];
    const char *before = strstr(ONE_LAYER("@"), "@");
    int at = (int)(before - strchr(ONE_LAYER("@"), '{')) + 1, column = 0;
    snprintf(text, sizeof text, "%.*s%s}]}]}", at - 1, ONE_LAYER("@"), density);
    int length = 0;
    assert_int_equal(sscanf(message, "%d: %n", &column, &length), 1);
    snprintf(full, sizeof full, "a.json:1:%d: %s", at + column - 1, message + length);
    assert_message(text, code, full);
}

FILO_TEST(errors_of_expressions_name_node_place_and_reason) {
    assert_density("true", FILO_ERROR_DATA,
                   "1: density: expected a number, a name or an object, found true or false");
    assert_density("5", FILO_ERROR_DATA, "1: density: 5 is outside -4 … 4");
    assert_density("1e400", FILO_ERROR_DATA, "1: density: 1e400 is outside -1e+09 … 1e+09");
    assert_density("''", FILO_ERROR_DATA, "1: density: the text is empty");
    assert_density("{}", FILO_ERROR_DATA,
                   "1: an expression without an operator, such as \"multiply\" or \"curve\"");
    assert_density("{'minn': [1]}", FILO_ERROR_DATA, "2: there is no \"minn\" here: did you mean \"min\"?");
    assert_density("{'min': [1], 'max': [1]}", FILO_ERROR_DATA,
                   "14: an expression has one operator, but this one has \"min\" and \"max\"");
    assert_density("{'min': [1], 'min': [1]}", FILO_ERROR_DATA, "14: min: given more than once");
    assert_density("{'min': 1}", FILO_ERROR_DATA, "9: min: expected a list of expressions, found a number");
    assert_density("{'add': []}", FILO_ERROR_DATA, "9: add: the list is empty");
    assert_density("{'add': [1], 'of': 1}", FILO_ERROR_DATA, "1: add: \"of\" has no meaning for it");
    assert_density("{'curve': [[0, 1]]}", FILO_ERROR_DATA, "1: curve: \"of\" is missing");
    assert_density("{'curve': [], 'of': 'a'}", FILO_ERROR_DATA, "11: curve: the list is empty");
    assert_density("{'curve': [[0]], 'of': 'a'}", FILO_ERROR_DATA,
                   "12: curve: expected two numbers, found 1");
    assert_density("{'curve': [[0, 1, 2]], 'of': 'a'}", FILO_ERROR_DATA,
                   "12: curve: expected two numbers, found more");
    assert_density("{'curve': [[0, 5]], 'of': 'a'}", FILO_ERROR_DATA, "12: curve: the y 5 is outside -4 … 4");
    assert_density("{'curve': [[1, 0], [0, 1]], 'of': 'a'}", FILO_ERROR_DATA,
                   "20: curve: x must not become smaller, but 0 comes after 1");
    assert_density("{'curve': 3, 'of': 'a'}", FILO_ERROR_DATA,
                   "11: curve: expected a list of points [x, y], found a number");
    assert_density("{'clamp': [1, 0], 'of': 'a'}", FILO_ERROR_DATA, "11: clamp: 1 is above 0");
    assert_density("{'clamp': 3, 'of': 'a'}", FILO_ERROR_DATA,
                   "11: clamp: expected a list of two numbers, found a number");
    assert_density("{'threshold': 'a', 'of': 'a'}", FILO_ERROR_DATA,
                   "15: threshold: expected a number, found a string");
    assert_density("{'threshold': 0.5, 'of': 'a', 'soft': -1}", FILO_ERROR_DATA,
                   "39: soft: -1 is outside 0 … 1e+09");
    assert_density("{'noise': 0}", FILO_ERROR_DATA, "11: noise: 0 is outside 0.01 … 1e+06");
    assert_density("{'noise': 1, 'octaves': 9}", FILO_ERROR_DATA, "25: octaves: 9 is outside 1 … 8");
    assert_density("{'noise': 1, 'octaves': 1.5}", FILO_ERROR_DATA, "25: octaves: 1.5 is not a whole number");
    assert_density("{'blur': 'a'}", FILO_ERROR_DATA, "1: blur: \"metres\" is missing");
    assert_density("{'blur': 'a', 'metres': 3, 'resolution': 1.5}", FILO_ERROR_DATA,
                   "1: blur: 3 metres need a resolution of 1 or less");
    assert_density("{'near': 'layer'}", FILO_ERROR_DATA, "1: near: \"within\" is missing");
    assert_density("{'near': [], 'within': 3}", FILO_ERROR_DATA, "10: near: the list is empty");
    assert_density("{'near': 3, 'within': 3}", FILO_ERROR_DATA,
                   "10: near: expected the name of a layer, or a list of names, found a number");
}

FILO_TEST(unknown_names_come_with_the_one_that_was_meant) {
    assert_density("'slop'", FILO_ERROR_NOT_FOUND, "1: there is no map \"slop\": did you mean \"slope\"?");
    assert_density("'xylophone'", FILO_ERROR_NOT_FOUND,
                   "1: there is no map \"xylophone\": declare it in \"maps\"");
    assert_density("{'layer': 'lair'}", FILO_ERROR_NOT_FOUND, "1: layer: there is no layer \"lair\"");
    assert_density("{'layer': 'layr'}", FILO_ERROR_NOT_FOUND,
                   "1: layer: there is no layer \"layr\": did you mean \"layer\"?");
    assert_density("{'near': 'layr', 'within': 3}", FILO_ERROR_NOT_FOUND,
                   "10: near: there is no layer \"layr\": did you mean \"layer\"?");
    assert_density("{'ecotope': 'lnad'}", FILO_ERROR_NOT_FOUND,
                   "1: ecotope: there is no ecotope \"lnad\": did you mean \"land\"?");
}

FILO_TEST(units_are_not_mixed_up) {
    assert_density("'height'", FILO_ERROR_DATA,
                   "1: density: \"height\" is in metres, not a density: use it in a curve or a threshold");
    assert_density(
        "{'multiply': [0.5, 'road']}", FILO_ERROR_DATA,
        "20: multiply: \"road\" is between 0 and 200, not a density: use it in a curve or a threshold");
    assert_density("{'min': ['road', 'height']}", FILO_ERROR_DATA,
                   "10: min: \"road\" is between 0 and 200, not a density: use it in a curve or a threshold");
    assert_density("{'max': ['height', 500]}", FILO_ERROR_DATA,
                   "1: density: \"max\" is in metres, not a density: use it in a curve or a threshold");
    assert_density("{'min': ['wind', 3]}", FILO_ERROR_DATA,
                   "1: min: \"wind\" is a direction, which has no least and no largest: use it in a curve");
    assert_density(
        "{'threshold': 90, 'of': 'aspect'}", FILO_ERROR_DATA,
        "1: threshold: \"aspect\" is a direction, which has no least and no largest: use it in a curve");
    assert_density("{'curve': [[0, 0], [400, 1]], 'of': 'aspect'}", FILO_ERROR_DATA,
                   "1: curve: the points cover 400, more than the whole turn of \"aspect\", 360");
    assert_density("{'curve': [[-400, 0]], 'of': 'aspect'}", FILO_ERROR_DATA,
                   "1: curve: it begins at -400, more than a whole turn from \"aspect\", 0 … 360");
    assert_density("{'add': ['a', 7]}", FILO_ERROR_DATA, "15: add: 7 is outside -4 … 4");
}

#define LAYERS(layers)                                                                                       \
    "{'footprints': {'trees': {'metres': 3}, 'grass': {'metres': 1}},\n'ecotopes': [{'name': 'land', "       \
    "'layers':\n[" layers "]}]}"

FILO_TEST(near_is_possible_for_earlier_footprints_only) {
    FiloEcotope *ecotope =
        parse(LAYERS("{'name': 'pine', 'footprint': 'trees'}, {'name': 'fern', 'footprint': "
                     "'grass', 'density': {'near': 'pine', 'within': 3}}"));
    filo_ecotope_free(ecotope);
    assert_message(
        LAYERS("{'name': 'fern', 'footprint': 'grass'},\n{'name': 'pine', 'footprint': 'trees', "
               "'density': {'near': 'fern', 'within': 3}}"),
        FILO_ERROR_DATA,
        "a.json:4:51: near: \"pine\" cannot be near \"fern\", whose footprint \"grass\" is not placed before "
        "its own, \"trees\"");
    // Through another layer.
    assert_message(
        LAYERS("{'name': 'fern', 'footprint': 'grass', 'density':\n{'near': 'pine', 'within': 3}},\n"
               "{'name': 'pine', 'footprint': 'trees', 'density': {'layer': 'moss'}},\n"
               "{'name': 'moss', 'footprint': 'grass', 'density': {'near': 'oak', 'within': 3}},\n"
               "{'name': 'oak', 'footprint': 'trees'}"),
        FILO_ERROR_DATA,
        "a.json:6:51: near: \"pine\" cannot be near \"oak\", whose footprint \"trees\" is not placed before "
        "its "
        "own, \"trees\"");
    assert_message(
        LAYERS("{'name': 'fern', 'footprint': 'grass', 'density': {'blur':\n{'near': 'pine', 'within': "
               "3}, 'metres': 9}},\n{'name': 'pine', 'footprint': 'trees'}"),
        FILO_ERROR_DATA,
        "a.json:4:1: blur: \"near\" cannot be blurred: it depends on what is placed, and a blur is computed "
        "before");
}

FILO_TEST(cycles_are_refused_with_their_chain) {
    assert_message(
        "{'footprints': {'a': {'metres': 1}}, 'let': {\n'a': 'b',\n'b': {'min': ['c', 1]},\n'c': 'a'},\n"
        "'ecotopes': [{'name': 'land', 'layers': [{'name': 'x'}]}]}",
        FILO_ERROR_DATA, "a.json:2:1: depends on itself: a → b → c → a");
    assert_message(LAYERS("{'name': 'x', 'footprint': 'trees', 'density': {'layer': 'y'}},\n"
                          "{'name': 'y', 'footprint': 'grass', 'density': {'layer': 'x'}}"),
                   FILO_ERROR_DATA, "a.json:3:2: depends on itself: x → y → x");
    assert_message(
        "{'footprints': {'a': {'metres': 1}},\n'ecotopes': [{'name': 'land', 'density': {'ecotope': "
        "'land'}, 'layers': [{'name': 'x'}]}]}",
        FILO_ERROR_DATA, "a.json:2:14: depends on itself: land → land");
    // An ecotope fades where a later one replaces it.
    assert_message(
        "{'footprints': {'a': {'metres': 1}},\n'ecotopes': [{'name': 'land', 'layers': [{'name': 'x'}]},\n"
        "{'name': 'wood', 'replace': true, 'density': {'ecotope': 'land'}}]}",
        FILO_ERROR_DATA, "a.json:2:14: depends on itself: land → wood → land");
}

FILO_TEST(errors_of_files_name_place_and_reason) {
    assert_message("", FILO_ERROR_DATA, "a.json:1:1: expected a value, but the text ends here");
    assert_message("[]", FILO_ERROR_DATA, "a.json:1:1: an ecotope: expected an object, found a list");
    assert_message("{}", FILO_ERROR_DATA, "a.json:1:1: \"footprints\" is missing");
    assert_message("{'footprints': {}}", FILO_ERROR_DATA, "a.json:1:1: \"ecotopes\" is missing");
    assert_message("{'footprints': {}, 'ecotopes': []}", FILO_ERROR_DATA, "a.json:1:1: there are no layers");
    assert_message("{'filo': 'scene'}", FILO_ERROR_KIND,
                   "a.json:1:10: filo: expected \"ecotope\": this is something else");
    assert_message("{'footprint': {}}", FILO_ERROR_DATA,
                   "a.json:1:2: there is no \"footprint\" here: did you mean \"footprints\"?");
    assert_message("{'footprints': {'a': {}}}", FILO_ERROR_DATA, "a.json:1:17: \"a\": \"metres\" is missing");
    assert_message("{'footprints': {'a': {'metres': 1}, 'a': {'metres': 1}}}", FILO_ERROR_DATA,
                   "a.json:1:37: footprints: \"a\" is there twice");
    assert_message("{'footprints': {'a': {'metres': 1, 'pattern': 5}}}", FILO_ERROR_DATA,
                   "a.json:1:47: pattern: 5 is not 4, 8 or 16");
    assert_message(
        "{'footprints': {'a': {'metres': 1}, 'b': {'metres': 2}}}", FILO_ERROR_DATA,
        "a.json:1:37: \"b\" is larger than \"a\": footprints are placed in order, the largest first");
    assert_message("{'footprints': {'a': {'metres': 0}}}", FILO_ERROR_DATA,
                   "a.json:1:33: metres: 0 is outside 0.01 … 10000");
    assert_message("{'footprints': {'a': {'metres': 1}}, 'ecotopes': []}", FILO_ERROR_DATA,
                   "a.json:1:17: no layer has the footprint \"a\"");
    assert_message("{'maps': {'height': {}}}", FILO_ERROR_DATA,
                   "a.json:1:11: maps: \"height\" is the heightmap, and cannot be declared");
    assert_message("{'maps': {'slope': {}, 'slope': {}}}", FILO_ERROR_DATA,
                   "a.json:1:24: maps: \"slope\" is declared twice");
    assert_message("{'maps': {'a': {'range': [1, 1]}}}", FILO_ERROR_DATA,
                   "a.json:1:26: range: 1 is not below 1");
    assert_message("{'maps': {'a': {'filter': 'cubic'}}}", FILO_ERROR_DATA,
                   "a.json:1:27: filter: expected \"bilinear\" or \"nearest\"");
    assert_message("{'let': {'a': 1, 'a': 1}}", FILO_ERROR_DATA, "a.json:1:18: let: \"a\" is there twice");
    assert_message(
        "{'let': {'slope': 1}, 'footprints': {'a': {'metres': 1}}, 'ecotopes': [{'name': 'e', 'layers': "
        "[{'name': 'x'}]}]}",
        FILO_ERROR_DATA, "a.json:1:10: let: \"slope\" is the name of a map");
}

FILO_TEST(errors_of_layers_and_ecotopes_name_place_and_reason) {
    assert_message(LAYERS("{}"), FILO_ERROR_DATA, "a.json:3:2: a layer without \"name\"");
    assert_message(LAYERS("3"), FILO_ERROR_DATA, "a.json:3:2: layers: expected an object, found a number");
    assert_message(LAYERS("{'name': 'x'}"), FILO_ERROR_DATA, "a.json:3:2: \"x\": \"footprint\" is missing");
    assert_message(LAYERS("{'name': 'x', 'footprint': 'gras'}"), FILO_ERROR_NOT_FOUND,
                   "a.json:3:29: there is no footprint \"gras\": did you mean \"grass\"?");
    assert_message(LAYERS("{'name': 'x', 'footprint': 'grass'},\n{'name': 'x', 'footprint': 'trees'}"),
                   FILO_ERROR_DATA, "a.json:4:1: there is another layer \"x\", in line 3");
    assert_message(LAYERS("{'name': 'x', 'scale': [2, 1]}"), FILO_ERROR_DATA,
                   "a.json:3:25: scale: 2 is above 1");
    assert_message(LAYERS("{'name': 'x', 'tilt': 2}"), FILO_ERROR_DATA,
                   "a.json:3:24: tilt: 2 is outside 0 … 1");
    assert_message(LAYERS("{'name': 'x', 'turn': 181}"), FILO_ERROR_DATA,
                   "a.json:3:24: turn: 181 is outside 0 … 180");
    assert_message(LAYERS("{'name': 'x', 'color': '#12345'}"), FILO_ERROR_DATA,
                   "a.json:3:25: color: expected \"#rrggbb\" or a list of two");
    assert_message(LAYERS("{'name': 'x', 'color': ['#123456', '#12345g']}"), FILO_ERROR_DATA,
                   "a.json:3:37: color: expected \"#rrggbb\" or a list of two");
    assert_message(LAYERS("{'name': 'x', 'color': ['#123456', '#123456', '#123456']}"), FILO_ERROR_DATA,
                   "a.json:3:25: color: expected two colours, found more");
    assert_message(LAYERS("{'name': 'x', 'variants': 1.5}"), FILO_ERROR_DATA,
                   "a.json:3:28: variants: 1.5 is not a whole number");
    assert_message(
        LAYERS("{'name': 'x', 'footprint': 'trees', 'towards': 'raod'}, {'name': 'y', 'footprint': 'grass'}"),
        FILO_ERROR_NOT_FOUND, "a.json:3:49: towards: there is no map \"raod\": declare it in \"maps\"");
    assert_message(
        LAYERS("{'name': 'x', 'footprint': 'trees', 'towards': 'height'}, {'name': 'y', 'footprint': "
               "'grass'}"),
        FILO_ERROR_DATA, "a.json:3:49: towards: \"height\" is not a direction");
    assert_message("{'ecotopes': [{}]}", FILO_ERROR_DATA, "a.json:1:15: an ecotope without \"name\"");
    assert_message("{'ecotopes': [{'name': 'a', 'replace': 1}]}", FILO_ERROR_DATA,
                   "a.json:1:40: replace: expected true or false, found a number");
    assert_message("{'footprints': {'a': {'metres': 1}}, 'ecotopes': [{'name': 'e', 'layers': [{'name': "
                   "'x'}]},\n{'name': "
                   "'e'}]}",
                   FILO_ERROR_DATA, "a.json:2:1: there is another ecotope \"e\", in line 1");
    assert_message("{'ecotopes': [{'name': '123456789012345678901234567890123456789012345678'}]}",
                   FILO_ERROR_LIMIT, "a.json:1:24: name: a name of 48 bytes, there may be 47");
    assert_message("{'ecotopes': [{'name': 'a\\u0000b'}]}", FILO_ERROR_DATA,
                   "a.json:1:24: name: the text has a zero byte in it");
}

// ---- Limits ---------------------------------------------------------------------------------------------------

static FiloResult parse_builder(FiloBuilder *text) {
    FiloEcotope *ecotope;
    assert_false(text->failed);
    FiloResult result = filo_ecotope_parse(&ecotope, filo_builder_text(text), text->length, "a.json", NULL);
    filo_ecotope_free(ecotope);
    filo_builder_deinit(text);
    return result;
}

FILO_TEST(a_million_nodes_are_refused) {
    FiloBuilder text = { 0 };
    filo_builder_add_text(&text, "{\"let\": {\"a\": {\"add\": [");
    for (int i = 0; i < 1000000; i++) filo_builder_add_text(&text, "1,\n");
    filo_builder_add_text(&text, "1]}}}");
    assert_error(parse_builder(&text), FILO_ERROR_LIMIT,
                 "a.json:4096:1: more than 4096 expressions in one file");
}

// Shared expressions, each of which is the one before or, backwards, the one after it: then the first is met first.
static FiloResult parse_chain(int length, bool backwards) {
    FiloBuilder text = { 0 };
    filo_builder_add_text(&text, "{\"footprints\": {\"f\": {\"metres\": 1}}, \"let\": {\"l0\": ");
    filo_builder_add_text(&text, backwards ? "\"l1\"" : "1");
    for (int i = 1; i < length; i++)
        if (backwards && i == length - 1)
            filo_builder_printf(&text, ", \"l%d\": 1", i);
        else
            filo_builder_printf(&text, ", \"l%d\": \"l%d\"", i, backwards ? i + 1 : i - 1);
    filo_builder_printf(
        &text, "}, \"ecotopes\": [{\"name\": \"e\", \"layers\": [{\"name\": \"x\", \"density\": \"l%d\"}]}]}",
        backwards ? 0 : length - 1);
    return parse_builder(&text);
}

FILO_TEST(depth_is_limited_through_names_too) {
    for (int backwards = 0; backwards < 2; backwards++) {
        assert_ok(parse_chain(60, backwards != 0));
        assert_error(parse_chain(70, backwards != 0), FILO_ERROR_LIMIT,
                     "expressions more than 128 deep inside each other");
        assert_int_equal(parse_chain(1000, backwards != 0).code, FILO_ERROR_LIMIT);
    }
    FiloBuilder text = { 0 };
    filo_builder_add_text(&text, "{\"ecotopes\": [");
    for (int i = 0; i < 300; i++) filo_builder_add_text(&text, "{\"ecotopes\": [");
    assert_error(parse_builder(&text), FILO_ERROR_DATA, "deep");
}

FILO_TEST(too_many_layers_and_maps_are_refused) {
    FiloBuilder text = { 0 };
    filo_builder_add_text(
        &text, "{\"footprints\": {\"f\": {\"metres\": 1}}, \"ecotopes\": [{\"name\": \"e\", \"layers\": [");
    for (int i = 0; i < 33; i++) filo_builder_printf(&text, "%s\n{\"name\": \"x%d\"}", i > 0 ? "," : "", i);
    filo_builder_add_text(&text, "]}]}");
    assert_error(parse_builder(&text), FILO_ERROR_LIMIT,
                 "a.json:34:1: more than 32 layers with the footprint \"f\"");
    filo_builder_add_text(&text, "{\"maps\": {");
    for (int i = 0; i < 65; i++) filo_builder_printf(&text, "%s\n\"m%d\": {}", i > 0 ? "," : "", i);
    filo_builder_add_text(&text, "}}");
    assert_error(parse_builder(&text), FILO_ERROR_LIMIT, "a.json:60:1: maps: more than 58");
}

FILO_TEST(too_many_ecotopes_points_and_shared_expressions_are_refused) {
    FiloBuilder text = { 0 };
    filo_builder_add_text(&text, "{\"ecotopes\": [");
    for (int i = 0; i < 1025; i++) filo_builder_printf(&text, "%s\n{\"name\": \"e%d\"}", i > 0 ? "," : "", i);
    filo_builder_add_text(&text, "]}");
    assert_error(parse_builder(&text), FILO_ERROR_LIMIT,
                 "a.json:1026:1: more than 1024 ecotopes in one file");
    filo_builder_add_text(&text, "{\"let\": {");
    for (int i = 0; i < 1025; i++) filo_builder_printf(&text, "%s\n\"l%d\": 1", i > 0 ? "," : "", i);
    filo_builder_add_text(&text, "}}");
    assert_error(parse_builder(&text), FILO_ERROR_LIMIT,
                 "a.json:1026:1: let: more than 1024 shared expressions");
    filo_builder_add_text(&text, "{\"let\": {\"a\": {\"curve\": [");
    for (int i = 0; i < 257; i++) filo_builder_printf(&text, "%s\n[%d, 1]", i > 0 ? "," : "", i);
    filo_builder_add_text(&text, "], \"of\": \"slope\"}}}");
    assert_error(parse_builder(&text), FILO_ERROR_LIMIT,
                 "a.json:258:1: curve: more than 256 points in one curve or 16384 in one file");
}

FILO_TEST(running_out_of_memory_leaks_nothing) {
    char text[2048];
    snprintf(text, sizeof text, "%s", example);
    memcpy(strstr(text, "'wetness'"), "  'woods'", 9);
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    bool more = true;
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        FiloEcotope *ecotope;
        FiloResult result = parse_text(&ecotope, text, &failing.allocator);
        more = failing.calls > fail_at;
        if (more) assert_error(result, FILO_ERROR_MEMORY, "a.json: no memory to read the ecotope");
        assert_int_equal(result.code == FILO_OK, !more);
        filo_ecotope_free(ecotope);
        assert_int_equal(failing.blocks, 0);
    }
    filo_fault_set_handler(before);
}
