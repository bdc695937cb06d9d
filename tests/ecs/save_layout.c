// Files of programs with other components: fields and values are added, removed, renamed and converted.

#include "ecs/log.h"
#include "ecs/worlds.h"

#include <filo/ecs.h>

// The two descriptions of a component in the older and the newer program have the same name.
#define OLD_AND_NEW(name_, Old, New)                                                                         \
    static const FiloType *old_##Old(void) {                                                                 \
        static FiloType type;                                                                                \
        type = *FILO_TYPE(Old);                                                                              \
        type.name = name_;                                                                                   \
        return &type;                                                                                        \
    }                                                                                                        \
    static const FiloType *new_##New(void) {                                                                 \
        static FiloType type;                                                                                \
        type = *FILO_TYPE(New);                                                                              \
        type.name = name_;                                                                                   \
        return &type;                                                                                        \
    }

// Saves an entity with a value of the old type, loads it with the new type, and returns the new value.
static const void *convert(FiloWorld **world, const FiloType *old, const void *value, const FiloType *now,
                           const void *initial, Log *reports) {
    FiloWorld *past;
    *reports = (Log){ 0 };
    assert_ok(filo_world_create(&past, NULL));
    FiloComponent component = filo_component_register(past, &(FiloComponentDesc){ .type = old });
    FiloEntity entity = filo_entity_create(past);
    assert_true(filo_entity_set(past, entity, component, value));
    FiloBytes bytes = { 0 };
    assert_ok(filo_world_save_bytes(past, &bytes, NULL));
    filo_world_destroy(past);
    assert_ok(filo_world_create(world, NULL));
    component =
        filo_component_register(*world, &(FiloComponentDesc){ .type = now, .default_value = initial });
    assert_ok(filo_world_load_bytes(*world, bytes.items, bytes.count, "old.save",
                                    &(FiloLoadDesc){ .report = log_report, .user = reports }));
    filo_array_deinit(&bytes);
    assert_true(filo_entity_exists(*world, entity));
    return filo_entity_get(*world, entity, component);
}

// ---- Fields --------------------------------------------------------------------------------------------

typedef struct FieldsOld {
    float x, y;
    int32_t hp;
    int32_t dropped;
} FieldsOld;
FILO_REFLECT(FieldsOld, FILO_FIELD(float, x), FILO_FIELD(float, y), FILO_FIELD(int32_t, hp),
             FILO_FIELD(int32_t, dropped))
typedef struct FieldsNew {
    int64_t added;
    int32_t health;
    float y, x;
} FieldsNew;
FILO_REFLECT(FieldsNew, FILO_FIELD(int64_t, added), FILO_FIELD(int32_t, health, .was = "hp"),
             FILO_FIELD(float, y), FILO_FIELD(float, x))
OLD_AND_NEW("Fields", FieldsOld, FieldsNew)

FILO_TEST(fields_are_added_removed_renamed_and_moved) {
    FiloWorld *world;
    Log reports;
    const FieldsNew *now = convert(&world, old_FieldsOld(), &(FieldsOld){ 1, 2, 3, 4 }, new_FieldsNew(),
                                   &(FieldsNew){ .added = 77 }, &reports);
    assert_true(now->x == 1 && now->y == 2);
    assert_int_equal(now->health, 3);
    assert_int_equal(now->added, 77);
    assert_string_equal(reports.text, "Fields: field dropped of Fields is gone; its values are dropped\n");
    filo_world_destroy(world);
}

typedef struct SwapOld {
    int32_t hp, health;
} SwapOld;
FILO_REFLECT(SwapOld, FILO_FIELD(int32_t, hp), FILO_FIELD(int32_t, health))
typedef struct SwapNew {
    int32_t health;
} SwapNew;
FILO_REFLECT(SwapNew, FILO_FIELD(int32_t, health, .was = "hp"))
OLD_AND_NEW("Swap", SwapOld, SwapNew)

FILO_TEST(a_field_of_the_same_name_wins_over_a_former_name) {
    FiloWorld *world;
    Log reports;
    const SwapNew *now = convert(&world, old_SwapOld(), &(SwapOld){ 1, 2 }, new_SwapNew(), NULL, &reports);
    assert_int_equal(now->health, 2);
    assert_string_equal(reports.text, "Swap: field hp of Swap is gone; its values are dropped\n");
    filo_world_destroy(world);
}

// ---- Numbers -------------------------------------------------------------------------------------------

