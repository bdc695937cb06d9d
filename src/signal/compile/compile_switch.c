// Compiling switches. A switch and all branches that it leads to, one after the other, become one machine: its states are
// programs that share memory. A state is a branch together with the frozen function that was handed over to it, if any:
// the same branch with another function is another state.

#include "signal/compile/compile.h"
#include "signal/run/run.h"

typedef struct Machine {
    SignalCompiler *c;
    SignalMachine *m;
    SignalEnv *env; // the input of the switch
    SignalCaptures captures;
    uint32_t type; // of the output
} Machine;

#define MAX_STATES 256
#define MAX_DEPTH  16 // of switches inside each other, and of frozen functions

static uint32_t unnamed(const FiloSfBuilder *b, uint32_t node) {
    while (node != 0 && b->nodes[node].kind == SIGNAL_NAMED) node = b->nodes[node].children[0];
    return node;
}

// ---- Frozen functions ---------------------------------------------------------------------------------------------

// Whether what was frozen inside of a function is what the branch has got.
static bool has_parents(const SignalFrozen *frozen, const SignalScope *scope) {
    for (int i = 0; i < FILO_SF_OLDS; i++)
        if (frozen->parents[i] != NULL && frozen->parents[i] != scope->olds[i].frozen) return false;
    return true;
}

static bool is_wrapped(const SignalFrozen *frozen) {
    for (int i = 0; i < FILO_SF_OLDS; i++)
        if (frozen->parents[i] != NULL) return true;
    return false;
}

// The program of a function that is handed over: the node applied to the input of the switch. `scope` is that of the state in
// which it runs first.
static SignalFrozen *freeze(Machine *machine, SignalScope *scope, uint32_t node) {
    SignalCompiler *c = machine->c;
    for (SignalFrozen *f = machine->m->frozen; f != NULL; f = f->next)
        if (f->node == node && has_parents(f, scope)) return f;
    for (int i = 0; i < FILO_SF_OLDS; i++) {
        if (scope->olds[i].frozen == NULL || scope->olds[i].frozen->depth < MAX_DEPTH) continue;
        (void)signal_fail(c, FILO_ERROR_DATA, "%s is wrapped again at each switch, without end",
                          signal_label(c, node));
        return NULL;
    }
    SignalFrozen *frozen = signal_alloc(c, sizeof *frozen);
    SignalCaptures *captures = signal_alloc_compile(c, sizeof *captures);
    if (frozen == NULL || captures == NULL) return NULL;
    memcpy(captures->registers, scope->input.registers, sizeof captures->registers);
    captures->count = scope->input.count;
    SignalScope *inner = signal_scope(c, scope, "", &scope->input, captures);
    if (inner == NULL) return NULL;
    inner->old_branch = scope->old_branch;
    for (int i = 0; i < FILO_SF_OLDS; i++) inner->olds[i].frozen = scope->olds[i].frozen;
    SignalEnv *env = signal_env(c, inner, &inner->input);
    if (env == NULL) return NULL;
    SignalBundle out = signal_compile(c, env, node);
    if (out.type == 0) return NULL;
    memcpy(inner->program->outputs, out.registers, out.count * sizeof out.registers[0]);
    inner->program->output_count = out.count;
    if (!signal_order(c, inner)) return NULL;
    frozen->node = node;
    frozen->depth = 1;
    for (int i = 0; i < FILO_SF_OLDS; i++) {
        const SignalOld *old = &inner->olds[i];
        if (!old->held) continue;
        frozen->parents[i] = old->frozen;
        frozen->olds[i] = old->area;
        if (old->frozen->depth >= frozen->depth) frozen->depth = old->frozen->depth + 1;
        if (old->edit != NULL) scope->olds[i].edit = old->edit;
    }
    frozen->program = inner->program;
    frozen->type = out.type;
    frozen->env_count = scope->input.count;
    uint32_t offset = sizeof(SignalArea);
    for (uint32_t i = scope->input.count; i < captures->count; i++) {
        uint32_t k = frozen->capture_count++, size = scope->program->registers[captures->registers[i]].size;
        offset = signal_align(offset, 8);
        frozen->capture_offsets[k] = offset;
        frozen->capture_sizes[k] = size;
        frozen->capture_branches[k] = captures->branches[i];
        frozen->capture_roots[k] = captures->roots[i];
        offset += size;
    }
    frozen->offset = signal_align(offset, 8);
    frozen->size = frozen->offset + inner->program->state_size;
    frozen->next = machine->m->frozen;
    machine->m->frozen = frozen;
    return frozen;
}

