// See player.h.

#include "player.h"

#include "scene.h"

FILO_REFLECT(Hunter, FILO_FIELD(FiloVec2, position), FILO_FIELD(int32_t, mood), FILO_FIELD(int32_t, health))
FILO_REFLECT(Player, FILO_FIELD(FiloVec2, position), FILO_FIELD(float, swing), FILO_FIELD(int32_t, health),
             FILO_FIELD(int32_t, hits))
FILO_REFLECT(Prey, FILO_FIELD(FiloVec2, position), FILO_FIELD(FiloEntity, player))
FILO_REFLECT(Hit, FILO_FIELD(FiloVec2, push))
FILO_REFLECT(Bite, FILO_FIELD(FiloVec2, from))

// Hits all hunters in reach.
static void swing(FiloIter *it, FiloVec2 from, Player *next) {
    FiloIter hunters = filo_iter_over(it, filo_iter_extra_query(it, 0));
    while (filo_iter_next(&hunters)) {
        const Hunter *past = filo_read(&hunters, Hunter);
        for (size_t i = 0; i < hunters.count; i++) {
            FiloVec2 way = filo_vec2_sub(past[i].position, from);
            if (filo_vec2_length(way) > REACH) continue;
            filo_object_send(it, filo_iter_entity(&hunters, i), Hit,
                             filo_vec2_scale(filo_vec2_normalise(way), 16));
            next->hits++;
        }
    }
}

static void step_player(FiloIter *it) {
    const FiloInput *input = filo_read_global(it, FiloInput);
    const Player *past = filo_read(it, Player);
    Player *next = filo_write_next(it, Player);
    FiloTransform3 *shown = filo_write(it, FiloTransform3);
    for (size_t i = 0; i < it->count; i++) {
        next[i] = past[i];
        FiloVec2 step = filo_vec2_scale(filo_input_move(input), 6 * it->delta);
        next[i].position = filo_rect_clamp((FiloRect){ { -FIELD, -FIELD }, { FIELD, FIELD } },
                                           filo_vec2_add(past[i].position, step));
        next[i].swing += it->delta;
        if (filo_input_pressed(input, FILO_KEY_SPACE) && past[i].swing > 0.4f) {
            next[i].swing = 0;
            swing(it, past[i].position, &next[i]);
        }
        size_t bites;
        (void)filo_object_events(it, i, Bite, &bites);
        next[i].health = FILO_MAX(past[i].health - (int32_t)bites, 0);
        shown[i].position = filo_vec3(next[i].position.x, 0, -next[i].position.y);
        if (step.x != 0 || step.y != 0) shown[i].rotation = scene_facing(step);
    }
}

FiloObjectDesc player_kind(void) {
    return (FiloObjectDesc){ .name = "player",
                             .state = FILO_STATE_OF(Player),
                             .step = step_player,
                             .reads = { FILO_READ(FiloInput) },
                             .shows = { FILO_WRITE(FiloTransform3) },
                             .views[0].terms = { FILO_READ(Hunter) },
                             .events = { FILO_TAKES(Bite, 8) } };
}
