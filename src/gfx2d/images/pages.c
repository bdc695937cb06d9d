// Packs images on atlas pages. See pages.h.

#include "gfx2d/images/pages.h"

#define BORDER 1

// Largest page on the GPU. All layers of the texture are as wide and as high as the longest side of any image, so a
// single long strip would take gigabytes.
#define GPU_SIZE_MAX 8192

void gfx2d_pages_init(Gfx2dPages *pages, int size, FiloGpu *gpu, const FiloAllocator *allocator) {
    *pages = (Gfx2dPages){ .allocator = allocator, .gpu = gpu };
    pages->size_max = FILO_PIXELS_MAX;
    int layers = GFX2D_PAGES_MAX;
    if (gpu != NULL) {
        pages->size_max = FILO_MIN(filo_gpu_limits(gpu)->texture_size, GPU_SIZE_MAX);
        layers = filo_gpu_limits(gpu)->texture_layers;
    }
    pages->size = FILO_CLAMP(size > 0 ? size : 2048, 16, pages->size_max);
    pages->layers_max = FILO_MIN(layers, GFX2D_PAGES_MAX);
    filo_array_init(&pages->pages, allocator);
    filo_array_init(&pages->images, allocator);
    filo_array_init(&pages->pieces, allocator);
}

static void free_page(Gfx2dPages *pages, size_t index) {
    Gfx2dPage *page = &pages->pages.items[index];
    if (!page->external) filo_pixels_free(&page->pixels, pages->allocator);
    filo_array_deinit(&page->shelves);
    *page = (Gfx2dPage){ .shelves.allocator = pages->allocator };
    pages->images.items[index] = (FiloPixels){ 0 };
}

void gfx2d_pages_deinit(Gfx2dPages *pages) {
    for (size_t i = 0; i < pages->pages.count; i++) free_page(pages, i);
    filo_array_deinit(&pages->pages);
    filo_array_deinit(&pages->images);
    filo_array_deinit(&pages->pieces);
    if (pages->texture.id != 0) filo_gpu_texture_destroy(pages->gpu, pages->texture);
    pages->texture = (FiloTexture){ 0 };
}

// ---- Pieces of shelves --------------------------------------------------------------------------------------

static inline Gfx2dShelfPiece *piece_at(const Gfx2dPages *pages, uint32_t number) {
    return &pages->pieces.items[number - 1];
}

// The number of a new piece; 0 without memory.
static uint32_t new_piece(Gfx2dPages *pages, Gfx2dShelfPiece value) {
    uint32_t number = pages->free_piece;
    if (number != 0) {
        pages->free_piece = piece_at(pages, number)->next;
        *piece_at(pages, number) = value;
        return number;
    }
    if (!filo_array_push(&pages->pieces, value)) return 0;
    return (uint32_t)pages->pieces.count;
}

static void release_piece(Gfx2dPages *pages, uint32_t number) {
    piece_at(pages, number)->next = pages->free_piece;
    pages->free_piece = number;
}

// A free piece of a shelf that is wide enough; 0 if there is none.
static uint32_t find_free_piece(const Gfx2dPages *pages, const Gfx2dShelf *shelf, int width) {
    for (uint32_t at = shelf->first; at != 0; at = piece_at(pages, at)->next)
        if (!piece_at(pages, at)->taken && piece_at(pages, at)->width >= width) return at;
    return 0;
}

static bool shelf_is_empty(const Gfx2dPages *pages, const Gfx2dShelf *shelf) {
    const Gfx2dShelfPiece *first = piece_at(pages, shelf->first);
    return !first->taken && first->next == 0;
}

// Takes the left `width` texels of a free piece, and leaves the rest as another piece. False without memory.
static bool allocate_piece(Gfx2dPages *pages, uint32_t number, int width) {
    Gfx2dShelfPiece piece = *piece_at(pages, number);
    if (piece.width > width) {
        uint32_t rest = new_piece(pages, (Gfx2dShelfPiece){ .x = (uint16_t)(piece.x + width),
                                                            .width = (uint16_t)(piece.width - width),
                                                            .next = piece.next });
        if (rest == 0) return false;
        piece.next = rest;
    }
    *piece_at(pages, number) =
        (Gfx2dShelfPiece){ .x = piece.x, .width = (uint16_t)width, .taken = true, .next = piece.next };
    return true;
}

