// Tasks: pairs of an output and an event.
//
// A task that consists of others is a switch with such a pair as its output: the event never occurs in the tasks before
// the last one. A list is one switch with a branch for each further task, so its state is as large as that of the
// largest task. Only tasks inside of tasks are switches inside of switches.

#include <filo/task.h>

#include <filo/check.h>

#include <string.h>

#define NO_TASK  ((FiloTask){ 0 })
#define USE_TASK "pass a task made by a function of filo/task.h, not {0}"

static bool is_task(FiloTask task) { return task.output.builder != NULL && task.done.builder != NULL; }

FiloTasks filo_tasks(FiloSf idle) {
    FILO_CHECK_MADE(idle.builder != NULL, "pass what is shown when no task is running");
    return (FiloTasks){ idle };
}

static FiloSf constant_bool(FiloSfBuilder *b, bool value) {
    return filo_sf_constant(b, FILO_SF(bool, value));
}

// The first occurrence of an event, without its value. Later ones do not matter: the task has ended.
static FiloSf without_value(FiloSf event) { return filo_sf_i_edge(filo_sf_is_event(event), false); }

// ---- Simple tasks -----------------------------------------------------------------------------------------------

FiloTask filo_task(FiloTasks tasks, FiloSf output, FiloSf done, const FiloType *result) {
    if (!FILO_CHECK_MADE(tasks.idle.builder != NULL && output.builder != NULL && done.builder != NULL,
                         "pass the FiloTasks, an output, and the event at which the task ends"))
        return NO_TASK;
    if (result == NULL) done = without_value(done);
    return (FiloTask){ .output = output, .done = done, .result = result, .idle = tasks.idle };
}

FiloTask filo_task_named(FiloTask task, const char *name) {
    task.name = name;
    return task;
}

// A task whose event is made of filo_sf_never or the like, and has a value if `result` is not NULL.
static FiloTask make(FiloTasks tasks, FiloSf output, FiloSf done, const FiloType *result, const char *name) {
    return (FiloTask){ .output = output, .done = done, .result = result, .idle = tasks.idle, .name = name };
}

#define CHECK_TASKS(tasks) FILO_CHECK_MADE((tasks).idle.builder != NULL, "pass what filo_tasks returned")

FiloTask filo_task_constant(FiloTasks tasks, FiloSfValue value) {
    if (!CHECK_TASKS(tasks)) return NO_TASK;
    FiloSfBuilder *b = tasks.idle.builder;
    return make(tasks, filo_sf_constant(b, value), filo_sf_never(b, NULL), NULL, "constant");
}

FiloTask filo_task_sleep(FiloTasks tasks, float seconds, FiloSfValue value) {
    if (!CHECK_TASKS(tasks)) return NO_TASK;
    FiloSfBuilder *b = tasks.idle.builder;
    return make(tasks, filo_sf_constant(b, value), filo_sf_after(b, seconds, FILO_SF_NONE), NULL, "sleep");
}

FiloTask filo_task_wait(FiloTasks tasks, FiloSfValue value, FiloSf event) {
    if (!CHECK_TASKS(tasks)) return NO_TASK;
    FiloTask task = filo_task(tasks, filo_sf_constant(tasks.idle.builder, value), event, NULL);
    return filo_task_named(task, "wait");
}

FiloTask filo_task_during(FiloTasks tasks, float seconds, FiloSf output) {
    if (!CHECK_TASKS(tasks)) return NO_TASK;
    return make(tasks, output, filo_sf_after(tasks.idle.builder, seconds, FILO_SF_NONE), NULL, "during");
}

FiloTask filo_task_snap(FiloTasks tasks, FiloSf x, const FiloType *type) {
    if (!CHECK_TASKS(tasks) || !FILO_CHECK(type != NULL, "pass the type of the signal")) return NO_TASK;
    return make(tasks, tasks.idle, filo_sf_snap(x), type, "snap");
}

