// The text of a scene becomes nodes: one for each entity, prefab and override, in lists as they stand in the
// file. The values of components are not read yet, only where they are. Nothing here looks at the world.
//
// The whole text is gone over once before, so everything after that can rely on its being JSON.

#include "scene/scene.h"

// ---- Places and texts -----------------------------------------------------------------------------------

ScenePlace scene_place(const SceneLoader *loader, FiloJsonToken token) {
    size_t offset = (size_t)(token.text - loader->text);
    if (token.kind == FILO_JSON_STRING || token.kind == FILO_JSON_KEY) offset--; // the quote
    return (ScenePlace){ (uint32_t)offset, token.line, token.column };
}

FiloJsonReader scene_reader(const SceneLoader *loader, ScenePlace place) {
    FiloJsonReader reader;
    filo_json_reader_init(&reader, loader->text, loader->length, "");
    reader.position = place.offset;
    reader.line = place.line;
    reader.line_start = place.offset - (size_t)(place.column - 1);
    return reader;
}

FiloString scene_text(SceneLoader *loader, FiloJsonToken token) {
    if (!token.escaped) return filo_string_from(token.text, token.length);
    size_t length = filo_json_as_text(token, NULL, 0);
    SceneText *text = filo_alloc(loader->allocator, sizeof *text + length + 1, 0);
    if (text == NULL) {
        scene_no_memory(loader);
        return filo_string_from(NULL, 0);
    }
    *text = (SceneText){ .next = loader->texts, .block_size = sizeof *text + length + 1 };
    loader->texts = text;
    filo_json_as_text(token, text->bytes, length + 1);
    return filo_string_from(text->bytes, length);
}

const char *scene_c_text(SceneLoader *loader, FiloString text) {
    filo_builder_clear(&loader->name);
    filo_builder_add(&loader->name, text);
    return loader->name.failed ? NULL : filo_builder_text(&loader->name);
}

bool scene_wrong_kind(SceneLoader *loader, FiloJsonToken token, const char *what, const char *expected) {
    return scene_fail(loader, scene_place(loader, token), FILO_ERROR_DATA, "%s: expected %s, found %s", what,
                      expected, filo_json_kind_name(token.kind));
}

void scene_unknown_member(SceneLoader *loader, FiloJsonToken key) {
    FiloString text = filo_string_from(key.text, key.length);
    scene_report(loader->scene,
                 &(SceneReport){ .kind = FILO_SCENE_UNKNOWN_MEMBER,
                                 .source = loader->source,
                                 .place = scene_place(loader, key) },
                 "there is no \"%.*s\" here", SCENE_SHOWN(text));
}

// ---- Names ----------------------------------------------------------------------------------------------

#define NAME_LENGTH 200 // bytes

bool scene_parse_name(SceneLoader *loader, FiloJsonToken token, const char *what, FiloString *name) {
    if (token.kind != FILO_JSON_STRING && token.kind != FILO_JSON_KEY)
        return scene_wrong_kind(loader, token, what, "text in quotes");
    *name = scene_text(loader, token);
    if (name->data == NULL) return false;
    ScenePlace place = scene_place(loader, token);
    if (name->length == 0) return scene_fail(loader, place, FILO_ERROR_DATA, "%s: the text is empty", what);
    if (name->length > NAME_LENGTH)
        return scene_fail(loader, place, FILO_ERROR_LIMIT, "%s: %zu bytes, there may be %d", what,
                          name->length, NAME_LENGTH);
    if (memchr(name->data, '\0', name->length) != NULL)
        return scene_fail(loader, place, FILO_ERROR_DATA, "%s: the text has a zero byte in it", what);
    return true;
}