// Whether a frozen function uses parameters of branches.
static bool captures_parameters(const SignalFrozen *frozen) {
    for (uint32_t i = 0; i < frozen->capture_count; i++)
        if (frozen->capture_branches[i] != 0) return true;
    return false;
}

// The operands of a frozen function in a scope: its input, then what it uses from outside. Parameters are found only in the scope
// where it runs first (`first`); later they are in its area. Returns how many there are.
static uint32_t area_operands(SignalCompiler *c, SignalScope *scope, const SignalFrozen *frozen,
                              const uint32_t *input, bool first, uint32_t node, uint32_t *operands) {
    memcpy(operands, input, frozen->env_count * sizeof *operands);
    uint32_t count = frozen->env_count;
    for (uint32_t i = 0; i < frozen->capture_count && c->problem.code == FILO_OK; i++) {
        uint32_t r = SIGNAL_NO_REGISTER;
        if (frozen->capture_roots[i] != 0)
            r = signal_capture_root(c, scope, frozen->capture_roots[i] - 1);
        else if (first)
            r = signal_parameter_in(c, scope, frozen->capture_branches[i], node).registers[0];
        operands[count++] = r;
    }
    return count;
}

SignalBundle signal_area(SignalCompiler *c, SignalScope *scope, const SignalFrozen *frozen, uint32_t area,
                         uint32_t *operands, uint32_t count, bool save, uint32_t node, uint32_t *saved) {
    SignalBundle out = signal_bundle_new(c, scope, frozen->type, node);
    SIGNAL_REQUIRE(out);
    SignalOp op = { .run = signal_run_area,
                    .kind = (uint8_t)c->builder->nodes[node].kind,
                    .node = node,
                    .in = SIGNAL_NO_INPUTS,
                    .out = { SIGNAL_NO_REGISTER, SIGNAL_NO_REGISTER },
                    .state = area,
                    .frozen = frozen,
                    .program = frozen->program,
                    .size = frozen->size,
                    .flag = captures_parameters(frozen) };
    for (uint32_t i = 0; i < frozen->capture_count; i++) op.scratch_rows += frozen->capture_sizes[i] + 64;
    op.scratch_fixed = 64 * SIGNAL_LEAVES;
    if (save) op.out[0] = *saved = signal_register(c, scope, frozen->size, NULL, node);
    bool used[SIGNAL_LEAVES] = { false };
    signal_mark_inputs(frozen->program, used);
    for (uint32_t i = 0; i < frozen->env_count && c->split; i++) // what it does not read is no dependency
        if (!used[i]) operands[i] = SIGNAL_NO_REGISTER;
    op.more = signal_operands(c, scope, operands, count);
    op.more_count = count;
    op.results = signal_operands(c, scope, out.registers, out.count);
    op.result_count = out.count;
    if (c->problem.code != FILO_OK) return (SignalBundle){ 0 };
    for (SignalScope *s = scope; s != NULL && frozen->program->random; s = s->parent)
        s->program->random = true;
    signal_emit(c, scope, &op);
    return out;
}

// Makes room for a frozen function that the branch got.
static void hold_old(SignalCompiler *c, SignalScope *scope, SignalOld *old, uint32_t node) {
    if (old->held) return;
    old->held = true;
    old->area = signal_state_add(c, scope, old->frozen->size, 8, NULL, node, "old");
}

