// Machines (machine.h) with a state of their own: integrals, delays, sources of events, accumulators.

#ifndef FILO_TEST_SIGNAL_PRIMITIVES_H
#define FILO_TEST_SIGNAL_PRIMITIVES_H

#include "machine.h"

// ---- Arithmetic -------------------------------------------------------------------------------------------------

// a + factor × b, of floats or vectors. The product is rounded first.
static inline const Value *value_add_scaled(const Value *a, float factor, const Value *b) {
    if (a->plain == TYPE_FLOAT) return value_float(a->f + factor * b->f);
    return value_vec2(a->v.x + factor * b->v.x, a->v.y + factor * b->v.y);
}

// Calls a function of values for one row. The result is an event if the function may have none.
static inline const Value *value_call(const FiloSfFunction *function, int count,
                                      const Value *const *arguments) {
    const void *in[4];
    uint8_t result[16] = { 0 }, present = 1;
    for (int i = 0; i < count; i++) in[i] = arguments[i]->bytes;
    function->rows(1, in, result, function->maybe ? &present : NULL);
    const FiloType *type = function->result();
    TypeKind kind = type == FILO_TYPE(float)      ? TYPE_FLOAT
                    : type == FILO_TYPE(FiloVec2) ? TYPE_VEC2
                    : type == FILO_TYPE(int32_t)  ? TYPE_INT
                                                  : TYPE_BOOL;
    const Value *value = value_from_bytes(kind, result);
    if (!function->maybe) return value;
    return present ? value_event(value) : &value_no_event;
}
static inline const Value *value_call2(const FiloSfFunction *function, const Value *a, const Value *b) {
    return value_call(function, 2, (const Value *[]){ a, b });
}

// ---- Time -------------------------------------------------------------------------------------------------------

static inline Output machine_time_step(const Machine *self, double delta, const Value *in) {
    (void)in;
    Machine *next = machine_copy(self);
    if (self->n > 0) next->time[0] = self->time[0] + delta;
    next->n = 1;
    return (Output){ next, value_float((float)next->time[0]) };
}
static inline const Machine *machine_time(void) { return machine_new(machine_time_step); }

// n: 0 not started, 1 running. value[0]: the integral; value[1]: the input before.
static inline Output machine_integral_step(const Machine *self, double delta, const Value *in) {
    Machine *next = machine_copy(self);
    if (self->n > 0) next->value[0] = value_add_scaled(self->value[0], (float)delta, self->value[1]);
    next->value[1] = in;
    next->n = 1;
    return (Output){ next, next->value[0] };
}
static inline const Machine *machine_integral(const Type *type) {
    Machine *machine = machine_new(machine_integral_step);
    machine->value[0] = value_zero(type);
    return machine;
}

static inline Output machine_trapezoid_step(const Machine *self, double delta, const Value *in) {
    Machine *next = machine_copy(self);
    if (self->n > 0) {
        const Value *sum = value_add_scaled(self->value[1], 1, in);
        next->value[0] = value_add_scaled(self->value[0], 0.5f * (float)delta, sum);
    }
    next->value[1] = in;
    next->n = 1;
    return (Output){ next, next->value[0] };
}
static inline const Machine *machine_trapezoid(const Type *type) {
    Machine *machine = machine_new(machine_trapezoid_step);
    machine->value[0] = value_zero(type);
    return machine;
}

static inline Output machine_im_integral_step(const Machine *self, double delta, const Value *in) {
    Machine *next = machine_copy(self);
    if (self->n > 0) next->value[0] = value_add_scaled(self->value[0], (float)delta, in);
    next->n = 1;
    return (Output){ next, next->value[0] };
}
static inline const Machine *machine_im_integral(const Value *initial) {
    Machine *machine = machine_new(machine_im_integral_step);
    machine->value[0] = initial;
    return machine;
}

static inline Output machine_derivative_step(const Machine *self, double delta, const Value *in) {
    Machine *next = machine_copy(self);
    float d = (float)delta;
    const Value *out = value_new_plain(in->plain);
    if (self->n > 0 && d > 0) {
        const Value *before = self->value[0];
        out = in->plain == TYPE_FLOAT ? value_float((in->f - before->f) / d)
                                      : value_vec2((in->v.x - before->v.x) / d, (in->v.y - before->v.y) / d);
    }
    next->value[0] = in;
    next->n = 1;
    return (Output){ next, out };
}
static inline const Machine *machine_derivative(void) { return machine_new(machine_derivative_step); }

