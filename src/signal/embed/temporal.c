// Temporal logic of the future, over traces.
//
// A formula is evaluated from its smallest parts to the whole: each part is an array with its truth at each sample. The
// parts that look into the future are computed from the last sample to the first. So a check takes time in proportion
// to samples × parts, and the arrays of all parts are there to find the cause of a failure afterwards.

#include "signal/embed/embed.h"

#include <filo/check.h>

#include <stdio.h>
#include <string.h>

typedef struct Check {
    const FiloTrace *trace;
    uint8_t *truth; // of the parts in the order in which they are numbered: `count` bytes each
    size_t parts;
    size_t failed; // the sample that is to blame
    char why[160];
} Check;

static bool has_two(FiloTemporalKind kind) {
    return kind == FILO_TEMPORAL_AND || kind == FILO_TEMPORAL_OR || kind == FILO_TEMPORAL_IMPLIES ||
           kind == FILO_TEMPORAL_UNTIL;
}
static bool has_one(FiloTemporalKind kind) { return kind >= FILO_TEMPORAL_NOT && !has_two(kind); }

// The number of parts; FILO_TEMPORAL_NODES + 1 or more if there are too many, or if it is not a formula.
static size_t count_parts(const FiloTemporal *p, size_t depth) {
    if (p == NULL || (unsigned)p->kind >= FILO_TEMPORAL_KIND_COUNT || depth > FILO_TEMPORAL_NODES)
        return FILO_TEMPORAL_NODES + 1;
    size_t parts = 1;
    if (has_one(p->kind) || has_two(p->kind)) parts += count_parts(p->a, depth + 1);
    if (has_two(p->kind) && parts <= FILO_TEMPORAL_NODES) parts += count_parts(p->b, depth + 1);
    return parts;
}

static FiloResult check_formula(const FiloTemporal *p, const FiloTrace *trace) {
    if (p->kind == FILO_TEMPORAL_HOLDS && p->function == NULL)
        return FILO_MISTAKE("pass a function to FILO_HOLDS");
    if (p->kind == FILO_TEMPORAL_OUTPUT) {
        if (p->leaf >= trace->leaf_count)
            return filo_error(FILO_ERROR_KIND, "FILO_OUTPUT(%u): the trace has %zu leaves", p->leaf,
                              trace->leaf_count);
        const FiloSfLeaf *leaf = &trace->leaves[p->leaf];
        if (!leaf->presence && leaf->type->kind != FILO_KIND_BOOL)
            return filo_error(FILO_ERROR_KIND,
                              "FILO_OUTPUT(%u): the leaf is a %s, neither a bool nor an event", p->leaf,
                              leaf->type->name);
    }
    FiloResult r = filo_ok();
    if (has_one(p->kind) || has_two(p->kind)) r = check_formula(p->a, trace);
    if (r.code == FILO_OK && has_two(p->kind)) r = check_formula(p->b, trace);
    return r;
}

// ---- Evaluation -------------------------------------------------------------------------------------------------

static void evaluate_past_ends(const FiloTemporal *p, const Check *check, uint8_t *t, const uint8_t *a,
                               const uint8_t *b) {
    const FiloTrace *trace = check->trace;
    size_t n = trace->count;
    size_t next = n; // the next sample at which `a` is true
    for (size_t i = n; i-- > 0;) {
        bool last = i + 1 == n;
        if (a[i]) next = i;
        switch (p->kind) {
        case FILO_TEMPORAL_NEXT: t[i] = last || a[i + 1]; break;
        case FILO_TEMPORAL_ALWAYS: t[i] = a[i] && (last || t[i + 1]); break;
        case FILO_TEMPORAL_EVENTUALLY: t[i] = next < n; break;
        case FILO_TEMPORAL_WITHIN:
            t[i] = next < n && trace->times[next] - trace->times[i] <= (double)p->seconds;
            break;
        default: t[i] = b[i] || (a[i] && (last || t[i + 1])); break; // until
        }
    }
}

// Numbers the part, and then its parts: a is the next one, b follows all of a. Returns the number after all of them.
static size_t evaluate(const FiloTemporal *p, const Check *check, size_t number) {
    const FiloTrace *trace = check->trace;
    size_t n = trace->count, next = number + 1;
    uint8_t *t = check->truth + number * n, *a = t + n, *b = NULL;
    if (has_one(p->kind) || has_two(p->kind)) next = evaluate(p->a, check, next);
    if (has_two(p->kind)) {
        b = check->truth + next * n;
        next = evaluate(p->b, check, next);
    }
    switch (p->kind) {
    case FILO_TEMPORAL_HOLDS:
        for (size_t i = 0; i < n; i++) t[i] = p->function(trace, i);
        break;
    case FILO_TEMPORAL_OUTPUT:
        for (size_t i = 0; i < n; i++) t[i] = ((const uint8_t *)trace->values[p->leaf])[i] != 0;
        break;
    case FILO_TEMPORAL_NOT:
        for (size_t i = 0; i < n; i++) t[i] = !a[i];
        break;
    case FILO_TEMPORAL_AND:
        for (size_t i = 0; i < n; i++) t[i] = a[i] && b[i];
        break;
    case FILO_TEMPORAL_OR:
        for (size_t i = 0; i < n; i++) t[i] = a[i] || b[i];
        break;
    case FILO_TEMPORAL_IMPLIES:
        for (size_t i = 0; i < n; i++) t[i] = !a[i] || b[i];
        break;
    default: evaluate_past_ends(p, check, t, a, b); break;
    }
    return next;
}

// ---- Texts ------------------------------------------------------------------------------------------------------