// ---- Shelves --------------------------------------------------------------------------------------------------

// The lowest shelf with a free piece that fits. `tight`: one of about this height, or an empty one. SIZE_MAX: none.
static size_t find_shelf(const Gfx2dPages *pages, const Gfx2dPage *page, int width, int height, bool tight) {
    size_t best = SIZE_MAX;
    int best_height = INT32_MAX;
    for (size_t i = 0; i < page->shelves.count; i++) {
        const Gfx2dShelf *shelf = &page->shelves.items[i];
        if (shelf->height < height || shelf->height >= best_height) continue;
        if (tight && shelf->height > height + height / 4 + 2 && !shelf_is_empty(pages, shelf)) continue;
        if (find_free_piece(pages, shelf, width) == 0) continue;
        best = i;
        best_height = shelf->height;
    }
    return best;
}

// Splits an empty shelf that is higher than needed. Without memory it is not split.
static void divide_shelf(Gfx2dPages *pages, Gfx2dPage *page, size_t index, int height) {
    Gfx2dShelf shelf = page->shelves.items[index];
    if (shelf.height <= height || !shelf_is_empty(pages, &shelf)) return;
    Gfx2dShelf rest = { (uint16_t)(shelf.y + height), (uint16_t)(shelf.height - height), 0 };
    rest.first = new_piece(pages, (Gfx2dShelfPiece){ .width = (uint16_t)page->pixels.width });
    if (rest.first == 0) return;
    if (!filo_array_insert(&page->shelves, index + 1, rest)) {
        release_piece(pages, rest.first);
        return;
    }
    page->shelves.items[index].height = (uint16_t)height;
}

// Adds a shelf below the others; SIZE_MAX if the page is full, or without memory.
static size_t add_shelf(Gfx2dPages *pages, Gfx2dPage *page, int width, int height) {
    if (page->used_rows + height > page->pixels.height || width > page->pixels.width) return SIZE_MAX;
    Gfx2dShelf shelf = { (uint16_t)page->used_rows, (uint16_t)height, 0 };
    shelf.first = new_piece(pages, (Gfx2dShelfPiece){ .width = (uint16_t)page->pixels.width });
    if (shelf.first == 0) return SIZE_MAX;
    if (!filo_array_push(&page->shelves, shelf)) {
        release_piece(pages, shelf.first);
        return SIZE_MAX;
    }
    page->used_rows += height;
    return page->shelves.count - 1;
}

// Allocates a slot of width × height, border included. False if the page is full, or without memory.
static bool allocate_in_page(Gfx2dPages *pages, size_t index, int width, int height, Gfx2dPageSlot *slot) {
    Gfx2dPage *page = &pages->pages.items[index];
    if (page->dedicated || page->pixels.data == NULL) return false;
    size_t at = find_shelf(pages, page, width, height, true);
    if (at == SIZE_MAX) at = add_shelf(pages, page, width, height);
    if (at == SIZE_MAX) at = find_shelf(pages, page, width, height, false);
    if (at == SIZE_MAX) return false;
    divide_shelf(pages, page, at, height);
    const Gfx2dShelf *shelf = &page->shelves.items[at];
    uint32_t piece = find_free_piece(pages, shelf, width);
    if (!allocate_piece(pages, piece, width)) return false;
    *slot = (Gfx2dPageSlot){ (uint16_t)(piece_at(pages, piece)->x + BORDER),
                             (uint16_t)(shelf->y + BORDER),
                             (uint16_t)(width - 2 * BORDER),
                             (uint16_t)(height - 2 * BORDER),
                             (uint16_t)index,
                             true };
    return true;
}

