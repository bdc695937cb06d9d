// What the inspector needs of the app (filo/inspector.h).

#include "app/app.h"

static FiloResult command(void *user, const FiloCommand *command, FiloEntity *made) {
    return filo_app_command(user, command, made);
}

static void pause_game(void *user, bool on) { filo_app_pause(user, on); }
static bool is_paused(void *user) { return filo_app_paused(user); }
static void step(void *user) { filo_app_step(user); }
static void set_time_scale(void *user, float scale) { filo_app_set_time_scale(user, scale); }
static float time_scale(void *user) { return filo_app_time_scale(user); }
static double game_time(void *user) { return filo_app_time(user); }
static FiloResult keep_history(void *user, double seconds) { return filo_app_keep_history(user, seconds); }
static FiloResult rewind_game(void *user, size_t back) { return filo_app_rewind(user, back); }
static FiloResult go_on(void *user) { return filo_app_go_on(user); }

static FiloInspectorHistory history(void *user) {
    const FiloAppHistory now = filo_app_history(user);
    return (FiloInspectorHistory){ .states = now.states,
                                   .back = now.back,
                                   .memory = now.memory,
                                   .push_ms = now.push_ms,
                                   .problem = now.problem };
}

FiloInspectorHost app_inspector_host(FiloApp *app) {
    return (FiloInspectorHost){ .user = app,
                                .command = command,
                                .pause = pause_game,
                                .paused = is_paused,
                                .step = step,
                                .set_time_scale = set_time_scale,
                                .time_scale = time_scale,
                                .time = game_time,
                                .keep_history = keep_history,
                                .rewind = rewind_game,
                                .go_on = go_on,
                                .history = history };
}
