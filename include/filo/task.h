// filo/task.h: tasks: things to do one after the other, as signal functions that come to an end.
//
//     // A cut scene: what a character says.
//     typedef struct Line { char text[40]; } Line;
//     FILO_REFLECT(Line, FILO_FIELD(char, text))
//     #define SAY(words) FILO_SF(Line, words)
//
//     FiloSfBuilder *b = filo_sf_builder_create(&(FiloSfBuilderDesc){ .inputs = { { "knock", .event = true } } });
//     FiloTasks t = filo_tasks(filo_sf_constant(b, SAY("")));       // tasks that show a Line; "" when none is running
//
//     FiloTask scene = filo_task_list(
//         filo_task_sleep(t, 1, SAY("")),                           // for a second nothing is said
//         filo_task_sleep(t, 2, SAY("It is late.")),
//         filo_task_wait(t, SAY("Will he come at all?"), filo_sf_input(b)),         // until there is a knock
//         filo_task_time_out(filo_task_wait(t, SAY("Who is there?"), filo_sf_not_yet(filo_sf_input(b))), 3),
//         filo_task_sleep(t, 2, SAY("Come in.")));
//
//     FiloNetwork *network;
//     FiloResult r = filo_network_create(&network, filo_task_play(scene), NULL);   // the output is a Line
//
// A task is a signal function that runs for some time, shows an output meanwhile, and ends, often with a value. Tasks are
// put together to longer ones: one after the other, repeated, with a time limit. Only when a task has ended does the next
// one start, at the same instant, with its own time 0: what it is made of starts then. So filo_sf_after in a task counts
// from the beginning of that task, and an event before that is not seen. The event that has ended a task is seen by the
// next one, at its time 0; filo_sf_not_yet suppresses it, as above, where a second knock is waited for.
//
// A task is described by two signal functions: its output, and an event at which it ends. Nothing runs while it is
// described, and a FiloTask is a value that may be used several times. Everything becomes switches (filo/signal.h), so it
// costs what a state machine costs, and the state of an object does not grow with the length of a list.
//
// Tasks become branches, whose input is that of the whole: filo_sf_input and filo_sf_in can be used in them, but not
// filo_sf_in_named.
//
// Tasks that end at the instant at which they start take no time: of those in a row only the last one is shown. A task
// that is repeated must take some time, because a step follows at most FILO_SF_SWITCHES switches.
//
// Mistakes in a network are reported by filo_network_create, as for all signal functions. The meaning is that of the module
// Task of Yampa; the comments give its names. All functions are for the thread that uses the builder.

#ifndef FILO_TASK_H
#define FILO_TASK_H

#include <filo/signal.h>
#include <filo/types.h>

FILO_BEGIN_DECLS

// ---- Tasks ------------------------------------------------------------------------------------------------------

// What the tasks of a network have in common.
typedef struct FiloTasks {
    FiloSf idle; // what is shown when no task is running; it has the type of the output of all of them
} FiloTasks;

// `idle` may be of any type, also a tuple with events: for example a line to be said and the event of a sound.
FiloTasks filo_tasks(FiloSf idle);

// {0} is none: what a function returns without memory or after a mistake. It may be passed on.
typedef struct FiloTask {
    FiloSf output;          // while it runs
    FiloSf done;            // the event at which it ends
    const FiloType *result; // of the value of this event; NULL: it has none
    FiloSf idle;            // of its FiloTasks
    const char *name;       // of its branch; NULL: "task"
} FiloTask;

// A task of two signal functions. `result` is the type of the value of `done`, NULL for an event without a value (or whose
// value does not matter). (Yampa: mkTask.)
//
//     FiloTask walk = filo_task(t, position, arrived, NULL);
FiloTask filo_task(FiloTasks tasks, FiloSf output, FiloSf done, const FiloType *result);

// The same task with a name, for pictures, listings and filo_network_branch: the branch that it becomes in a list has it.
// The text must exist until the task is a part of another.
FiloTask filo_task_named(FiloTask task, const char *name);

// Shows a value for ever. (Yampa: constT.)
FiloTask filo_task_constant(FiloTasks tasks, FiloSfValue value);
// Shows a value for some seconds. (Yampa: sleepT.)
FiloTask filo_task_sleep(FiloTasks tasks, float seconds, FiloSfValue value);
// Shows a value until an event occurs.
FiloTask filo_task_wait(FiloTasks tasks, FiloSfValue value, FiloSf event);
// Runs a signal function for some seconds.
FiloTask filo_task_during(FiloTasks tasks, float seconds, FiloSf output);
// Ends at once, with the present value of a signal of this type. (Yampa: snapT.)
FiloTask filo_task_snap(FiloTasks tasks, FiloSf x, const FiloType *type);
// Ends at once, with a value; {0}: without one. (Yampa: return.)
FiloTask filo_task_return(FiloTasks tasks, FiloSfValue value);

