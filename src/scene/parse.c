// Parses the text of a scene into nodes: one for each entity, prefab and override, in the order of the file. Of the
// values of components, only the locations are stored. Nothing here depends on the world.
//
// The whole text is checked first, so all later code can rely on valid JSON.

#include "scene/scene.h"

// ---- Locations and texts ---------------------------------------------------------------------------------

SceneLocation scene_location(const SceneLoader *loader, FiloJsonToken token) {
    size_t offset = (size_t)(token.text - loader->text);
    if (token.kind == FILO_JSON_STRING || token.kind == FILO_JSON_KEY) offset--; // the quote
    return (SceneLocation){ (uint32_t)offset, token.line, token.column };
}

FiloJsonReader scene_reader(const SceneLoader *loader, SceneLocation location) {
    FiloJsonReader reader;
    filo_json_reader_init(&reader, loader->text, loader->length, "");
    reader.position = location.offset;
    reader.line = location.line;
    reader.line_start = location.offset - (size_t)(location.column - 1);
    return reader;
}

char *scene_alloc_text(SceneLoader *loader, size_t length) {
    SceneText *text = filo_alloc(loader->allocator, sizeof *text + length + 1, 0);
    if (text == NULL) {
        scene_no_memory(loader);
        return NULL;
    }
    *text = (SceneText){ .next = loader->texts, .block_size = sizeof *text + length + 1 };
    loader->texts = text;
    return text->bytes;
}

FiloString scene_text(SceneLoader *loader, FiloJsonToken token) {
    if (!token.escaped) return filo_string_from(token.text, token.length);
    size_t length = filo_json_as_text(token, NULL, 0);
    char *text = scene_alloc_text(loader, length);
    if (text == NULL) return filo_string_from(NULL, 0);
    filo_json_as_text(token, text, length + 1);
    return filo_string_from(text, length);
}

const char *scene_c_text(SceneLoader *loader, FiloString text) {
    filo_builder_clear(&loader->name);
    filo_builder_add(&loader->name, text);
    return loader->name.failed ? NULL : filo_builder_text(&loader->name);
}

bool scene_wrong_kind(SceneLoader *loader, FiloJsonToken token, const char *what, const char *expected) {
    return scene_fail(loader, scene_location(loader, token), FILO_ERROR_DATA, "%s: expected %s, found %s",
                      what, expected, filo_json_kind_name(token.kind));
}

void scene_unknown_member(SceneLoader *loader, FiloJsonToken key) {
    FiloString text = filo_string_from(key.text, key.length);
    scene_report(loader->scene,
                 &(SceneReport){ .kind = FILO_SCENE_UNKNOWN_MEMBER,
                                 .source = loader->source,
                                 .location = scene_location(loader, key) },
                 "there is no \"%.*s\" here", SCENE_EXCERPT(text));
}

// ---- Names ----------------------------------------------------------------------------------------------

bool scene_parse_name(SceneLoader *loader, FiloJsonToken token, const char *what, FiloString *name) {
    if (token.kind != FILO_JSON_STRING && token.kind != FILO_JSON_KEY)
        return scene_wrong_kind(loader, token, what, "text in quotes");
    *name = scene_text(loader, token);
    if (name->data == NULL) return false;
    SceneLocation location = scene_location(loader, token);
    if (name->length == 0)
        return scene_fail(loader, location, FILO_ERROR_DATA, "%s: the text is empty", what);
    if (name->length > SCENE_NAME_LENGTH)
        return scene_fail(loader, location, FILO_ERROR_LIMIT, "%s: %zu bytes, there may be %d", what,
                          name->length, SCENE_NAME_LENGTH);
    if (memchr(name->data, '\0', name->length) != NULL)
        return scene_fail(loader, location, FILO_ERROR_DATA, "%s: the text has a zero byte in it", what);
    return true;
}