FiloTask filo_task_return(FiloTasks tasks, FiloSfValue value) {
    if (!CHECK_TASKS(tasks)) return NO_TASK;
    const FiloType *type = value.type != NULL ? value.type() : NULL;
    return make(tasks, tasks.idle, filo_sf_now(tasks.idle.builder, value), type, "return");
}

// ---- One after the other ----------------------------------------------------------------------------------------

// A task of a signal that is a pair of its output and its event.
static FiloTask from_pair(FiloSf pair, const FiloType *result, FiloSf idle, const char *name) {
    FiloTask task = { .output = filo_sf_get(pair, 0),
                      .done = filo_sf_get(pair, 1),
                      .result = result,
                      .idle = idle,
                      .name = name };
    return is_task(task) ? task : NO_TASK;
}

static FiloSf to_pair(FiloTask task) { return filo_sf_pair(task.output, task.done); }

// The pair of a task that is followed by another, which ends with `result`.
static FiloSf followed_pair(FiloTask task, FiloSfBranch next, const FiloType *result) {
    FiloSf never = filo_sf_never(task.output.builder, result);
    return filo_sf_switch(filo_sf_pair(task.output, never), FILO_ON(task.done, next));
}

static FiloSfBranch new_branch(FiloTask task, const FiloType *parameter) {
    return filo_sf_branch(task.output.builder, task.name != NULL ? task.name : "task", parameter);
}

FiloTask filo_task_sequence(const FiloTask *tasks, size_t count) {
    if (!FILO_CHECK(tasks != NULL && count > 0 && count <= FILO_TASK_LIST,
                    "pass a list of 1 to %d tasks, not of %zu", FILO_TASK_LIST, count))
        return NO_TASK;
    for (size_t i = 0; i < count; i++)
        if (!FILO_CHECK_MADE(is_task(tasks[i]), "task %zu of a list is {0}: " USE_TASK, i)) return NO_TASK;
    if (count == 1) return tasks[0];
    const FiloType *result = tasks[count - 1].result;
    FiloSfBranch next = { 0 };
    for (size_t i = count; i-- > 0;) {
        FiloSf pair = i + 1 == count ? to_pair(tasks[i]) : followed_pair(tasks[i], next, result);
        if (i == 0) return from_pair(pair, result, tasks[0].idle, tasks[0].name);
        next = new_branch(tasks[i], NULL);
        filo_sf_define(next, pair);
    }
    return NO_TASK;
}

FiloTask filo_task_then(FiloTask first, FiloTask second) {
    return filo_task_sequence((const FiloTask[]){ first, second }, 2);
}

FiloTask filo_task_bind(FiloTask first, FiloSfBranch branch, FiloTask second) {
    if (!FILO_CHECK_MADE(is_task(first) && is_task(second), USE_TASK)) return NO_TASK;
    if (!FILO_CHECK_MADE(branch.builder != NULL, "pass the branch whose parameter the second task uses"))
        return NO_TASK;
    filo_sf_define(branch, to_pair(second));
    return from_pair(followed_pair(first, branch, second.result), second.result, first.idle, first.name);
}

FiloTask filo_task_map(FiloTask task, const FiloSfFunction *function) {
    if (!FILO_CHECK_MADE(is_task(task), USE_TASK)) return NO_TASK;
    if (!FILO_CHECK(function != NULL && function->result != NULL, "pass a function made by FILO_SF_FUNCTION"))
        return NO_TASK;
    task.done = filo_sf_arr(task.done, function);
    task.result = function->result();
    return task;
}

// ---- Limits -----------------------------------------------------------------------------------------------------

FiloTask filo_task_abort_when(FiloTask task, FiloSf event) {
    if (!FILO_CHECK_MADE(is_task(task), USE_TASK)) return NO_TASK;
    if (!FILO_CHECK_MADE(event.builder != NULL, "pass the event at which the task is aborted"))
        return NO_TASK;
    FiloSfBuilder *b = task.output.builder;
    task.done = filo_sf_l_merge(filo_sf_tag(task.done, constant_bool(b, true)),
                                filo_sf_tag(event, constant_bool(b, false)));
    task.result = FILO_TYPE(bool);
    return task;
}

