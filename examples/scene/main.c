// A scene from a file. It shows
//   - a file with prefabs, instances with overrides, children, and forward references;
//   - a component that is defined by the file;
//   - the messages about mistakes in a file;
//   - that loading and saving gives the same bytes, and a small change gives a small difference.
//
// Try: ./dev run scene
//      change examples/scene/yard.json: a number, a name, a component that does not exist

#include <filo/filo.h>

#include <stdio.h>
#include <string.h>

// ---- Components ---------------------------------------------------------------------------------------

typedef struct Position {
    float x, y;
} Position;
FILO_REFLECT(Position, FILO_FIELD(float, x, .unit = "m"), FILO_FIELD(float, y, .unit = "m"))

typedef struct Health {
    int32_t points;
} Health;
FILO_REFLECT(Health, FILO_FIELD(int32_t, points, .min = 0, .max = 100))

typedef struct Guards {
    FiloEntity what;
} Guards;
FILO_REFLECT(Guards, FILO_FIELD(FiloEntity, what))

typedef struct Weather {
    float rain;
} Weather;
FILO_REFLECT(Weather, FILO_FIELD(float, rain))

static void register_components(FiloWorld *world) {
    filo_component(world, Position);
    filo_component(world, Health, .default_value = &(Health){ 100 });
    filo_component(world, Guards);
    filo_component(world, Weather, .storage = FILO_STORAGE_GLOBAL);
}

// ---- Showing ------------------------------------------------------------------------------------------

static const char *name_of(const FiloWorld *world, FiloEntity entity) {
    const char *name = filo_entity_name(world, entity);
    return name != NULL ? name : "(no name)";
}

static void show(const FiloWorld *world, FiloEntity entity, int depth) {
    printf("%*s%s%s", depth * 2, "", name_of(world, entity),
           filo_entity_active(world, entity) ? "" : ", inactive");
    const Position *position = filo_get(world, entity, Position);
    const Health *health = filo_get(world, entity, Health);
    const Guards *guards = filo_get(world, entity, Guards);
    if (position != NULL) printf(", at %g, %g", (double)position->x, (double)position->y);
    if (health != NULL) printf(", %d points", health->points);
    if (guards != NULL)
        printf(", guards a part of %s", name_of(world, filo_entity_parent(world, guards->what)));
    // A component without a C struct is read by reflection.
    FiloComponent loot = filo_component_named(world, "Loot");
    FiloValue gold;
    void *value = (void *)(uintptr_t)filo_entity_get(world, entity, loot);
    if (value != NULL &&
        filo_reflect_find(&gold, filo_component_info(world, loot)->type, value, "gold").code == FILO_OK)
        printf(", %d coins", *(const int32_t *)gold.data);
    puts("");
    filo_entity_each_child (world, entity, child) show(world, child, depth + 1);
}

// The lines of `after` that are not in `before`.
static void show_new_lines(const char *before, FiloString after) {
    FiloSplit split = filo_string_split(after, FILO_STRING("\n"));
    for (FiloString line; filo_split_next(&split, &line);)
        if (filo_string_find(filo_string(before), line) == FILO_STRING_NOT_FOUND)
            printf("    " FILO_STRING_FORMAT "\n", FILO_STRING_PRINT(line));
}

// ---- The scene ----------------------------------------------------------------------------------------

// The file is in the repository, in a folder above the program.
static FiloResult read_yard(FiloFileData *data) {
    char folder[FILO_PATH_SIZE], path[FILO_PATH_SIZE + 32];
    FiloResult r = filo_path_standard(folder, sizeof folder, FILO_FOLDER_EXECUTABLE, NULL);
    if (r.code != FILO_OK) return r;
    for (char *end = folder + strlen(folder); end != NULL; end = strrchr(folder, '/')) {
        *end = '\0';
        snprintf(path, sizeof path, "%s/examples/scene/yard.json", folder);
        if (filo_file_exists(path)) break;
    }
    return filo_file_read(data, path, NULL);
}