// Joins an empty shelf with empty neighbours, or removes it if it is the lowest.
static void join_shelves(Gfx2dPages *pages, Gfx2dPage *page, size_t at) {
    if (at + 1 < page->shelves.count && shelf_is_empty(pages, &page->shelves.items[at + 1])) {
        page->shelves.items[at].height =
            (uint16_t)(page->shelves.items[at].height + page->shelves.items[at + 1].height);
        release_piece(pages, page->shelves.items[at + 1].first);
        filo_array_remove(&page->shelves, at + 1);
    }
    if (at > 0 && shelf_is_empty(pages, &page->shelves.items[at - 1])) {
        join_shelves(pages, page, at - 1);
        return;
    }
    if (at + 1 < page->shelves.count) return;
    page->used_rows = page->shelves.items[at].y;
    release_piece(pages, page->shelves.items[at].first);
    filo_array_remove(&page->shelves, at);
}

static void free_piece(Gfx2dPages *pages, Gfx2dPage *page, int x, int y) {
    size_t at = 0;
    while (page->shelves.items[at].y != y) at++;
    uint32_t before = 0, number = page->shelves.items[at].first;
    while (piece_at(pages, number)->x != x) {
        before = number;
        number = piece_at(pages, number)->next;
    }
    Gfx2dShelfPiece *piece = piece_at(pages, number);
    piece->taken = false;
    if (piece->next != 0 && !piece_at(pages, piece->next)->taken) {
        uint32_t next = piece->next;
        piece->width = (uint16_t)(piece->width + piece_at(pages, next)->width);
        piece->next = piece_at(pages, next)->next;
        release_piece(pages, next);
    }
    if (before != 0 && !piece_at(pages, before)->taken) {
        Gfx2dShelfPiece *left = piece_at(pages, before);
        left->width = (uint16_t)(left->width + piece->width);
        left->next = piece->next;
        release_piece(pages, number);
    }
    if (shelf_is_empty(pages, &page->shelves.items[at])) join_shelves(pages, page, at);
}

// ---- Pages ------------------------------------------------------------------------------------------------

// Adds a page; UINT16_MAX without memory.
static uint16_t new_page(Gfx2dPages *pages, FiloPixels pixels) {
    size_t at = 0;
    while (at < pages->pages.count && pages->pages.items[at].pixels.data != NULL) at++;
    if (at == (size_t)pages->layers_max) return UINT16_MAX;
    if (at == pages->pages.count) {
        if (!filo_array_push(&pages->images, (FiloPixels){ 0 })) return UINT16_MAX;
        if (!filo_array_push(&pages->pages, (Gfx2dPage){ .shelves.allocator = pages->allocator })) {
            pages->images.count--;
            return UINT16_MAX;
        }
    }
    pages->pages.items[at].pixels = pixels;
    pages->images.items[at] = pixels;
    return (uint16_t)at;
}

// Adds a page with pixels of its own.
static FiloResult add_page(Gfx2dPages *pages, int width, int height, uint16_t *index) {
    FiloPixels pixels;
    if (!filo_pixels_create(&pixels, width, height, pages->allocator))
        return filo_error(FILO_ERROR_MEMORY, "no memory");
    *index = new_page(pages, pixels);
    if (*index != UINT16_MAX) return filo_ok();
    filo_pixels_free(&pixels, pages->allocator);
    if (pages->pages.count < (size_t)pages->layers_max) return filo_error(FILO_ERROR_MEMORY, "no memory");
    return filo_error(FILO_ERROR_LIMIT, "there are at most %d pages", pages->layers_max);
}

uint16_t gfx2d_pages_add_external(Gfx2dPages *pages, FiloPixels pixels) {
    uint16_t index = new_page(pages, pixels);
    if (index == UINT16_MAX) return index;
    pages->pages.items[index].dedicated = pages->pages.items[index].external = true;
    return index;
}

void gfx2d_pages_remove_external(Gfx2dPages *pages, uint16_t page) { free_page(pages, page); }

