// The text of a scene becomes nodes: one for each entity, prefab and override, in lists as they stand in the
// file. The values of components are not read yet, only where they are. Nothing here looks at the world.
//
// The whole text is gone over once before, so everything after that can rely on its being JSON.

#include "scene/scene.h"

// ---- Places and texts -----------------------------------------------------------------------------------

FiloScenePlace filo_scene_place(const FiloSceneLoader *loader, FiloJsonToken token) {
    size_t offset = (size_t)(token.text - loader->text);
    if (token.kind == FILO_JSON_STRING || token.kind == FILO_JSON_KEY) offset--; // the quote
    return (FiloScenePlace){ (uint32_t)offset, token.line, token.column };
}

FiloJsonReader filo_scene_reader(const FiloSceneLoader *loader, FiloScenePlace place) {
    FiloJsonReader reader;
    filo_json_reader_init(&reader, loader->text, loader->length, "");
    reader.position = place.offset;
    reader.line = place.line;
    reader.line_start = place.offset - (size_t)(place.column - 1);
    return reader;
}

FiloString filo_scene_text(FiloSceneLoader *loader, FiloJsonToken token) {
    if (!token.escaped) return filo_string_from(token.text, token.length);
    size_t length = filo_json_as_text(token, NULL, 0);
    FiloSceneText *text = filo_alloc(loader->allocator, sizeof *text + length + 1, 0);
    if (text == NULL) {
        filo_scene_no_memory(loader);
        return filo_string_from(NULL, 0);
    }
    *text = (FiloSceneText){ .next = loader->texts, .block_size = sizeof *text + length + 1 };
    loader->texts = text;
    filo_json_as_text(token, text->bytes, length + 1);
    return filo_string_from(text->bytes, length);
}

const char *filo_scene_c_text(FiloSceneLoader *loader, FiloString text) {
    filo_builder_clear(&loader->name);
    filo_builder_add(&loader->name, text);
    return loader->name.failed ? NULL : filo_builder_text(&loader->name);
}

bool filo_scene_wrong_kind(FiloSceneLoader *loader, FiloJsonToken token, const char *what,
                           const char *expected) {
    return filo_scene_fail(loader, filo_scene_place(loader, token), FILO_ERROR_DATA,
                           "%s: expected %s, found %s", what, expected, filo_json_kind_name(token.kind));
}

void filo_scene_unknown_member(FiloSceneLoader *loader, FiloJsonToken key) {
    FiloString text = filo_string_from(key.text, key.length);
    filo_scene_report(loader->scene,
                      &(FiloSceneReport){ .kind = FILO_SCENE_UNKNOWN_MEMBER,
                                          .source = loader->source,
                                          .place = filo_scene_place(loader, key) },
                      "there is no \"%.*s\" here", FILO_SCENE_SHOWN(text));
}

// ---- Names ----------------------------------------------------------------------------------------------

#define NAME_LENGTH 200 // bytes

bool filo_scene_parse_name(FiloSceneLoader *loader, FiloJsonToken token, const char *what, FiloString *name) {
    if (token.kind != FILO_JSON_STRING && token.kind != FILO_JSON_KEY)
        return filo_scene_wrong_kind(loader, token, what, "text in quotes");
    *name = filo_scene_text(loader, token);
    if (name->data == NULL) return false;
    FiloScenePlace place = filo_scene_place(loader, token);
    if (name->length == 0)
        return filo_scene_fail(loader, place, FILO_ERROR_DATA, "%s: the text is empty", what);
    if (name->length > NAME_LENGTH)
        return filo_scene_fail(loader, place, FILO_ERROR_LIMIT, "%s: %zu bytes, there may be %d", what,
                               name->length, NAME_LENGTH);
    if (memchr(name->data, '\0', name->length) != NULL)
        return filo_scene_fail(loader, place, FILO_ERROR_DATA, "%s: the text has a zero byte in it", what);
    return true;
}