// In a prefab, names are parts of paths.
static bool parse_label(SceneLoader *loader, FiloJsonToken token, const char *what, FiloString *name) {
    if (!scene_parse_name(loader, token, what, name)) return false;
    if (name->length > 0 && name->data[0] != '#' && memchr(name->data, '/', name->length) == NULL &&
        !filo_string_equal(*name, FILO_STRING(".")))
        return true;
    return scene_fail(loader, scene_place(loader, token), FILO_ERROR_DATA,
                      "%s: in a prefab, \"%.*s\" must not begin with #, have a / in it, or be a point", what,
                      SCENE_SHOWN(*name));
}

// ---- Members of an entity -------------------------------------------------------------------------------

typedef enum Member {
    MEMBER_NAME,
    MEMBER_ID,
    MEMBER_PREFAB,
    MEMBER_ACTIVE,
    MEMBER_WITHOUT,
    MEMBER_COMPONENTS,
    MEMBER_OVERRIDES,
    MEMBER_CHILDREN,
    MEMBER_COUNT,
} Member;

static const char *const member_names[MEMBER_COUNT] = { "name",    "id",         "prefab",    "active",
                                                        "without", "components", "overrides", "children" };

// Which ones there can be.
static bool allowed(const SceneNode *node, Member member) {
    bool in_prefab = node->owner != SCENE_NONE;
    switch (member) {
    case MEMBER_NAME:
        return node->kind == SCENE_NODE_ENTITY || (node->kind == SCENE_NODE_OVERRIDE && !in_prefab);
    case MEMBER_ID: return node->kind == SCENE_NODE_ENTITY && !in_prefab;
    case MEMBER_ACTIVE: return !in_prefab;
    case MEMBER_PREFAB:
    case MEMBER_OVERRIDES: return node->kind != SCENE_NODE_OVERRIDE;
    default: return true;
    }
}

static bool parse_node(SceneLoader *loader, FiloJsonToken token, uint32_t number);

// Adds an empty node to the end of a list, which may lie in a node: lists are named by who has them.
static bool add_node(SceneLoader *loader, SceneNode node, uint32_t above, SceneNodeKind list_kind,
                     uint32_t *number) {
    if (loader->nodes.count >= loader->entity_limit)
        return scene_fail(loader, node.place, FILO_ERROR_LIMIT, "more than %zu entities",
                          loader->entity_limit);
    node.next = node.same = node.info = SCENE_NONE;
    node.children = node.overrides = (SceneList){ SCENE_NONE, SCENE_NONE };
    if (!filo_array_push(&loader->nodes, node)) return scene_no_memory(loader);
    *number = (uint32_t)loader->nodes.count - 1;
    SceneList *list;
    if (above == SCENE_NONE)
        list = list_kind == SCENE_NODE_PREFAB ? &loader->prefabs : &loader->entities;
    else
        list = list_kind == SCENE_NODE_OVERRIDE ? &scene_node(loader, above)->overrides
                                                : &scene_node(loader, above)->children;
    if (list->first == SCENE_NONE)
        list->first = *number;
    else
        scene_node(loader, list->last)->next = *number;
    list->last = *number;
    return true;
}

static bool parse_entities(SceneLoader *loader, FiloJsonToken token, const char *what, uint32_t above,
                           uint32_t owner) {
    if (token.kind != FILO_JSON_ARRAY_BEGIN) return scene_wrong_kind(loader, token, what, "a list");
    while ((token = filo_json_next(&loader->reader)).kind != FILO_JSON_ARRAY_END) {
        if (token.kind != FILO_JSON_OBJECT_BEGIN) return scene_wrong_kind(loader, token, what, "an object");
        SceneNode node = { .kind = SCENE_NODE_ENTITY, .place = scene_place(loader, token), .owner = owner };
        uint32_t number = 0;
        if (!add_node(loader, node, above, SCENE_NODE_ENTITY, &number) || !parse_node(loader, token, number))
            return false;
    }
    return true;
}