// Enlarges a page to size × size. Slots stay where they are. False without memory.
static bool grow_page(Gfx2dPages *pages, size_t index, int size) {
    Gfx2dPage *page = &pages->pages.items[index];
    int before = page->pixels.width;
    FiloPixels larger;
    // Every shelf whose last piece is taken needs another piece: reserved first, so that new_piece cannot fail.
    if (!filo_array_reserve(&pages->pieces, pages->pieces.count + page->shelves.count) ||
        !filo_pixels_create(&larger, size, size, pages->allocator))
        return false;
    filo_pixels_copy(&larger, 0, 0, &page->pixels);
    filo_pixels_free(&page->pixels, pages->allocator);
    page->pixels = pages->images.items[index] = larger;
    for (size_t i = 0; i < page->shelves.count; i++) {
        uint32_t last = page->shelves.items[i].first;
        while (piece_at(pages, last)->next != 0) last = piece_at(pages, last)->next;
        uint16_t more = (uint16_t)(size - before);
        if (!piece_at(pages, last)->taken) {
            piece_at(pages, last)->width = (uint16_t)(piece_at(pages, last)->width + more);
            continue;
        }
        uint32_t rest = new_piece(pages, (Gfx2dShelfPiece){ .x = (uint16_t)before, .width = more });
        piece_at(pages, last)->next = rest;
    }
    return true;
}

// Allocates a slot on any page; if all are full, enlarges one or adds one.
static FiloResult allocate_slot(Gfx2dPages *pages, int width, int height, Gfx2dPageSlot *slot) {
    for (size_t i = 0; i < pages->pages.count; i++)
        if (allocate_in_page(pages, i, width, height, slot)) return filo_ok();
    for (size_t i = 0; i < pages->pages.count; i++) {
        Gfx2dPage *page = &pages->pages.items[i];
        while (page->pixels.data != NULL && !page->dedicated && page->pixels.width < pages->size) {
            if (!grow_page(pages, i, FILO_MIN(page->pixels.width * 2, pages->size)))
                return filo_error(FILO_ERROR_MEMORY, "no memory");
            if (allocate_in_page(pages, i, width, height, slot)) return filo_ok();
        }
    }
    int size = pages->pages.count == 0 ? FILO_MIN(GFX2D_PAGE_SIZE_FIRST, pages->size) : pages->size;
    while (size < FILO_MAX(width, height)) size = FILO_MIN(size * 2, pages->size);
    uint16_t index;
    FiloResult result = add_page(pages, size, size, &index);
    if (result.code != FILO_OK) return result;
    if (!allocate_in_page(pages, index, width, height, slot))
        return filo_error(FILO_ERROR_MEMORY, "no memory");
    return filo_ok();
}

// Allocates a slot on a page of its own.
static FiloResult allocate_dedicated(Gfx2dPages *pages, int width, int height, Gfx2dPageSlot *slot) {
    uint16_t index;
    FiloResult result = add_page(pages, width, height, &index);
    if (result.code != FILO_OK) return result;
    pages->pages.items[index].dedicated = true;
    *slot = (Gfx2dPageSlot){ BORDER, BORDER, (uint16_t)(width - 2 * BORDER), (uint16_t)(height - 2 * BORDER),
                             index,  true };
    return filo_ok();
}

// ---- Contents ------------------------------------------------------------------------------------------------

// Copies the image, and repeats its edge in the border.
static void copy_with_border(const FiloPixels *page, const Gfx2dPageSlot *slot, const FiloPixels *from) {
    filo_pixels_copy(page, slot->x, slot->y, from);
    int right = slot->width - 1, bottom = slot->height - 1;
    for (int y = -1; y <= slot->height; y++) {
        FiloColor *row = filo_pixels_at(page, slot->x, slot->y + y);
        const FiloColor *source = filo_pixels_at(from, 0, FILO_CLAMP(y, 0, bottom));
        if (y < 0 || y > bottom) memcpy(row, source, (size_t)slot->width * sizeof *row);
        row[-1] = source[0];
        row[right + 1] = source[right];
    }
}

