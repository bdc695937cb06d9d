// Collections. The members of a row are in slots, oldest first. A row is run at a time: its members of each kind together.

#include "signal/compile/compile.h"
#include "signal/run/run.h"

struct FiloSfMembers {
    const SignalPool *pool;
    uint8_t *state;
    SignalFrame *frame;
    bool editable;
};

static SignalPoolState pool_state(const uint8_t *state) {
    SignalPoolState s;
    memcpy(&s, state, sizeof s);
    return s;
}

static uint8_t *slot_at(const SignalPool *pool, uint8_t *state, size_t n) {
    return state + sizeof(SignalPoolState) + n * pool->slot_size;
}

static SignalSlot slot_header(const uint8_t *slot) {
    SignalSlot s;
    memcpy(&s, slot, sizeof s);
    return s;
}

static uint32_t add_member(const SignalPool *pool, uint8_t *state, uint32_t branch, const void *value) {
    SignalPoolState s = pool_state(state);
    uint32_t kind = 0;
    while (kind < pool->collection.kind_count && pool->kinds[kind].branch != branch) kind++;
    if (kind == pool->collection.kind_count || s.count == pool->collection.capacity) return 0;
    uint8_t *slot = slot_at(pool, state, s.count++);
    SignalSlot header = { .key = s.next_key++, .kind = (uint16_t)kind };
    memset(slot, 0, pool->slot_size);
    memcpy(slot, &header, sizeof header);
    if (value != NULL)
        memcpy(slot + sizeof header + pool->kinds[kind].parameter, value, pool->kinds[kind].parameter_size);
    memcpy(state, &s, sizeof s);
    return header.key;
}

void signal_pool_init(const SignalPool *pool, uint8_t *state) {
    SignalPoolState s = { .next_key = 1 };
    memset(state, 0, pool->state_size);
    memcpy(state, &s, sizeof s);
    for (size_t i = 0; i < pool->collection.initial_count; i++)
        (void)add_member(pool, state, pool->collection.initial[i].branch, pool->collection.initial[i].value);
}

// Whether bytes that were not written here make the members useless.
static bool damaged(const SignalPool *pool, uint8_t *state) {
    SignalPoolState s = pool_state(state);
    if (s.count > pool->collection.capacity) return true;
    for (uint32_t i = 0; i < s.count; i++)
        if (slot_header(slot_at(pool, state, i)).kind >= pool->collection.kind_count) return true;
    return false;
}

// What members show and what they were made with, without running them.
static void repair(const SignalPool *pool, uint8_t *state) {
    for (uint32_t i = 0; i < pool_state(state).count; i++) {
        uint8_t *slot = slot_at(pool, state, i);
        const SignalPoolKind *kind = &pool->kinds[slot_header(slot).kind];
        signal_repair(pool->output_type, slot + pool->output);
        if (kind->parameter_type != NULL)
            signal_repair(kind->parameter_type, slot + sizeof(SignalSlot) + kind->parameter);
    }
}

// Makes the members of a row what they were made at an instant before.
static void prepare(SignalFrame *frame, const SignalPool *pool, uint8_t *state) {
    if (pool_state(state).next_key == 0) signal_pool_init(pool, state);
    if (FILO_LIKELY(!damaged(pool, state))) {
        if (pool->repair) repair(pool, state);
        return;
    }
    signal_run_problem(frame, FILO_ERROR_DATA,
                       "the members of collection \"%s\" are damaged: it starts again",
                       pool->collection.name);
    signal_pool_init(pool, state);
}

void signal_pool_edit(const SignalPool *pool, uint8_t *state, FiloSfEdit edit, const void *value,
                      SignalFrame *frame) {
    prepare(frame, pool, state);
    edit(&(FiloSfMembers){ .pool = pool, .state = state, .frame = frame, .editable = true }, value);
}

// ---- Members --------------------------------------------------------------------------------------------------------

// The slot of a member; NULL past the end.
static const uint8_t *member_slot(const FiloSfMembers *members, size_t n) {
    if (!FILO_CHECK(members != NULL, "pass the members that the function was called with")) return NULL;
    return n < pool_state(members->state).count ? slot_at(members->pool, members->state, n) : NULL;
}

size_t filo_sf_members_count(const FiloSfMembers *members) {
    if (!FILO_CHECK(members != NULL, "pass the members that the function was called with")) return 0;
    return pool_state(members->state).count;
}

uint32_t filo_sf_members_key(const FiloSfMembers *members, size_t n) {
    const uint8_t *slot = member_slot(members, n);
    return slot != NULL ? slot_header(slot).key : 0;
}

