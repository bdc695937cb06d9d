// Themes: the built-in ones, those from files, and styles that are pushed.

#include "ui/ui.h"

#define COLOR(r, g, b)                                                                                       \
    { (r), (g), (b), 255 }
#define SHADE(v, a)                                                                                          \
    { (uint8_t)((v) * (a) / 255), (uint8_t)((v) * (a) / 255), (uint8_t)((v) * (a) / 255), (a) }

#define MEASURES                                                                                             \
    .text_size = 14, .small_size = 12, .heading_size = 20, .control_height = 26, .padding = 12, .gap = 8,    \
    .indent = 18, .radius = 5, .border_width = 1, .scroll_width = 8, .label_share = 0.4f, .shadow_size = 18, \
    .animation = 0.12f

const FiloUiTheme *filo_ui_theme_dark(void) {
    static const FiloUiTheme theme = {
        .text = COLOR(226, 229, 235),
        .text_muted = COLOR(150, 157, 170),
        .text_disabled = COLOR(98, 104, 116),
        .window = COLOR(32, 35, 41),
        .panel = COLOR(27, 29, 34),
        .popup = COLOR(41, 44, 52),
        .title = COLOR(38, 41, 49),
        .border = COLOR(62, 67, 78),
        .separator = COLOR(51, 55, 64),
        .control = COLOR(54, 59, 69),
        .control_hover = COLOR(66, 72, 84),
        .control_active = COLOR(46, 50, 59),
        .field = COLOR(22, 24, 28),
        .accent = COLOR(64, 124, 220),
        .accent_hover = COLOR(84, 143, 238),
        .accent_active = COLOR(52, 106, 194),
        .on_accent = COLOR(255, 255, 255),
        .selection = COLOR(45, 79, 133),
        .hover = COLOR(52, 57, 67),
        .focus = COLOR(120, 172, 255),
        .shadow = SHADE(0, 120),
        .dim = SHADE(0, 140),
        .good = COLOR(92, 196, 124),
        .warning = COLOR(232, 184, 82),
        .error = COLOR(236, 102, 96),
        .plot = COLOR(104, 170, 250),
        MEASURES,
    };
    return &theme;
}

const FiloUiTheme *filo_ui_theme_light(void) {
    static const FiloUiTheme theme = {
        .text = COLOR(32, 36, 44),
        .text_muted = COLOR(98, 106, 120),
        .text_disabled = COLOR(160, 166, 176),
        .window = COLOR(247, 248, 250),
        .panel = COLOR(255, 255, 255),
        .popup = COLOR(255, 255, 255),
        .title = COLOR(236, 238, 242),
        .border = COLOR(204, 209, 217),
        .separator = COLOR(222, 225, 231),
        .control = COLOR(230, 233, 238),
        .control_hover = COLOR(219, 223, 230),
        .control_active = COLOR(206, 211, 220),
        .field = COLOR(255, 255, 255),
        .accent = COLOR(38, 102, 206),
        .accent_hover = COLOR(56, 120, 224),
        .accent_active = COLOR(28, 84, 178),
        .on_accent = COLOR(255, 255, 255),
        .selection = COLOR(196, 217, 248),
        .hover = COLOR(236, 240, 246),
        .focus = COLOR(60, 130, 246),
        .shadow = SHADE(0, 60),
        .dim = SHADE(30, 110),
        .good = COLOR(32, 138, 70),
        .warning = COLOR(176, 116, 0),
        .error = COLOR(200, 46, 42),
        .plot = COLOR(38, 102, 206),
        MEASURES,
    };
    return &theme;
}

#define C(name) FILO_FIELD(FiloColor, name)
#define M(name) FILO_FIELD(float, name, .min = 0, .max = 1000, .unit = "pt")
FILO_REFLECT(FiloUiTheme, C(text), C(text_muted), C(text_disabled), C(window), C(panel), C(popup), C(title),
             C(border), C(separator), C(control), C(control_hover), C(control_active), C(field), C(accent),
             C(accent_hover), C(accent_active), C(on_accent), C(selection), C(hover), C(focus), C(shadow),
             C(dim), C(good), C(warning), C(error), C(plot), FILO_FIELD(FiloName, font),
             FILO_FIELD(FiloName, heading_font), FILO_FIELD(FiloName, mono_font), M(text_size), M(small_size),
             M(heading_size), M(control_height), M(padding), M(gap), M(indent), M(radius), M(border_width),
             M(scroll_width), FILO_FIELD(float, label_share, .min = 0, .max = 1), M(shadow_size),
             FILO_FIELD(float, animation, .min = 0, .max = 10, .unit = "s"))