SignalBundle signal_compile_old(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    SignalScope *scope = env->scope;
    SignalOld *old = n.number < FILO_SF_OLDS ? &scope->olds[n.number] : NULL;
    const char *branch = c->builder->branches[n.branch].name;
    if (scope->old_branch != n.branch)
        return signal_fail(c, FILO_ERROR_DATA,
                           "%s is used outside of branch \"%s\", or inside another function there",
                           signal_label(c, node), branch);
    if (old == NULL || old->frozen == NULL)
        return signal_fail(c, FILO_ERROR_DATA,
                           "%s: no function is handed over to branch \"%s\" on each way to it: "
                           "use k_switch, FILO_ON_WITH or start_with",
                           signal_label(c, node), branch);
    if (env->bundle.type != scope->input.type)
        return signal_fail(c, FILO_ERROR_KIND, "%s is applied to %s, and its input was %s",
                           signal_label(c, node), signal_type_text(c, env->bundle.type),
                           signal_type_text(c, scope->input.type));
    if (old->env == env->number && old->edit == n.edit) return old->bundle; // called again for the same
    if (old->env != 0)
        return signal_fail(c, FILO_ERROR_DATA, "%s: it is used twice in branch \"%s\"", signal_label(c, node),
                           branch);
    if (old->held)
        return signal_fail(c, FILO_ERROR_DATA,
                           "%s: branch \"%s\" runs it and hands it over too: use k_switch for that",
                           signal_label(c, node), branch);
    hold_old(c, scope, old, node);
    old->env = env->number;
    old->edit = n.edit;
    uint32_t operands[SIGNAL_LEAVES * 2];
    uint32_t count = area_operands(c, scope, old->frozen, env->bundle.registers, false, node, operands);
    if (c->problem.code != FILO_OK) return (SignalBundle){ 0 };
    old->bundle =
        signal_area(c, scope, old->frozen, old->area, operands, count, old->save, node, &old->saved);
    return old->bundle;
}

// ---- States ------------------------------------------------------------------------------------------------------------

// The state of a branch; a new one if there is none.
static uint32_t state_of(Machine *machine, uint32_t branch, SignalFrozen *const frozen[FILO_SF_OLDS],
                         const FiloType *parameter, uint32_t node) {
    SignalCompiler *c = machine->c;
    SignalMachine *m = machine->m;
    for (uint32_t i = 0; i < m->state_count; i++)
        if (branch != 0 && m->states[i].branch == branch &&
            memcmp(m->states[i].frozen, frozen, sizeof m->states[i].frozen) == 0)
            return i;
    if (m->state_count >= MAX_STATES) {
        (void)signal_fail(c, FILO_ERROR_LIMIT, "%s leads to more than %d branches", signal_label(c, m->node),
                          MAX_STATES);
        return 0;
    }
    const char *name = branch != 0 ? c->builder->branches[branch].name : "start";
    char *copy = signal_alloc(c, strlen(name) + 1);
    if (copy == NULL) return 0;
    memcpy(copy, name, strlen(name) + 1);
    SignalState *state = &m->states[m->state_count];
    *state = (SignalState){ .branch = branch, .name = copy, .parameter_type = parameter, .node = node };
    memcpy(state->frozen, frozen, sizeof state->frozen);
    for (int i = 0; i < FILO_SF_OLDS; i++) state->olds[i] = UINT32_MAX;
    return m->state_count++;
}