FiloSfBranch filo_sf_members_branch(const FiloSfMembers *members, size_t n) {
    const uint8_t *slot = member_slot(members, n);
    if (slot == NULL) return (FiloSfBranch){ 0 };
    return (FiloSfBranch){ members->pool->builder, members->pool->kinds[slot_header(slot).kind].branch };
}

const void *filo_sf_members_parameter(const FiloSfMembers *members, size_t n) {
    const uint8_t *slot = member_slot(members, n);
    if (slot == NULL) return NULL;
    const SignalPoolKind *kind = &members->pool->kinds[slot_header(slot).kind];
    return kind->parameter_size > 0 ? slot + sizeof(SignalSlot) + kind->parameter : NULL;
}

void *filo_sf_members_user(const FiloSfMembers *members) {
    if (!FILO_CHECK(members != NULL, "pass the members that the function was called with")) return NULL;
    return members->pool->collection.user;
}

const void *filo_sf_members_output(const FiloSfMembers *members, size_t n) {
    const uint8_t *slot = member_slot(members, n);
    return slot != NULL && slot_header(slot).shown ? slot + members->pool->output : NULL;
}

// The number of a member in an edit function; as large as their count if there is none.
static uint32_t find_member(const FiloSfMembers *members, uint32_t key) {
    uint32_t n = 0, count = pool_state(members->state).count;
    while (n < count && slot_header(slot_at(members->pool, members->state, n)).key != key) n++;
    return n;
}

static void report_full(FiloSfMembers *members) {
    signal_run_problem(members->frame, FILO_ERROR_LIMIT, "collection \"%s\" is full: it has a capacity of %u",
                       members->pool->collection.name, members->pool->collection.capacity);
}

uint32_t filo_sf_members_add(FiloSfMembers *members, FiloSfBranch branch, FiloSfValue parameter) {
    if (!FILO_CHECK(members != NULL && members->editable, "add members inside an edit function")) return 0;
    const SignalPool *pool = members->pool;
    uint32_t kind = 0;
    while (kind < pool->collection.kind_count && pool->kinds[kind].branch != branch.branch) kind++;
    if (kind == pool->collection.kind_count) {
        signal_run_problem(members->frame, FILO_ERROR_ARGUMENT,
                           "collection \"%s\" has no such kind of members; declare the branch in `kinds`",
                           pool->collection.name);
        return 0;
    }
    const FiloType *type = parameter.type != NULL && parameter.value != NULL ? parameter.type() : NULL;
    if (!signal_same_type(type, pool->kinds[kind].parameter_type)) {
        signal_run_problem(members->frame, FILO_ERROR_ARGUMENT,
                           "collection \"%s\": a new member \"%s\" takes another parameter",
                           pool->collection.name, pool->kinds[kind].name);
        return 0;
    }
    uint32_t key = add_member(pool, members->state, branch.branch, type != NULL ? parameter.value : NULL);
    if (key == 0) report_full(members);
    return key;
}

bool filo_sf_members_remove(FiloSfMembers *members, uint32_t key) {
    if (!FILO_CHECK(members != NULL && members->editable, "remove members inside an edit function"))
        return false;
    SignalPoolState s = pool_state(members->state);
    uint32_t n = find_member(members, key);
    if (n == s.count) return false;
    uint8_t *slot = slot_at(members->pool, members->state, n);
    s.count--;
    memmove(slot, slot + members->pool->slot_size, (size_t)(s.count - n) * members->pool->slot_size);
    memset(slot_at(members->pool, members->state, s.count), 0, members->pool->slot_size);
    memcpy(members->state, &s, sizeof s);
    return true;
}

uint32_t filo_sf_members_copy(FiloSfMembers *members, uint32_t key) {
    if (!FILO_CHECK(members != NULL && members->editable, "copy members inside an edit function")) return 0;
    const SignalPool *pool = members->pool;
    SignalPoolState s = pool_state(members->state);
    uint32_t n = find_member(members, key);
    if (n == s.count) return 0;
    if (s.count == pool->collection.capacity) {
        report_full(members);
        return 0;
    }
    uint8_t *copy = slot_at(pool, members->state, s.count++);
    memcpy(copy, slot_at(pool, members->state, n), pool->slot_size);
    SignalSlot header = slot_header(copy);
    header.key = s.next_key++;
    memcpy(copy, &header, sizeof header);
    memcpy(members->state, &s, sizeof s);
    return header.key;
}

static void reverse(uint8_t *begin, uint8_t *end) {
    while (begin < end) {
        uint8_t byte = *begin;
        *begin++ = *--end;
        *end = byte;
    }
}

