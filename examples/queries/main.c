// A market: everything that a query can do. It shows
//   - FILO_ANY_READ: at least one of several; FILO_OPTIONAL_READ: if it is there; FILO_WITHOUT: without;
//   - FILO_PARENT_READ: a component of the parent;
//   - FILO_READ_CHANGED: only chunks that may have changed since the last iteration, for two readers;
//   - the first entity, the n-th, and all of them sorted by a key;
//   - filo_follow: a component of the entities that the rows refer to;
//   - .activity: inactive entities; .tracked: which entities entered and left the query.
//
// Try: ./dev run queries
//      let ~filo_sort_key_float(…) be the key: descending prices
//      store Fresh as FILO_STORAGE_TAG: pear and apple are then in one table, and change together
//      change the price of a pear instead: pears are in another table than apples
//      examples/groups has more about entities that enter and leave

#include <filo/filo.h>

#include <stdio.h>

// ---- Components ---------------------------------------------------------------------------------------

typedef struct Price {
    float crowns;
} Price;
FILO_REFLECT(Price, FILO_FIELD(float, crowns))

typedef struct Discount {
    float part; // of the price
} Discount;
FILO_REFLECT(Discount, FILO_FIELD(float, part, .min = 0, .max = 1))

typedef struct Weight {
    float kilograms;
} Weight;
FILO_REFLECT(Weight, FILO_FIELD(float, kilograms, .unit = "kg"))

typedef struct Volume {
    float litres;
} Volume;
FILO_REFLECT(Volume, FILO_FIELD(float, litres, .unit = "l"))

typedef struct Stall { // the parent of what it sells
    int number;
} Stall;
FILO_REFLECT(Stall, FILO_FIELD(int, number))

typedef struct Order { // of a customer
    FiloEntity goods;
    int pieces;
} Order;
FILO_REFLECT(Order, FILO_FIELD(FiloEntity, goods), FILO_FIELD(int, pieces))

FILO_TAG(Fresh)

// ---- Queries ------------------------------------------------------------------------------------------

static const char *name_of(const FiloIter *it, size_t row) {
    return filo_entity_name(it->world, filo_iter_entity(it, row));
}

// All goods with a weight or a volume, or both, and with their discount if they have one.
static void print_goods(FiloWorld *world) {
    puts("goods:");
    FiloQuery *query = filo_query(world, FILO_READ(Price), FILO_ANY_READ(Weight), FILO_ANY_READ(Volume),
                                  FILO_OPTIONAL_READ(Discount), FILO_PARENT_READ(Stall));
    FiloEach each = filo_query_each(query); // one by one, with any storage
    while (filo_each_next(&each)) {
        const Weight *weight = filo_each_read(&each, Weight); // NULL if it has none
        const Volume *volume = filo_each_read(&each, Volume);
        const Discount *discount = filo_each_read(&each, Discount);
        float crowns = filo_each_read(&each, Price)->crowns * (discount != NULL ? 1 - discount->part : 1);
        printf("  stall %d: %s for %g", filo_each_read_parent(&each, Stall)->number,
               filo_entity_name(world, each.entity), (double)crowns);
        if (weight != NULL) printf(", %g kg", (double)weight->kilograms);
        if (volume != NULL) printf(", %g l", (double)volume->litres);
        puts("");
    }
    filo_query_release(query);
}

static uint64_t by_price(const FiloIter *it, size_t row, void *user) {
    FILO_UNUSED(user);
    return filo_sort_key_float(filo_read(it, Price)[row].crowns);
}

static void print_sorted(FiloWorld *world) {
    FiloQuery *query = filo_query(world, FILO_READ(Price));
    if (query == NULL) return; // no memory: main checks filo_out_of_memory_result
    FiloEntity cheapest[3];
    size_t count = filo_query_sorted(query, by_price, NULL, cheapest, FILO_COUNT_OF(cheapest));
    printf("the cheapest of %zu:", count);
    for (size_t i = 0; i < FILO_COUNT_OF(cheapest) && i < count; i++)
        printf(" %s", filo_entity_name(world, cheapest[i]));
    printf("; in the order of tables, the first is %s, the last %s\n",
           filo_entity_name(world, filo_query_first(query)),
           filo_entity_name(world, filo_query_at(query, count - 1)));
    filo_query_release(query);
}

