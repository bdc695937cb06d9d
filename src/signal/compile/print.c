// Networks as text and as graphs.

#include "signal/compile/compile.h"
#include "signal/run/run.h"

#include <stdarg.h>
#include <stdio.h>

typedef struct Text {
    char *text;
    size_t size, length;
    const FiloNetwork *network;
} Text;

static void add(Text *t, const char *format, ...) FILO_PRINTF(2, 3);
static void add(Text *t, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    size_t left = t->length < t->size ? t->size - t->length : 0;
    int length = vsnprintf(left > 0 ? t->text + t->length : NULL, left, format, arguments);
    va_end(arguments);
    if (length > 0) t->length += (size_t)length;
}

static Text begin(const FiloNetwork *network, char *text, size_t size) {
    Text t = { text, text != NULL ? size : 0, 0, network };
    if (t.size > 0) t.text[0] = '\0';
    return t;
}

// "integral 7", of the operation that makes a register; inputs have their names.
static void add_register(Text *t, const SignalProgram *p, uint32_t r) {
    if (r == SIGNAL_NO_REGISTER) {
        add(t, "–");
        return;
    }
    const SignalRegister *reg = &p->registers[r];
    if (reg->name != NULL)
        add(t, "%s", reg->name);
    else
        add(t, "%%%u", r);
    if (reg->presence) add(t, "?");
}

static const char *type_name(const SignalRegister *r) {
    if (r->presence) return "event";
    return r->type != NULL ? r->type->name : "bytes";
}

static bool is_update(const SignalOp *op) {
    return op->run == signal_run_store || op->run == signal_run_store4 ||
           op->run == signal_run_delay_update || op->run == signal_run_delay_event_update ||
           op->part == SIGNAL_ADVANCE;
}

// ---- Listing ----------------------------------------------------------------------------------------------------

static void print_program(Text *t, const SignalProgram *p, int indent);

static void print_inside(Text *t, const SignalOp *op, int indent) {
    if (op->part == SIGNAL_ADVANCE) return; // it is listed with the other half
    if (op->machine != NULL) {
        for (uint32_t i = 0; i < op->machine->state_count; i++) {
            const SignalState *s = &op->machine->states[i];
            add(t, "%*sbranch %s", indent, "", s->name);
            if (s->parameter_type != NULL) add(t, " (%s)", s->parameter_type->name);
            for (uint32_t k = 0; k < s->transition_count; k++) {
                add(t, "%s", k == 0 ? ", leads to " : ", ");
                add(t, "%s on ", op->machine->states[s->transitions[k].target].name);
                add_register(t, s->body, s->body->outputs[s->transitions[k].presence]);
            }
            add(t, ":\n");
            print_program(t, s->body, indent + 2);
        }
    }
    if (op->pool != NULL) {
        for (uint32_t i = 0; i < op->pool->collection.kind_count; i++) {
            add(t, "%*smembers %s, up to %u:\n", indent, "", op->pool->kinds[i].name,
                op->pool->collection.capacity);
            print_program(t, op->pool->kinds[i].body, indent + 2);
        }
    }
    if (op->program != NULL) print_program(t, op->program, indent);
}

static void print_program(Text *t, const SignalProgram *p, int indent) {
    for (uint32_t i = 0; i < p->op_count; i++) {
        const SignalOp *op = &p->ops[i];
        add(t, "%*s", indent, "");
        uint32_t outs[2 + SIGNAL_LEAVES], count = 0;
        for (int k = 0; k < 2; k++)
            if (op->out[k] != SIGNAL_NO_REGISTER) outs[count++] = op->out[k];
        for (uint32_t k = 0; k < op->result_count && k < SIGNAL_LEAVES; k++)
            outs[count++] = p->operands[op->results + k];
        for (uint32_t k = 0; k < count; k++) {
            if (k > 0) add(t, ", ");
            add_register(t, p, outs[k]);
            add(t, ": %s", type_name(&p->registers[outs[k]]));
        }
        add(t, "%s%s%s", count > 0 ? " = " : "", is_update(op) ? "update of " : "",
            signal_kind_names[op->kind]);
        bool first = true;
        for (int k = 0; k < 4; k++) {
            if (op->in[k] == SIGNAL_NO_REGISTER) continue;
            add(t, "%s", first ? " " : ", ");
            add_register(t, p, op->in[k]);
            first = false;
        }
        add(t, "\n");
        print_inside(t, op, indent + 2);
    }
    add(t, "%*s→ ", indent, "");
    for (uint32_t i = 0; i < p->output_count; i++) {
        if (i > 0) add(t, ", ");
        add_register(t, p, p->outputs[i]);
    }
    add(t, "\n");
}