typedef struct NumbersOld {
    int8_t small;
    int32_t wide, high, low;
    uint64_t huge;
    float ratio;
    double fine, big, odd;
    bool yes;
    int32_t count;
    uint16_t list[3];
    int32_t flag;
} NumbersOld;
FILO_REFLECT(NumbersOld, FILO_FIELD(int8_t, small), FILO_FIELD(int32_t, wide), FILO_FIELD(int32_t, high),
             FILO_FIELD(int32_t, low), FILO_FIELD(uint64_t, huge), FILO_FIELD(float, ratio),
             FILO_FIELD(double, fine), FILO_FIELD(double, big), FILO_FIELD(double, odd),
             FILO_FIELD(bool, yes), FILO_FIELD(int32_t, count), FILO_FIELD(uint16_t, list),
             FILO_FIELD(int32_t, flag))
typedef struct NumbersNew {
    int64_t small;
    double wide;
    int16_t high;
    uint8_t low;
    int64_t huge;
    double ratio;
    float fine;
    int32_t big;
    uint16_t odd;
    int32_t yes;
    float count;
    int64_t list[3];
    bool flag;
} NumbersNew;
FILO_REFLECT(NumbersNew, FILO_FIELD(int64_t, small), FILO_FIELD(double, wide), FILO_FIELD(int16_t, high),
             FILO_FIELD(uint8_t, low), FILO_FIELD(int64_t, huge), FILO_FIELD(double, ratio),
             FILO_FIELD(float, fine), FILO_FIELD(int32_t, big), FILO_FIELD(uint16_t, odd),
             FILO_FIELD(int32_t, yes), FILO_FIELD(float, count), FILO_FIELD(int64_t, list),
             FILO_FIELD(bool, flag))
OLD_AND_NEW("Numbers", NumbersOld, NumbersNew)

FILO_TEST(numbers_are_converted_and_clamped_to_the_range) {
    FiloWorld *world;
    Log reports;
    NumbersOld old = { .small = -5,
                       .wide = 123456789,
                       .high = 70000,
                       .low = -3,
                       .huge = UINT64_MAX,
                       .ratio = 0.5f,
                       .fine = 0.25,
                       .big = 1e20,
                       .odd = -0.0 / 1,
                       .yes = true,
                       .count = 7,
                       .list = { 1, 2, 65535 },
                       .flag = 256 };
    const NumbersNew *now = convert(&world, old_NumbersOld(), &old, new_NumbersNew(), NULL, &reports);
    assert_int_equal(now->small, -5);
    assert_true(now->wide == 123456789);
    assert_int_equal(now->high, INT16_MAX);
    assert_int_equal(now->low, 0);
    assert_true(now->huge == INT64_MAX);
    assert_true(now->ratio == 0.5 && now->fine == 0.25f);
    assert_int_equal(now->big, INT32_MAX);
    assert_int_equal(now->odd, 0);
    assert_int_equal(now->yes, 1);
    assert_true(now->count == 7);
    assert_true(now->list[0] == 1 && now->list[1] == 2 && now->list[2] == 65535);
    assert_true(now->flag);
    assert_contains(reports.text, "Numbers: field high: some values do not fit any more");
    assert_contains(reports.text, "field low: ");
    assert_contains(reports.text, "field huge: ");
    assert_contains(reports.text, "field big: ");
    assert_int_equal(filo_test_count(reports.text, "\n"), 4);
    filo_world_destroy(world);
}

// ---- Enums and flags -----------------------------------------------------------------------------------

typedef enum MoodOld { OLD_CALM, OLD_ANGRY, OLD_SAD, OLD_SLEEPY } MoodOld;
FILO_REFLECT_ENUM(MoodOld, FILO_VALUE(OLD_CALM, "calm"), FILO_VALUE(OLD_ANGRY, "angry"),
                  FILO_VALUE(OLD_SAD, "sad"), FILO_VALUE(OLD_SLEEPY, "sleepy"))
typedef enum MoodNew { NEW_SAD = 10, NEW_HAPPY = 11, NEW_ANGRY = 12, NEW_CALM = 13 } MoodNew;
FILO_REFLECT_ENUM(MoodNew, FILO_VALUE(NEW_SAD, "sad"), FILO_VALUE(NEW_HAPPY, "happy"),
                  FILO_VALUE(NEW_ANGRY, "angry"), FILO_VALUE(NEW_CALM, "calm"))
