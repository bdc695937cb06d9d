// Array storage: values by entity index, in pages that exist where they are needed. Beside each value the
// generation of the entity it belongs to, so that looking one up is two loads and a comparison, stale ids
// included.

#include "ecs/holder.h"

#define PAGE_BYTES FILO_KIB(256) // of values, at most
#define PAGE_BITS  12            // entities, at most

static void *create(size_t size, size_t align, const FiloAllocator *allocator) {
    FiloArrayHolder *holder = filo_alloc_zero(allocator, sizeof *holder, 0);
    if (holder == NULL) return NULL;
    holder->size = size;
    holder->stride = FILO_MAX(size, (size_t)1);
    holder->align = FILO_MAX(align, (size_t)16);
    holder->page_bits = PAGE_BITS;
    while (holder->page_bits > 0 && holder->stride << holder->page_bits > PAGE_BYTES) holder->page_bits--;
    size_t rows = (size_t)1 << holder->page_bits;
    holder->generations = FILO_ALIGN_UP(rows * holder->stride, sizeof(uint16_t));
    holder->page_size = holder->generations + rows * sizeof(uint16_t);
    holder->allocator = allocator;
    return holder;
}

static void destroy(void *data) {
    FiloArrayHolder *holder = data;
    for (size_t i = 0; i < holder->page_count; i++)
        filo_free(holder->allocator, holder->pages[i], holder->page_size, holder->align);
    filo_free(holder->allocator, holder->pages, holder->page_count * sizeof *holder->pages, 0);
    filo_free(holder->allocator, holder, sizeof *holder, 0);
}

static bool add_page(FiloArrayHolder *holder, size_t page) {
    if (page >= holder->page_count) {
        size_t count = FILO_MAX(page + 1, holder->page_count * 2);
        uint8_t **pages = filo_resize(holder->allocator, holder->pages, holder->page_count * sizeof *pages,
                                      count * sizeof *pages, 0);
        if (pages == NULL) return false;
        memset(pages + holder->page_count, 0, (count - holder->page_count) * sizeof *pages);
        holder->pages = pages;
        holder->page_count = count;
    }
    if (holder->pages[page] != NULL) return true;
    uint8_t *values = filo_alloc(holder->allocator, holder->page_size, holder->align);
    if (values == NULL) return false;
    memset(filo_array_generations(holder, values), 0, ((size_t)1 << holder->page_bits) * sizeof(uint16_t));
    holder->pages[page] = values;
    return true;
}

static void *add(void *data, FiloEntity entity) {
    FiloArrayHolder *holder = data;
    uint32_t index = (uint32_t)entity.id;
    size_t page = index >> holder->page_bits, row = index & ((1u << holder->page_bits) - 1);
    if ((page >= holder->page_count || holder->pages[page] == NULL) && !add_page(holder, page)) return NULL;
    uint8_t *values = holder->pages[page];
    filo_array_generations(holder, values)[row] = (uint16_t)(entity.id >> 32);
    holder->count++;
    return values + row * holder->stride;
}

static void remove_entity(void *data, FiloEntity entity) {
    FiloArrayHolder *holder = data;
    uint32_t index = (uint32_t)entity.id;
    filo_array_generations(
        holder, holder->pages[index >> holder->page_bits])[index & ((1u << holder->page_bits) - 1)] = 0;
    holder->count--;
}

static void *get(const void *holder, FiloEntity entity) { return filo_array_get(holder, entity); }

static size_t count(const void *holder) { return ((const FiloArrayHolder *)holder)->count; }

// By index.
static bool next(const void *data, uint64_t *cursor, FiloEntity *entity) {
    const FiloArrayHolder *holder = data;
    size_t rows = (size_t)1 << holder->page_bits;
    while (*cursor >> holder->page_bits < holder->page_count) {
        const uint8_t *page = holder->pages[*cursor >> holder->page_bits];
        if (page == NULL) {
            *cursor = ((*cursor >> holder->page_bits) + 1) << holder->page_bits;
            continue;
        }
        uint64_t index = (*cursor)++;
        uint16_t generation = filo_array_generations(holder, page)[index & (rows - 1)];
        if (generation == 0) continue;
        *entity = filo_entity_make((uint32_t)index, generation);
        return true;
    }
    return false;
}

static void clear(void *data) {
    FiloArrayHolder *holder = data;
    for (size_t i = 0; i < holder->page_count; i++)
        if (holder->pages[i] != NULL)
            memset(filo_array_generations(holder, holder->pages[i]), 0,
                   ((size_t)1 << holder->page_bits) * sizeof(uint16_t));
    holder->count = 0;
}

const FiloHolderInterface filo_holder_array = {
    .name = "array",
    .create = create,
    .destroy = destroy,
    .add = add,
    .remove = remove_entity,
    .get = get,
    .count = count,
    .next = next,
    .clear = clear,
};
