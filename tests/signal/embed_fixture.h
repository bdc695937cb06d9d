// Networks for tests of embedding: made from a function that writes them.

#ifndef FILO_TEST_EMBED_FIXTURE_H
#define FILO_TEST_EMBED_FIXTURE_H

#include <filo/embed.h>
#include <filo/maths.h>

#include "support/failing_allocator.h"
#include "support/test.h"

#include <math.h>

// A network with up to three inputs, whose output is what `write` returns.
static inline FiloNetwork *make_network(const FiloSfBuilderDesc *desc, FiloSf (*write)(FiloSfBuilder *b)) {
    FiloSfBuilder *b = filo_sf_builder_create(desc);
    assert_non_null(b);
    FiloNetwork *network = NULL;
    assert_ok(filo_network_create(&network, write(b), NULL));
    filo_sf_builder_destroy(b);
    return network;
}

static const FiloSfBuilderDesc no_input = { .name = "test" };

static inline FiloSfBuilderDesc with_input(const FiloType *type, bool event) {
    return (FiloSfBuilderDesc){ .name = "test", .inputs = { { .name = "x", .type = type, .event = event } } };
}

#endif
