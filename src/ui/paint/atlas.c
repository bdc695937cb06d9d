// Generates the image of the UI. Discs and rings do not depend on the scale; icons do, so the image is made again when
// it changes.
//
// Each radius has a row of discs: the disc, and the rings of width 1 to UI_ATLAS_RINGS, side by side. The rows are
// stacked in two columns. Below is the shadow, and then the icons.

#include "ui/paint/atlas.h"
#include "ui/ui.h"

#define COLUMN_WIDTH (UI_ATLAS_SIZE / 2)
#define HALF_RADII   (UI_ATLAS_RADIUS - 7) // radii up to this are in the first column

// Sum of the heights of the rows before the row of `radius`, of those in its column.
static int row_of(int radius) {
    int first = radius <= HALF_RADII ? 1 : HALF_RADII + 1, y = 0;
    for (int r = first; r < radius; r++) y += 2 * r + 1;
    return y;
}

static FiloVec2 cell(int radius, int column) {
    float x = radius <= HALF_RADII ? 0 : COLUMN_WIDTH;
    return filo_vec2(x + (float)(column * (2 * radius + 1)), (float)row_of(radius));
}

FiloVec2 ui_atlas_disc(int radius) { return cell(radius, 0); }

FiloVec2 ui_atlas_ring(int radius, int width) { return cell(radius, width); }

#define SHADOW_TOP (UI_ATLAS_SIZE - UI_ATLAS_SHADOW - 1)
#define ICONS_TOP  324

FiloVec2 ui_atlas_shadow(void) { return filo_vec2(SHADOW_TOP, SHADOW_TOP); }

#define RAMP     256
#define RAMP_TOP 500 // below the icons
#define RAMP_X   508 // beside the largest discs

FiloRect ui_atlas_ramp(bool down) {
    return down ? filo_rect_from_size(filo_vec2(RAMP_X, 0), filo_vec2(1, RAMP))
                : filo_rect_from_size(filo_vec2(0, RAMP_TOP), filo_vec2(RAMP, 1));
}

static FiloColor mask(float coverage) {
    uint8_t a = filo_byte_from_unit(coverage);
    return filo_color(a, a, a, a);
}

static void paint_disc(const FiloPixels *pixels, int radius, int ring) {
    FiloVec2 at = cell(radius, ring);
    float r = (float)radius;
    for (int y = 0; y < 2 * radius; y++)
        for (int x = 0; x < 2 * radius; x++) {
            FiloVec2 p = filo_vec2((float)x + 0.5f - r, (float)y + 0.5f - r);
            float distance = filo_vec2_length(p);
            float coverage = filo_clamp01(r - distance + 0.5f);
            if (ring > 0) coverage = filo_min(coverage, filo_clamp01(distance - (r - (float)ring) + 0.5f));
            *filo_pixels_at(pixels, (int)at.x + x, (int)at.y + y) = mask(coverage);
        }
}

static void paint_shadow(const FiloPixels *pixels) {
    FiloVec2 at = ui_atlas_shadow();
    const float half = UI_ATLAS_SHADOW / 2.0f;
    for (int y = 0; y < UI_ATLAS_SHADOW; y++)
        for (int x = 0; x < UI_ATLAS_SHADOW; x++) {
            FiloVec2 p = filo_vec2(((float)x + 0.5f - half) / half, ((float)y + 0.5f - half) / half);
            float t = filo_clamp01(1 - filo_vec2_length(p));
            *filo_pixels_at(pixels, (int)at.x + x, (int)at.y + y) =
                mask(t * t * (3 - 2 * t) * (0.4f + 0.6f * t));
        }
}

static void paint_ramps(const FiloPixels *pixels) {
    for (int i = 0; i < RAMP; i++) {
        FiloColor color = mask((float)i / (RAMP - 1));
        *filo_pixels_at(pixels, i, RAMP_TOP) = color;
        *filo_pixels_at(pixels, RAMP_X, i) = color;
    }
}

static void paint_icons(FiloUi *ui, const FiloPixels *pixels) {
    int size = FILO_CLAMP(filo_round_to_int(16 * ui->scale), 8, 42), x = 0, y = ICONS_TOP;
    ui->atlas.icon_size = size;
    for (int icon = 1; icon < FILO_UI_ICON_COUNT; icon++) {
        if (x + size > UI_ATLAS_SIZE) x = 0, y += size + 1;
        FiloPixels part = filo_pixels_part(pixels, x, y, size, size);
        ui_icons_paint(&part, (FiloUiIcon)icon, size);
        ui->atlas.icons[icon] =
            filo_rect_from_size(filo_vec2((float)x, (float)y), filo_vec2((float)size, (float)size));
        x += size + 1;
    }
}

void ui_atlas_update(FiloUi *ui) {
    UiAtlas *atlas = &ui->atlas;
    if (ui->gfx == NULL || (atlas->ready && atlas->scale == ui->scale)) return;
    FiloPixels pixels;
    if (!filo_pixels_create(&pixels, UI_ATLAS_SIZE, UI_ATLAS_SIZE, ui->allocator)) return;
    for (int radius = 1; radius <= UI_ATLAS_RADIUS; radius++)
        for (int ring = 0; ring <= UI_ATLAS_RINGS; ring++) paint_disc(&pixels, radius, ring);
    paint_shadow(&pixels);
    paint_ramps(&pixels);
    paint_icons(ui, &pixels);
    atlas->name = filo_name("filo ui");
    FiloResult r = filo_gfx2d_add_image(ui->gfx, atlas->name, &pixels);
    filo_pixels_free(&pixels, ui->allocator);
    atlas->ready = r.code == FILO_OK;
    atlas->scale = ui->scale;
    if (!atlas->ready) filo_log_warn("ui", "corners and icons are not drawn: %s", r.message);
}