static bool parse_overrides(SceneLoader *loader, FiloJsonToken token, uint32_t above) {
    if (token.kind != FILO_JSON_OBJECT_BEGIN)
        return scene_wrong_kind(loader, token, "overrides", "an object");
    FiloJsonToken key;
    while ((key = filo_json_next(&loader->reader)).kind == FILO_JSON_KEY) {
        SceneNode node = { .kind = SCENE_NODE_OVERRIDE, .owner = scene_node(loader, above)->owner };
        uint32_t number = 0;
        node.place = node.name_place = scene_place(loader, key);
        node.name = scene_text(loader, key);
        if (node.name.data == NULL) return false;
        token = filo_json_next(&loader->reader);
        node.removed = token.kind == FILO_JSON_NULL;
        if (!node.removed && token.kind != FILO_JSON_OBJECT_BEGIN)
            return scene_wrong_kind(loader, token, "overrides", "an object or null");
        if (!add_node(loader, node, above, SCENE_NODE_OVERRIDE, &number)) return false;
        if (!node.removed && !parse_node(loader, token, number)) return false;
    }
    return true;
}

// Names and places of values: components of a node, or globals. `uses` is any FiloArray(SceneUse).
static bool parse_uses(SceneLoader *loader, FiloJsonToken token, const char *what, void *uses) {
    __typeof__(loader->uses) *list = uses;
    if (token.kind != FILO_JSON_OBJECT_BEGIN) return scene_wrong_kind(loader, token, what, "an object");
    FiloJsonToken key;
    while ((key = filo_json_next(&loader->reader)).kind == FILO_JSON_KEY) {
        SceneUse use = { .place = scene_place(loader, key) };
        use.name = scene_text(loader, key);
        if (use.name.data == NULL) return false;
        token = filo_json_next(&loader->reader);
        use.value = scene_place(loader, token);
        filo_json_skip(&loader->reader, token);
        use.value_end = (uint32_t)loader->reader.position;
        if (!filo_array_push(list, use)) return scene_no_memory(loader);
    }
    return true;
}

static bool parse_without(SceneLoader *loader, FiloJsonToken token) {
    if (token.kind != FILO_JSON_ARRAY_BEGIN)
        return scene_wrong_kind(loader, token, "without", "a list of names");
    while ((token = filo_json_next(&loader->reader)).kind != FILO_JSON_ARRAY_END) {
        if (token.kind != FILO_JSON_STRING)
            return scene_wrong_kind(loader, token, "without", "text in quotes");
        SceneUse use = { .place = scene_place(loader, token), .name = scene_text(loader, token) };
        if (use.name.data == NULL) return false;
        if (!filo_array_push(&loader->withouts, use)) return scene_no_memory(loader);
    }
    return true;
}

static bool parse_id(SceneLoader *loader, FiloJsonToken token, uint32_t number) {
    uint64_t id = 0;
    if (token.kind != FILO_JSON_NUMBER) return scene_wrong_kind(loader, token, "id", "a whole number");
    if (!filo_json_as_uint64(token, &id) || id == 0 || id > INT32_MAX)
        return scene_fail(loader, scene_place(loader, token), FILO_ERROR_DATA, "id: %.*s is outside 1 … %d",
                          SCENE_SHOWN(filo_string_from(token.text, token.length)), INT32_MAX);
    scene_node(loader, number)->id = (uint32_t)id;
    return true;
}

static bool parse_active(SceneLoader *loader, FiloJsonToken token, uint32_t number) {
    if (token.kind != FILO_JSON_TRUE && token.kind != FILO_JSON_FALSE)
        return scene_wrong_kind(loader, token, "active", "true or false");
    scene_node(loader, number)->active = token.kind == FILO_JSON_TRUE;
    scene_node(loader, number)->inactive = token.kind == FILO_JSON_FALSE;
    return true;
}

static bool parse_node_name(SceneLoader *loader, FiloJsonToken token, uint32_t number) {
    FiloString name;
    SceneNode *node = scene_node(loader, number);
    bool label = node->owner != SCENE_NONE;
    if (!(label ? parse_label : scene_parse_name)(loader, token, "name", &name)) return false;
    node->name_place = scene_place(loader, token);
    *(node->kind == SCENE_NODE_OVERRIDE ? &node->rename : &node->name) = name;
    return true;
}

