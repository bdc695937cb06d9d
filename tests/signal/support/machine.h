// The naive interpreter: signal functions as closures that are never changed.
//
// A machine is a signal function at some instant. A step takes the seconds since the step before and the input, and gives
// the output and the machine that goes on. A machine that has not started ignores the seconds. Because no machine
// changes, a machine can be kept and stepped again: that is what freezing needs.

#ifndef FILO_TEST_SIGNAL_MACHINE_H
#define FILO_TEST_SIGNAL_MACHINE_H

#include "value.h"

typedef struct Machine Machine;

typedef struct Output {
    const Machine *next;
    const Value *value;
} Output;

typedef Output (*MachineStep)(const Machine *self, double delta, const Value *in);
typedef const Value *(*MachineFunction)(const void *data, const Value *in);
// The machine that a switch leads to. `old` is the frozen one.
typedef const Machine *(*MachineContinue)(const void *data, const Value *event, const Machine *old);

#define MACHINE_PARTS 4

struct Machine {
    MachineStep step;
    const Machine *part[MACHINE_PARTS];
    const Value *value[2];
    double time[2];
    int n;
    bool flag;
    const void *data;
    MachineFunction function;
    MachineContinue continue_with;
};

static inline Machine *machine_new(MachineStep step) {
    Machine *machine = value_allocate(sizeof *machine);
    machine->step = step;
    return machine;
}

static inline Machine *machine_copy(const Machine *self) {
    Machine *machine = value_allocate(sizeof *machine);
    *machine = *self;
    return machine;
}

static inline Output machine_step(const Machine *machine, double delta, const Value *in) {
    return machine->step(machine, delta, in);
}

// ---- Arrows -----------------------------------------------------------------------------------------------------

static inline Output machine_arr_step(const Machine *self, double delta, const Value *in) {
    (void)delta;
    return (Output){ self, self->function(self->data, in) };
}
static inline const Machine *machine_arr(MachineFunction function, const void *data) {
    Machine *machine = machine_new(machine_arr_step);
    machine->function = function;
    machine->data = data;
    return machine;
}

static inline Output machine_constant_step(const Machine *self, double delta, const Value *in) {
    (void)delta, (void)in;
    return (Output){ self, self->value[0] };
}
static inline const Machine *machine_constant(const Value *value) {
    Machine *machine = machine_new(machine_constant_step);
    machine->value[0] = value;
    return machine;
}

static inline Output machine_compose_step(const Machine *self, double delta, const Value *in) {
    Machine *next = machine_copy(self);
    Output a = machine_step(self->part[0], delta, in), b = machine_step(self->part[1], delta, a.value);
    next->part[0] = a.next;
    next->part[1] = b.next;
    return (Output){ next, b.value };
}
static inline const Machine *machine_compose(const Machine *a, const Machine *b) {
    Machine *machine = machine_new(machine_compose_step);
    machine->part[0] = a;
    machine->part[1] = b;
    return machine;
}

// Up to MACHINE_PARTS machines with one input; the output is a tuple.
static inline Output machine_fan_step(const Machine *self, double delta, const Value *in) {
    Machine *next = machine_copy(self);
    Value *tuple = value_new(VALUE_TUPLE, self->n);
    for (int i = 0; i < self->n; i++) {
        Output out = machine_step(self->part[i], delta, in);
        next->part[i] = out.next;
        tuple->of[i] = out.value;
    }
    return (Output){ next, tuple };
}
static inline const Machine *machine_fan(int n, const Machine *const *parts) {
    Machine *machine = machine_new(machine_fan_step);
    assert_true(n <= MACHINE_PARTS);
    machine->n = n;
    for (int i = 0; i < n; i++) machine->part[i] = parts[i];
    return machine;
}
static inline const Machine *machine_fan2(const Machine *a, const Machine *b) {
    return machine_fan(2, (const Machine *[]){ a, b });
}

// Of pairs.
static inline Output machine_parallel_step(const Machine *self, double delta, const Value *in) {
    Machine *next = machine_copy(self);
    Output a = machine_step(self->part[0], delta, in->of[0]),
           b = machine_step(self->part[1], delta, in->of[1]);
    next->part[0] = a.next;
    next->part[1] = b.next;
    return (Output){ next, value_pair(a.value, b.value) };
}
static inline const Machine *machine_parallel(const Machine *a, const Machine *b) {
    Machine *machine = machine_new(machine_parallel_step);
    machine->part[0] = a;
    machine->part[1] = b;
    return machine;
}

static inline const Value *machine_same(const void *data, const Value *in) {
    (void)data;
    return in;
}
static inline const Machine *machine_identity(void) { return machine_arr(machine_same, NULL); }

static inline const Machine *machine_never(void) { return machine_constant(&value_no_event); }

// ---- Choice -----------------------------------------------------------------------------------------------------