// The type of the parameter of a branch that an event with this value leads to. False after an error.
static bool parameter_for(Machine *machine, uint32_t branch, uint32_t event, const SignalBundle *value,
                          const FiloType **type) {
    SignalCompiler *c = machine->c;
    const SignalBranch *b = &c->builder->branches[branch];
    const SignalType *t = signal_type(c, value->type);
    *type = b->any_parameter ? (t->kind == SIGNAL_TYPE_VALUE ? t->value : NULL) : b->parameter;
    if (b->any_parameter && t->kind != SIGNAL_TYPE_VALUE && t->kind != SIGNAL_TYPE_NOTHING) {
        (void)signal_fail(c, FILO_ERROR_KIND, "%s must have one value, or none; it is an event of %s",
                          signal_label(c, event), signal_type_text(c, value->type));
        return false;
    }
    if (*type == NULL || (t->kind == SIGNAL_TYPE_VALUE && signal_same_type(t->value, *type))) return true;
    (void)signal_fail(c, FILO_ERROR_KIND,
                      "branch \"%s\" takes %s, and %s, which leads to it, is an event of %s", b->name,
                      (*type)->name, signal_label(c, event), signal_type_text(c, value->type));
    return false;
}

// The function that an exit names: what the branch has got, which is passed on, or a new one. NULL after an error.
static SignalFrozen *named_old(Machine *machine, SignalScope *scope, const SignalExit *exit, uint32_t k,
                               SignalTransition *t, uint32_t number) {
    SignalCompiler *c = machine->c;
    uint32_t node = unnamed(c->builder, exit->old[k]);
    const SignalNode *n = &c->builder->nodes[node];
    if (n->kind == SIGNAL_OLD) {
        SignalOld *old = n->number < FILO_SF_OLDS ? &scope->olds[n->number] : NULL;
        bool ours = old != NULL && old->frozen != NULL && n->branch == scope->old_branch;
        if (!ours || old->env != 0) {
            (void)signal_fail(c, FILO_ERROR_DATA, "%s is handed over to branch \"%s\", and it %s",
                              signal_label(c, node), c->builder->branches[exit->branch].name,
                              ours ? "runs in this branch: use k_switch for that"
                                   : "does not belong to this branch");
            return NULL;
        }
        hold_old(c, scope, old, node);
        t->olds[number].kind = SIGNAL_OLD_PASSED;
        t->olds[number].from = n->number;
        return old->frozen;
    }
    SignalFrozen *frozen = freeze(machine, scope, exit->old[k]);
    if (frozen == NULL || (!captures_parameters(frozen) && !is_wrapped(frozen))) return frozen;
    (void)signal_fail(c, FILO_ERROR_DATA, "%s is handed over new, and uses the parameter of a branch",
                      signal_label(c, exit->old[k]));
    return NULL;
}

// What an exit hands over: `handed` of a k_switch, whose area is in the register `saved`, then what the exit names.
static bool hand_over(Machine *machine, SignalScope *scope, const SignalExit *exit, SignalFrozen *handed,
                      uint32_t saved, SignalTransition *t, SignalFrozen *frozen[FILO_SF_OLDS]) {
    uint32_t count = 0;
    if (handed != NULL) {
        t->olds[0].kind = SIGNAL_OLD_SAVED;
        t->olds[0].from = scope->program->output_count;
        scope->program->outputs[scope->program->output_count++] = saved;
        frozen[count++] = handed;
    }
    for (uint32_t k = 0; k < FILO_SF_OLDS && exit->old[k] != 0; k++, count++) {
        if (count == FILO_SF_OLDS) {
            (void)signal_fail(machine->c, FILO_ERROR_LIMIT, "branch \"%s\" gets more than %d functions",
                              machine->c->builder->branches[exit->branch].name, FILO_SF_OLDS);
            return false;
        }
        frozen[count] = named_old(machine, scope, exit, k, t, count);
        if (frozen[count] == NULL) return false;
    }
    return true;
}

