// Random ecotopes for tests.

#ifndef FILO_TESTS_PLACEMENT_ECOTOPE_RANDOM_H
#define FILO_TESTS_PLACEMENT_ECOTOPE_RANDOM_H

#include <filo/strings.h>

#include "placement/ecotopes.h"

#include <math.h>

static inline double clamp(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

// A random expression: writes its text, and evaluates it in doubles with a bound for the error of fixed point.
typedef struct Exact {
    double value, error;
} Exact;

typedef struct Maker {
    FiloRandom random;
    FiloBuilder text;
    double a, b; // inputs; NAN: the text is written
    bool writes;
} Maker;

#define STEP (1.0 / 32768)

static inline uint32_t choose(Maker *maker, uint32_t count) {
    return filo_random_u32(&maker->random) % count;
}

static inline void write_text(Maker *maker, const char *text) {
    if (maker->writes) filo_builder_add_text(&maker->text, text);
}

static inline Exact make_expression(Maker *maker, int depth);

static inline Exact make_leaf(Maker *maker) {
    uint32_t kind = choose(maker, 3);
    if (kind == 0) {
        double number = (double)(choose(maker, 4001)) / 1000 - 1.5;
        if (maker->writes) filo_builder_printf(&maker->text, "%.3f", number);
        return (Exact){ number, STEP / 2 };
    }
    write_text(maker, kind == 1 ? "'a'" : "'b'");
    return (Exact){ kind == 1 ? maker->a : maker->b, 0 };
}

static inline Exact make_curve(Maker *maker, int depth) {
    double x[4], y[4];
    double at = (double)choose(maker, 1000) / 1000 - 0.5;
    write_text(maker, "{'curve': [");
    for (int i = 0; i < 4; i++) {
        x[i] = at;
        y[i] = (double)choose(maker, 1000) / 1000 - 0.25;
        at += 0.2 + (double)choose(maker, 300) / 1000;
        if (maker->writes)
            filo_builder_printf(&maker->text, "%s[%.17g, %.17g]", i > 0 ? ", " : "", x[i], y[i]);
    }
    write_text(maker, "], 'of': ");
    Exact e = make_expression(maker, depth - 1);
    write_text(maker, "}");
    double value = e.value < x[0] ? y[0] : y[3], steepest = 0;
    for (int i = 1; i < 4; i++) {
        steepest = fmax(steepest, fabs((y[i] - y[i - 1]) / (x[i] - x[i - 1])));
        if (e.value >= x[i - 1] && e.value < x[i])
            value = y[i - 1] + (y[i] - y[i - 1]) * (e.value - x[i - 1]) / (x[i] - x[i - 1]);
    }
    return (Exact){ value, steepest * (e.error + STEP) + 2.5 * STEP };
}

static inline Exact combine(uint32_t kind, Exact x, Exact y) {
    switch (kind) {
    case 0: return (Exact){ fmin(x.value, y.value), fmax(x.error, y.error) };
    case 1: return (Exact){ fmax(x.value, y.value), fmax(x.error, y.error) };
    case 2: return (Exact){ clamp(x.value, -1, 1) * clamp(y.value, -1, 1), x.error + y.error + STEP };
    case 3: return (Exact){ clamp(x.value + y.value, -4, 4), x.error + y.error };
    default: return (Exact){ clamp(x.value - y.value, -4, 4), x.error + y.error };
    }
}

static inline Exact make_expression(Maker *maker, int depth) {
    static const char *const names[] = { "min", "max", "multiply", "add", "subtract" };
    if (depth == 0 || choose(maker, 5) == 0) return make_leaf(maker);
    uint32_t kind = choose(maker, 7);
    if (kind == 5) return make_curve(maker, depth);
    if (kind == 6) {
        write_text(maker, "{'invert': ");
        Exact e = make_expression(maker, depth - 1);
        write_text(maker, "}");
        return (Exact){ clamp(1 - e.value, -4, 4), e.error };
    }
    if (maker->writes) filo_builder_printf(&maker->text, "{'%s': [", names[kind]);
    Exact result = make_expression(maker, depth - 1);
    for (uint32_t i = 0, count = 1 + choose(maker, 3); i < count; i++) {
        write_text(maker, ", ");
        result = combine(kind, result, make_expression(maker, depth - 1));
    }
    write_text(maker, "]}");
    return result;
}

static const char *random_text(Maker *maker, uint64_t seed) {
    *maker = (Maker){ .random = filo_random_sequence(seed), .writes = true };
    make_expression(maker, 4);
    return filo_builder_text(&maker->text);
}

// Three footprints with random densities, each of which is also near something.
static inline void write_random_file(FiloBuilder *text, uint64_t seed) {
    static const int patterns[] = { 4, 8, 16 };
    FiloRandom random = filo_random_sequence(seed);
    filo_builder_add_text(text, "{'maps': {'a': {}, 'b': {'filter': 'nearest'}}, 'footprints': {");
    for (int f = 0; f < 3; f++)
        filo_builder_printf(text, "%s'f%d': {'metres': %d, 'pattern': %d}", f > 0 ? ", " : "", f, 6 - 2 * f,
                            patterns[filo_random_u32(&random) % 3]);
    filo_builder_add_text(text, "}, 'ecotopes': [");
    for (int l = 0; l < 9; l++) {
        Maker maker;
        bool replace = filo_random_u32(&random) % 3 == 0;
        int noise = (int)(5 + filo_random_u32(&random) % 40),
            octaves = (int)(1 + filo_random_u32(&random) % 4);
        filo_builder_printf(
            text,
            "%s{'name': 'e%d', 'replace': %s, 'density': {'noise': %d, 'octaves': %d, 'seed': %d}, "
            "'layers': [{'name': 'l%d', 'footprint': 'f%d', 'density': {'multiply': [0.5, {'add': [",
            l > 0 ? ", " : "", l, replace ? "true" : "false", noise, octaves, l, l, l / 3);
        filo_builder_add_text(text, random_text(&maker, seed * 100 + (uint64_t)l));
        filo_builder_deinit(&maker.text);
        if (l >= 3) filo_builder_printf(text, ", {'near': ['l%d', 'l0'], 'within': 9}", l - 3);
        filo_builder_printf(text, ", {'curve': [[5, 0], [40, 1]], 'of': 'slope'}]}]}}]}");
    }
    filo_builder_add_text(text, "]}");
}

#endif