// iter_from: function(before, now, delta, result).
static inline Output machine_iter_step(const Machine *self, double delta, const Value *in) {
    Machine *next = machine_copy(self);
    if (self->n > 0)
        next->value[0] =
            value_call(self->data, 4,
                       (const Value *[]){ self->value[1], in, value_float((float)delta), self->value[0] });
    next->value[1] = in;
    next->n = 1;
    return (Output){ next, next->value[0] };
}
static inline const Machine *machine_iter(const Value *initial, const FiloSfFunction *function) {
    Machine *machine = machine_new(machine_iter_step);
    machine->value[0] = initial;
    machine->data = function;
    return machine;
}

static inline Output machine_scan_step(const Machine *self, double delta, const Value *in) {
    (void)delta;
    Machine *next = machine_copy(self);
    next->value[0] = value_call2(self->data, self->value[0], in);
    return (Output){ next, next->value[0] };
}
static inline const Machine *machine_scan(const Value *initial, const FiloSfFunction *function) {
    Machine *machine = machine_new(machine_scan_step);
    machine->value[0] = initial;
    machine->data = function;
    return machine;
}

static inline Output machine_pre_step(const Machine *self, double delta, const Value *in) {
    (void)delta;
    Machine *next = machine_copy(self);
    next->value[0] = in;
    return (Output){ next, self->value[0] };
}
static inline const Machine *machine_pre(const Value *initial) {
    Machine *machine = machine_new(machine_pre_step);
    machine->value[0] = initial;
    return machine;
}

// ---- Delays -----------------------------------------------------------------------------------------------------

// Samples with the time that passed between a sample and the one before: a list of pairs in time order, immutable.
typedef struct Samples {
    const Value *value;
    double delta;
    const struct Samples *next;
} Samples;

static inline const Samples *samples_append(const Samples *list, double delta, const Value *value) {
    Samples *node = value_allocate(sizeof *node);
    if (list == NULL) {
        *node = (Samples){ value, delta, NULL };
    } else {
        *node = *list;
        node->next = samples_append(list->next, delta, value);
    }
    return node;
}
static inline int samples_count(const Samples *list) {
    return list == NULL ? 0 : 1 + samples_count(list->next);
}

// time[0]: the delay; time[1]: the time since the sample that is shown should have been shown; data: samples that wait;
// value[0]: the sample that is shown. The first sample waits for the whole delay, each further one for its delta.
static inline Output machine_delay_step(const Machine *self, double delta, const Value *in) {
    Machine *next = machine_copy(self);
    next->n = 1;
    if (self->n == 0) {
        next->data = samples_append(NULL, self->time[0], in);
        return (Output){ next, self->value[0] };
    }
    const Samples *waiting = samples_append(self->data, delta, in);
    double late = self->time[1] + delta;
    while (waiting != NULL && late >= waiting->delta) {
        next->value[0] = waiting->value;
        late -= waiting->delta;
        waiting = waiting->next;
    }
    next->data = waiting;
    next->time[1] = late;
    return (Output){ next, next->value[0] };
}
static inline const Machine *machine_delay(double seconds, const Value *initial) {
    if (seconds == 0) return machine_identity();
    Machine *machine = machine_new(machine_delay_step);
    machine->time[0] = seconds;
    machine->value[0] = initial;
    return machine;
}