static bool parse_member(SceneLoader *loader, Member member, FiloJsonToken token, uint32_t number) {
    SceneNode *node = scene_node(loader, number); // good until another one is added
    uint32_t owner = node->kind == SCENE_NODE_PREFAB ? number : node->owner;
    bool good = true;
    switch (member) {
    case MEMBER_NAME: return parse_node_name(loader, token, number);
    case MEMBER_ID: return parse_id(loader, token, number);
    case MEMBER_ACTIVE: return parse_active(loader, token, number);
    case MEMBER_PREFAB:
        node->prefab_place = scene_place(loader, token);
        return scene_parse_name(loader, token, "prefab", &node->prefab);
    case MEMBER_WITHOUT:
        node->first_without = (uint32_t)loader->withouts.count;
        good = parse_without(loader, token);
        node->without_count = (uint32_t)loader->withouts.count - node->first_without;
        return good;
    case MEMBER_COMPONENTS:
        node->first_use = (uint32_t)loader->uses.count;
        good = parse_uses(loader, token, "components", &loader->uses);
        node->use_count = (uint32_t)loader->uses.count - node->first_use;
        return good;
    case MEMBER_OVERRIDES: return parse_overrides(loader, token, number);
    case MEMBER_CHILDREN: return parse_entities(loader, token, "children", number, owner);
    case MEMBER_COUNT: break;
    }
    return good;
}

// The object that `token` begins.
static bool parse_node(SceneLoader *loader, FiloJsonToken token, uint32_t number) {
    unsigned seen = 0;
    FiloJsonToken key;
    while ((key = filo_json_next(&loader->reader)).kind == FILO_JSON_KEY) {
        unsigned member = 0;
        while (member < MEMBER_COUNT && !filo_json_equal(key, member_names[member])) member++;
        if (member == MEMBER_COUNT || !allowed(scene_node(loader, number), (Member)member)) {
            scene_unknown_member(loader, key);
            filo_json_skip(&loader->reader, key);
            continue;
        }
        if ((seen >> member & 1) != 0)
            return scene_fail(loader, scene_place(loader, key), FILO_ERROR_DATA, "%s: given more than once",
                              member_names[member]);
        seen |= 1u << member;
        if (!parse_member(loader, (Member)member, filo_json_next(&loader->reader), number)) return false;
    }
    const SceneNode *node = scene_node(loader, number);
    if (node->prefab.length == 0 && node->overrides.first != SCENE_NONE)
        return scene_fail(loader, scene_place(loader, token), FILO_ERROR_DATA,
                          "overrides: only an instance of a prefab has something to override");
    return true;
}

// ---- The whole file -------------------------------------------------------------------------------------

static bool parse_prefabs(SceneLoader *loader, FiloJsonToken token) {
    if (token.kind != FILO_JSON_OBJECT_BEGIN) return scene_wrong_kind(loader, token, "prefabs", "an object");
    FiloJsonToken key;
    while ((key = filo_json_next(&loader->reader)).kind == FILO_JSON_KEY) {
        SceneNode node = { .kind = SCENE_NODE_PREFAB };
        uint32_t number = 0;
        node.place = node.name_place = scene_place(loader, key);
        if (!parse_label(loader, key, "prefabs", &node.name)) return false;
        token = filo_json_next(&loader->reader);
        if (token.kind != FILO_JSON_OBJECT_BEGIN)
            return scene_wrong_kind(loader, token, "prefabs", "an object");
        node.owner = (uint32_t)loader->nodes.count; // itself
        if (!add_node(loader, node, SCENE_NONE, SCENE_NODE_PREFAB, &number) ||
            !parse_node(loader, token, number))
            return false;
    }
    return true;
}