// ---- Checking ------------------------------------------------------------------------------------------------------

static void limit(float *value, float low, float high) {
    *value = filo_clamp(filo_is_nan(*value) ? low : *value, low, high);
}

// Sizes that the layout can work with, whatever a file says.
static FiloUiTheme checked(FiloUiTheme theme) {
    limit(&theme.text_size, 4, 200);
    limit(&theme.small_size, 4, 200);
    limit(&theme.heading_size, 4, 400);
    limit(&theme.control_height, 8, 400);
    limit(&theme.padding, 0, 200);
    limit(&theme.gap, 0, 200);
    limit(&theme.indent, 0, 200);
    limit(&theme.radius, 0, 64);
    limit(&theme.border_width, 0, 16);
    limit(&theme.scroll_width, 2, 64);
    limit(&theme.label_share, 0, 0.95f);
    limit(&theme.shadow_size, 0, 64);
    limit(&theme.animation, 0, 10);
    return theme;
}

// ---- Files -----------------------------------------------------------------------------------------------------------

static void log_problem(const FiloProblem *problem, void *user) {
    FILO_UNUSED(user);
    if (problem->kind == FILO_PROBLEM_UNKNOWN_FIELD &&
        filo_string_equal(filo_string(problem->path), FILO_STRING("base")))
        return;
    filo_log_warn("ui", "%s", problem->message);
}

// The theme that "base" names; NULL if it names none.
static const FiloUiTheme *find_base(const char *json, size_t length, const char *source) {
    FiloJsonReader reader;
    filo_json_reader_init(&reader, json, length, source);
    FiloJsonToken token;
    while ((token = filo_json_next(&reader)).kind < FILO_JSON_END) {
        if (token.kind != FILO_JSON_KEY) continue;
        if (!filo_json_equal(token, "base")) {
            if (!filo_json_skip(&reader, token)) return NULL;
            continue;
        }
        token = filo_json_next(&reader);
        if (token.kind != FILO_JSON_STRING) return NULL;
        return filo_json_equal(token, "light")  ? filo_ui_theme_light()
               : filo_json_equal(token, "dark") ? filo_ui_theme_dark()
                                                : NULL;
    }
    return filo_ui_theme_dark();
}

FiloResult filo_ui_theme_read(FiloUiTheme *theme, const char *json, size_t length, const char *source) {
    if (theme == NULL || json == NULL) return FILO_MISTAKE("pass a theme and the text of its file");
    const char *name = source != NULL ? source : "theme";
    FiloJsonReader reader;
    filo_json_reader_init(&reader, json, length, name);
    const FiloUiTheme *base = find_base(json, length, name);
    FiloUiTheme read = base != NULL ? *base : *filo_ui_theme_dark();
    FiloResult r = filo_reflect_read_json(FILO_TYPE(FiloUiTheme), &read, &reader,
                                          &(FiloReadOptions){ .problem = log_problem, .partial = true });
    if (r.code != FILO_OK) return r;
    if (base == NULL) return filo_error(FILO_ERROR_DATA, "%s: base: \"dark\" or \"light\"", name);
    *theme = checked(read);
    return filo_ok();
}

FiloResult filo_ui_use_theme_file(FiloUi *ui, const char *asset) {
    if (ui == NULL || asset == NULL) return FILO_MISTAKE("pass the UI and the name of a theme file");
    if (ui->assets == NULL)
        return filo_error(FILO_ERROR_UNSUPPORTED, "%s: the UI has no assets to load a theme from", asset);
    FiloAsset loaded = filo_assets_load_as(ui->assets, "json", asset);
    if (loaded.id == 0) return filo_error(FILO_ERROR_NOT_FOUND, "%s: it cannot be loaded as a theme", asset);
    if (ui->theme_asset.id != 0) filo_assets_unload(ui->assets, ui->theme_asset);
    ui->theme_asset = loaded;
    ui->theme_version = 0;
    return filo_ok();
}

