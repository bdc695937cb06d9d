// Nodes of switches, branches and collections.

#include "signal/signal.h"

static bool branch_fits(FiloSfBuilder *builder, FiloSfBranch branch, const char *what) {
    if (branch.builder == builder && branch.branch != 0) return true;
    signal_builder_problem(builder, FILO_ERROR_ARGUMENT,
                           "%s: a branch of %s is {0} or belongs to another builder", builder->name, what);
    return false;
}

FiloSf filo_sf_parameter(FiloSfBranch branch) {
    if (!FILO_CHECK_MADE(branch.builder != NULL, "pass a branch of a builder")) return (FiloSf){ 0 };
    return signal_node_add(branch.builder,
                           &(SignalNode){ .kind = SIGNAL_PARAMETER, .branch = branch.branch });
}

void filo_sf_define(FiloSfBranch branch, FiloSf definition) {
    if (!FILO_CHECK_MADE(branch.builder != NULL, "pass a branch of a builder")) return;
    FiloSfBuilder *builder = branch.builder;
    SignalBranch *b = &builder->branches[branch.branch];
    if (definition.builder != builder)
        signal_builder_problem(builder, FILO_ERROR_ARGUMENT,
                               "%s: the definition of branch \"%s\" is {0} or belongs to another builder",
                               builder->name, b->name);
    else if (b->definition != 0)
        signal_builder_problem(builder, FILO_ERROR_ARGUMENT, "%s: branch \"%s\" is defined twice",
                               builder->name, b->name);
    else
        b->definition = definition.node;
}

FiloSf filo_sf_start(FiloSfBranch branch, FiloSfValue parameter) {
    if (!FILO_CHECK_MADE(branch.builder != NULL, "pass a branch of a builder")) return (FiloSf){ 0 };
    SignalNode node = { .kind = SIGNAL_START, .branch = branch.branch };
    if (!signal_node_value(branch.builder, &node, parameter)) return (FiloSf){ branch.builder, 0 };
    return signal_node_add(branch.builder, &node);
}

FiloSf filo_sf_start_with(FiloSfBranch branch, FiloSfValue parameter, FiloSf old) {
    if (!FILO_CHECK_MADE(branch.builder != NULL, "pass a branch of a builder")) return (FiloSf){ 0 };
    SignalNode node = { .kind = SIGNAL_START, .branch = branch.branch };
    if (!branch_fits(old.builder != NULL ? old.builder : branch.builder, branch, "start_with") ||
        !signal_node_value(branch.builder, &node, parameter))
        return (FiloSf){ branch.builder, 0 };
    return signal_node_of(node, &old, 1);
}

FiloSf filo_sf_old(FiloSfBranch branch) { return filo_sf_old_nth(branch, 0); }

FiloSf filo_sf_old_nth(FiloSfBranch branch, unsigned n) {
    if (!FILO_CHECK_MADE(branch.builder != NULL, "pass a branch of a builder")) return (FiloSf){ 0 };
    return signal_node_add(branch.builder,
                           &(SignalNode){ .kind = SIGNAL_OLD, .branch = branch.branch, .number = n });
}

FiloSf filo_sf_old_edited(FiloSfBranch branch, FiloSfEdit edit) {
    if (!FILO_CHECK_MADE(branch.builder != NULL && edit != NULL,
                         "pass a branch, and a function that edits its members"))
        return (FiloSf){ 0 };
    return signal_node_add(branch.builder,
                           &(SignalNode){ .kind = SIGNAL_OLD, .branch = branch.branch, .edit = edit });
}

static FiloSf switch_node(SignalKind kind, FiloSf output, const FiloSfExit *exits, size_t count,
                          bool delayed) {
    if (!FILO_CHECK_MADE(output.builder != NULL && (exits != NULL || count == 0),
                         "pass the output of a switch, and its exits"))
        return (FiloSf){ 0 };
    FiloSfBuilder *builder = output.builder;
    if (count > FILO_SF_EXITS) {
        signal_builder_problem(builder, FILO_ERROR_LIMIT, "%s: a switch with %zu exits; at most %d",
                               builder->name, count, FILO_SF_EXITS);
        return (FiloSf){ builder, 0 };
    }
    SignalExit copies[FILO_SF_EXITS] = { 0 };
    for (size_t i = 0; i < count; i++) {
        if (!branch_fits(builder, exits[i].to, signal_kind_names[kind])) return (FiloSf){ builder, 0 };
        bool ours = exits[i].event.builder == builder;
        copies[i] = (SignalExit){ .event = exits[i].event.node, .branch = exits[i].to.branch };
        for (int k = 0; k < FILO_SF_OLDS && exits[i].old[k].builder != NULL; k++) {
            ours = ours && exits[i].old[k].builder == builder;
            copies[i].old[k] = exits[i].old[k].node;
        }
        if (!ours) {
            signal_builder_problem(builder, FILO_ERROR_ARGUMENT,
                                   "%s: the event to branch \"%s\" is {0} or belongs to another builder",
                                   builder->name, builder->branches[exits[i].to.branch].name);
            return (FiloSf){ builder, 0 };
        }
    }
    SignalNode node = { .kind = kind, .flag = delayed, .number = (uint32_t)count };
    node.exits = signal_builder_copy(builder, copies, sizeof copies);
    if (node.exits == NULL) {
        signal_builder_problem(builder, FILO_ERROR_MEMORY, "%s: no memory for a switch", builder->name);
        return (FiloSf){ builder, 0 };
    }
    return signal_node_of(node, &output, 1);
}