static void print_formula(const FiloTemporal *p, FiloBuilder *text) {
    static const char *const names[FILO_TEMPORAL_KIND_COUNT] = {
        "", "", "not", "and", "or", "implies", "next", "always", "eventually", "within", "until",
    };
    if (p->kind == FILO_TEMPORAL_HOLDS) {
        filo_builder_add_text(text, p->name != NULL ? p->name : "function");
        return;
    }
    if (p->kind == FILO_TEMPORAL_OUTPUT) {
        filo_builder_printf(text, "output %u", p->leaf);
        return;
    }
    filo_builder_add_text(text, names[p->kind]);
    filo_builder_add_byte(text, '(');
    if (p->kind == FILO_TEMPORAL_WITHIN) {
        signal_add_number(text, (double)p->seconds, 6);
        filo_builder_add_text(text, " s, ");
    }
    print_formula(p->a, text);
    if (has_two(p->kind)) {
        filo_builder_add_text(text, ", ");
        print_formula(p->b, text);
    }
    filo_builder_add_byte(text, ')');
}

bool filo_temporal_print(const FiloTemporal *formula, FiloBuilder *text) {
    if (!FILO_CHECK(text != NULL && count_parts(formula, 0) <= FILO_TEMPORAL_NODES,
                    "pass a formula of at most %d parts, and a builder", FILO_TEMPORAL_NODES))
        return false;
    print_formula(formula, text);
    return !text->failed;
}

// ---- Blame ------------------------------------------------------------------------------------------------------

// A part as text, cut to the size of the buffer; without memory "…".
static const char *part_text(const Check *check, const FiloTemporal *p, char *buffer, size_t size) {
    FiloBuilder text;
    filo_builder_init(&text, check->trace->allocator);
    print_formula(p, &text);
    bool cut = filo_string_copy(filo_builder_string(&text), buffer, size) < text.length || text.failed;
    if (cut) {
        filo_string_copy(filo_builder_string(&text), buffer, size - strlen("…"));
        strcat(buffer, "…");
    }
    filo_builder_deinit(&text);
    return buffer;
}

static void blame(Check *check, const FiloTemporal *p, size_t sample, const char *what) {
    char text[96];
    check->failed = sample;
    snprintf(check->why, sizeof check->why, "%s %s", part_text(check, p, text, sizeof text), what);
}

// Finds the cause of part `number` being false at `sample`.
static void explain(Check *check, const FiloTemporal *p, size_t number, size_t sample) {
    size_t n = check->trace->count;
    const uint8_t *a = check->truth + (number + 1) * n;
    size_t second = has_two(p->kind) ? number + 1 + count_parts(p->a, 0) : 0;
    switch (p->kind) {
    case FILO_TEMPORAL_HOLDS:
    case FILO_TEMPORAL_OUTPUT: blame(check, p, sample, "is false"); return;
    case FILO_TEMPORAL_NOT: blame(check, p->a, sample, "is true"); return;
    case FILO_TEMPORAL_AND:
        if (!a[sample])
            explain(check, p->a, number + 1, sample);
        else
            explain(check, p->b, second, sample);
        return;
    case FILO_TEMPORAL_IMPLIES: explain(check, p->b, second, sample); return;
    case FILO_TEMPORAL_NEXT: explain(check, p->a, number + 1, sample + 1); return;
    case FILO_TEMPORAL_ALWAYS:
        while (a[sample]) sample++;
        explain(check, p->a, number + 1, sample);
        return;
    case FILO_TEMPORAL_EVENTUALLY: blame(check, p->a, sample, "is never true from here on"); return;
    case FILO_TEMPORAL_WITHIN: {
        double end = check->trace->times[n - 1] - check->trace->times[sample];
        bool ends = end < (double)p->seconds;
        char what[64];
        snprintf(what, sizeof what, "is not true within %g s%s", (double)p->seconds,
                 ends ? ", and the trace ends" : "");
        blame(check, p->a, sample, what);
        return;
    }
    case FILO_TEMPORAL_UNTIL:
        while (a[sample]) sample++;
        explain(check, p->a, number + 1, sample);
        return;
    default: blame(check, p, sample, "is false"); return; // or
    }
}

FiloResult filo_trace_check(const FiloTrace *trace, const FiloTemporal *formula, size_t *sample) {
    if (trace == NULL || formula == NULL) return FILO_MISTAKE("pass a trace and a formula");
    if (trace->count == 0)
        return FILO_MISTAKE("the trace has no samples: record a run with filo_embed first");
    Check check = { .trace = trace, .parts = count_parts(formula, 0) };
    if (check.parts > FILO_TEMPORAL_NODES)
        return FILO_MISTAKE("the formula has a part that is missing, or more than %d parts",
                            FILO_TEMPORAL_NODES);
    FiloResult r = check_formula(formula, trace);
    if (r.code != FILO_OK) return r;
    size_t size = check.parts * trace->count;
    check.truth = filo_alloc(trace->allocator, size, 1);
    if (check.truth == NULL)
        return filo_error(FILO_ERROR_MEMORY, "no memory to check %zu samples", trace->count);
    evaluate(formula, &check, 0);
    if (!check.truth[0]) {
        char whole[96];
        explain(&check, formula, 0, 0);
        r = filo_error(FILO_ERROR_DATA, "sample %zu (%g s): %s, in %s", check.failed,
                       trace->times[check.failed], check.why,
                       part_text(&check, formula, whole, sizeof whole));
        if (sample != NULL) *sample = check.failed;
    }
    filo_free(trace->allocator, check.truth, size, 1);
    return r;
}