// The exits of a switch, as transitions. Their events are outputs of the body behind `first`.
static bool compile_exits(Machine *machine, SignalState *state, SignalScope *scope, SignalEnv *env,
                          const SignalNode *n, SignalFrozen *handed, uint32_t saved) {
    SignalCompiler *c = machine->c;
    SignalProgram *body = scope->program;
    state->transitions = signal_alloc(c, (n->number + 1) * sizeof *state->transitions);
    if (state->transitions == NULL) return false;
    for (uint32_t i = 0; i < n->number; i++) {
        SignalExit exit = n->exits[i];
        SignalBundle event = signal_compile(c, env, exit.event);
        if (event.type == 0) return false;
        if (signal_type(c, event.type)->kind != SIGNAL_TYPE_EVENT) {
            (void)signal_fail(c, FILO_ERROR_KIND, "%s takes an event for branch \"%s\", and %s is %s",
                              signal_label(c, machine->m->node), c->builder->branches[exit.branch].name,
                              signal_label(c, exit.event), signal_type_text(c, event.type));
            return false;
        }
        SignalBundle value = signal_bundle_part(c, &event, 0);
        SignalTransition *t = &state->transitions[state->transition_count++];
        const FiloType *parameter;
        if (!parameter_for(machine, exit.branch, exit.event, &value, &parameter)) return false;
        t->delayed = n->flag;
        t->value = SIGNAL_NO_REGISTER;
        if (body->output_count + 3 > SIGNAL_LEAVES * 2) {
            (void)signal_fail(c, FILO_ERROR_LIMIT, "%s has too many outputs and events",
                              signal_label(c, machine->m->node));
            return false;
        }
        t->presence = body->output_count;
        body->outputs[body->output_count++] = event.registers[0];
        if (parameter != NULL) {
            t->value = body->output_count;
            body->outputs[body->output_count++] = value.registers[0];
        }
        SignalFrozen *frozen[FILO_SF_OLDS] = { NULL };
        if (!hand_over(machine, scope, &exit, handed, saved, t, frozen)) return false;
        t->target = state_of(machine, exit.branch, frozen, parameter, machine->m->node);
        if (c->problem.code != FILO_OK) return false;
    }
    return true;
}

// The output of a k_switch: a program that can be frozen. Sets *handed, and the register with its area before the step.
static SignalBundle frozen_output(Machine *machine, SignalScope *scope, SignalEnv *env, uint32_t node,
                                  SignalFrozen **handed, uint32_t *saved) {
    SignalCompiler *c = machine->c;
    const SignalNode *inner = &c->builder->nodes[unnamed(c->builder, node)];
    if (inner->kind == SIGNAL_OLD && inner->branch == scope->old_branch && inner->number < FILO_SF_OLDS &&
        scope->olds[inner->number].frozen != NULL) {
        SignalOld *old = &scope->olds[inner->number];
        old->save = true;
        *handed = old->frozen;
        SignalBundle out = signal_compile(c, env, node);
        *saved = old->saved;
        return out;
    }
    SignalFrozen *frozen = freeze(machine, scope, node);
    if (frozen == NULL) return (SignalBundle){ 0 };
    uint32_t operands[SIGNAL_LEAVES * 2];
    uint32_t count = area_operands(c, scope, frozen, scope->input.registers, true, node, operands);
    uint32_t area = signal_state_add(c, scope, frozen->size, 8, NULL, node, "function");
    if (c->problem.code != FILO_OK) return (SignalBundle){ 0 };
    for (int i = 0; i < FILO_SF_OLDS; i++) { // what the branch got lives inside of it
        if (frozen->parents[i] == NULL) continue;
        scope->olds[i].held = true;
        scope->olds[i].env = UINT32_MAX;
        scope->olds[i].area = area + frozen->offset + frozen->olds[i];
    }
    *handed = frozen;
    return signal_area(c, scope, frozen, area, operands, count, true, node, saved);
}