// `n` is VALUE_LEFT or VALUE_RIGHT: the values that the part is applied to.
static inline Output machine_choice_step(const Machine *self, double delta, const Value *in) {
    if ((int)in->kind != self->n) return (Output){ self, in };
    Machine *next = machine_copy(self);
    Output out = machine_step(self->part[0], delta, in->of[0]);
    next->part[0] = out.next;
    return (Output){ next, value_of1(in->kind, out.value) };
}
static inline const Machine *machine_choice(ValueKind side, const Machine *part) {
    Machine *machine = machine_new(machine_choice_step);
    machine->n = (int)side;
    machine->part[0] = part;
    return machine;
}

// The input is (paused, x).
static inline Output machine_pause_step(const Machine *self, double delta, const Value *in) {
    if (in->of[0]->b) return (Output){ self, self->value[0] };
    Machine *next = machine_copy(self);
    Output out = machine_step(self->part[0], delta, in->of[1]);
    next->part[0] = out.next;
    next->value[0] = out.value;
    return (Output){ next, out.value };
}
static inline const Machine *machine_pause(const Value *initial, const Machine *part) {
    Machine *machine = machine_new(machine_pause_step);
    machine->value[0] = initial;
    machine->part[0] = part;
    return machine;
}

// ---- Loops ------------------------------------------------------------------------------------------------------

// value[0] is the feedback.
static inline Output machine_loop_pre_step(const Machine *self, double delta, const Value *in) {
    Machine *next = machine_copy(self);
    Output out = machine_step(self->part[0], delta, value_pair(in, self->value[0]));
    next->part[0] = out.next;
    next->value[0] = out.value->of[1];
    return (Output){ next, out.value->of[0] };
}
static inline const Machine *machine_loop_pre(const Value *initial, const Machine *part) {
    Machine *machine = machine_new(machine_loop_pre_step);
    machine->value[0] = initial;
    machine->part[0] = part;
    return machine;
}

// Tries a feedback, and steps the same machine again with what came out, until both are the same. If each way around
// passes a function that is decoupled, that is after one or two attempts.
#define MACHINE_ATTEMPTS 12

static inline Output machine_loop_step(const Machine *self, double delta, const Value *in) {
    const Value *feedback = self->value[0];
    for (int attempt = 0; attempt < MACHINE_ATTEMPTS; attempt++) {
        Output out = machine_step(self->part[0], delta, value_pair(in, feedback));
        if (value_same(out.value->of[1], feedback)) {
            Machine *next = machine_copy(self);
            next->part[0] = out.next;
            return (Output){ next, out.value->of[0] };
        }
        feedback = out.value->of[1];
    }
    fail_msg("a loop without a delay");
    return (Output){ self, self->value[0] };
}
static inline const Machine *machine_loop(const Value *zero, const Machine *part) {
    Machine *machine = machine_new(machine_loop_step);
    machine->value[0] = zero;
    machine->part[0] = part;
    return machine;
}

// ---- Switches ---------------------------------------------------------------------------------------------------

// Switches that are followed at the present instant. A network whose switches chase each other has no meaning.
static int machine_switches;
static bool machine_chasing;
#define MACHINE_SWITCHES 31

static inline bool machine_may_switch(void) {
    if (machine_switches >= MACHINE_SWITCHES)
        machine_chasing = true;
    else
        machine_switches++;
    return !machine_chasing;
}

static inline Output machine_frozen_step(const Machine *self, double delta, const Value *in) {
    (void)delta;
    return machine_step(self->part[0], self->time[0], in);
}
// The step that it did not make is the first one that it makes.
static inline const Machine *machine_freeze(const Machine *part, double delta) {
    Machine *machine = machine_new(machine_frozen_step);
    machine->part[0] = part;
    machine->time[0] = delta;
    return machine;
}

// part[0]: the input to (output, event); continue_with: the branch.
static inline Output machine_switch_step(const Machine *self, double delta, const Value *in) {
    Output out = machine_step(self->part[0], delta, in);
    const Value *event = out.value->of[1];
    if (event->kind == VALUE_EVENT && machine_may_switch()) {
        Output to = machine_step(self->continue_with(self->data, event->of[0], NULL), 0, in);
        return (Output){ to.next, self->flag ? out.value->of[0] : to.value };
    }
    Machine *next = machine_copy(self);
    next->part[0] = out.next;
    return (Output){ next, out.value->of[0] };
}
static inline const Machine *machine_switch(const Machine *part, bool delayed, MachineContinue to,
                                            const void *data) {
    Machine *machine = machine_new(machine_switch_step);
    machine->part[0] = part;
    machine->flag = delayed;
    machine->continue_with = to;
    machine->data = data;
    return machine;
}