// ---- One after the other ----------------------------------------------------------------------------------------

// The tasks in their order; the whole ends with the last, and has its value. From 1 to FILO_TASK_LIST of them; a list
// may be a part of another.
#define FILO_TASK_LIST      256
#define filo_task_list(...) filo_task_sequence(FILO_TASKS_(__VA_ARGS__), FILO_TASK_COUNT_(__VA_ARGS__))
FiloTask filo_task_sequence(const FiloTask *tasks, size_t count);
// First one, then the other. (Yampa: >>.)
FiloTask filo_task_then(FiloTask first, FiloTask second);

// The same, and the second task gets the value of the first: as the parameter of a branch, which is declared before, with
// the type of that value. (Yampa: >>=.) The value is known to the second task, not to those after it. What is needed
// later, the second task has as a part of its own value.
//
//     FiloSfBranch found = filo_sf_branch(b, "found", FILO_TYPE(FiloVec2));
//     FiloTask fetch = filo_task_bind(search, found, walk_to(t, filo_sf_parameter(found)));
//
// The branch is used up.
FiloTask filo_task_bind(FiloTask first, FiloSfBranch branch, FiloTask second);
// The same task with another value: a function of its value. (Yampa: fmap.)
FiloTask filo_task_map(FiloTask task, const FiloSfFunction *function);

// ---- Limits -----------------------------------------------------------------------------------------------------

// The task for at most some seconds. The value is a bool: true if the task ended itself, also at the last instant.
// (Yampa: timeOut, whose Just is true.)
FiloTask filo_task_time_out(FiloTask task, float seconds);
// The value is that of the task, or `late`, of the same type, if the time was over.
FiloTask filo_task_time_out_value(FiloTask task, float seconds, FiloSfValue late);
// The task until it ends itself or an event occurs. The value is a bool: true if it ended itself. (Yampa: abortWhen, whose
// Left is true.) The event starts with the task, so it also sees what happens at the first instant.
FiloTask filo_task_abort_when(FiloTask task, FiloSf event);
// The value is that of the task, or that of the event, which has the same type. If they have different types, map both
// (filo_task_map, filo_sf_arr) to a struct with both and a bool.
FiloTask filo_task_abort_with(FiloTask task, FiloSf event);

// ---- Loops ------------------------------------------------------------------------------------------------------

// Again and again. (Yampa: forEver.)
FiloTask filo_task_for_ever(FiloTask task);
// So many times, at least once; the value is that of the last time.
FiloTask filo_task_repeat(FiloTask task, uint32_t times);
// Until its value satisfies a predicate; that is the value of the whole. (Yampa: repeatUntil.)
FiloTask filo_task_repeat_until(FiloTask task, const FiloSfFunction *predicate);
// As `for (i = first; again(i); i = next(i)) body` in C. (Yampa: for.) The branch is declared before, with the type of i.
// Its parameter is i, for the body. The whole has no value. `tasks` is that of the body.
//
//     FiloSfBranch round = filo_sf_branch(b, "round", FILO_TYPE(int32_t));
//     FiloTask fight = filo_task_for(t, round, FILO_SF(int32_t, 1), &at_most_3, &plus_1, wave(filo_sf_parameter(round)));
FiloTask filo_task_for(FiloTasks tasks, FiloSfBranch branch, FiloSfValue first, const FiloSfFunction *again,
                       const FiloSfFunction *next, FiloTask body);
// The tasks that a function makes for the numbers from 0 to count − 1, in order. (Yampa: forAll.)
FiloTask filo_task_for_each(size_t count, FiloTask (*make)(size_t i, void *user), void *user);

// ---- Running ----------------------------------------------------------------------------------------------------

// The output of the task, and then `idle`, which starts when the task ends.
FiloSf filo_task_play(FiloTask task);
// The output of the task, and then another signal function, of the same type.
FiloSf filo_task_play_then(FiloTask task, FiloSf after);
// A pair: what filo_task_play gives, and the event of the end, with its value. It occurs once. (Yampa: taskToSF.)
FiloSf filo_task_to_sf(FiloTask task);
// An either: the output on the left while the task runs, then the value of the task on the right. `unknown` is a value of
// the same type, for the right side until then; {0} for a task without a value: then the right side is a bool, true after
// the end. (Yampa: runTask.)
FiloSf filo_task_run(FiloTask task, FiloSfValue unknown);

// ---- Behind the macros ------------------------------------------------------------------------------------------

#define FILO_TASKS_(...)      ((const FiloTask[]){ __VA_ARGS__ })
#define FILO_TASK_COUNT_(...) (sizeof(FILO_TASKS_(__VA_ARGS__)) / sizeof(FiloTask))

FILO_END_DECLS

#endif