// The pool that the edited frozen function consists of.
static bool find_pool(Machine *machine, SignalState *state, const SignalOld *old) {
    SignalCompiler *c = machine->c;
    const SignalProgram *p = old->frozen->program;
    for (uint32_t i = 0; i < p->op_count; i++) {
        const SignalOp *op = &p->ops[i];
        if (op->pool == NULL || p->output_count != 1 || p->outputs[0] != op->out[0]) continue;
        state->edit = old->edit;
        state->edit_pool = op->pool;
        state->edit_state = old->area + old->frozen->offset + op->state;
        return true;
    }
    (void)signal_fail(c, FILO_ERROR_KIND,
                      "branch \"%s\" edits members, and what is handed over to it is no collection",
                      state->name);
    return false;
}

static bool compile_state(Machine *machine, uint32_t number) {
    SignalCompiler *c = machine->c;
    SignalState *state = &machine->m->states[number];
    SignalScope *scope =
        signal_scope(c, machine->env->scope, state->name, &machine->env->bundle, &machine->captures);
    if (scope == NULL) return false;
    scope->branch = scope->old_branch = state->branch;
    for (int i = 0; i < FILO_SF_OLDS; i++) scope->olds[i].frozen = state->frozen[i];
    scope->parameter_type = state->parameter_type;
    scope->any_parameter = state->branch != 0 && c->builder->branches[state->branch].any_parameter;
    uint32_t definition = state->branch != 0 ? c->builder->branches[state->branch].definition : state->node;
    if (definition == 0) {
        (void)signal_fail(c, FILO_ERROR_DATA, "branch \"%s\" is not defined: call filo_sf_define",
                          state->name);
        return false;
    }
    definition = unnamed(c->builder, definition);
    if (state->parameter_type != NULL) {
        state->parameter_size = (uint32_t)state->parameter_type->size;
        scope->parameter =
            signal_state_add(c, scope, state->parameter_size, (uint32_t)state->parameter_type->align,
                             state->parameter_type, definition, "parameter");
    }
    SignalEnv *env = signal_env(c, scope, &scope->input);
    if (env == NULL) return false;
    SignalNode n = c->builder->nodes[definition];
    bool leads_on = n.kind == SIGNAL_SWITCH || n.kind == SIGNAL_K_SWITCH;
    SignalFrozen *handed = NULL;
    uint32_t saved = SIGNAL_NO_REGISTER;
    uint32_t output_node =
        leads_on || (state->branch == 0 && n.kind == SIGNAL_R_SWITCH) ? n.children[0] : definition;
    SignalBundle out = n.kind == SIGNAL_K_SWITCH
                           ? frozen_output(machine, scope, env, output_node, &handed, &saved)
                           : signal_compile(c, env, output_node);
    if (out.type == 0) return false;
    if (machine->type == 0) machine->type = out.type;
    if (out.type != machine->type) {
        (void)signal_fail(c, FILO_ERROR_KIND, "%s: branch \"%s\" gives %s, and branch \"%s\" gives %s",
                          signal_label(c, machine->m->node), machine->m->states[0].name,
                          signal_type_text(c, machine->type), state->name, signal_type_text(c, out.type));
        return false;
    }
    memcpy(scope->program->outputs, out.registers, out.count * sizeof out.registers[0]);
    scope->program->output_count = machine->m->output_count = out.count;
    if (leads_on && !compile_exits(machine, state, scope, env, &n, handed, saved)) return false;
    if (!signal_order(c, scope)) return false;
    state->body = scope->program;
    state->shown = signal_shown(c, state->body, n.flag ? out.count : state->body->output_count);
    state->parameter = scope->parameter;
    for (int i = 0; i < FILO_SF_OLDS; i++) {
        if (scope->olds[i].held) state->olds[i] = scope->olds[i].area;
        if (scope->olds[i].edit != NULL && !find_pool(machine, state, &scope->olds[i])) return false;
    }
    if (state->body->state_size > machine->m->area_size) machine->m->area_size = state->body->state_size;
    return true;
}

// ---- The switch ------------------------------------------------------------------------------------------------------------