// part[0]: the output; part[1]: (input, output) to the event.
static inline Output machine_k_switch_step(const Machine *self, double delta, const Value *in) {
    Output out = machine_step(self->part[0], delta, in);
    Output event = machine_step(self->part[1], delta, value_pair(in, out.value));
    if (event.value->kind == VALUE_EVENT && machine_may_switch()) {
        const Machine *old = machine_freeze(self->part[0], delta);
        Output to = machine_step(self->continue_with(self->data, event.value->of[0], old), 0, in);
        return (Output){ to.next, self->flag ? out.value : to.value };
    }
    Machine *next = machine_copy(self);
    next->part[0] = out.next;
    next->part[1] = event.next;
    return (Output){ next, out.value };
}
static inline const Machine *machine_k_switch(const Machine *output, const Machine *event, bool delayed,
                                              MachineContinue to, const void *data) {
    Machine *machine = machine_new(machine_k_switch_step);
    machine->part[0] = output;
    machine->part[1] = event;
    machine->flag = delayed;
    machine->continue_with = to;
    machine->data = data;
    return machine;
}

// The input is (input of the output, event). A new machine does not see the event that has started it.
static inline Output machine_r_switch_step(const Machine *self, double delta, const Value *in) {
    Output out = machine_step(self->part[0], delta, in->of[0]);
    const Value *event = in->of[1];
    Machine *next = machine_copy(self);
    next->part[0] = out.next;
    if (event->kind != VALUE_EVENT || !machine_may_switch()) return (Output){ next, out.value };
    Output to = machine_step(self->continue_with(self->data, event->of[0], NULL), 0, in->of[0]);
    next->part[0] = to.next;
    return (Output){ next, self->flag ? out.value : to.value };
}
static inline const Machine *machine_r_switch(const Machine *part, bool delayed, MachineContinue to,
                                              const void *data) {
    Machine *machine = machine_new(machine_r_switch_step);
    machine->part[0] = part;
    machine->flag = delayed;
    machine->continue_with = to;
    machine->data = data;
    return machine;
}

// ---- Initialisation ---------------------------------------------------------------------------------------------

// value --> part
static inline Output machine_initially_step(const Machine *self, double delta, const Value *in) {
    return (Output){ machine_step(self->part[0], delta, in).next, self->value[0] };
}
static inline const Machine *machine_initially(const Value *value, const Machine *part) {
    Machine *machine = machine_new(machine_initially_step);
    machine->value[0] = value;
    machine->part[0] = part;
    return machine;
}

// function -=> part
static inline Output machine_initially_by_step(const Machine *self, double delta, const Value *in) {
    Output out = machine_step(self->part[0], delta, in);
    return (Output){ out.next, self->function(self->data, out.value) };
}
static inline const Machine *machine_initially_by(MachineFunction function, const void *data,
                                                  const Machine *part) {
    Machine *machine = machine_new(machine_initially_by_step);
    machine->function = function;
    machine->data = data;
    machine->part[0] = part;
    return machine;
}

// ---- Event sources that are switches ----------------------------------------------------------------------------

// First the events of `a`; at the first, `b` starts.
static inline const Machine *machine_continue_and_then(const void *data, const Value *event,
                                                       const Machine *old) {
    (void)event, (void)old;
    return data;
}
static inline const Value *machine_twice(const void *data, const Value *in) {
    (void)data;
    return value_pair(in, in);
}
static inline const Machine *machine_and_then(const Machine *a, const Machine *b) {
    return machine_switch(machine_compose(a, machine_arr(machine_twice, NULL)), true,
                          machine_continue_and_then, b);
}

// recur sfe = switch (never &&& sfe) $ \b -> Event b --> recur (NoEvent --> sfe)
static inline const Machine *machine_recur(const Machine *source);
static inline const Machine *machine_continue_recur(const void *data, const Value *event,
                                                    const Machine *old) {
    (void)old;
    const Machine *again = machine_initially(&value_no_event, (const Machine *)data);
    return machine_initially(value_event(event), machine_recur(again));
}
static inline const Machine *machine_recur(const Machine *source) {
    return machine_switch(machine_fan2(machine_never(), source), false, machine_continue_recur, source);
}

// The input is (condition, input of both). The turn changes when the condition does; n: 0 not started, 1 yes, 2 no.
static inline Output machine_provided_step(const Machine *self, double delta, const Value *in) {
    Machine *next = machine_copy(self);
    int turn = in->of[0]->b ? 1 : 2;
    const Machine *running = turn == self->n ? self->part[0] : turn == 1 ? self->part[1] : self->part[2];
    Output out = machine_step(running, delta, in->of[1]);
    next->n = turn;
    next->part[0] = out.next;
    return (Output){ next, out.value };
}
static inline const Machine *machine_provided(const Machine *yes, const Machine *no) {
    Machine *machine = machine_new(machine_provided_step);
    machine->part[1] = yes;
    machine->part[2] = no;
    return machine;
}

#endif