// data: events on their way, `delta` is when each is due; time[0]: the delay; time[1]: the time.
static inline Output machine_delay_event_step(const Machine *self, double delta, const Value *in) {
    Machine *next = machine_copy(self);
    const Samples *waiting = self->data;
    if (self->n > 0) next->time[1] = self->time[1] + delta;
    next->n = 1;
    Value *due = NULL;
    int count = 0;
    for (const Samples *s = waiting; s != NULL && s->delta <= next->time[1]; s = s->next) count++;
    if (count > 0) {
        due = value_new(VALUE_LIST, count);
        for (int i = 0; i < count; i++, waiting = waiting->next) due->of[i] = waiting->value;
    }
    if (in->kind == VALUE_EVENT) waiting = samples_append(waiting, next->time[1] + self->time[0], in->of[0]);
    next->data = waiting;
    return (Output){ next, due != NULL ? value_event(due) : &value_no_event };
}
static inline const Value *machine_event_to_list(const void *data, const Value *in) {
    (void)data;
    return in->kind == VALUE_EVENT ? value_event(value_of1(VALUE_LIST, in->of[0])) : in;
}
static inline const Value *machine_event_to_head(const void *data, const Value *in) {
    (void)data;
    return in->kind == VALUE_EVENT ? value_event(in->of[0]->of[0]) : in;
}
static inline const Machine *machine_delay_event_cat(double seconds) {
    if (seconds == 0) return machine_arr(machine_event_to_list, NULL);
    Machine *machine = machine_new(machine_delay_event_step);
    machine->time[0] = seconds;
    return machine;
}
static inline const Machine *machine_head(const Machine *lists) {
    return machine_compose(lists, machine_arr(machine_event_to_head, NULL));
}

// ---- Sources of events ------------------------------------------------------------------------------------------

typedef struct Schedule {
    int count; // 0: without end, the first element again and again
    double *seconds;
    const Value **values;
} Schedule;

// n: the element that is next; time[0]: the time until it, negative; flag: started.
static inline Output machine_after_each_step(const Machine *self, double delta, const Value *in) {
    (void)in;
    const Schedule *schedule = self->data;
    Machine *next = machine_copy(self);
    next->time[0] = self->flag ? self->time[0] + delta : -schedule->seconds[0];
    next->flag = true;
    const Value *due[64];
    int count = 0;
    while ((schedule->count == 0 || next->n < schedule->count) && next->time[0] >= 0) {
        assert_true(count < 64);
        due[count++] = schedule->values[schedule->count == 0 ? 0 : next->n];
        next->n++;
        if (schedule->count == 0)
            next->time[0] -= schedule->seconds[0];
        else if (next->n < schedule->count)
            next->time[0] -= schedule->seconds[next->n];
    }
    if (count == 0) return (Output){ next, &value_no_event };
    Value *list = value_new(VALUE_LIST, count);
    for (int i = 0; i < count; i++) list->of[i] = due[i];
    return (Output){ next, value_event(list) };
}
static inline const Machine *machine_after_each_cat(const Schedule *schedule) {
    Machine *machine = machine_new(machine_after_each_step);
    machine->data = schedule;
    return machine;
}
// Every `seconds`: a list of as many values as are due.
static inline const Machine *machine_repeatedly_cat(double seconds, const Value *value) {
    Schedule *schedule = value_allocate(sizeof *schedule);
    schedule->seconds = value_allocate(sizeof(double));
    schedule->values = value_allocate(sizeof(Value *));
    schedule->seconds[0] = seconds;
    schedule->values[0] = value;
    return machine_after_each_cat(schedule);
}
static inline const Machine *machine_after(double seconds, const Value *value) {
    Schedule *schedule = value_allocate(sizeof *schedule);
    schedule->count = 1;
    schedule->seconds = value_allocate(sizeof(double));
    schedule->values = value_allocate(sizeof(Value *));
    schedule->seconds[0] = seconds;
    schedule->values[0] = value;
    return machine_head(machine_after_each_cat(schedule));
}

// n: 2 where the input was true before.
static inline Output machine_edge_step(const Machine *self, double delta, const Value *in) {
    (void)delta;
    Machine *next = machine_copy(self);
    next->flag = in->b;
    bool rises = in->b && !self->flag;
    return (Output){ next, rises ? value_event(self->value[0]) : &value_no_event };
}
static inline const Machine *machine_edge(bool initial, const Value *value) {
    Machine *machine = machine_new(machine_edge_step);
    machine->flag = initial;
    machine->value[0] = value;
    return machine;
}

static inline Output machine_edge_just_step(const Machine *self, double delta, const Value *in) {
    (void)delta;
    Machine *next = machine_copy(self);
    next->flag = in->kind == VALUE_NO_EVENT;
    return (Output){ next, self->flag ? in : &value_no_event };
}
static inline const Machine *machine_edge_just(void) { return machine_new(machine_edge_just_step); }

