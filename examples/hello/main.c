// Hello world: a window with text in it.

#include <filo/filo.h>

static void draw(FiloApp *app, FiloDraw *draw) {
    (void)app;
    FiloVec2 size = filo_draw_size(draw);
    filo_draw_text_centred(draw, size.x / 2, size.y / 2 - 24, 3, FILO_COLOR_WHITE, "Hello, world");
}

int main(int argc, char **argv) {
    return filo_run(argc, argv, &(FiloAppDesc){ .name = "hello", .draw = draw });
}