typedef enum TraitOld { OLD_LOUD = 1, OLD_TALL = 2, OLD_RED = 4 } TraitOld;
FILO_REFLECT_FLAGS(TraitOld, FILO_VALUE(OLD_LOUD, "loud"), FILO_VALUE(OLD_TALL, "tall"),
                   FILO_VALUE(OLD_RED, "red"))
typedef enum TraitNew { NEW_TALL = 1, NEW_LOUD = 8 } TraitNew;
FILO_REFLECT_FLAGS(TraitNew, FILO_VALUE(NEW_TALL, "tall"), FILO_VALUE(NEW_LOUD, "loud"))

typedef struct EnumsOld {
    MoodOld first, second, dropped;
    uint8_t packed;
    TraitOld traits;
    MoodOld number;
} EnumsOld;
FILO_REFLECT(EnumsOld, FILO_FIELD(MoodOld, first), FILO_FIELD(MoodOld, second), FILO_FIELD(MoodOld, dropped),
             FILO_FIELD(uint8_t, packed, .choices = filo_type_MoodOld), FILO_FIELD(TraitOld, traits),
             FILO_FIELD(MoodOld, number))
typedef struct EnumsNew {
    MoodNew first, second, dropped, packed;
    uint16_t traits;
    int64_t number;
} EnumsNew;
FILO_REFLECT(EnumsNew, FILO_FIELD(MoodNew, first), FILO_FIELD(MoodNew, second), FILO_FIELD(MoodNew, dropped),
             FILO_FIELD(MoodNew, packed), FILO_FIELD(uint16_t, traits, .choices = filo_type_TraitNew),
             FILO_FIELD(int64_t, number))
OLD_AND_NEW("Enums", EnumsOld, EnumsNew)

FILO_TEST(enums_and_flags_are_matched_by_the_names_of_their_values) {
    FiloWorld *world;
    Log reports;
    EnumsOld old = { .first = OLD_ANGRY,
                     .second = OLD_CALM,
                     .dropped = OLD_SLEEPY,
                     .packed = OLD_SAD,
                     .traits = (TraitOld)(OLD_LOUD | OLD_TALL | OLD_RED),
                     .number = OLD_SAD };
    const EnumsNew *now =
        convert(&world, old_EnumsOld(), &old, new_EnumsNew(), &(EnumsNew){ .dropped = NEW_HAPPY }, &reports);
    assert_int_equal(now->first, NEW_ANGRY);
    assert_int_equal(now->second, NEW_CALM);
    assert_int_equal(now->dropped, NEW_HAPPY);
    assert_int_equal(now->packed, NEW_SAD);
    assert_int_equal(now->traits, NEW_LOUD | NEW_TALL);
    assert_int_equal(now->number, OLD_SAD);
    assert_contains(reports.text, "Enums: field dropped: some values do not exist any more");
    assert_contains(reports.text, "Enums: field traits: some flags do not exist any more");
    assert_int_equal(filo_test_count(reports.text, "\n"), 2);
    filo_world_destroy(world);
}

// ---- Text, names, lists, structs -----------------------------------------------------------------------

typedef struct PointOld {
    float x, y;
} PointOld;
FILO_REFLECT(PointOld, FILO_FIELD(float, x), FILO_FIELD(float, y))
typedef struct PointNew {
    double y, x, z;
} PointNew;
FILO_REFLECT(PointNew, FILO_FIELD(double, y), FILO_FIELD(double, x), FILO_FIELD(double, z))

typedef struct ShapesOld {
    char title[16], tight[16];
    FiloName kind;
    FiloEntity target;
    PointOld points[3];
    int32_t loot[2], more[4];
    float size;
    PointOld centre;
} ShapesOld;
FILO_REFLECT(ShapesOld, FILO_FIELD(char, title), FILO_FIELD(char, tight), FILO_FIELD(FiloName, kind),
             FILO_FIELD(FiloEntity, target), FILO_FIELD(PointOld, points), FILO_FIELD(int32_t, loot),
             FILO_FIELD(int32_t, more), FILO_FIELD(float, size), FILO_FIELD(PointOld, centre))