// The first state of filo_sf_start.
static bool start_state(Machine *machine, uint32_t node) {
    SignalCompiler *c = machine->c;
    SignalNode n = c->builder->nodes[node];
    const SignalBranch *b = &c->builder->branches[n.branch];
    if (!signal_same_type(b->parameter, n.type)) {
        (void)signal_fail(
            c, FILO_ERROR_KIND, "%s: branch \"%s\" takes %s, and gets %s", signal_label(c, node), b->name,
            b->parameter != NULL ? b->parameter->name : "nothing", n.type != NULL ? n.type->name : "nothing");
        return false;
    }
    if (n.value != NULL) {
        void *copy = signal_alloc(c, n.type->size);
        if (copy == NULL) return false;
        memcpy(copy, n.value, n.type->size);
        machine->m->initial = copy;
    }
    SignalFrozen *frozen[FILO_SF_OLDS] = { NULL };
    if (n.child_count > 0) {
        // It is new, so it is compiled in a scope that has nothing but the input.
        SignalScope *scope =
            signal_scope(c, machine->env->scope, "start", &machine->env->bundle, &machine->captures);
        if (scope == NULL) return false;
        frozen[0] = freeze(machine, scope, n.children[0]);
        if (frozen[0] == NULL) return false;
        if (captures_parameters(frozen[0])) {
            (void)signal_fail(c, FILO_ERROR_DATA, "%s is handed over new, and uses the parameter of a branch",
                              signal_label(c, n.children[0]));
            return false;
        }
    }
    (void)state_of(machine, n.branch, frozen, b->parameter, node);
    return c->problem.code == FILO_OK;
}

// The events of a recurring switch belong to the outer program.
static bool compile_recurring(Machine *machine, uint32_t node, uint32_t *operands, uint32_t *count) {
    SignalCompiler *c = machine->c;
    SignalNode n = c->builder->nodes[node];
    machine->m->recurring = signal_alloc(c, (n.number + 1) * sizeof *machine->m->recurring);
    if (machine->m->recurring == NULL) return false;
    for (uint32_t i = 0; i < n.number; i++) {
        SignalBundle event = signal_compile(c, machine->env, n.exits[i].event);
        if (event.type == 0) return false;
        if (signal_type(c, event.type)->kind != SIGNAL_TYPE_EVENT) {
            (void)signal_fail(c, FILO_ERROR_KIND, "%s takes an event for branch \"%s\", and %s is %s",
                              signal_label(c, node), c->builder->branches[n.exits[i].branch].name,
                              signal_label(c, n.exits[i].event), signal_type_text(c, event.type));
            return false;
        }
        SignalBundle value = signal_bundle_part(c, &event, 0);
        const FiloType *parameter;
        if (!parameter_for(machine, n.exits[i].branch, n.exits[i].event, &value, &parameter)) return false;
        SignalTransition *t = &machine->m->recurring[machine->m->recurring_count++];
        *t = (SignalTransition){ .delayed = n.flag, .value = SIGNAL_NO_REGISTER };
        t->presence = *count;
        operands[(*count)++] = event.registers[0];
        if (parameter != NULL) {
            t->value = *count;
            operands[(*count)++] = value.registers[0];
        }
        t->target =
            state_of(machine, n.exits[i].branch, (SignalFrozen *[FILO_SF_OLDS]){ NULL }, parameter, node);
        if (c->problem.code != FILO_OK) return false;
    }
    return true;
}