// Each order refers to goods in any table. A look-up prefetches the next one.
static void print_bill(FiloWorld *world) {
    float crowns = 0;
    FiloQuery *query = filo_query(world, FILO_READ(Order));
    FiloIter it = filo_query_iter(query);
    while (filo_iter_next(&it)) {
        const Order *order = filo_read(&it, Order);
        FiloLookup prices = filo_follow(&it, Order, goods, Price); // of each Order.thing
        for (size_t i = 0; i < it.count; i++) {
            const Price *price = filo_lookup_next(&prices);
            if (price != NULL) crowns += price->crowns * (float)order[i].pieces;
        }
    }
    filo_query_release(query);
    printf("the orders cost %g\n", (double)crowns);
}

// Between ticks, each reader has a FiloSeen of its own. In a system, changes are those since it last ran.
static void print_changed(FiloQuery *prices, const char *reader, FiloSeen *seen) {
    printf("%s finds new prices:", reader);
    FiloIter it = filo_query_iter_since(prices, seen);
    while (filo_iter_next(&it)) // whole chunks: one changed row is enough
        for (size_t i = 0; i < it.count; i++) printf(" %s", name_of(&it, i));
    puts("");
}

static void print_group(FiloQuery *group, const char *what, const FiloEntity *entities, size_t count) {
    FiloWorld *world = filo_query_world(group);
    for (size_t i = 0; i < count; i++) {
        const char *name = filo_entity_name(world, entities[i]); // an entity that left may not exist any more
        printf("%s: %s\n", what, name != NULL ? name : "an entity that no longer exists");
    }
}

static void print_entered_and_left(FiloQuery *group) {
    filo_world_refresh(filo_query_world(group)); // between ticks; a tick refreshes at the end of each stage
    size_t count;
    const FiloEntity *entities = filo_query_entered(group, &count);
    print_group(group, "now fresh", entities, count);
    entities = filo_query_left(group, &count);
    print_group(group, "no longer fresh", entities, count);
}

// ---- Setup --------------------------------------------------------------------------------------------

static FiloEntity add_goods(FiloWorld *world, FiloEntity stall, const char *name, FiloEntity entity) {
    filo_entity_set_name(world, entity, name);
    filo_entity_set_parent(world, entity, stall);
    return entity;
}

static void set_up(FiloWorld *world) {
    filo_component(world, Price);
    filo_component(world, Discount, .storage = FILO_STORAGE_SPARSE); // often added and removed
    filo_component(world, Weight);
    filo_component(world, Volume);
    filo_component(world, Stall);
    filo_component(world, Fresh);
    filo_component(world, Order);
    FiloEntity fruit = filo_create(world, FILO_SET(Stall, 1)),
               drinks = filo_create(world, FILO_SET(Stall, 2));
    add_goods(world, fruit, "apple", filo_create(world, FILO_SET(Price, 2), FILO_SET(Weight, 0.25f)));
    add_goods(world, fruit, "quince", filo_create(world, FILO_SET(Price, 3), FILO_SET(Weight, 0.5f)));
    add_goods(world, fruit, "pear",
              filo_create(world, FILO_SET(Price, 4), FILO_SET(Weight, 0.25f), FILO_ADD(Fresh)));
    add_goods(world, drinks, "cider",
              filo_create(world, FILO_SET(Price, 8), FILO_SET(Weight, 1), FILO_SET(Volume, 0.75f)));
    add_goods(world, drinks, "a song", filo_create(world, FILO_SET(Price, 1))); // neither weight nor volume
    filo_set(world, filo_world_find(world, "cider"), Discount, 0.25f);
    filo_create(world, FILO_SET(Order, filo_world_find(world, "pear"), 3));
    filo_create(world, FILO_SET(Order, filo_world_find(world, "a song"), 1));
    filo_create(world, FILO_SET(Order, FILO_ENTITY_NONE, 7)); // of nothing yet
}