void ui_theme_update(FiloUi *ui) {
    if (ui->theme_asset.id == 0) return;
    uint32_t version = filo_asset_version(ui->assets, ui->theme_asset);
    if (version == ui->theme_version) return;
    ui->theme_version = version;
    const FiloJsonAsset *text = filo_asset_data(ui->assets, ui->theme_asset);
    if (text == NULL || text->text == NULL) return;
    FiloResult r = filo_ui_theme_read(&ui->theme, text->text, text->length,
                                      filo_asset_name(ui->assets, ui->theme_asset));
    if (r.code != FILO_OK) filo_log_warn("ui", "%s", r.message);
}

// ---- Setting and pushing ---------------------------------------------------------------------------------------------

void filo_ui_set_theme(FiloUi *ui, const FiloUiTheme *theme) {
    if (!FILO_CHECK(ui != NULL, "pass the UI")) return;
    FiloUiTheme next = checked(theme != NULL ? *theme : *filo_ui_theme_dark());
    ui->theme = next;
}

const FiloUiTheme *filo_ui_theme(const FiloUi *ui) {
    return FILO_CHECK(ui != NULL, "pass the UI") ? ui_theme(ui) : filo_ui_theme_dark();
}

static void apply_style(FiloUiTheme *theme, const FiloUiStyle *style) {
    if (ui_color_set(style->text)) theme->text = style->text;
    if (ui_color_set(style->background)) {
        theme->control = style->background;
        theme->control_hover = filo_color_lerp(style->background, theme->text, 0.12f);
        theme->control_active = filo_color_lerp(style->background, FILO_COLOR_BLACK, 0.15f);
    }
    if (ui_color_set(style->accent)) {
        theme->accent = style->accent;
        theme->accent_hover = filo_color_lerp(style->accent, FILO_COLOR_WHITE, 0.12f);
        theme->accent_active = filo_color_lerp(style->accent, FILO_COLOR_BLACK, 0.15f);
        theme->plot = style->accent;
    }
    if (style->text_size > 0) theme->text_size = style->text_size;
    if (style->control_height > 0) theme->control_height = style->control_height;
    if (style->radius > 0) theme->radius = style->radius;
    if (style->padding > 0) theme->padding = style->padding;
    if (style->gap > 0) theme->gap = style->gap;
    if (style->label_share > 0) theme->label_share = style->label_share;
    if (style->font.id != 0) theme->font = style->font;
}

void filo_ui_push_style(FiloUi *ui, const FiloUiStyle *style) {
    if (!ui_usable(ui)) return;
    const FiloUiStyle empty = { 0 };
    if (!FILO_CHECK(style != NULL, "pass a style")) style = &empty;
    FiloUiTheme *theme = ui_new(ui, FiloUiTheme);
    bool room = FILO_CHECK(ui->style_count < UI_STYLES,
                           "more than %d styles are pushed: filo_ui_pop_style is missing", UI_STYLES - 1);
    if (theme == NULL || !room) {
        ui->styles_lost++;
        return;
    }
    *theme = style->theme != NULL ? *style->theme : *ui_theme(ui);
    apply_style(theme, style);
    *theme = checked(*theme);
    ui->styles[ui->style_count++] = (UiStyle){ .theme = theme, .background = style->background };
}

void filo_ui_pop_style(FiloUi *ui) {
    if (!ui_usable(ui)) return;
    if (ui->styles_lost > 0)
        ui->styles_lost--;
    else if (FILO_CHECK(ui->style_count > 1, "filo_ui_pop_style without a filo_ui_push_style"))
        ui->style_count--;
}

void filo_ui_push_disabled(FiloUi *ui, bool disabled) {
    if (!ui_usable(ui)) return;
    ui->disabled_pushes++;
    // Once disabled, everything inside is.
    if (disabled || ui->disabled > 0) ui->disabled++;
}

void filo_ui_pop_disabled(FiloUi *ui) {
    if (!ui_usable(ui) ||
        !FILO_CHECK(ui->disabled_pushes > 0, "filo_ui_pop_disabled without a filo_ui_push_disabled"))
        return;
    ui->disabled_pushes--;
    if (ui->disabled > 0) ui->disabled--;
}