size_t filo_network_print(const FiloNetwork *network, char *text, size_t size) {
    if (!FILO_CHECK_MADE(network != NULL, "pass a network")) return 0;
    Text t = begin(network, text, size);
    add(&t, "network %s, %zu bytes of state, %u rows at a time\n", network->name, network->state_size,
        network->batch);
    print_program(&t, network->program, 2);
    return t.length;
}

// Programs and switches have numbers, for names in a graph.
static unsigned program_number(const Text *t, const SignalProgram *p) {
    unsigned n = 0;
    for (const SignalProgram *q = t->network->program; q != NULL && q != p; q = q->next) n++;
    return n;
}

static unsigned machine_number(const Text *t, const SignalMachine *m) {
    unsigned n = 0;
    for (const SignalMachine *q = t->network->machines; q != NULL && q != m; q = q->next) n++;
    return n;
}

// ---- Graph of operations ------------------------------------------------------------------------------------------

// An edge from what makes a register.
static void draw_edge(Text *t, const SignalProgram *p, uint32_t r, const char *to, bool decoupled) {
    if (r == SIGNAL_NO_REGISTER) return;
    const char *style = decoupled                  ? " [style=dashed constraint=false]"
                        : p->registers[r].presence ? " [color=\"#b04020\"]"
                                                   : "";
    for (uint32_t i = 0; i < p->op_count; i++) {
        const SignalOp *op = &p->ops[i];
        bool makes = op->out[0] == r || op->out[1] == r;
        for (uint32_t k = 0; k < op->result_count; k++) makes = makes || p->operands[op->results + k] == r;
        if (makes) {
            add(t, "  n%u_%u -> %s%s;\n", program_number(t, p), i, to, style);
            return;
        }
    }
    add(t, "  i%u_%u -> %s%s;\n", program_number(t, p), r, to, style);
}

static void draw_program(Text *t, const SignalProgram *p) {
    char to[64];
    for (uint32_t i = 0; i < p->input_count; i++) {
        uint32_t r = p->input_registers[i];
        if (!p->used[i]) continue;
        add(t, "  i%u_%u [label=\"%s\" shape=box style=\"rounded,filled\" fillcolor=\"#e8f0ff\"];\n",
            program_number(t, p), r, p->registers[r].name != NULL ? p->registers[r].name : "input");
    }
    for (uint32_t i = 0; i < p->op_count; i++) {
        const SignalOp *op = &p->ops[i];
        if (is_update(op)) continue;
        const char *name = op->out[0] != SIGNAL_NO_REGISTER ? p->registers[op->out[0]].name : NULL;
        if (op->result_count > 0) name = p->registers[p->operands[op->results]].name;
        add(t, "  n%u_%u [label=\"%s%s%s\"];\n", program_number(t, p), i, signal_kind_names[op->kind],
            name != NULL ? "\\n" : "", name != NULL ? name : "");
    }
    for (uint32_t i = 0; i < p->op_count; i++) {
        const SignalOp *op = &p->ops[i];
        uint32_t target = i;
        for (uint32_t k = 0; k < p->op_count && is_update(op);
             k++) // an update belongs to the operation with its state
            if (!is_update(&p->ops[k]) && p->ops[k].kind == op->kind && p->ops[k].node == op->node)
                target = k;
        (void)snprintf(to, sizeof to, "n%u_%u", program_number(t, p), target);
        for (int k = 0; k < 4; k++) draw_edge(t, p, op->in[k], to, is_update(op));
        for (uint32_t k = 0; k < op->more_count; k++)
            draw_edge(t, p, p->operands[op->more + k], to, is_update(op));
    }
    for (uint32_t i = 0; i < p->op_count; i++) {
        const SignalOp *op = &p->ops[i];
        if (op->machine == NULL || is_update(op)) continue;
        for (uint32_t k = 0; k < op->machine->state_count; k++) {
            const SignalState *s = &op->machine->states[k];
            add(t, "  subgraph cluster_%u {\n  label=\"%s\"; style=rounded; color=\"#888888\";\n",
                program_number(t, s->body), s->name);
            draw_program(t, s->body);
            add(t, "  }\n");
        }
    }
}