typedef struct ShapesNew {
    char title[64], tight[6];
    FiloName kind;
    FiloEntity target;
    PointNew points[2];
    int32_t loot[4], more[2];
    PointNew size; // was a number
    float centre;  // was a struct
} ShapesNew;
FILO_REFLECT(ShapesNew, FILO_FIELD(char, title), FILO_FIELD(char, tight), FILO_FIELD(FiloName, kind),
             FILO_FIELD(FiloEntity, target), FILO_FIELD(PointNew, points), FILO_FIELD(int32_t, loot),
             FILO_FIELD(int32_t, more), FILO_FIELD(PointNew, size), FILO_FIELD(float, centre))
OLD_AND_NEW("Shapes", ShapesOld, ShapesNew)

FILO_TEST(text_lists_and_structs_are_converted) {
    FiloWorld *world;
    Log reports;
    ShapesOld old = { .title = "a long title",
                      .tight = "über Maß",
                      .kind = filo_name("round"),
                      .target = { 99 },
                      .points = { { 1, 2 }, { 3, 4 }, { 5, 6 } },
                      .loot = { 7, 8 },
                      .more = { 1, 2, 3, 4 },
                      .size = 5,
                      .centre = { 1, 1 } };
    ShapesNew initial = {
        .points = { { .z = -1 }, { .z = -2 } }, .loot = { -1, -1, -1, -1 }, .size = { 3, 3, 3 }, .centre = 4
    };
    const ShapesNew *now = convert(&world, old_ShapesOld(), &old, new_ShapesNew(), &initial, &reports);
    assert_string_equal(now->title, "a long title");
    assert_string_equal(now->tight, "über"); // five bytes
    assert_string_equal(filo_name_text(now->kind), "round");
    assert_int_equal(now->target.id, 99);
    assert_true(now->points[0].x == 1 && now->points[0].y == 2 && now->points[0].z == -1);
    assert_true(now->points[1].x == 3 && now->points[1].y == 4 && now->points[1].z == -2);
    assert_true(now->loot[0] == 7 && now->loot[1] == 8 && now->loot[2] == -1);
    assert_true(now->more[0] == 1 && now->more[1] == 2);
    assert_true(now->size.x == 3 && now->centre == 4);
    assert_contains(reports.text, "Shapes: field tight: some texts are too long now and were cut");
    assert_contains(reports.text, "Shapes: list points of Shapes had 3 elements and has room for 2");
    assert_contains(reports.text, "Shapes: list more of Shapes had 4 elements");
    assert_contains(reports.text, "Shapes: field size of Shapes has become something else");
    assert_contains(reports.text, "Shapes: field centre of Shapes has become something else");
    assert_int_equal(filo_test_count(reports.text, "\n"), 5);
    filo_world_destroy(world);
}

// ---- Components and storage ----------------------------------------------------------------------------

typedef struct Stored {
    int32_t number;
} Stored;
FILO_REFLECT(Stored, FILO_FIELD(int32_t, number))
typedef struct Lost {
    int32_t number;
} Lost;
FILO_REFLECT(Lost, FILO_FIELD(int32_t, number))
FILO_TAG(Marked)

typedef struct WheelOld {
    int32_t size, spokes;
} WheelOld;
FILO_REFLECT(WheelOld, FILO_FIELD(int32_t, size), FILO_FIELD(int32_t, spokes))
typedef struct WheelNew {
    int8_t size;
} WheelNew;
FILO_REFLECT(WheelNew, FILO_FIELD(int8_t, size))
typedef struct CartOld {
    WheelOld wheels[4], spare;
} CartOld;
FILO_REFLECT(CartOld, FILO_FIELD(WheelOld, wheels), FILO_FIELD(WheelOld, spare))
typedef struct CartNew {
    WheelNew wheels[4], spare;
} CartNew;
FILO_REFLECT(CartNew, FILO_FIELD(WheelNew, wheels), FILO_FIELD(WheelNew, spare))
OLD_AND_NEW("Cart", CartOld, CartNew)

FILO_TEST(each_conversion_is_reported_once) {
    FiloWorld *world;
    Log reports;
    CartOld old = { .wheels = { { 1, 2 }, { 300, 4 }, { 500, 6 }, { 7, 8 } }, .spare = { 900, 10 } };
    const CartNew *now = convert(&world, old_CartOld(), &old, new_CartNew(), NULL, &reports);
    assert_int_equal(now->wheels[3].size, 7);
    assert_int_equal(now->wheels[1].size, 127);
    assert_int_equal(now->spare.size, 127);
    assert_string_equal(reports.text,
                        "Cart: field spokes of WheelOld is gone; its values are dropped\n"
                        "Cart: field size: some values do not fit any more and were replaced by the nearest "
                        "that does\n");
    filo_world_destroy(world);
}