static inline Output machine_edge_by_step(const Machine *self, double delta, const Value *in) {
    (void)delta;
    Machine *next = machine_copy(self);
    next->value[0] = in;
    return (Output){ next, value_call2(self->data, self->value[0], in) };
}
static inline const Machine *machine_edge_by(const Value *initial, const FiloSfFunction *function) {
    Machine *machine = machine_new(machine_edge_by_step);
    machine->value[0] = initial;
    machine->data = function;
    return machine;
}

// n: how many events are let through (flag false), or suppressed (flag true).
static inline Output machine_take_step(const Machine *self, double delta, const Value *in) {
    (void)delta;
    Machine *next = machine_copy(self);
    bool counted = self->n > 0;
    if (in->kind == VALUE_EVENT && counted) next->n--;
    return (Output){ next, counted != self->flag ? in : &value_no_event };
}
static inline const Machine *machine_take(int n, bool drop) {
    Machine *machine = machine_new(machine_take_step);
    machine->n = n;
    machine->flag = drop;
    return machine;
}

// ---- Accumulators -----------------------------------------------------------------------------------------------

static inline Output machine_hold_step(const Machine *self, double delta, const Value *in) {
    (void)delta;
    Machine *next = machine_copy(self);
    if (in->kind == VALUE_EVENT) next->value[0] = in->of[0];
    return (Output){ next, next->value[0] };
}
static inline const Machine *machine_hold(const Value *initial) {
    Machine *machine = machine_new(machine_hold_step);
    machine->value[0] = initial;
    return machine;
}

// data: function(accumulator, value), or NULL to count.
static inline Output machine_accum_step(const Machine *self, double delta, const Value *in) {
    (void)delta;
    if (in->kind != VALUE_EVENT) return (Output){ self, in };
    Machine *next = machine_copy(self);
    next->value[0] = self->data != NULL ? value_call2(self->data, self->value[0], in->of[0])
                                        : value_int(self->value[0]->i + 1);
    return (Output){ next, value_event(next->value[0]) };
}
static inline const Machine *machine_accum(const Value *initial, const FiloSfFunction *function) {
    Machine *machine = machine_new(machine_accum_step);
    machine->value[0] = initial;
    machine->data = function;
    return machine;
}

// The filter sees the new accumulator and the value.
static inline Output machine_accum_filter_step(const Machine *self, double delta, const Value *in) {
    (void)delta;
    const FiloSfFunction *const *functions = self->data;
    if (in->kind != VALUE_EVENT) return (Output){ self, in };
    Machine *next = machine_copy(self);
    next->value[0] = value_call2(functions[0], self->value[0], in->of[0]);
    return (Output){ next, value_call2(functions[1], next->value[0], in->of[0]) };
}
static inline const Machine *machine_accum_filter(const Value *initial, const FiloSfFunction *function,
                                                  const FiloSfFunction *filter) {
    const FiloSfFunction **functions = value_allocate(2 * sizeof(FiloSfFunction *));
    functions[0] = function;
    functions[1] = filter;
    Machine *machine = machine_new(machine_accum_filter_step);
    machine->value[0] = initial;
    machine->data = functions;
    return machine;
}

// The input is (x, event with a list of as many samples as are due). value[0]: the last n samples.
static inline Output machine_window_step(const Machine *self, double delta, const Value *in) {
    (void)delta;
    if (in->of[1]->kind != VALUE_EVENT) return (Output){ self, &value_no_event };
    Machine *next = machine_copy(self);
    int before = self->value[0]->count, due = in->of[1]->of[0]->count, all = before + due;
    int skip = all > self->n ? all - self->n : 0;
    Value *window = value_new(VALUE_LIST, all - skip);
    for (int i = skip; i < all; i++) window->of[i - skip] = i < before ? self->value[0]->of[i] : in->of[0];
    next->value[0] = window;
    return (Output){ next, value_event(window) };
}
static inline const Machine *machine_window(int capacity) {
    Machine *machine = machine_new(machine_window_step);
    machine->n = capacity;
    machine->value[0] = value_new(VALUE_LIST, 0);
    return machine;
}

#endif