size_t filo_network_draw(const FiloNetwork *network, char *text, size_t size) {
    if (!FILO_CHECK_MADE(network != NULL, "pass a network")) return 0;
    Text t = begin(network, text, size);
    add(&t, "digraph \"%s\" {\n  rankdir=LR;\n  node [shape=box fontname=\"sans-serif\"];\n", network->name);
    draw_program(&t, network->program);
    add(&t, "  out [label=\"output\" shape=box style=\"rounded,filled\" fillcolor=\"#e8ffe8\"];\n");
    for (uint32_t i = 0; i < network->program->output_count; i++)
        draw_edge(&t, network->program, network->program->outputs[i], "out", false);
    add(&t, "}\n");
    return t.length;
}

// ---- Graph of branches ----------------------------------------------------------------------------------------------

static void draw_machine(Text *t, const SignalMachine *m) {
    for (uint32_t i = 0; i < m->state_count; i++)
        add(t, "  s%u_%u [label=\"%s\"%s];\n", machine_number(t, m), i, m->states[i].name,
            i == 0 ? " penwidth=2" : "");
    for (uint32_t i = 0; i < m->state_count; i++) {
        const SignalState *s = &m->states[i];
        for (uint32_t k = 0; k < s->transition_count; k++) {
            const SignalRegister *r = &s->body->registers[s->body->outputs[s->transitions[k].presence]];
            add(t, "  s%u_%u -> s%u_%u [label=\"%s\"%s];\n", machine_number(t, m), i, machine_number(t, m),
                s->transitions[k].target, r->name != NULL ? r->name : "",
                s->transitions[k].delayed ? " style=dashed" : "");
        }
    }
    for (uint32_t k = 0; k < m->recurring_count; k++) {
        add(t, "  any%u [label=\"\" shape=point];\n", machine_number(t, m));
        add(t, "  any%u -> s%u_%u%s;\n", machine_number(t, m), machine_number(t, m), m->recurring[k].target,
            m->recurring[k].delayed ? " [style=dashed]" : "");
    }
}

size_t filo_network_draw_states(const FiloNetwork *network, char *text, size_t size) {
    if (!FILO_CHECK_MADE(network != NULL, "pass a network")) return 0;
    Text t = begin(network, text, size);
    add(&t,
        "digraph \"%s\" {\n  node [shape=box style=rounded fontname=\"sans-serif\"];\n  edge "
        "[fontname=\"sans-serif\"];\n",
        network->name);
    for (const SignalMachine *m = network->machines; m != NULL; m = m->next) draw_machine(&t, m);
    add(&t, "}\n");
    return t.length;
}

// ---- The branch of an object ------------------------------------------------------------------------------------------

size_t filo_network_branch_path(const FiloNetwork *network, const void *state, char *text, size_t size) {
    if (!FILO_CHECK_MADE(network != NULL && state != NULL, "pass a network, and the state of an object"))
        return 0;
    Text t = begin(network, text, size);
    uint64_t id;
    memcpy(&id, state, sizeof id);
    const uint8_t *bytes = state;
    for (const SignalProgram *p = (uint32_t)id == network->id ? network->program : NULL; p != NULL;) {
        const SignalOp *op = NULL;
        for (uint32_t i = 0; i < p->op_count && op == NULL; i++)
            if (p->ops[i].machine != NULL || p->ops[i].frozen != NULL) op = &p->ops[i];
        if (op == NULL) break;
        bytes += op->state;
        if (op->frozen != NULL) { // a function that can be handed over: the switch may be inside
            bytes += op->frozen->offset;
            p = op->frozen->program;
            continue;
        }
        SignalMachineState machine;
        memcpy(&machine, bytes, sizeof machine);
        if (machine.state >= op->machine->state_count) break;
        add(&t, "%s%s", t.length > 0 ? "." : "", op->machine->states[machine.state].name);
        bytes += sizeof machine;
        p = op->machine->states[machine.state].body;
    }
    return t.length;
}