FILO_TEST(unknown_components_are_dropped_and_reported) {
    FiloWorld *past, *world;
    assert_ok(filo_world_create(&past, NULL));
    filo_component(past, Lost);
    filo_component(past, Stored);
    FiloEntity both = filo_create(past, FILO_SET(Stored, 1), FILO_SET(Lost, 2)),
               one = filo_create(past, FILO_SET(Lost, 3));
    FiloBytes bytes = { 0 };
    assert_ok(filo_world_save_bytes(past, &bytes, NULL));
    assert_ok(filo_world_create(&world, NULL));
    filo_component(world, Stored, .storage = FILO_STORAGE_SPARSE);
    Log reports = { 0 };
    assert_ok(filo_world_load_bytes(world, bytes.items, bytes.count, "old.save",
                                    &(FiloLoadDesc){ .report = log_report, .user = &reports }));
    assert_string_equal(reports.text, "old.save: component Lost is not registered; it is dropped\n");
    assert_int_equal(filo_get(world, both, Stored)->number, 1);
    assert_true(filo_entity_exists(world, one));
    filo_array_deinit(&bytes);
    filo_world_destroy(world);
    filo_world_destroy(past);
}

FILO_TEST(components_may_change_their_storage) {
    const FiloStorage storages[] = { FILO_STORAGE_TABLE, FILO_STORAGE_SPARSE, FILO_STORAGE_ARRAY,
                                     FILO_STORAGE_MAP };
    for (size_t from = 0; from < 4; from++)
        for (size_t to = 0; to < 4; to++) {
            FiloWorld *past, *world;
            assert_ok(filo_world_create(&past, NULL));
            filo_component(past, Stored, .storage = storages[from]);
            filo_component(past, Marked, .storage = from % 2 == 0 ? FILO_STORAGE_TABLE : FILO_STORAGE_TAG);
            for (int i = 0; i < 10; i++) {
                FiloEntity entity = filo_create(past, FILO_SET(Stored, i));
                if (i % 3 == 0) filo_add(past, entity, Marked);
                if (i % 4 == 0) filo_entity_set_active(past, entity, false);
            }
            FiloBytes bytes = { 0 };
            assert_ok(filo_world_save_bytes(past, &bytes, NULL));
            assert_ok(filo_world_create(&world, NULL));
            filo_component(world, Stored, .storage = storages[to]);
            filo_component(world, Marked, .storage = to / 2 == 0 ? FILO_STORAGE_TABLE : FILO_STORAGE_TAG);
            assert_ok(filo_world_load_bytes(world, bytes.items, bytes.count, "old.save", NULL));
            assert_true(filo_world_hash(world) == filo_world_hash(past)); // the storage is not hashed
            filo_array_deinit(&bytes);
            filo_world_destroy(world);
            filo_world_destroy(past);
        }
}

FILO_TEST(a_global_that_became_an_entity_component_is_reported) {
    FiloWorld *past, *world;
    assert_ok(filo_world_create(&past, NULL));
    filo_component(past, Stored, .storage = FILO_STORAGE_GLOBAL);
    filo_component(past, Lost);
    FiloEntity entity = filo_create(past, FILO_SET(Lost, 3));
    FiloBytes bytes = { 0 };
    assert_ok(filo_world_save_bytes(past, &bytes, NULL));
    assert_ok(filo_world_create(&world, NULL));
    filo_component(world, Stored);
    filo_component(world, Lost, .storage = FILO_STORAGE_GLOBAL, .default_value = &(Lost){ 8 });
    Log reports = { 0 };
    assert_ok(filo_world_load_bytes(world, bytes.items, bytes.count, "old.save",
                                    &(FiloLoadDesc){ .report = log_report, .user = &reports }));
    assert_contains(reports.text, "component Stored was global and is not any more");
    assert_contains(reports.text, "component Lost is global now");
    assert_int_equal(filo_get_global(world, Lost)->number, 8);
    assert_true(filo_entity_exists(world, entity));
    filo_array_deinit(&bytes);
    filo_world_destroy(world);
    filo_world_destroy(past);
}

// ---- Events and providers ------------------------------------------------------------------------------