FiloTask filo_task_abort_with(FiloTask task, FiloSf event) {
    if (!FILO_CHECK_MADE(is_task(task), USE_TASK)) return NO_TASK;
    if (!FILO_CHECK_MADE(event.builder != NULL, "pass the event at which the task is aborted"))
        return NO_TASK;
    if (task.result == NULL) event = without_value(event);
    task.done = filo_sf_l_merge(task.done, event);
    return task;
}

FiloTask filo_task_time_out(FiloTask task, float seconds) {
    if (!FILO_CHECK_MADE(is_task(task), USE_TASK)) return NO_TASK;
    return filo_task_abort_when(task, filo_sf_after(task.output.builder, seconds, FILO_SF_NONE));
}

FiloTask filo_task_time_out_value(FiloTask task, float seconds, FiloSfValue late) {
    if (!FILO_CHECK_MADE(is_task(task), USE_TASK)) return NO_TASK;
    task.done = filo_sf_l_merge(task.done, filo_sf_after(task.output.builder, seconds, late));
    return task;
}

// ---- Loops ------------------------------------------------------------------------------------------------------

FiloTask filo_task_for_ever(FiloTask task) {
    if (!FILO_CHECK_MADE(is_task(task), USE_TASK)) return NO_TASK;
    FiloSfBranch again = new_branch(task, NULL);
    filo_sf_define(again, followed_pair(task, again, NULL));
    return from_pair(filo_sf_start(again, FILO_SF_NONE), NULL, task.idle, task.name);
}

FiloTask filo_task_repeat(FiloTask task, uint32_t times) {
    if (!FILO_CHECK_MADE(is_task(task), USE_TASK)) return NO_TASK;
    if (!FILO_CHECK(times > 0 && times <= INT32_MAX, "repeat a task at least once")) return NO_TASK;
    FiloSfBuilder *b = task.output.builder;
    FiloSfBranch again = new_branch(task, FILO_TYPE(int32_t)); // how many times it has ended
    FiloSf next = filo_sf_add(filo_sf_parameter(again), filo_sf_constant(b, FILO_SF(int32_t, 1)));
    FiloSf more = filo_sf_less(next, filo_sf_constant(b, FILO_SF(int32_t, (int32_t)times)));
    FiloSf last = filo_sf_gate(task.done, filo_sf_not(more));
    FiloSf another = filo_sf_tag(filo_sf_gate(task.done, more), next);
    filo_sf_define(again, filo_sf_switch(filo_sf_pair(task.output, last), FILO_ON(another, again)));
    return from_pair(filo_sf_start(again, FILO_SF(int32_t, 0)), task.result, task.idle, task.name);
}

FiloTask filo_task_repeat_until(FiloTask task, const FiloSfFunction *predicate) {
    if (!FILO_CHECK_MADE(is_task(task), USE_TASK)) return NO_TASK;
    if (!FILO_CHECK(predicate != NULL, "pass a predicate made by FILO_SF_PREDICATE")) return NO_TASK;
    FiloSfBranch again = new_branch(task, NULL);
    FiloSf enough = filo_sf_from_event(filo_sf_arr(task.done, predicate), FILO_SF(bool, false));
    FiloSf last = filo_sf_gate(task.done, enough);
    FiloSf another = filo_sf_gate(task.done, filo_sf_not(enough));
    filo_sf_define(again, filo_sf_switch(filo_sf_pair(task.output, last), FILO_ON(another, again)));
    return from_pair(filo_sf_start(again, FILO_SF_NONE), task.result, task.idle, task.name);
}

// Whether the condition holds for the first value. If the types do not fit, it is true: the network reports them.
static bool holds_first(FiloSfValue first, const FiloSfFunction *again) {
    bool result = true;
    if (first.type == NULL || again->rows == NULL || again->maybe || again->argument_count != 1 ||
        again->arguments[0] == NULL || again->result == NULL ||
        strcmp(first.type()->name, again->arguments[0]()->name) != 0 ||
        again->result()->kind != FILO_KIND_BOOL)
        return result;
    again->rows(1, (const void *[]){ first.value }, &result, NULL);
    return result;
}