static void run(FiloWorld *world) {
    print_goods(world);
    print_sorted(world);
    print_bill(world);

    FiloQuery *prices = filo_query(world, FILO_READ_CHANGED(Price));
    if (prices == NULL) return;
    FiloSeen clerk = { 0 }, visitor = { 0 };
    print_changed(prices, "the clerk", &clerk);
    filo_edit(world, filo_world_find(world, "apple"), Price)->crowns = 5;
    print_changed(prices, "the clerk", &clerk); // the quince is in the same chunk as the apple
    print_changed(prices, "the clerk", &clerk);
    print_changed(prices, "a visitor", &visitor);
    filo_query_release(prices);

    FiloQuery *fresh = filo_query_create(
        world, &(FiloQueryDesc){ .terms = { FILO_WITH(Fresh), FILO_WITHOUT(Volume) }, .tracked = true });
    if (fresh == NULL) return;
    filo_add(world, filo_world_find(world, "apple"), Fresh);
    filo_entity_destroy(world, filo_world_find(world, "pear"));
    print_entered_and_left(fresh);
    filo_entity_set_active(world, filo_world_find(world, "apple"), false); // under the counter
    print_entered_and_left(fresh);
    filo_query_release(fresh);

    FiloQuery *hidden = filo_query_create(
        world, &(FiloQueryDesc){ .terms = { FILO_WITH(Price) }, .activity = FILO_INACTIVE });
    if (hidden == NULL) return;
    printf("under the counter: %zu, %s; does the cider match? %s\n", filo_query_count(hidden),
           filo_entity_name(world, filo_query_first(hidden)),
           filo_query_matches(hidden, filo_world_find(world, "cider")) ? "yes" : "no");
    filo_query_release(hidden);
}

// ---- Main ---------------------------------------------------------------------------------------------

int main(int argc, char **argv) {
    FiloArgs args;
    FiloArgsDesc desc = { .summary = "Shows everything that a query can do.",
                          .ignores = FILO_ARGS_SCREEN | FILO_ARGS_FRAMES | FILO_ARGS_SEED | FILO_ARGS_STATS |
                                     FILO_ARGS_TRACE };
    if (!filo_args_main(&args, argc, argv, &desc)) return args.exit_code;
    FiloJobs *jobs = NULL;
    FiloWorld *world = NULL;
    FiloResult r = filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = args.common.threads });
    if (r.code == FILO_OK) r = filo_world_create(&world, &(FiloWorldDesc){ .jobs = jobs });
    if (r.code == FILO_OK) set_up(world);
    if (r.code == FILO_OK) r = filo_out_of_memory_result();
    if (r.code == FILO_OK) run(world);
    if (r.code == FILO_OK && args.common.hash)
        printf("%016llx\n", (unsigned long long)filo_world_hash(world));
    if (r.code == FILO_OK) r = filo_out_of_memory_result();
    if (r.code != FILO_OK) filo_log_error("queries", "%s", r.message);
    filo_world_destroy(world);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    return r.code == FILO_OK ? 0 : 1;
}

// Prints, on any number of threads:
//
//  goods:
//    stall 1: apple for 2, 0.25 kg
//    stall 1: quince for 3, 0.5 kg
//    stall 1: pear for 4, 0.25 kg
//    stall 2: cider for 6, 1 kg, 0.75 l
//  the cheapest of 5: a song apple quince; in the order of tables, the first is apple, the last a song
//  the orders cost 13
//  the clerk finds new prices: apple quince pear cider a song
//  the clerk finds new prices: apple quince
//  the clerk finds new prices:
//  a visitor finds new prices: apple quince pear cider a song
//  now fresh: apple
//  no longer fresh: an entity that no longer exists
//  no longer fresh: apple
//  under the counter: 1, apple; does the cider match? no