static size_t four(FiloWorld *world, void *user) {
    FILO_UNUSED(world), FILO_UNUSED(user);
    return 4;
}
static void save_four(FiloWorld *world, void *bytes, void *user) {
    FILO_UNUSED(world);
    memcpy(bytes, user, 4);
}
static FiloResult restore_four(FiloWorld *world, const void *bytes, size_t size, void *user) {
    FILO_UNUSED(world);
    assert_int_equal(size, 4);
    memcpy(user, bytes, 4);
    return filo_ok();
}

FILO_TEST(missing_providers_are_reported) {
    FiloWorld *past, *world;
    uint32_t a = 1, b = 2, restored = 0;
    FiloProvider provider = {
        .name = "kept", .size = four, .save = save_four, .restore = restore_four, .user = &a
    };
    assert_ok(filo_world_create(&past, NULL));
    assert_true(filo_world_add_provider(past, &provider));
    provider.name = "lost";
    provider.user = &b;
    assert_true(filo_world_add_provider(past, &provider));
    FiloBytes bytes = { 0 };
    assert_ok(filo_world_save_bytes(past, &bytes, NULL));
    assert_ok(filo_world_create(&world, NULL));
    provider.name = "kept";
    provider.user = &restored;
    assert_true(filo_world_add_provider(world, &provider));
    Log reports = { 0 };
    assert_ok(filo_world_load_bytes(world, bytes.items, bytes.count, "old.save",
                                    &(FiloLoadDesc){ .report = log_report, .user = &reports }));
    assert_string_equal(reports.text, "old.save: there is no provider lost; what it saved is dropped\n");
    assert_int_equal(restored, 1);
    filo_array_deinit(&bytes);
    filo_world_destroy(world);
    filo_world_destroy(past);
}

FILO_TEST(events_are_converted_like_components_and_unknown_ones_are_dropped) {
    FiloJobs *jobs;
    FiloEvents *old_events, *events;
    FiloWorld *past, *world;
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 1 }));
    assert_ok(filo_events_create(&old_events, &(FiloEventsDesc){ .jobs = jobs }));
    assert_ok(filo_events_create(&events, &(FiloEventsDesc){ .jobs = jobs }));
    assert_ok(filo_world_create(&past, &(FiloWorldDesc){ .jobs = jobs, .events = old_events }));
    assert_ok(filo_world_create(&world, &(FiloWorldDesc){ .jobs = jobs, .events = events }));
    FiloName declared = filo_name("declared"), unknown = filo_name("unknown"), plain = filo_name("plain");
    assert_true(filo_events_emit_later(old_events, declared, old_FieldsOld(), &(FieldsOld){ 1, 2, 3, 4 }, 5));
    assert_true(filo_events_emit(old_events, unknown, NULL, NULL));
    assert_true(filo_events_emit(old_events, plain, NULL, NULL));
    FiloBytes bytes = { 0 };
    assert_ok(filo_world_save_bytes(past, &bytes, NULL));
    assert_ok(filo_events_declare(events, declared, new_FieldsNew()));
    assert_ok(filo_events_declare(events, plain, NULL));
    Log reports = { 0 };
    assert_ok(filo_world_load_bytes(world, bytes.items, bytes.count, "old.save",
                                    &(FiloLoadDesc){ .report = log_report, .user = &reports }));
    assert_contains(reports.text, "an event \"unknown\" that waits is not known");
    assert_contains(reports.text, "Fields: field dropped of Fields is gone");
    FiloPendingCursor cursor = { 0 };
    FiloPendingEvent event;
    assert_true(filo_events_next_pending(events, &cursor, &event));
    assert_int_equal(event.name.id, plain.id);
    assert_true(filo_events_next_pending(events, &cursor, &event));
    assert_int_equal(event.name.id, declared.id);
    assert_int_equal(((const FieldsNew *)event.payload)->health, 3);
    assert_int_equal(event.due, 5);
    assert_false(filo_events_next_pending(events, &cursor, &event));
    filo_array_deinit(&bytes);
    filo_world_destroy(world);
    filo_world_destroy(past);
    filo_events_destroy(events);
    filo_events_destroy(old_events);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

// ---- Components that were renamed ------------------------------------------------------------------------

typedef struct Hitpoints {
    int32_t points;
} Hitpoints;
FILO_REFLECT(Hitpoints, FILO_FIELD(int32_t, points))
typedef struct Vigour {
    int32_t points;
} Vigour;
FILO_REFLECT(Vigour, FILO_FIELD(int32_t, points))
typedef struct Lives {
    int32_t points;
} Lives;
FILO_REFLECT(Lives, FILO_FIELD(int32_t, points))