// Creates a texture large enough for all pages, and copies them to it.
static FiloResult make_texture(Gfx2dPages *pages, int size) {
    FiloTexture texture;
    FiloTextureDesc desc = { .label = "image pages",
                             .format = FILO_TEXTURE_RGBA8,
                             .width = size,
                             .height = size,
                             .layers = (int)FILO_MAX(pages->pages.count, (size_t)1) };
    FiloResult result = filo_gpu_texture_create(&texture, pages->gpu, &desc);
    if (result.code != FILO_OK) return result;
    if (pages->texture.id != 0) filo_gpu_texture_destroy(pages->gpu, pages->texture);
    pages->texture = texture;
    pages->texture_size = size;
    pages->texture_layers = (int)FILO_MAX(pages->pages.count, (size_t)1);
    for (size_t i = 0; i < pages->pages.count; i++) {
        const FiloPixels *page = &pages->pages.items[i].pixels;
        if (page->data != NULL)
            filo_gpu_texture_write(pages->gpu, texture, (int)i, 0, 0, page->width, page->height, page->data,
                                   page->stride);
    }
    return filo_ok();
}

static FiloResult copy_to_gpu(Gfx2dPages *pages, const Gfx2dPageSlot *slot) {
    if (pages->gpu == NULL) return filo_ok();
    const FiloPixels *page = &pages->pages.items[slot->page].pixels;
    int side = FILO_MAX(page->width, page->height);
    if (pages->texture.id == 0 || side > pages->texture_size) return make_texture(pages, side);
    if (slot->page >= pages->texture_layers) {
        FiloResult result = filo_gpu_texture_grow(pages->gpu, pages->texture, (int)pages->pages.count);
        if (result.code != FILO_OK) return result;
        pages->texture_layers = (int)pages->pages.count;
    }
    int x = slot->x - BORDER, y = slot->y - BORDER;
    filo_gpu_texture_write(pages->gpu, pages->texture, slot->page, x, y, slot->width + 2 * BORDER,
                           slot->height + 2 * BORDER, filo_pixels_at(page, x, y), page->stride);
    return filo_ok();
}

FiloResult gfx2d_pages_add(Gfx2dPages *pages, const FiloPixels *pixels, const char *name,
                           Gfx2dPageSlot *slot) {
    *slot = (Gfx2dPageSlot){ 0 };
    int width = pixels->width + 2 * BORDER, height = pixels->height + 2 * BORDER;
    int side = FILO_MAX(width, height);
    if (pixels->data == NULL || pixels->width < 1 || pixels->height < 1)
        return filo_error(FILO_ERROR_ARGUMENT, "%s: an image without pixels", name);
    if (side > pages->size_max)
        return filo_error(FILO_ERROR_LIMIT, "%s: %d × %d is too large; the limit %s is %d × %d", name,
                          pixels->width, pixels->height,
                          pages->gpu != NULL ? "on this graphics card" : "here", pages->size_max - 2 * BORDER,
                          pages->size_max - 2 * BORDER);
    FiloResult result = side > pages->size ? allocate_dedicated(pages, width, height, slot)
                                           : allocate_slot(pages, width, height, slot);
    if (result.code == FILO_OK) {
        copy_with_border(&pages->pages.items[slot->page].pixels, slot, pixels);
        result = copy_to_gpu(pages, slot);
        if (result.code != FILO_OK) gfx2d_pages_free_slot(pages, slot);
    }
    if (result.code == FILO_OK) return result;
    return filo_error(result.code, "%s: no room for an image of %d × %d: %s", name, pixels->width,
                      pixels->height, result.message);
}

void gfx2d_pages_free_slot(Gfx2dPages *pages, Gfx2dPageSlot *slot) {
    if (!slot->taken) return;
    Gfx2dPage *page = &pages->pages.items[slot->page];
    if (page->dedicated)
        free_page(pages, slot->page);
    else
        free_piece(pages, page, slot->x - BORDER, slot->y - BORDER);
    *slot = (Gfx2dPageSlot){ 0 };
}

size_t gfx2d_pages_count(const Gfx2dPages *pages) {
    size_t count = 0;
    filo_array_each (&pages->pages, page) count += page->pixels.data != NULL && !page->external;
    return count;
}