// In a prefab, names are parts of paths.
static bool parse_label(FiloSceneLoader *loader, FiloJsonToken token, const char *what, FiloString *name) {
    if (!filo_scene_parse_name(loader, token, what, name)) return false;
    if (name->length > 0 && name->data[0] != '#' && memchr(name->data, '/', name->length) == NULL &&
        !filo_string_equal(*name, FILO_STRING(".")))
        return true;
    return filo_scene_fail(loader, filo_scene_place(loader, token), FILO_ERROR_DATA,
                           "%s: in a prefab, \"%.*s\" must not begin with #, have a / in it, or be a point",
                           what, FILO_SCENE_SHOWN(*name));
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
static bool allowed(const FiloSceneNode *node, Member member) {
    bool in_prefab = node->owner != FILO_SCENE_NONE;
    switch (member) {
    case MEMBER_NAME:
        return node->kind == FILO_SCENE_NODE_ENTITY || (node->kind == FILO_SCENE_NODE_OVERRIDE && !in_prefab);
    case MEMBER_ID: return node->kind == FILO_SCENE_NODE_ENTITY && !in_prefab;
    case MEMBER_ACTIVE: return !in_prefab;
    case MEMBER_PREFAB:
    case MEMBER_OVERRIDES: return node->kind != FILO_SCENE_NODE_OVERRIDE;
    default: return true;
    }
}

static bool parse_node(FiloSceneLoader *loader, FiloJsonToken token, uint32_t number);

// Adds an empty node to the end of a list, which may lie in a node: lists are named by who has them.
static bool add_node(FiloSceneLoader *loader, FiloSceneNode node, uint32_t above, FiloSceneNodeKind list_kind,
                     uint32_t *number) {
    if (loader->nodes.count >= loader->entity_limit)
        return filo_scene_fail(loader, node.place, FILO_ERROR_LIMIT, "more than %zu entities",
                               loader->entity_limit);
    node.next = node.same = node.info = FILO_SCENE_NONE;
    node.children = node.overrides = (FiloSceneList){ FILO_SCENE_NONE, FILO_SCENE_NONE };
    if (!filo_array_push(&loader->nodes, node)) return filo_scene_no_memory(loader);
    *number = (uint32_t)loader->nodes.count - 1;
    FiloSceneList *list;
    if (above == FILO_SCENE_NONE)
        list = list_kind == FILO_SCENE_NODE_PREFAB ? &loader->prefabs : &loader->entities;
    else
        list = list_kind == FILO_SCENE_NODE_OVERRIDE ? &filo_scene_node(loader, above)->overrides
                                                     : &filo_scene_node(loader, above)->children;
    if (list->first == FILO_SCENE_NONE)
        list->first = *number;
    else
        filo_scene_node(loader, list->last)->next = *number;
    list->last = *number;
    return true;
}

static bool parse_entities(FiloSceneLoader *loader, FiloJsonToken token, const char *what, uint32_t above,
                           uint32_t owner) {
    if (token.kind != FILO_JSON_ARRAY_BEGIN) return filo_scene_wrong_kind(loader, token, what, "a list");
    while ((token = filo_json_next(&loader->reader)).kind != FILO_JSON_ARRAY_END) {
        if (token.kind != FILO_JSON_OBJECT_BEGIN)
            return filo_scene_wrong_kind(loader, token, what, "an object");
        FiloSceneNode node = { .kind = FILO_SCENE_NODE_ENTITY,
                               .place = filo_scene_place(loader, token),
                               .owner = owner };
        uint32_t number = 0;
        if (!add_node(loader, node, above, FILO_SCENE_NODE_ENTITY, &number) ||
            !parse_node(loader, token, number))
            return false;
    }
    return true;
}

static bool parse_overrides(FiloSceneLoader *loader, FiloJsonToken token, uint32_t above) {
    if (token.kind != FILO_JSON_OBJECT_BEGIN)
        return filo_scene_wrong_kind(loader, token, "overrides", "an object");
    FiloJsonToken key;
    while ((key = filo_json_next(&loader->reader)).kind == FILO_JSON_KEY) {
        FiloSceneNode node = { .kind = FILO_SCENE_NODE_OVERRIDE,
                               .owner = filo_scene_node(loader, above)->owner };
        uint32_t number = 0;
        node.place = node.name_place = filo_scene_place(loader, key);
        node.name = filo_scene_text(loader, key);
        if (node.name.data == NULL) return false;
        token = filo_json_next(&loader->reader);
        node.removed = token.kind == FILO_JSON_NULL;
        if (!node.removed && token.kind != FILO_JSON_OBJECT_BEGIN)
            return filo_scene_wrong_kind(loader, token, "overrides", "an object or null");
        if (!add_node(loader, node, above, FILO_SCENE_NODE_OVERRIDE, &number)) return false;
        if (!node.removed && !parse_node(loader, token, number)) return false;
    }
    return true;
}

// Names and places of values: components of a node, or globals. `uses` is any FiloArray(FiloSceneUse).
static bool parse_uses(FiloSceneLoader *loader, FiloJsonToken token, const char *what, void *uses) {
    __typeof__(loader->uses) *list = uses;
    if (token.kind != FILO_JSON_OBJECT_BEGIN) return filo_scene_wrong_kind(loader, token, what, "an object");
    FiloJsonToken key;
    while ((key = filo_json_next(&loader->reader)).kind == FILO_JSON_KEY) {
        FiloSceneUse use = { .place = filo_scene_place(loader, key) };
        use.name = filo_scene_text(loader, key);
        if (use.name.data == NULL) return false;
        token = filo_json_next(&loader->reader);
        use.value = filo_scene_place(loader, token);
        filo_json_skip(&loader->reader, token);
        use.value_end = (uint32_t)loader->reader.position;
        if (!filo_array_push(list, use)) return filo_scene_no_memory(loader);
    }
    return true;
}

static bool parse_without(FiloSceneLoader *loader, FiloJsonToken token) {
    if (token.kind != FILO_JSON_ARRAY_BEGIN)
        return filo_scene_wrong_kind(loader, token, "without", "a list of names");
    while ((token = filo_json_next(&loader->reader)).kind != FILO_JSON_ARRAY_END) {
        if (token.kind != FILO_JSON_STRING)
            return filo_scene_wrong_kind(loader, token, "without", "text in quotes");
        FiloSceneUse use = { .place = filo_scene_place(loader, token),
                             .name = filo_scene_text(loader, token) };
        if (use.name.data == NULL) return false;
        if (!filo_array_push(&loader->withouts, use)) return filo_scene_no_memory(loader);
    }
    return true;
}

static bool parse_id(FiloSceneLoader *loader, FiloJsonToken token, uint32_t number) {
    uint64_t id = 0;
    if (token.kind != FILO_JSON_NUMBER) return filo_scene_wrong_kind(loader, token, "id", "a whole number");
    if (!filo_json_as_uint64(token, &id) || id == 0 || id > INT32_MAX)
        return filo_scene_fail(loader, filo_scene_place(loader, token), FILO_ERROR_DATA,
                               "id: %.*s is outside 1 … %d",
                               FILO_SCENE_SHOWN(filo_string_from(token.text, token.length)), INT32_MAX);
    filo_scene_node(loader, number)->id = (uint32_t)id;
    return true;
}

static bool parse_active(FiloSceneLoader *loader, FiloJsonToken token, uint32_t number) {
    if (token.kind != FILO_JSON_TRUE && token.kind != FILO_JSON_FALSE)
        return filo_scene_wrong_kind(loader, token, "active", "true or false");
    filo_scene_node(loader, number)->active = token.kind == FILO_JSON_TRUE;
    filo_scene_node(loader, number)->inactive = token.kind == FILO_JSON_FALSE;
    return true;
}

static bool parse_node_name(FiloSceneLoader *loader, FiloJsonToken token, uint32_t number) {
    FiloString name;
    FiloSceneNode *node = filo_scene_node(loader, number);
    bool label = node->owner != FILO_SCENE_NONE;
    if (!(label ? parse_label : filo_scene_parse_name)(loader, token, "name", &name)) return false;
    node->name_place = filo_scene_place(loader, token);
    *(node->kind == FILO_SCENE_NODE_OVERRIDE ? &node->rename : &node->name) = name;
    return true;
}

static bool parse_member(FiloSceneLoader *loader, Member member, FiloJsonToken token, uint32_t number) {
    FiloSceneNode *node = filo_scene_node(loader, number); // good until another one is added
    uint32_t owner = node->kind == FILO_SCENE_NODE_PREFAB ? number : node->owner;
    bool good = true;
    switch (member) {
    case MEMBER_NAME: return parse_node_name(loader, token, number);
    case MEMBER_ID: return parse_id(loader, token, number);
    case MEMBER_ACTIVE: return parse_active(loader, token, number);
    case MEMBER_PREFAB:
        node->prefab_place = filo_scene_place(loader, token);
        return filo_scene_parse_name(loader, token, "prefab", &node->prefab);
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
static bool parse_node(FiloSceneLoader *loader, FiloJsonToken token, uint32_t number) {
    unsigned seen = 0;
    FiloJsonToken key;
    while ((key = filo_json_next(&loader->reader)).kind == FILO_JSON_KEY) {
        unsigned member = 0;
        while (member < MEMBER_COUNT && !filo_json_equal(key, member_names[member])) member++;
        if (member == MEMBER_COUNT || !allowed(filo_scene_node(loader, number), (Member)member)) {
            filo_scene_unknown_member(loader, key);
            filo_json_skip(&loader->reader, key);
            continue;
        }
        if ((seen >> member & 1) != 0)
            return filo_scene_fail(loader, filo_scene_place(loader, key), FILO_ERROR_DATA,
                                   "%s: given more than once", member_names[member]);
        seen |= 1u << member;
        if (!parse_member(loader, (Member)member, filo_json_next(&loader->reader), number)) return false;
    }
    const FiloSceneNode *node = filo_scene_node(loader, number);
    if (node->prefab.length == 0 && node->overrides.first != FILO_SCENE_NONE)
        return filo_scene_fail(loader, filo_scene_place(loader, token), FILO_ERROR_DATA,
                               "overrides: only an instance of a prefab has something to override");
    return true;
}

// ---- The whole file -------------------------------------------------------------------------------------

static bool parse_prefabs(FiloSceneLoader *loader, FiloJsonToken token) {
    if (token.kind != FILO_JSON_OBJECT_BEGIN)
        return filo_scene_wrong_kind(loader, token, "prefabs", "an object");
    FiloJsonToken key;
    while ((key = filo_json_next(&loader->reader)).kind == FILO_JSON_KEY) {
        FiloSceneNode node = { .kind = FILO_SCENE_NODE_PREFAB };
        uint32_t number = 0;
        node.place = node.name_place = filo_scene_place(loader, key);
        if (!parse_label(loader, key, "prefabs", &node.name)) return false;
        token = filo_json_next(&loader->reader);
        if (token.kind != FILO_JSON_OBJECT_BEGIN)
            return filo_scene_wrong_kind(loader, token, "prefabs", "an object");
        node.owner = (uint32_t)loader->nodes.count; // itself
        if (!add_node(loader, node, FILO_SCENE_NONE, FILO_SCENE_NODE_PREFAB, &number) ||
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

static bool parse_version(FiloSceneLoader *loader, FiloJsonToken token) {
    int64_t version;
    if (token.kind != FILO_JSON_NUMBER)
        return filo_scene_wrong_kind(loader, token, "version", "a whole number");
    if (filo_json_as_int64(token, &version) && version == FILO_SCENE_VERSION) return true;
    return filo_scene_fail(loader, filo_scene_place(loader, token), FILO_ERROR_UNSUPPORTED,
                           "version: %.*s is not %d, the one that this program understands",
                           FILO_SCENE_SHOWN(filo_string_from(token.text, token.length)), FILO_SCENE_VERSION);
}

static bool parse_section(FiloSceneLoader *loader, Section section, FiloJsonToken token) {
    switch (section) {
    case SECTION_FILO:
        if (token.kind == FILO_JSON_STRING && filo_json_equal(token, "scene")) return true;
        return filo_scene_fail(loader, filo_scene_place(loader, token), FILO_ERROR_KIND,
                               "filo: expected \"scene\": this is something else");
    case SECTION_VERSION: return parse_version(loader, token);
    case SECTION_COMPONENTS: return filo_scene_parse_definitions(loader, token);
    case SECTION_GLOBALS: return parse_uses(loader, token, "globals", &loader->globals);
    case SECTION_PREFABS: return parse_prefabs(loader, token);
    case SECTION_ENTITIES: return parse_entities(loader, token, "entities", FILO_SCENE_NONE, FILO_SCENE_NONE);
    case SECTION_COUNT: break;
    }
    return true;
}

static bool is_json(FiloSceneLoader *loader) {
    FiloJsonReader reader = loader->reader;
    FiloJsonToken token = filo_json_next(&reader);
    if (token.kind != FILO_JSON_ERROR && token.kind != FILO_JSON_END && filo_json_skip(&reader, token))
        token = filo_json_next(&reader);
    if (token.kind == FILO_JSON_END) return true;
    loader->result = reader.error;
    if (loader->result.code == FILO_OK) loader->result = filo_json_error_at(&reader, token, "not JSON");
    return false;
}

bool filo_scene_parse(FiloSceneLoader *loader) {
    if (loader->length >= UINT32_MAX)
        return filo_scene_fail(loader, (FiloScenePlace){ 0, 1, 1 }, FILO_ERROR_LIMIT, "larger than 4 GiB");
    filo_json_reader_init(&loader->reader, loader->text, loader->length, loader->source);
    if (!is_json(loader)) return false;
    FiloJsonToken begin = filo_json_next(&loader->reader), key;
    if (begin.kind != FILO_JSON_OBJECT_BEGIN)
        return filo_scene_wrong_kind(loader, begin, "a scene", "an object");
    unsigned seen = 0;
    while ((key = filo_json_next(&loader->reader)).kind == FILO_JSON_KEY) {
        unsigned section = 0;
        while (section < SECTION_COUNT && !filo_json_equal(key, section_names[section])) section++;
        if (section == SECTION_COUNT) {
            filo_scene_unknown_member(loader, key);
            filo_json_skip(&loader->reader, key);
            continue;
        }
        if ((seen >> section & 1) != 0)
            return filo_scene_fail(loader, filo_scene_place(loader, key), FILO_ERROR_DATA,
                                   "%s: given more than once", section_names[section]);
        seen |= 1u << section;
        if (!parse_section(loader, (Section)section, filo_json_next(&loader->reader))) return false;
    }
    for (unsigned section = SECTION_FILO; section <= SECTION_VERSION; section++)
        if ((seen >> section & 1) == 0)
            return filo_scene_fail(loader, filo_scene_place(loader, begin), FILO_ERROR_KIND,
                                   "not a scene: there is no \"%s\" in it", section_names[section]);
    return true;
}