// Reverses the bytes of two neighbours, and then of both together: this exchanges them without further memory.
static void exchange(uint8_t *begin, uint8_t *middle, uint8_t *end) {
    reverse(begin, middle);
    reverse(middle, end);
    reverse(begin, end);
}

bool filo_sf_members_move(FiloSfMembers *members, uint32_t key, size_t n) {
    if (!FILO_CHECK(members != NULL && members->editable, "move members inside an edit function"))
        return false;
    uint32_t count = pool_state(members->state).count, from = find_member(members, key);
    if (from == count || n >= count) return false;
    uint8_t *slot = slot_at(members->pool, members->state, from),
            *to = slot_at(members->pool, members->state, n);
    size_t size = members->pool->slot_size;
    if (n < from) exchange(to, slot, slot + size);
    if (n > from) exchange(slot, slot + size, to + size);
    return true;
}

// ---- Running ----------------------------------------------------------------------------------------------------------

// The members of one kind that start, or that go on, up to a batch: their numbers.
static size_t pick(const SignalPool *pool, uint8_t *state, uint32_t count, uint32_t *next, uint32_t kind,
                   bool started, uint32_t *slots, size_t limit) {
    size_t found = 0;
    while (*next < count && found < limit) {
        SignalSlot s = slot_header(slot_at(pool, state, *next));
        if (s.kind == kind && (s.started != 0) == started) slots[found++] = *next;
        (*next)++;
    }
    return found;
}

// What members of a kind run: for their outputs alone, what these need.
static const SignalProgram *program_of(const SignalOp *op, uint32_t kind) {
    const SignalPoolKind *k = &op->pool->kinds[kind];
    return op->part == SIGNAL_SHOW ? k->shown : k->body;
}

// Whether members read what `route` makes.
static bool is_routed(const SignalOp *op) {
    if (op->pool->collection.route == NULL || op->part != SIGNAL_SHOW)
        return op->pool->collection.route != NULL;
    bool used[SIGNAL_LEAVES] = { false };
    for (uint32_t k = 0; k < op->pool->collection.kind_count; k++)
        signal_mark_inputs(op->pool->kinds[k].shown, used);
    return used[0];
}

// Runs some members of a row. `routed` has the inputs of all members; NULL: they have the input of the row.
static void run_members(SignalFrame *frame, const SignalOp *op, size_t row, uint8_t *state, uint32_t kind,
                        const uint32_t *slots, size_t count, bool init, const uint8_t *routed) {
    const SignalPool *pool = op->pool;
    const SignalProgram *p = program_of(op, kind);
    const uint32_t *operands = frame->program->operands + op->more;
    uint8_t *scratch = frame->scratch, *states = signal_scratch(frame, count * p->state_size);
    SignalDraw *draws = p->random ? signal_scratch(frame, count * sizeof *draws) : NULL;
    SignalFrame inner;
    signal_frame_init(&inner, p, frame);
    inner.state = states;
    inner.stride = p->state_size;
    inner.count = count;
    inner.init = init;
    inner.delta = init ? 0.0f : frame->delta;
    inner.draws = draws;
    for (uint32_t k = 0; k < p->input_count; k++) {
        if (!p->used[k]) continue;
        uint32_t r = p->input_registers[k], size = p->registers[r].size;
        uint8_t *to = inner.registers[r];
        for (size_t i = 0; i < count; i++) {
            bool own = routed != NULL && p->inputs[k] == 0;
            const uint8_t *from =
                own ? routed + slots[i] * size
                    : (const uint8_t *)frame->registers[operands[p->inputs[k]]] + row * size;
            memcpy(to + i * size, from, size);
        }
    }
    for (size_t i = 0; i < count; i++) {
        const uint8_t *slot = slot_at(pool, state, slots[i]);
        memcpy(states + i * p->state_size, slot + sizeof(SignalSlot), p->state_size);
        // Members have random numbers of their own: by the id of the row and their key.
        if (draws != NULL)
            draws[i] = (SignalDraw){ frame->draws[row].id ^ ((uint64_t)slot_header(slot).key << 40),
                                     frame->draws[row].sample };
    }
    signal_run_program(&inner);
    const uint8_t *out = inner.registers[p->outputs[0]];
    for (size_t i = 0; i < count; i++) {
        uint8_t *slot = slot_at(pool, state, slots[i]);
        SignalSlot header = slot_header(slot);
        header.shown = 1;
        header.started = init ? 2 : 1; // 2: it has started at this instant, and is not run again
        memcpy(slot, &header, sizeof header);
        memcpy(slot + sizeof header, states + i * p->state_size, p->state_size);
        memcpy(slot + pool->output, out + i * pool->output_size, pool->output_size);
    }
    frame->scratch = scratch;
}