static FiloResult play(FiloWorld *world, FiloString text) {
    FiloScene *scene;
    FiloResult r = filo_scene_load_text(&scene, world, text, &(FiloSceneDesc){ .source = "yard.json" });
    if (r.code != FILO_OK) return r;
    FiloEntity entities[16];
    size_t count = filo_scene_entities(scene, entities, 16);
    for (size_t i = 0; i < count && i < 16; i++)
        if (!filo_has(world, entities[i], FiloPrefab)) show(world, entities[i], 0);

    FiloBuilder saved = { 0 };
    r = filo_scene_write(scene, &saved);
    printf("saved as %s\n",
           filo_string_equal(filo_builder_string(&saved), text) ? "the same bytes" : "something else");
    filo_edit(world, filo_scene_find(scene, "chest/lid"), Position)->x = 0.5f;
    filo_edit(world, filo_scene_find(scene, "dog"), Position)->x = 2;
    FiloEntity crate = filo_scene_instance(scene, filo_scene_find(scene, "crate"), FILO_ENTITY_NONE);
    filo_entity_set_name(world, crate, "box");
    filo_builder_clear(&saved);
    if (r.code == FILO_OK) r = filo_scene_write(scene, &saved);
    puts("after the lid slipped, the dog moved and a crate came, these lines are new:");
    show_new_lines(text.data, filo_builder_string(&saved));
    filo_builder_deinit(&saved);
    filo_scene_unload(scene);
    return r;
}

static void print_problem(const FiloSceneProblem *problem, void *user) {
    (void)user;
    printf("    %s\n", problem->message);
}

// Mistakes that are reported, and one because of which the scene is refused.
static void make_mistakes(FiloWorld *world) {
    static const char small[] =
        "{\"filo\": \"scene\", \"version\": 1, \"entities\": [\n"
        "    {\"name\": \"cat\", \"components\": {\"Position\": {\"x\": \"far\"}, \"Wings\": {}}},\n"
        "    {\"components\": {\"Guards\": {\"what\": \"milk\"}, \"Health\": {\"points\": 900}}}\n"
        "]}";
    static const char large[] =
        "{\"filo\": \"scene\", \"version\": 1, \"entities\": [{\"prefab\": \"unicorn\"}]}";
    FiloSceneDesc desc = { .source = "cat.json", .problem = print_problem };
    FiloScene *scene;
    puts("small mistakes:");
    if (filo_scene_load_text(&scene, world, filo_string(small), &desc).code == FILO_OK)
        filo_scene_unload(scene);
    printf("and a large one:\n    %s\n",
           filo_scene_load_text(&scene, world, filo_string(large), &desc).message);
}

int main(int argc, char **argv) {
    FiloArgs args;
    FiloArgsDesc desc = { .summary = "A scene from a file, with prefabs, overrides and references.",
                          .ignores = FILO_ARGS_SCREEN | FILO_ARGS_FRAMES | FILO_ARGS_THREADS |
                                     FILO_ARGS_SEED | FILO_ARGS_HASH | FILO_ARGS_STATS | FILO_ARGS_TRACE };
    if (!filo_args_main(&args, argc, argv, &desc)) return args.exit_code;
    FiloWorld *world = NULL;
    FiloFileData yard = { 0 };
    FiloResult r = read_yard(&yard);
    if (r.code == FILO_OK) r = filo_world_create(&world, NULL);
    if (r.code == FILO_OK) register_components(world);
    if (r.code == FILO_OK) r = filo_out_of_memory_result(); // checked once, instead of after each component
    if (r.code == FILO_OK) r = play(world, filo_string_from(yard.text, yard.size));
    if (r.code == FILO_OK) make_mistakes(world);
    if (r.code == FILO_OK) r = filo_out_of_memory_result();
    if (r.code != FILO_OK) filo_log_error("scene", "%s", r.message);
    filo_world_destroy(world);
    filo_file_free(&yard);
    return r.code == FILO_OK ? 0 : 1;
}

// Prints, on any number of threads:
//
//  dog, at 3, 0, guards a part of chest
//  (no name), at 8, 0, 30 points, 5 coins
//    (no name), at 0, 1
//  chest, at 4, 2, 30 points, 80 coins
//    (no name), at 0, 1
//    (no name), inactive, guards a part of chest
//    mouse, at 0, 0
//  saved as the same bytes
//  after the lid slipped, the dog moved and a crate came, these lines are new:
//                      "Position": {"x": 2}
//                      "lid": {
//                              "Position": {"x": 0.5}
//                      },
//                  "name": "box",
//  small mistakes:
//      cat.json:2:62: cat: Wings: there is no such component
//      cat.json:2:54: cat: Position.x: expected a number, found a string
//      cat.json:3:70: Health.points: 900 is outside 0 … 100
//      cat.json:3:40: Guards.what: there is no entity "milk"
//  and a large one:
//      cat.json:1:57: prefab: there is no "unicorn"