static SignalBundle compile_machine(Machine *machine, uint32_t node) {
    SignalCompiler *c = machine->c;
    SignalMachine *m = machine->m;
    SignalScope *scope = machine->env->scope;
    uint32_t operands[SIGNAL_LEAVES * 3], count = 0, recurring[SIGNAL_LEAVES], recurring_count = 0;
    SignalKind kind = c->builder->nodes[node].kind;
    if (kind == SIGNAL_START) {
        if (!start_state(machine, node)) return (SignalBundle){ 0 };
    } else
        (void)state_of(machine, 0, (SignalFrozen *[FILO_SF_OLDS]){ NULL }, NULL, node);
    if (kind == SIGNAL_R_SWITCH && !compile_recurring(machine, node, recurring, &recurring_count))
        return (SignalBundle){ 0 };
    for (uint32_t i = 0; i < m->state_count; i++)
        if (!compile_state(machine, i)) return (SignalBundle){ 0 };
    SignalBundle out = signal_bundle_new(c, scope, machine->type, node);
    SIGNAL_REQUIRE(out);
    memcpy(operands, machine->captures.registers, machine->captures.count * sizeof operands[0]);
    count = machine->captures.count;
    bool used[SIGNAL_LEAVES] = { false }, shown[SIGNAL_LEAVES] = { false };
    for (uint32_t s = 0; s < m->state_count; s++) {
        signal_mark_inputs(m->states[s].body, used);
        signal_mark_inputs(m->states[s].shown, shown);
    }
    for (uint32_t i = 0; i < count; i++) // what no branch reads is no dependency
        if (!used[i]) operands[i] = SIGNAL_NO_REGISTER;
    for (uint32_t i = 0; i < m->recurring_count; i++) { // they follow the inputs
        m->recurring[i].presence += count;
        if (m->recurring[i].value != SIGNAL_NO_REGISTER) m->recurring[i].value += count;
    }
    memcpy(operands + count, recurring, recurring_count * sizeof operands[0]);
    count += recurring_count;
    SignalOp op = { .run = signal_run_machine,
                    .kind = (uint8_t)kind,
                    .node = node,
                    .in = SIGNAL_NO_INPUTS,
                    .out = { SIGNAL_NO_REGISTER, SIGNAL_NO_REGISTER },
                    .machine = m,
                    .scratch_rows = 8 * (uint32_t)sizeof(uint32_t),
                    .scratch_fixed = 1024 + m->area_size };
    op.state = signal_state_add(c, scope, (uint32_t)sizeof(SignalMachineState) + m->area_size, 8, NULL, node,
                                "branch");
    op.more = signal_operands(c, scope, operands, count);
    op.more_count = count;
    op.results = signal_operands(c, scope, out.registers, out.count);
    op.result_count = out.count;
    for (uint32_t i = 0; i < count; i++) {
        bool event = i >= machine->captures.count;
        if (event ? m->recurring[0].delayed : !shown[i]) operands[i] = SIGNAL_NO_REGISTER;
    }
    signal_set_shown(c, scope, &op, op.in, operands);
    if (c->problem.code != FILO_OK) return (SignalBundle){ 0 };
    signal_emit(c, scope, &op);
    for (uint32_t i = 0; i < m->state_count; i++)
        if (m->states[i].body->random) scope->program->random = true;
    m->next = c->network->machines;
    c->network->machines = m;
    return out;
}

SignalBundle signal_compile_switch(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    if (c->machine_depth >= MAX_DEPTH)
        return signal_fail(c, FILO_ERROR_DATA,
                           "%s: switches inside each other without end; a branch must lead to itself by a "
                           "switch that is all of its definition",
                           signal_label(c, node));
    Machine *machine = signal_alloc_compile(c, sizeof *machine);
    if (machine == NULL) return (SignalBundle){ 0 };
    *machine = (Machine){ .c = c, .env = env, .m = signal_alloc(c, sizeof *machine->m) };
    if (machine->m == NULL) return (SignalBundle){ 0 };
    machine->m->node = node;
    machine->m->states = signal_alloc(c, MAX_STATES * sizeof(SignalState));
    if (machine->m->states == NULL) return (SignalBundle){ 0 };
    machine->captures.count = env->bundle.count;
    memcpy(machine->captures.registers, env->bundle.registers, sizeof machine->captures.registers);
    c->machine_depth++;
    SignalBundle out = compile_machine(machine, node);
    c->machine_depth--;
    return out;
}
