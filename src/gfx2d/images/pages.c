// Packing images on pages. See pages.h.

#include "gfx2d/images/pages.h"

#define BORDER 1

// Of a page on the card. The texture has as many texels in both directions and for every page as the longest side of
// any image: a long strip alone would take gigabytes.
#define CARD_SIZE_MAX 8192

void gfx2d_pages_init(Gfx2dPages *pages, int size, FiloGpu *gpu, const FiloAllocator *allocator) {
    *pages = (Gfx2dPages){ .allocator = allocator, .gpu = gpu };
    pages->size_max = FILO_PIXELS_MAX;
    int layers = GFX2D_PAGES_MAX;
    if (gpu != NULL) {
        pages->size_max = FILO_MIN(filo_gpu_limits(gpu)->texture_size, CARD_SIZE_MAX);
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
    if (!page->borrowed) filo_pixels_free(&page->pixels, pages->allocator);
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

// The number of a piece that nobody uses; 0 without memory.
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

static void drop_piece(Gfx2dPages *pages, uint32_t number) {
    piece_at(pages, number)->next = pages->free_piece;
    pages->free_piece = number;
}

// A free piece of a shelf that is wide enough; 0 if there is none.
static uint32_t room_on_shelf(const Gfx2dPages *pages, const Gfx2dShelf *shelf, int width) {
    for (uint32_t at = shelf->first; at != 0; at = piece_at(pages, at)->next)
        if (!piece_at(pages, at)->taken && piece_at(pages, at)->width >= width) return at;
    return 0;
}

static bool shelf_is_empty(const Gfx2dPages *pages, const Gfx2dShelf *shelf) {
    const Gfx2dShelfPiece *first = piece_at(pages, shelf->first);
    return !first->taken && first->next == 0;
}

// Takes the left part of a free piece. False without memory.
static bool take_piece(Gfx2dPages *pages, uint32_t number, int width) {
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

// A shelf that fits: one of about this height with room, or an empty one of any height. SIZE_MAX: none.
static size_t find_shelf(const Gfx2dPages *pages, const Gfx2dPage *page, int width, int height, bool tight) {
    size_t best = SIZE_MAX;
    int best_height = INT32_MAX;
    for (size_t i = 0; i < page->shelves.count; i++) {
        const Gfx2dShelf *shelf = &page->shelves.items[i];
        if (shelf->height < height || shelf->height >= best_height) continue;
        if (tight && shelf->height > height + height / 4 + 2 && !shelf_is_empty(pages, shelf)) continue;
        if (room_on_shelf(pages, shelf, width) == 0) continue;
        best = i;
        best_height = shelf->height;
    }
    return best;
}

// Divides an empty shelf that is higher than needed. Without memory it stays as it is.
static void divide_shelf(Gfx2dPages *pages, Gfx2dPage *page, size_t index, int height) {
    Gfx2dShelf shelf = page->shelves.items[index];
    if (shelf.height <= height || !shelf_is_empty(pages, &shelf)) return;
    Gfx2dShelf rest = { (uint16_t)(shelf.y + height), (uint16_t)(shelf.height - height), 0 };
    rest.first = new_piece(pages, (Gfx2dShelfPiece){ .width = (uint16_t)page->pixels.width });
    if (rest.first == 0) return;
    if (!filo_array_insert(&page->shelves, index + 1, rest)) {
        drop_piece(pages, rest.first);
        return;
    }
    page->shelves.items[index].height = (uint16_t)height;
}

// A new shelf at the lower end of a page; SIZE_MAX if there is no room, or no memory.
static size_t add_shelf(Gfx2dPages *pages, Gfx2dPage *page, int width, int height) {
    if (page->filled + height > page->pixels.height || width > page->pixels.width) return SIZE_MAX;
    Gfx2dShelf shelf = { (uint16_t)page->filled, (uint16_t)height, 0 };
    shelf.first = new_piece(pages, (Gfx2dShelfPiece){ .width = (uint16_t)page->pixels.width });
    if (shelf.first == 0) return SIZE_MAX;
    if (!filo_array_push(&page->shelves, shelf)) {
        drop_piece(pages, shelf.first);
        return SIZE_MAX;
    }
    page->filled += height;
    return page->shelves.count - 1;
}

// Room for width × height, border included.
static bool find_room(Gfx2dPages *pages, size_t index, int width, int height, Gfx2dPageSpot *spot) {
    Gfx2dPage *page = &pages->pages.items[index];
    if (page->own || page->pixels.data == NULL) return false;
    size_t at = find_shelf(pages, page, width, height, true);
    if (at == SIZE_MAX) at = add_shelf(pages, page, width, height);
    if (at == SIZE_MAX) at = find_shelf(pages, page, width, height, false);
    if (at == SIZE_MAX) return false;
    divide_shelf(pages, page, at, height);
    const Gfx2dShelf *shelf = &page->shelves.items[at];
    uint32_t piece = room_on_shelf(pages, shelf, width);
    if (!take_piece(pages, piece, width)) return false;
    *spot = (Gfx2dPageSpot){ (uint16_t)(piece_at(pages, piece)->x + BORDER),
                             (uint16_t)(shelf->y + BORDER),
                             (uint16_t)(width - 2 * BORDER),
                             (uint16_t)(height - 2 * BORDER),
                             (uint16_t)index,
                             true };
    return true;
}

// Joins an empty shelf with empty neighbours; at the end of the page it goes.
static void join_shelves(Gfx2dPages *pages, Gfx2dPage *page, size_t at) {
    if (at + 1 < page->shelves.count && shelf_is_empty(pages, &page->shelves.items[at + 1])) {
        page->shelves.items[at].height =
            (uint16_t)(page->shelves.items[at].height + page->shelves.items[at + 1].height);
        drop_piece(pages, page->shelves.items[at + 1].first);
        filo_array_remove(&page->shelves, at + 1);
    }
    if (at > 0 && shelf_is_empty(pages, &page->shelves.items[at - 1])) {
        join_shelves(pages, page, at - 1);
        return;
    }
    if (at + 1 < page->shelves.count) return;
    page->filled = page->shelves.items[at].y;
    drop_piece(pages, page->shelves.items[at].first);
    filo_array_remove(&page->shelves, at);
}

static void free_piece_at(Gfx2dPages *pages, Gfx2dPage *page, int x, int y) {
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
        drop_piece(pages, next);
    }
    if (before != 0 && !piece_at(pages, before)->taken) {
        Gfx2dShelfPiece *left = piece_at(pages, before);
        left->width = (uint16_t)(left->width + piece->width);
        left->next = piece->next;
        drop_piece(pages, number);
    }
    if (shelf_is_empty(pages, &page->shelves.items[at])) join_shelves(pages, page, at);
}

// ---- Pages ------------------------------------------------------------------------------------------------

// A number for a page; UINT16_MAX without memory.
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

static FiloResult no_page(const Gfx2dPages *pages) {
    if (pages->pages.count < (size_t)pages->layers_max) return filo_error(FILO_ERROR_MEMORY, "no memory");
    return filo_error(FILO_ERROR_LIMIT, "there are at most %d pages", pages->layers_max);
}

uint16_t gfx2d_pages_borrow(Gfx2dPages *pages, FiloPixels pixels) {
    uint16_t number = new_page(pages, pixels);
    if (number == UINT16_MAX) return number;
    pages->pages.items[number].own = pages->pages.items[number].borrowed = true;
    return number;
}

void gfx2d_pages_give_back(Gfx2dPages *pages, uint16_t page) { free_page(pages, page); }

// Twice as large; what lies on it stays where it is.
static bool grow_page(Gfx2dPages *pages, size_t index, int size) {
    Gfx2dPage *page = &pages->pages.items[index];
    int before = page->pixels.width;
    FiloPixels larger;
    // Every shelf whose last piece is taken needs a new one: their memory is made sure of first.
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
        uint32_t fresh = new_piece(pages, (Gfx2dShelfPiece){ .x = (uint16_t)before, .width = more });
        piece_at(pages, last)->next = fresh;
    }
    return true;
}

// A page with room, growing or adding one if need be.
static FiloResult find_page(Gfx2dPages *pages, int width, int height, Gfx2dPageSpot *spot) {
    for (size_t i = 0; i < pages->pages.count; i++)
        if (find_room(pages, i, width, height, spot)) return filo_ok();
    for (size_t i = 0; i < pages->pages.count; i++) {
        Gfx2dPage *page = &pages->pages.items[i];
        while (page->pixels.data != NULL && !page->own && page->pixels.width < pages->size) {
            if (!grow_page(pages, i, FILO_MIN(page->pixels.width * 2, pages->size)))
                return filo_error(FILO_ERROR_MEMORY, "no memory");
            if (find_room(pages, i, width, height, spot)) return filo_ok();
        }
    }
    int size = pages->pages.count == 0 ? FILO_MIN(GFX2D_PAGE_SIZE_FIRST, pages->size) : pages->size;
    while (size < FILO_MAX(width, height)) size = FILO_MIN(size * 2, pages->size);
    FiloPixels pixels;
    if (!filo_pixels_create(&pixels, size, size, pages->allocator))
        return filo_error(FILO_ERROR_MEMORY, "no memory");
    uint16_t number = new_page(pages, pixels);
    if (number == UINT16_MAX) {
        filo_pixels_free(&pixels, pages->allocator);
        return no_page(pages);
    }
    if (!find_room(pages, number, width, height, spot)) return filo_error(FILO_ERROR_MEMORY, "no memory");
    return filo_ok();
}

// A page for one image alone.
static FiloResult find_own_page(Gfx2dPages *pages, int width, int height, Gfx2dPageSpot *spot) {
    FiloPixels pixels;
    if (!filo_pixels_create(&pixels, width, height, pages->allocator))
        return filo_error(FILO_ERROR_MEMORY, "no memory");
    uint16_t number = new_page(pages, pixels);
    if (number == UINT16_MAX) {
        filo_pixels_free(&pixels, pages->allocator);
        return no_page(pages);
    }
    pages->pages.items[number].own = true;
    *spot = (Gfx2dPageSpot){ BORDER, BORDER, (uint16_t)(width - 2 * BORDER), (uint16_t)(height - 2 * BORDER),
                             number, true };
    return filo_ok();
}

// ---- Contents ------------------------------------------------------------------------------------------------

// Copies the image, and its outermost texels once more around it.
static void copy_with_border(const FiloPixels *page, const Gfx2dPageSpot *spot, const FiloPixels *from) {
    filo_pixels_copy(page, spot->x, spot->y, from);
    int right = spot->width - 1, bottom = spot->height - 1;
    for (int y = -1; y <= spot->height; y++) {
        FiloColor *row = filo_pixels_at(page, spot->x, spot->y + y);
        const FiloColor *source = filo_pixels_at(from, 0, FILO_CLAMP(y, 0, bottom));
        if (y < 0 || y > bottom) memcpy(row, source, (size_t)spot->width * sizeof *row);
        row[-1] = source[0];
        row[right + 1] = source[right];
    }
}

// The card's copy: a texture large enough, with all pages on it.
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

static FiloResult copy_to_card(Gfx2dPages *pages, const Gfx2dPageSpot *spot) {
    if (pages->gpu == NULL) return filo_ok();
    const FiloPixels *page = &pages->pages.items[spot->page].pixels;
    int side = FILO_MAX(page->width, page->height);
    if (pages->texture.id == 0 || side > pages->texture_size) return make_texture(pages, side);
    if (spot->page >= pages->texture_layers) {
        // The texture is as large as the largest page by now.
        FiloResult result = filo_gpu_texture_grow(pages->gpu, pages->texture, (int)pages->pages.count);
        if (result.code != FILO_OK) return result;
        pages->texture_layers = (int)pages->pages.count;
    }
    int x = spot->x - BORDER, y = spot->y - BORDER;
    filo_gpu_texture_write(pages->gpu, pages->texture, spot->page, x, y, spot->width + 2 * BORDER,
                           spot->height + 2 * BORDER, filo_pixels_at(page, x, y), page->stride);
    return filo_ok();
}

FiloResult gfx2d_pages_put(Gfx2dPages *pages, const FiloPixels *pixels, const char *name,
                           Gfx2dPageSpot *spot) {
    *spot = (Gfx2dPageSpot){ 0 };
    int width = pixels->width + 2 * BORDER, height = pixels->height + 2 * BORDER;
    int side = FILO_MAX(width, height);
    if (pixels->data == NULL || pixels->width < 1 || pixels->height < 1)
        return filo_error(FILO_ERROR_ARGUMENT, "%s: an image without pixels", name);
    if (side > pages->size_max)
        return filo_error(FILO_ERROR_LIMIT, "%s: %d × %d is too large; the limit %s is %d × %d", name,
                          pixels->width, pixels->height,
                          pages->gpu != NULL ? "on this graphics card" : "here", pages->size_max - 2 * BORDER,
                          pages->size_max - 2 * BORDER);
    FiloResult result = side > pages->size ? find_own_page(pages, width, height, spot)
                                           : find_page(pages, width, height, spot);
    if (result.code == FILO_OK) {
        copy_with_border(&pages->pages.items[spot->page].pixels, spot, pixels);
        result = copy_to_card(pages, spot);
        if (result.code != FILO_OK) gfx2d_pages_take_back(pages, spot);
    }
    if (result.code == FILO_OK) return result;
    return filo_error(result.code, "%s: no room for an image of %d × %d: %s", name, pixels->width,
                      pixels->height, result.message);
}

void gfx2d_pages_take_back(Gfx2dPages *pages, Gfx2dPageSpot *spot) {
    if (!spot->taken) return;
    Gfx2dPage *page = &pages->pages.items[spot->page];
    if (page->own)
        free_page(pages, spot->page);
    else
        free_piece_at(pages, page, spot->x - BORDER, spot->y - BORDER);
    *spot = (Gfx2dPageSpot){ 0 };
}

size_t gfx2d_pages_count(const Gfx2dPages *pages) {
    size_t count = 0;
    filo_array_each (&pages->pages, page) count += page->pixels.data != NULL && !page->borrowed;
    return count;
}