FiloTask filo_task_for(FiloTasks tasks, FiloSfBranch branch, FiloSfValue first, const FiloSfFunction *again,
                       const FiloSfFunction *next, FiloTask body) {
    if (!CHECK_TASKS(tasks) || !FILO_CHECK_MADE(is_task(body), USE_TASK)) return NO_TASK;
    if (!FILO_CHECK_MADE(branch.builder != NULL, "pass the branch whose parameter the body uses"))
        return NO_TASK;
    if (!FILO_CHECK(again != NULL && next != NULL && first.value != NULL,
                    "pass a first value, a predicate and a function that gives the next value"))
        return NO_TASK;
    if (!holds_first(first, again)) return filo_task_return(tasks, FILO_SF_NONE);
    FiloSf following = filo_sf_arr(filo_sf_parameter(branch), next);
    FiloSf more = filo_sf_arr(following, again);
    FiloSf done = body.result != NULL ? without_value(body.done) : body.done;
    FiloSf last = filo_sf_gate(done, filo_sf_not(more));
    FiloSf another = filo_sf_tag(filo_sf_gate(done, more), following);
    filo_sf_define(branch, filo_sf_switch(filo_sf_pair(body.output, last), FILO_ON(another, branch)));
    return from_pair(filo_sf_start(branch, first), NULL, body.idle, body.name);
}

FiloTask filo_task_for_each(size_t count, FiloTask (*make_task)(size_t i, void *user), void *user) {
    if (!FILO_CHECK(make_task != NULL && count > 0 && count <= FILO_TASK_LIST,
                    "pass a function that makes 1 to %d tasks, not %zu", FILO_TASK_LIST, count))
        return NO_TASK;
    FiloTask tasks[FILO_TASK_LIST];
    for (size_t i = 0; i < count; i++) tasks[i] = make_task(i, user);
    return filo_task_sequence(tasks, count);
}

// ---- Running ----------------------------------------------------------------------------------------------------

FiloSf filo_task_play_then(FiloTask task, FiloSf after) {
    if (!FILO_CHECK_MADE(is_task(task), USE_TASK)) return (FiloSf){ 0 };
    FiloSfBranch end = filo_sf_branch(task.output.builder, "end", NULL);
    filo_sf_define(end, after);
    return filo_sf_switch(task.output, FILO_ON(task.done, end));
}

FiloSf filo_task_play(FiloTask task) { return filo_task_play_then(task, task.idle); }

FiloSf filo_task_to_sf(FiloTask task) {
    if (!FILO_CHECK_MADE(is_task(task), USE_TASK)) return (FiloSf){ 0 };
    FiloSfBuilder *b = task.output.builder;
    FiloSfBranch end = filo_sf_branch(b, "end", task.result);
    FiloSf ended = task.result != NULL ? filo_sf_snap(filo_sf_parameter(end)) : filo_sf_now(b, FILO_SF_NONE);
    filo_sf_define(end, filo_sf_pair(task.idle, ended));
    return followed_pair(task, end, task.result);
}

FiloSf filo_task_run(FiloTask task, FiloSfValue unknown) {
    if (!FILO_CHECK_MADE(is_task(task), USE_TASK)) return (FiloSf){ 0 };
    FiloSfBuilder *b = task.output.builder;
    FiloSfBranch end = filo_sf_branch(b, "end", task.result);
    bool has_value = task.result != NULL;
    FiloSf value = has_value ? filo_sf_parameter(end) : constant_bool(b, true);
    FiloSf before = has_value ? filo_sf_constant(b, unknown) : constant_bool(b, false);
    filo_sf_define(end, filo_sf_either(constant_bool(b, false), task.idle, value));
    return filo_sf_switch(filo_sf_either(constant_bool(b, true), task.output, before),
                          FILO_ON(task.done, end));
}