typedef enum Section {
    SECTION_FILO,
    SECTION_VERSION,
    SECTION_COMPONENTS,
    SECTION_GLOBALS,
    SECTION_PREFABS,
    SECTION_ENTITIES,
    SECTION_COUNT,
} Section;

static const char *const section_names[SECTION_COUNT] = { "filo",    "version", "components",
                                                          "globals", "prefabs", "entities" };

static bool parse_version(SceneLoader *loader, FiloJsonToken token) {
    int64_t version;
    if (token.kind != FILO_JSON_NUMBER) return scene_wrong_kind(loader, token, "version", "a whole number");
    if (filo_json_as_int64(token, &version) && version == FILO_SCENE_VERSION) return true;
    return scene_fail(loader, scene_place(loader, token), FILO_ERROR_UNSUPPORTED,
                      "version: %.*s is not %d, the one that this program understands",
                      SCENE_SHOWN(filo_string_from(token.text, token.length)), FILO_SCENE_VERSION);
}

static bool parse_section(SceneLoader *loader, Section section, FiloJsonToken token) {
    switch (section) {
    case SECTION_FILO:
        if (token.kind == FILO_JSON_STRING && filo_json_equal(token, "scene")) return true;
        return scene_fail(loader, scene_place(loader, token), FILO_ERROR_KIND,
                          "filo: expected \"scene\": this is something else");
    case SECTION_VERSION: return parse_version(loader, token);
    case SECTION_COMPONENTS: return scene_parse_definitions(loader, token);
    case SECTION_GLOBALS: return parse_uses(loader, token, "globals", &loader->globals);
    case SECTION_PREFABS: return parse_prefabs(loader, token);
    case SECTION_ENTITIES: return parse_entities(loader, token, "entities", SCENE_NONE, SCENE_NONE);
    case SECTION_COUNT: break;
    }
    return true;
}

static bool is_json(SceneLoader *loader) {
    FiloJsonReader reader = loader->reader;
    FiloJsonToken token = filo_json_next(&reader);
    if (token.kind != FILO_JSON_ERROR && token.kind != FILO_JSON_END && filo_json_skip(&reader, token))
        token = filo_json_next(&reader);
    if (token.kind == FILO_JSON_END) return true;
    loader->result = reader.error;
    if (loader->result.code == FILO_OK) loader->result = filo_json_error_at(&reader, token, "not JSON");
    return false;
}

bool scene_parse(SceneLoader *loader) {
    if (loader->length >= UINT32_MAX)
        return scene_fail(loader, (ScenePlace){ 0, 1, 1 }, FILO_ERROR_LIMIT, "larger than 4 GiB");
    filo_json_reader_init(&loader->reader, loader->text, loader->length, loader->source);
    if (!is_json(loader)) return false;
    FiloJsonToken begin = filo_json_next(&loader->reader), key;
    if (begin.kind != FILO_JSON_OBJECT_BEGIN) return scene_wrong_kind(loader, begin, "a scene", "an object");
    unsigned seen = 0;
    while ((key = filo_json_next(&loader->reader)).kind == FILO_JSON_KEY) {
        unsigned section = 0;
        while (section < SECTION_COUNT && !filo_json_equal(key, section_names[section])) section++;
        if (section == SECTION_COUNT) {
            scene_unknown_member(loader, key);
            filo_json_skip(&loader->reader, key);
            continue;
        }
        if ((seen >> section & 1) != 0)
            return scene_fail(loader, scene_place(loader, key), FILO_ERROR_DATA, "%s: given more than once",
                              section_names[section]);
        seen |= 1u << section;
        if (!parse_section(loader, (Section)section, filo_json_next(&loader->reader))) return false;
    }
    for (unsigned section = SECTION_FILO; section <= SECTION_VERSION; section++)
        if ((seen >> section & 1) == 0)
            return scene_fail(loader, scene_place(loader, begin), FILO_ERROR_KIND,
                              "not a scene: there is no \"%s\" in it", section_names[section]);
    return true;
}
