// Values of described structs pass through everything that stores values.

#include "support/embed.h"

typedef struct Item {
    double weight; // aligned to 8
    int32_t id;
    bool fresh;
    uint8_t marks[3];
} Item;
FILO_REFLECT(Item, FILO_FIELD(double, weight), FILO_FIELD(int32_t, id), FILO_FIELD(bool, fresh),
             FILO_FIELD(uint8_t, marks))

FILO_SF_FUNCTION(item_of, Item, int32_t, id) {
    return (Item){ .weight = id * 0.1, .id = id, .fresh = id % 2 == 1, .marks = { (uint8_t)id, 2, 3 } };
}
FILO_SF_FUNCTION(id_of, int32_t, Item, item) {
    return item.weight == item.id * 0.1 && item.marks[0] == (uint8_t)item.id && item.marks[2] == 3 &&
                   item.fresh == (item.id % 2 == 1)
               ? item.id
               : -1000;
}
FILO_SF_FUNCTION2(later_item, Item, Item, a, Item, b) { return a.id > b.id ? a : b; }

#define ITEM(n)                                                                                              \
    FILO_SF(Item, .weight = (n)*0.1, .id = (n), .fresh = (n) % 2 == 1, .marks = { (uint8_t)(n), 2, 3 })

FILO_TEST(structs_pass_through_delays_holds_and_scans) {
    FiloSfBuilder *b = embed_builder("iU");
    FiloSf item = filo_sf_arr(filo_sf_in(b, 0), &item_of), made = filo_sf_tag(filo_sf_in(b, 1), item);
    FiloSf items[] = {
        item,
        filo_sf_i_pre(item, ITEM(101)),
        filo_sf_delay(item, 2, ITEM(102), 4),
        filo_sf_hold(made, ITEM(103)),
        filo_sf_from_event(filo_sf_delay_event(made, 1, 4), ITEM(104)),
        filo_sf_sscan(item, ITEM(3), &later_item),
        filo_sf_initially(item, ITEM(105)),
        filo_sf_select(filo_sf_is_event(made), item, filo_sf_constant(b, ITEM(106))),
    };
    for (size_t i = 0; i < FILO_COUNT_OF(items); i++) items[i] = filo_sf_arr(items[i], &id_of);
    embed(b, filo_sf_tuple(b, items, FILO_COUNT_OF(items)),
          &(Embed){ .delta = T(0, 1, 1, 1),
                    .in = { V(1, 2, 5, 4), U(NO, 1, NO, 1) },
                    .out = { V(1, 2, 5, 4), V(101, 1, 2, 5), V(102, 102, 1, 2), V(103, 2, 2, 4),
                             V(104, 104, 2, 104), V(3, 3, 5, 5), V(105, 2, 5, 4), V(106, 2, 106, 4) } });
}

FILO_TEST(structs_are_parameters_outputs_and_feedback) {
    FiloSfBuilder *b = embed_builder("iU");
    FiloSf item = filo_sf_arr(filo_sf_in(b, 0), &item_of), made = filo_sf_tag(filo_sf_in(b, 1), item);
    FiloSfBranch with = filo_sf_branch(b, "with", FILO_TYPE(Item));
    filo_sf_define(with, filo_sf_parameter(with));
    FiloSf back = filo_sf_rec(b, FILO_TYPE(Item)), best = filo_sf_arr2(back, item, &later_item);
    filo_sf_close(back, filo_sf_i_pre(best, ITEM(0)));
    FiloSf all[] = { filo_sf_arr(filo_sf_switch(item, FILO_ON(made, with)), &id_of),
                     filo_sf_arr(filo_sf_pause(filo_sf_is_event(made), item, ITEM(7), filo_sf_input(b)),
                                 &id_of),
                     filo_sf_arr(best, &id_of), filo_sf_equal(item, filo_sf_i_pre(item, ITEM(1))),
                     filo_sf_field(item, "weight") };
    all[4] = filo_sf_equal(all[4], filo_sf_field(filo_sf_constant(b, ITEM(2)), "weight"));
    embed(b, filo_sf_tuple(b, all, 5),
          &(Embed){ .delta = T(0, 1, 1, 1),
                    .in = { V(1, 2, 2, 1), U(NO, 1, NO, NO) },
                    .out = { V(1, 2, 2, 2), V(1, 1, 2, 1), V(1, 2, 2, 2), V(1, 0, 1, 0), V(0, 1, 1, 0) } });
}

FILO_SF_FUNCTION2(sum_of_ids, int32_t, int32_t, sum, Item, item) { return 10 * sum + item.id; }
static FiloSfBranch item_kind;
static void add_item(FiloSfMembers *members, const void *value) {
    const Item *item = value;
    filo_sf_members_add(members, item_kind, (FiloSfValue){ filo_type_Item, item });
}

FILO_TEST(structs_are_members_of_lists_and_collections) {
    static const float seconds[] = { 1, 0, 1 };
    static const Item items[] = { { .id = 1 }, { .id = 2 }, { .id = 3 } };
    FiloSfBuilder *b = embed_builder("iU");
    FiloSf made = filo_sf_tag(filo_sf_in(b, 1), filo_sf_arr(filo_sf_in(b, 0), &item_of));
    item_kind = filo_sf_branch(b, "item", FILO_TYPE(Item));
    filo_sf_define(item_kind, filo_sf_parameter(item_kind));
    FiloSfMember first = { item_kind, ITEM(4) };
    FiloSfCollection c = { .capacity = 4, .kinds = { item_kind }, .initial = &first, .initial_count = 1 };
    FiloSf all[] = {
        filo_sf_fold(filo_sf_after_each_cat(b, seconds, FILO_TYPE(Item), items, 3), FILO_SF(int32_t, 0),
                     &sum_of_ids),
        filo_sf_fold(filo_sf_rp_switch(filo_sf_in(b, 0), &c, made, add_item), FILO_SF(int32_t, 0),
                     &sum_of_ids),
    };
    embed(b, filo_sf_tuple(b, all, 2),
          &(Embed){ .delta = T(0, 1, 1, 1),
                    .in = { V(7, 8, 9, 1), U(NO, 1, NO, 1) },
                    .out = { E(NO, 12, 3, NO), V(4, 48, 48, 481) } });
}
