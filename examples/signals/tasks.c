// Panels: tasks.

#include "gallery.h"

FILO_SF_FUNCTION(doubled, float, float, x) { return 2 * x; }
FILO_SF_FUNCTION(as_number, float, bool, x) { return x ? 0.8f : -0.8f; }
FILO_SF_FUNCTION(next, float, float, i) { return i + 0.2f; }
FILO_SF_PREDICATE(below_1, float, i) { return i < 0.9f; }
FILO_SF_PREDICATE(is_negative, float, x) { return x < 0; }

#define SHOW(value) FILO_SF(float, value)

// The tasks for filo_task_for_each.
static FiloTask make_step(size_t i, void *user) {
    const FiloTasks *tasks = user;
    return filo_task_sleep(*tasks, 0.3f, SHOW(0.2f * (float)(i + 1)));
}

// Shows, for a second, the value that the task before has handed over.
static FiloTask show(FiloTasks t, FiloSfBranch branch) {
    return filo_task_during(t, 1, filo_sf_parameter(branch));
}

// Plots filo_task_play of a task.
#define TASK(name, yampa, inputs, ...)                                                                       \
    gallery_add(g, name, yampa, inputs, #__VA_ARGS__, filo_task_play(__VA_ARGS__))

void gallery_add_tasks(Gallery *g) {
    FiloSfBuilder *b = g->b;
    FiloSf x = filo_sf_in(b, 0), y = filo_sf_in(b, 1), c = filo_sf_in(b, 2), e = filo_sf_in(b, 4),
           time = filo_sf_time(b);
    FiloSf not_yet = filo_sf_not_yet(e), low_e = filo_sf_filter(e, &is_negative);
    FiloTasks t = filo_tasks(filo_sf_constant(b, SHOW(0))); // 0 when no task is running
    FiloTask high = filo_task_sleep(t, 0.7f, SHOW(0.8f)), low = filo_task_sleep(t, 0.5f, SHOW(-0.5f));
    FiloTask rise = filo_task_during(t, 1.2f, time);
    const FiloTask three[] = { rise, low, high };
    FiloTask slow = filo_task(t, time, filo_sf_after(b, 3, SHOW(0.1f)), FILO_TYPE(float));
    FiloTask listen = filo_task(t, filo_sf_constant(b, SHOW(0.2f)), not_yet, FILO_TYPE(float));
    // Branches that get the value of the task before. Each can be used once.
    FiloSfBranch heard[8];
    for (size_t i = 0; i < FILO_COUNT_OF(heard); i++) heard[i] = filo_sf_branch(b, "heard", FILO_TYPE(float));
    FiloSfBranch was = filo_sf_branch(b, "was it in time", FILO_TYPE(bool));
    FiloTask show_it = filo_task_during(t, 1, filo_sf_arr(filo_sf_parameter(was), &as_number));
    FiloSfBranch step = filo_sf_branch(b, "step", FILO_TYPE(float));
    FiloTask stay = filo_task_during(t, 0.5f, filo_sf_parameter(step));

    PLOT("task", "mkTask", "xe", filo_task_play(filo_task(t, x, e, NULL)));
    TASK("constant (task)", "constT", "", filo_task_constant(t, SHOW(0.5f)));
    TASK("sleep", "sleepT", "", filo_task_sleep(t, 1.5f, SHOW(0.5f)));
    TASK("wait", "", "e", filo_task_wait(t, SHOW(0.5f), e));
    TASK("during", "", "x", filo_task_during(t, 1.5f, x));
    TASK("snap (task)", "snapT", "y",
         filo_task_bind(filo_task_snap(t, y, FILO_TYPE(float)), heard[0], show(t, heard[0])));
    TASK("return", "return", "",
         filo_task_bind(filo_task_return(t, SHOW(0.6f)), heard[1], show(t, heard[1])));
    TASK("list", "sequence_", "", filo_task_list(high, low, rise));
    TASK("sequence", "sequence_", "", filo_task_sequence(three, 3));
    TASK("named (task)", "", "", filo_task_named(rise, "rise"));
    TASK("then", ">>", "", filo_task_then(high, low));
    TASK("bind", ">>=", "e", filo_task_bind(listen, heard[2], show(t, heard[2])));
    TASK("map", "fmap", "e", filo_task_bind(filo_task_map(listen, &doubled), heard[3], show(t, heard[3])));
    TASK("time_out", "timeOut", "", filo_task_bind(filo_task_time_out(rise, 0.8f), was, show_it));
    TASK("time_out_value", "timeOut", "e",
         filo_task_bind(filo_task_time_out_value(listen, 0.3f, SHOW(-0.9f)), heard[4], show(t, heard[4])));
    TASK("abort_when", "abortWhen", "c", filo_task_abort_when(filo_task_for_ever(rise), filo_sf_edge(c)));
    TASK("abort_with", "abortWhen", "e",
         filo_task_bind(filo_task_abort_with(slow, low_e), heard[5], show(t, heard[5])));
    TASK("for_ever", "forEver", "", filo_task_for_ever(filo_task_then(high, low)));
    TASK("repeat", "", "", filo_task_repeat(filo_task_then(high, low), 2));
    TASK("repeat_until", "repeatUntil", "e", filo_task_repeat_until(listen, &is_negative));
    TASK("for", "for", "", filo_task_for(t, step, SHOW(0.2f), &below_1, &next, stay));
    TASK("for_each", "forAll", "", filo_task_for_each(5, make_step, &t));
    PLOT("play", "runTask_", "", filo_task_play(rise));
    PLOT("play_then", "", "x", filo_task_play_then(rise, x));
    PLOT("to_sf", "taskToSF", "", filo_task_to_sf(rise));
    PLOT("run", "runTask", "e", filo_task_run(listen, SHOW(0)));
}