FiloSf filo_sf_switch_exits(FiloSf output, const FiloSfExit *exits, size_t count, bool delayed) {
    return switch_node(SIGNAL_SWITCH, output, exits, count, delayed);
}
FiloSf filo_sf_r_switch_exits(FiloSf output, const FiloSfExit *exits, size_t count, bool delayed) {
    return switch_node(SIGNAL_R_SWITCH, output, exits, count, delayed);
}
FiloSf filo_sf_k_switch_exits(FiloSf output, const FiloSfExit *exits, size_t count, bool delayed) {
    return switch_node(SIGNAL_K_SWITCH, output, exits, count, delayed);
}

// The condition runs outside of both sides, which each edge starts anew. There is an edge at time 0, so the output of the
// switch itself is never seen; `yes` has the right type.
FiloSf filo_sf_provided(FiloSf condition, FiloSf yes, FiloSf no) {
    if (!FILO_CHECK_MADE(condition.builder != NULL && yes.builder != NULL && no.builder != NULL,
                         "pass signals of a builder to provided"))
        return (FiloSf){ 0 };
    FiloSfBuilder *b = condition.builder;
    FiloSfBranch when_true = filo_sf_branch(b, "provided", NULL),
                 when_false = filo_sf_branch(b, "otherwise", NULL);
    filo_sf_define(when_true, yes);
    filo_sf_define(when_false, no);
    return filo_sf_r_switch(yes, FILO_ON(filo_sf_i_edge(condition, false), when_true),
                            FILO_ON(filo_sf_i_edge(filo_sf_not(condition), false), when_false));
}

// A switch that stays inside of the branch that it is written in, even if it is all of its definition: its own branches may
// use the parameter of that branch.
static FiloSf inside(FiloSf sf) {
    return sf.builder != NULL ? filo_sf_compose(filo_sf_input(sf.builder), sf) : sf;
}

// Each occurrence starts a branch whose output is that event, at its time 0. The source starts again with it, without an
// event at its time 0.
FiloSf filo_sf_recur(FiloSf event) {
    if (!FILO_CHECK_MADE(event.builder != NULL, "pass an event of a builder to recur")) return (FiloSf){ 0 };
    FiloSfBranch again = signal_branch_any(event.builder, "recur");
    filo_sf_define(again, filo_sf_switch(filo_sf_snap(filo_sf_parameter(again)),
                                         FILO_ON(filo_sf_not_yet(event), again)));
    FiloSf silent = filo_sf_take_events(event, 0);
    return inside(filo_sf_switch(silent, FILO_ON(event, again)));
}

FiloSf filo_sf_and_then(FiloSf a, FiloSf b) {
    if (!FILO_CHECK_MADE(a.builder != NULL && b.builder != NULL, "pass events of a builder to and_then"))
        return (FiloSf){ 0 };
    FiloSfBranch then = filo_sf_branch(a.builder, "then", NULL);
    filo_sf_define(then, b);
    return inside(filo_sf_d_switch(a, FILO_ON(a, then)));
}

// ---- Collections ------------------------------------------------------------------------------------------------------

