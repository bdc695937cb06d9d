// Records of systems. Each worker appends to memory of its own, without a lock. A worker begins a new segment when it
// records for another part of a system than before; FiloChangesOrder says where the segment belongs.

#include "objects/objects.h"

bool objects_records_init(ObjectsRecords *records, ObjectsWorld *objects, size_t size) {
    *records = (ObjectsRecords){ .objects = objects, .stride = FILO_ALIGN_UP(size, (size_t)16) };
    filo_array_init(&records->sorted, objects->allocator);
    records->recorders =
        filo_alloc_zero(objects->allocator, objects->workers * sizeof *records->recorders, FILO_CACHE_LINE);
    if (records->recorders == NULL) return false;
    for (uint32_t i = 0; i < objects->workers; i++)
        filo_array_init(&records->recorders[i].segments, objects->allocator);
    return true;
}

void objects_records_deinit(ObjectsRecords *records) {
    if (records->objects == NULL) return;
    const FiloAllocator *allocator = records->objects->allocator;
    for (uint32_t i = 0; i < records->objects->workers && records->recorders != NULL; i++) {
        ObjectsRecorder *recorder = &records->recorders[i];
        filo_free(allocator, recorder->bytes, recorder->capacity * records->stride, 16);
        filo_array_deinit(&recorder->segments);
    }
    filo_free(allocator, records->recorders, records->objects->workers * sizeof *records->recorders,
              FILO_CACHE_LINE);
    filo_array_deinit(&records->sorted);
    *records = (ObjectsRecords){ 0 };
}

static FILO_COLD bool grow(ObjectsRecords *records, ObjectsRecorder *recorder) {
    size_t capacity = FILO_MAX(recorder->capacity * 2, (size_t)64);
    uint8_t *bytes = filo_resize(records->objects->allocator, recorder->bytes,
                                 recorder->capacity * records->stride, capacity * records->stride, 16);
    if (bytes == NULL) return false;
    recorder->bytes = bytes;
    recorder->capacity = capacity;
    return true;
}

static bool is_same(FiloChangesOrder a, FiloChangesOrder b) { return a.row == b.row && a.system == b.system; }

void *objects_records_add(ObjectsRecords *records, const FiloIter *it) {
    uint32_t worker = objects_worker(records->objects);
    if (!FILO_CHECK(worker < records->objects->workers,
                    "a system does this on the thread that runs it, or in a job, not on a thread of its own"))
        return NULL;
    ObjectsRecorder *recorder = &records->recorders[worker];
    if (FILO_UNLIKELY(recorder->count == recorder->capacity) && !grow(records, recorder)) return NULL;
    FiloChangesOrder order = filo_changes_order(it->changes);
    size_t segments = recorder->segments.count;
    if (FILO_UNLIKELY(segments == 0 || !is_same(recorder->segments.items[segments - 1].order, order)) &&
        !filo_array_push(&recorder->segments, (ObjectsSegment){ .order = order,
                                                                .first = recorder->count,
                                                                .worker = worker,
                                                                .number = (uint32_t)segments }))
        return NULL;
    return recorder->bytes + recorder->count++ * records->stride;
}

bool objects_records_any(const ObjectsRecords *records) {
    for (uint32_t i = 0; i < records->objects->workers; i++)
        if (records->recorders[i].count > 0) return true;
    return false;
}

void objects_records_clear(ObjectsRecords *records) {
    for (uint32_t i = 0; i < records->objects->workers; i++) {
        records->recorders[i].count = 0;
        filo_array_clear(&records->recorders[i].segments);
    }
}

// ---- Sorting ----------------------------------------------------------------------------------------------

static bool is_before(const ObjectsSegment *a, const ObjectsSegment *b) {
    if (a->order.system != b->order.system) return a->order.system < b->order.system;
    if (a->order.row != b->order.row) return a->order.row < b->order.row;
    return a->worker != b->worker ? a->worker < b->worker : a->number < b->number;
}

// Heap sort: in place, and never slow. No two segments are equal.
static void sift_down(ObjectsSegment *items, size_t at, size_t count) {
    ObjectsSegment item = items[at];
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && is_before(&items[child], &items[child + 1])) child++;
        if (!is_before(&item, &items[child])) break;
        items[at] = items[child];
    }
    items[at] = item;
}

static void sort(ObjectsSegment *items, size_t count) {
    for (size_t i = count / 2; i-- > 0;) sift_down(items, i, count);
    for (size_t end = count; end-- > 1;) {
        ObjectsSegment last = items[end];
        items[end] = items[0];
        items[0] = last;
        sift_down(items, 0, end);
    }
}

bool objects_records_sort(ObjectsRecords *records) {
    filo_array_clear(&records->sorted);
    for (uint32_t i = 0; i < records->objects->workers; i++) {
        ObjectsRecorder *recorder = &records->recorders[i];
        size_t count = recorder->segments.count;
        for (size_t k = 0; k < count; k++) {
            size_t end = k + 1 < count ? recorder->segments.items[k + 1].first : recorder->count;
            recorder->segments.items[k].count = end - recorder->segments.items[k].first;
        }
        if (!filo_array_push_many(&records->sorted, recorder->segments.items, count)) return false;
    }
    bool sorted = true;
    for (size_t i = 1; i < records->sorted.count; i++)
        sorted = sorted && is_before(&records->sorted.items[i - 1], &records->sorted.items[i]);
    if (!sorted) sort(records->sorted.items, records->sorted.count);
    return true;
}