// The name of a prefab, or of an entity in a prefab, which is part of paths.
static bool parse_label(SceneLoader *loader, FiloJsonToken token, const char *what, FiloString *name) {
    if (!scene_parse_name(loader, token, what, name)) return false;
    if (scene_is_label(*name)) return true;
    return scene_fail(loader, scene_location(loader, token), FILO_ERROR_DATA,
                      "%s: in a prefab, \"%.*s\" must not begin with #, have a / in it, or be a point", what,
                      SCENE_EXCERPT(*name));
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

// Whether a node can have this member.
static bool is_allowed(const SceneNode *node, Member member) {
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

// Adds a node to the end of a list of `parent`, or, with SCENE_NONE, of the loader. (A pointer to a list in a node
// would not be valid after adding a node.)
static bool add_node(SceneLoader *loader, SceneNode node, uint32_t parent, SceneNodeKind list_kind,
                     uint32_t *number) {
    if (loader->nodes.count >= loader->entity_limit)
        return scene_fail(loader, node.location, FILO_ERROR_LIMIT, "more than %zu entities",
                          loader->entity_limit);
    node.next = node.same = node.info = SCENE_NONE;
    node.children = node.overrides = (SceneList){ SCENE_NONE, SCENE_NONE };
    if (!filo_array_push(&loader->nodes, node)) return scene_no_memory(loader);
    *number = (uint32_t)loader->nodes.count - 1;
    SceneList *list;
    if (parent == SCENE_NONE)
        list = list_kind == SCENE_NODE_PREFAB ? &loader->prefabs : &loader->entities;
    else
        list = list_kind == SCENE_NODE_OVERRIDE ? &scene_node(loader, parent)->overrides
                                                : &scene_node(loader, parent)->children;
    if (list->first == SCENE_NONE)
        list->first = *number;
    else
        scene_node(loader, list->last)->next = *number;
    list->last = *number;
    return true;
}

static bool parse_entities(SceneLoader *loader, FiloJsonToken token, const char *what, uint32_t parent,
                           uint32_t owner) {
    if (token.kind != FILO_JSON_ARRAY_BEGIN) return scene_wrong_kind(loader, token, what, "a list");
    while ((token = filo_json_next(&loader->reader)).kind != FILO_JSON_ARRAY_END) {
        if (token.kind != FILO_JSON_OBJECT_BEGIN) return scene_wrong_kind(loader, token, what, "an object");
        SceneNode node = { .kind = SCENE_NODE_ENTITY,
                           .location = scene_location(loader, token),
                           .owner = owner };
        uint32_t number = 0;
        if (!add_node(loader, node, parent, SCENE_NODE_ENTITY, &number) || !parse_node(loader, token, number))
            return false;
    }
    return true;
}

static bool parse_overrides(SceneLoader *loader, FiloJsonToken token, uint32_t parent) {
    if (token.kind != FILO_JSON_OBJECT_BEGIN)
        return scene_wrong_kind(loader, token, "overrides", "an object");
    FiloJsonToken key;
    while ((key = filo_json_next(&loader->reader)).kind == FILO_JSON_KEY) {
        SceneNode node = { .kind = SCENE_NODE_OVERRIDE, .owner = scene_node(loader, parent)->owner };
        uint32_t number = 0;
        node.location = node.name_location = scene_location(loader, key);
        node.name = scene_text(loader, key);
        if (node.name.data == NULL) return false;
        token = filo_json_next(&loader->reader);
        node.removed = token.kind == FILO_JSON_NULL;
        if (!node.removed && token.kind != FILO_JSON_OBJECT_BEGIN)
            return scene_wrong_kind(loader, token, "overrides", "an object or null");
        if (!add_node(loader, node, parent, SCENE_NODE_OVERRIDE, &number)) return false;
        if (!node.removed && !parse_node(loader, token, number)) return false;
    }
    return true;
}

// Reads the names of components, and the locations of their values. `entries` is any FiloArray(SceneEntry).
static bool parse_entries(SceneLoader *loader, FiloJsonToken token, const char *what, void *entries) {
    __typeof__(loader->entries) *list = entries;
    if (token.kind != FILO_JSON_OBJECT_BEGIN) return scene_wrong_kind(loader, token, what, "an object");
    FiloJsonToken key;
    while ((key = filo_json_next(&loader->reader)).kind == FILO_JSON_KEY) {
        SceneEntry entry = { .location = scene_location(loader, key) };
        entry.name = scene_text(loader, key);
        if (entry.name.data == NULL) return false;
        token = filo_json_next(&loader->reader);
        entry.value = scene_location(loader, token);
        filo_json_skip(&loader->reader, token);
        entry.value_end = (uint32_t)loader->reader.position;
        if (!filo_array_push(list, entry)) return scene_no_memory(loader);
    }
    return true;
}

static bool parse_without(SceneLoader *loader, FiloJsonToken token) {
    if (token.kind != FILO_JSON_ARRAY_BEGIN)
        return scene_wrong_kind(loader, token, "without", "a list of names");
    while ((token = filo_json_next(&loader->reader)).kind != FILO_JSON_ARRAY_END) {
        if (token.kind != FILO_JSON_STRING)
            return scene_wrong_kind(loader, token, "without", "text in quotes");
        SceneEntry entry = { .location = scene_location(loader, token), .name = scene_text(loader, token) };
        if (entry.name.data == NULL) return false;
        if (!filo_array_push(&loader->withouts, entry)) return scene_no_memory(loader);
    }
    return true;
}

static bool parse_id(SceneLoader *loader, FiloJsonToken token, uint32_t number) {
    uint64_t id = 0;
    if (token.kind != FILO_JSON_NUMBER) return scene_wrong_kind(loader, token, "id", "a whole number");
    if (!filo_json_as_uint64(token, &id) || id == 0 || id > INT32_MAX)
        return scene_fail(loader, scene_location(loader, token), FILO_ERROR_DATA,
                          "id: %.*s is outside 1 … %d",
                          SCENE_EXCERPT(filo_string_from(token.text, token.length)), INT32_MAX);
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
    node->name_location = scene_location(loader, token);
    *(node->kind == SCENE_NODE_OVERRIDE ? &node->rename : &node->name) = name;
    return true;
}

static bool parse_member(SceneLoader *loader, Member member, FiloJsonToken token, uint32_t number) {
    SceneNode *node = scene_node(loader, number); // valid until a node is added
    uint32_t owner = node->kind == SCENE_NODE_PREFAB ? number : node->owner;
    bool ok = true;
    switch (member) {
    case MEMBER_NAME: return parse_node_name(loader, token, number);
    case MEMBER_ID: return parse_id(loader, token, number);
    case MEMBER_ACTIVE: return parse_active(loader, token, number);
    case MEMBER_PREFAB:
        node->prefab_location = scene_location(loader, token);
        return scene_parse_name(loader, token, "prefab", &node->prefab);
    case MEMBER_WITHOUT:
        node->first_without = (uint32_t)loader->withouts.count;
        ok = parse_without(loader, token);
        node->without_count = (uint32_t)loader->withouts.count - node->first_without;
        return ok;
    case MEMBER_COMPONENTS:
        node->first_entry = (uint32_t)loader->entries.count;
        ok = parse_entries(loader, token, "components", &loader->entries);
        node->entry_count = (uint32_t)loader->entries.count - node->first_entry;
        return ok;
    case MEMBER_OVERRIDES: return parse_overrides(loader, token, number);
    case MEMBER_CHILDREN: return parse_entities(loader, token, "children", number, owner);
    case MEMBER_COUNT: break;
    }
    return ok;
}

// Parses the object that begins with `token`.
static bool parse_node(SceneLoader *loader, FiloJsonToken token, uint32_t number) {
    unsigned seen = 0;
    FiloJsonToken key;
    while ((key = filo_json_next(&loader->reader)).kind == FILO_JSON_KEY) {
        unsigned member = 0;
        while (member < MEMBER_COUNT && !filo_json_equal(key, member_names[member])) member++;
        if (member == MEMBER_COUNT || !is_allowed(scene_node(loader, number), (Member)member)) {
            scene_unknown_member(loader, key);
            filo_json_skip(&loader->reader, key);
            continue;
        }
        if ((seen >> member & 1) != 0)
            return scene_fail(loader, scene_location(loader, key), FILO_ERROR_DATA,
                              "%s: given more than once", member_names[member]);
        seen |= 1u << member;
        if (!parse_member(loader, (Member)member, filo_json_next(&loader->reader), number)) return false;
    }
    const SceneNode *node = scene_node(loader, number);
    if (node->prefab.length == 0 && node->overrides.first != SCENE_NONE)
        return scene_fail(loader, scene_location(loader, token), FILO_ERROR_DATA,
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
        node.location = node.name_location = scene_location(loader, key);
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
    return scene_fail(loader, scene_location(loader, token), FILO_ERROR_UNSUPPORTED,
                      "version: %.*s is not %d, the one that this program understands",
                      SCENE_EXCERPT(filo_string_from(token.text, token.length)), FILO_SCENE_VERSION);
}

static bool parse_section(SceneLoader *loader, Section section, FiloJsonToken token) {
    switch (section) {
    case SECTION_FILO:
        if (token.kind == FILO_JSON_STRING && filo_json_equal(token, "scene")) return true;
        return scene_fail(loader, scene_location(loader, token), FILO_ERROR_KIND,
                          "filo: expected \"scene\": this is something else");
    case SECTION_VERSION: return parse_version(loader, token);
    case SECTION_COMPONENTS: return scene_parse_definitions(loader, token);
    case SECTION_GLOBALS: return parse_entries(loader, token, "globals", &loader->globals);
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
        return scene_fail(loader, (SceneLocation){ 0, 1, 1 }, FILO_ERROR_LIMIT, "larger than 4 GiB");
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
            return scene_fail(loader, scene_location(loader, key), FILO_ERROR_DATA,
                              "%s: given more than once", section_names[section]);
        seen |= 1u << section;
        if (!parse_section(loader, (Section)section, filo_json_next(&loader->reader))) return false;
    }
    for (unsigned section = SECTION_FILO; section <= SECTION_VERSION; section++)
        if ((seen >> section & 1) == 0)
            return scene_fail(loader, scene_location(loader, begin), FILO_ERROR_KIND,
                              "not a scene: there is no \"%s\" in it", section_names[section]);
    return true;
}