static const SignalCollection *copy_collection(FiloSfBuilder *builder, const FiloSfCollection *desc) {
    SignalCollection c = { .capacity = desc->capacity,
                           .initial_count = desc->initial_count,
                           .route = desc->route,
                           .input_type = desc->input_type,
                           .ended = desc->ended,
                           .user = desc->user };
    c.name = signal_builder_text(builder, desc->name != NULL ? desc->name : "collection");
    if (c.name == NULL) return NULL;
    const char *wrong = NULL;
    if (c.capacity < 1 || c.capacity > UINT16_MAX) wrong = "its capacity is not from 1 to 65535";
    if (desc->initial_count > c.capacity) wrong = "it has more members at time 0 than its capacity";
    if (desc->initial_count > 0 && desc->initial == NULL) wrong = "its members at time 0 are missing";
    if ((desc->route == NULL) != (desc->input_type == NULL)) wrong = "route and input_type belong together";
    while (c.kind_count < FILO_SF_KINDS && desc->kinds[c.kind_count].builder != NULL) {
        if (!branch_fits(builder, desc->kinds[c.kind_count], "a collection")) return NULL;
        c.kinds[c.kind_count] = desc->kinds[c.kind_count].branch;
        c.kind_count++;
    }
    if (c.kind_count == 0) wrong = "it has no kinds of members";
    if (wrong != NULL) {
        signal_builder_problem(builder, FILO_ERROR_ARGUMENT, "%s: collection \"%s\": %s", builder->name,
                               c.name, wrong);
        return NULL;
    }
    SignalMember *members = signal_block_alloc(&builder->blocks, &builder->allocator,
                                               (desc->initial_count + 1) * sizeof *members);
    if (members == NULL) return NULL;
    for (size_t i = 0; i < desc->initial_count; i++) {
        FiloSfMember member = desc->initial[i];
        if (!branch_fits(builder, member.branch, "a collection")) return NULL;
        members[i].branch = member.branch.branch;
        const SignalBranch *branch = &builder->branches[member.branch.branch];
        const FiloType *type = member.parameter.type != NULL ? member.parameter.type() : NULL;
        if (branch->parameter != type &&
            (branch->parameter == NULL || type == NULL || strcmp(branch->parameter->name, type->name) != 0)) {
            signal_builder_problem(
                builder, FILO_ERROR_KIND,
                "%s: member %zu of collection \"%s\" has a parameter of type %s, and branch \"%s\" "
                "takes %s",
                builder->name, i + 1, c.name, type != NULL ? type->name : "none", branch->name,
                branch->parameter != NULL ? branch->parameter->name : "none");
            return NULL;
        }
        if (type == NULL) continue;
        members[i].value = signal_builder_copy(builder, member.parameter.value, type->size);
        if (members[i].value == NULL) return NULL;
    }
    c.initial = members;
    return signal_builder_copy(builder, &c, sizeof c);
}

static FiloSf collection_node(FiloSf x, const FiloSfCollection *collection, const FiloSf *event,
                              FiloSfEdit edit, bool delayed) {
    if (!FILO_CHECK_MADE(x.builder != NULL, "pass signals of a builder to a collection"))
        return (FiloSf){ 0 };
    if (collection == NULL || (event != NULL && edit == NULL)) {
        signal_builder_problem(x.builder, FILO_ERROR_ARGUMENT,
                               "%s: a collection without its description, or without what edits it",
                               x.builder->name);
        return (FiloSf){ x.builder, 0 };
    }
    SignalNode node = { .kind = SIGNAL_COLLECTION, .edit = edit, .flag = delayed };
    node.collection = copy_collection(x.builder, collection);
    if (node.collection == NULL) {
        signal_builder_problem(x.builder, FILO_ERROR_MEMORY, "%s: no memory for a collection",
                               x.builder->name);
        return (FiloSf){ x.builder, 0 };
    }
    if (event == NULL) return signal_node_of(node, &x, 1);
    return signal_node_of(node, (const FiloSf[]){ x, *event }, 2);
}

FiloSf filo_sf_par(FiloSf x, const FiloSfCollection *collection) {
    return collection_node(x, collection, NULL, NULL, false);
}
FiloSf filo_sf_rp_switch(FiloSf x, const FiloSfCollection *collection, FiloSf event, FiloSfEdit edit) {
    return collection_node(x, collection, &event, edit, false);
}
FiloSf filo_sf_drp_switch(FiloSf x, const FiloSfCollection *collection, FiloSf event, FiloSfEdit edit) {
    return collection_node(x, collection, &event, edit, true);
}

FiloSf filo_sf_fold(FiloSf list, FiloSfValue initial, const FiloSfFunction *function) {
    if (list.builder != NULL && (function == NULL || function->rows == NULL)) {
        signal_builder_problem(list.builder, FILO_ERROR_ARGUMENT,
                               "%s: fold without a function made by FILO_SF_FUNCTION2", list.builder->name);
        return (FiloSf){ list.builder, 0 };
    }
    SignalNode node = { .kind = SIGNAL_FOLD, .function = function };
    if (list.builder != NULL && !signal_node_value(list.builder, &node, initial))
        return (FiloSf){ list.builder, 0 };
    return signal_node_of(node, &list, 1);
}
