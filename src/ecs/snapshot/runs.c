#include "ecs/snapshot/runs.h"
#include "base/reflect_value.h"

static void flush(EcsRunWalk *walk) {
    if (walk->has_pending) walk->emit(walk, &walk->pending);
    walk->has_pending = false;
}

static void add_run(EcsRunWalk *walk, EcsRunKind kind, size_t offset, size_t size) {
    EcsRun *pending = &walk->pending;
    if (walk->has_pending && pending->kind == kind && kind != ECS_RUN_TEXT &&
        pending->offset + pending->size == offset) {
        pending->size += (uint32_t)size;
        return;
    }
    flush(walk);
    *pending = (EcsRun){ kind, (uint32_t)offset, (uint32_t)size };
    walk->has_pending = true;
}

static void add_type(EcsRunWalk *walk, const FiloType *type, size_t offset) {
    for (size_t i = 0; i < type->field_count; i++) {
        const FiloField *field = &type->fields[i];
        if ((field->flags & FILO_FIELD_TRANSIENT) != 0) continue;
        const FiloType *element = filo_field_type(field);
        size_t at = offset + field->offset, count = FILO_MAX(field->count, (size_t)1),
               size = count * element->size;
        if (base_value_is_text(element, field->count))
            add_run(walk, ECS_RUN_TEXT, at, size);
        else if (element->kind == FILO_KIND_STRUCT)
            for (size_t k = 0; k < count; k++) add_type(walk, element, at + k * element->size);
        else if (element->kind == FILO_KIND_FLOAT)
            add_run(walk, element->size == sizeof(float) ? ECS_RUN_FLOATS : ECS_RUN_DOUBLES, at, size);
        else
            add_run(walk, element->kind == FILO_KIND_NAME ? ECS_RUN_NAMES : ECS_RUN_BYTES, at, size);
    }
}

void ecs_runs_walk(EcsRunWalk *walk, const FiloType *type) {
    walk->has_pending = false;
    add_type(walk, type, 0);
    flush(walk);
}

typedef struct List {
    EcsRunWalk walk;
    EcsRunArray *runs;
    bool failed;
} List;

static void push(EcsRunWalk *walk, const EcsRun *run) {
    List *list = (List *)(void *)walk;
    if (!filo_array_push(list->runs, *run)) list->failed = true;
}

bool ecs_runs_list(EcsRunArray *runs, const FiloType *type) {
    List list = { .walk.emit = push, .runs = runs };
    filo_array_clear(runs);
    ecs_runs_walk(&list.walk, type);
    return !list.failed;
}