// One instant of the members of a row.
static void run_row(SignalFrame *frame, const SignalOp *op, size_t row, uint8_t *state) {
    const SignalPool *pool = op->pool;
    const SignalCollection *c = &pool->collection;
    uint8_t *scratch = frame->scratch, *routed = NULL;
    SignalPoolState s = pool_state(state);
    if (s.count > 0 && is_routed(op)) {
        const void *inputs[SIGNAL_LEAVES];
        routed = signal_scratch(frame, (size_t)c->capacity * c->input_type->size);
        memset(routed, 0, (size_t)s.count * c->input_type->size);
        for (uint32_t k = 0; k < pool->env_count; k++) {
            uint32_t r = frame->program->operands[op->more + op->number + k];
            inputs[k] = (const uint8_t *)frame->registers[r] + row * frame->program->registers[r].size;
        }
        c->route(inputs, &(FiloSfMembers){ .pool = pool, .state = state, .frame = frame }, routed);
    }
    size_t limit = frame->run->network->batch;
    uint32_t *slots = signal_scratch(frame, limit * sizeof *slots);
    for (uint32_t kind = 0; kind < c->kind_count; kind++) {
        for (int init = 0; init < 2; init++) {
            size_t count;
            for (uint32_t next = 0;
                 (count = pick(pool, state, s.count, &next, kind, init == 0, slots, limit)) > 0;)
                run_members(frame, op, row, state, kind, slots, count, init == 1, routed);
        }
    }
    for (uint32_t i = 0; i < s.count; i++) {
        uint8_t *slot = slot_at(pool, state, i);
        SignalSlot header = slot_header(slot);
        header.started = 1;
        memcpy(slot, &header, sizeof header);
    }
    frame->scratch = scratch;
}

static void write_list(const SignalPool *pool, uint8_t *state, uint8_t *list) {
    SignalPoolState s = pool_state(state);
    FiloSfList header = { .count = s.count, .capacity = (uint16_t)pool->collection.capacity, .keyed = 1 };
    memset(list, 0, pool->list_size);
    memcpy(list, &header, sizeof header);
    for (uint32_t i = 0; i < s.count; i++) {
        const uint8_t *slot = slot_at(pool, state, i);
        memcpy(list + sizeof header + i * sizeof(uint32_t), slot, sizeof(uint32_t)); // its key comes first
        memcpy(list + pool->values + i * pool->output_size, slot + pool->output, pool->output_size);
    }
}

// Members whose output says so leave after they have been shown.
static void remove_ended(const SignalPool *pool, uint8_t *state, SignalFrame *frame) {
    if (pool->collection.ended == NULL) return;
    FiloSfMembers members = { .pool = pool, .state = state, .frame = frame, .editable = true };
    for (uint32_t i = pool_state(state).count; i > 0; i--) {
        const uint8_t *slot = slot_at(pool, state, i - 1);
        if (pool->collection.ended(slot + pool->output, pool->collection.user))
            (void)filo_sf_members_remove(&members, slot_header(slot).key);
    }
}

SIGNAL_KERNEL(pool) {
    const SignalPool *pool = op->pool;
    uint8_t *out = op->out[0] != SIGNAL_NO_REGISTER ? frame->registers[op->out[0]] : NULL;
    const uint8_t *present = op->in[0] != SIGNAL_NO_REGISTER ? frame->registers[op->in[0]] : NULL;
    for (size_t i = 0; i < frame->count; i++) {
        uint8_t *state = signal_state_at(frame, op, i), *scratch = frame->scratch;
        bool event = present != NULL && present[i], once_more = event && pool->delayed && out != NULL;
        if (op->part == SIGNAL_SHOW ||
            once_more) {                 // a delayed event: the old members are shown once more, but
            prepare(frame, pool, state); // go on from before this instant
            uint8_t *copy = signal_scratch(frame, pool->state_size);
            memcpy(copy, state, pool->state_size);
            if (once_more) {
                run_row(frame, op, i, copy);
                write_list(pool, copy, out + i * pool->list_size);
            } else
                state = copy;
        }
        prepare(frame, pool, state);
        const void *value = NULL;
        if (event && op->in[1] != SIGNAL_NO_REGISTER)
            value = (const uint8_t *)frame->registers[op->in[1]] + i * op->lanes;
        if (event) signal_pool_edit(pool, state, pool->edit, value, frame);
        run_row(frame, op, i, state);
        if (out != NULL && !once_more) write_list(pool, state, out + i * pool->list_size);
        remove_ended(pool, state, frame);
        frame->scratch = scratch;
    }
}