// Saves an entity whose components of these types have 10, 11, … points.
static FiloBytes save_types(const FiloType *const *types, size_t count, FiloEntity *entity) {
    FiloWorld *past = create_world();
    *entity = filo_entity_create(past);
    for (size_t i = 0; i < count; i++) {
        FiloComponent component = filo_component_register(past, &(FiloComponentDesc){ .type = types[i] });
        assert_true(filo_entity_set(past, *entity, component, &(Hitpoints){ 10 + (int32_t)i }));
    }
    FiloBytes bytes = { 0 };
    assert_ok(filo_world_save_bytes(past, &bytes, NULL));
    filo_world_destroy(past);
    return bytes;
}

static void load_types(FiloWorld *world, FiloBytes *bytes, Log *reports) {
    *reports = (Log){ 0 };
    assert_ok(filo_world_load_bytes(world, bytes->items, bytes->count, "old.save",
                                    &(FiloLoadDesc){ .report = log_report, .user = reports }));
    filo_array_deinit(bytes);
}

FILO_TEST(a_component_is_found_by_its_former_name) {
    FiloEntity entity;
    FiloBytes bytes = save_types((const FiloType *const[]){ FILO_TYPE(Hitpoints) }, 1, &entity);
    FiloWorld *world;
    Log reports;
    assert_ok(filo_world_create(&world, NULL));
    FiloComponent lives = filo_component(world, Lives, .formerly = { "Vigour", "Hitpoints" });
    load_types(world, &bytes, &reports);
    assert_int_equal(filo_get(world, entity, Lives)->points, 10);
    assert_string_equal(reports.text, "");
    assert_int_equal(filo_component_resolve(world, "Hitpoints").id, lives.id);
    assert_int_equal(filo_component_resolve(world, "Lives").id, lives.id);
    assert_int_equal(filo_component_named(world, "Hitpoints").id, 0);
    assert_int_equal(filo_component_resolve(world, "Hearts").id, 0);
    // It is saved with the present name.
    FiloBytes again = { 0 };
    assert_ok(filo_world_save_bytes(world, &again, NULL));
    filo_world_destroy(world);
    assert_ok(filo_world_create(&world, NULL));
    filo_component(world, Lives);
    load_types(world, &again, &reports);
    assert_int_equal(filo_get(world, entity, Lives)->points, 10);
    filo_world_destroy(world);
}

FILO_TEST(a_component_of_the_present_name_wins_over_a_former_name) {
    FiloEntity entity;
    FiloBytes bytes = save_types((const FiloType *const[]){ FILO_TYPE(Hitpoints) }, 1, &entity);
    FiloWorld *world;
    Log reports;
    assert_ok(filo_world_create(&world, NULL));
    filo_component(world, Lives, .formerly = { "Hitpoints" });
    filo_component(world, Hitpoints);
    load_types(world, &bytes, &reports);
    assert_true(!filo_has(world, entity, Lives) && filo_get(world, entity, Hitpoints)->points == 10);
    filo_world_destroy(world);
}

FILO_TEST(a_file_with_both_names_loads_the_present_one_and_reports_it) {
    FiloEntity entity;
    FiloBytes bytes =
        save_types((const FiloType *const[]){ FILO_TYPE(Hitpoints), FILO_TYPE(Lives) }, 2, &entity);
    FiloWorld *world;
    Log reports;
    assert_ok(filo_world_create(&world, NULL));
    filo_component(world, Lives, .formerly = { "Hitpoints" });
    load_types(world, &bytes, &reports);
    assert_int_equal(filo_get(world, entity, Lives)->points, 11);
    assert_contains(reports.text, "component Hitpoints is not registered; it is dropped");
    filo_world_destroy(world);
    // With two former names, the first in the file is loaded.
    bytes = save_types((const FiloType *const[]){ FILO_TYPE(Hitpoints), FILO_TYPE(Vigour) }, 2, &entity);
    assert_ok(filo_world_create(&world, NULL));
    filo_component(world, Lives, .formerly = { "Vigour", "Hitpoints" });
    load_types(world, &bytes, &reports);
    assert_int_equal(filo_get(world, entity, Lives)->points, 10);
    assert_contains(reports.text, "component Vigour is not registered; it is dropped");
    filo_world_destroy(world);
}
