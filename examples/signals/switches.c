// Panels: switches and collections.

#include "gallery.h"

FILO_SF_FUNCTION2(sum, float, float, total, float, x) { return total + x; }

void gallery_add_switches(Gallery *g) {
    FiloSfBuilder *b = g->b;
    FiloSf x = filo_sf_in(b, 0), y = filo_sf_in(b, 1), c = filo_sf_in(b, 2);
    FiloSf e = filo_sf_in(b, 4), time = filo_sf_time(b);

    // A line that begins at the value of the event, and falls. Its time begins with the event.
    FiloSfBranch fall = filo_sf_branch(b, "fall", FILO_TYPE(float));
    filo_sf_define(fall, filo_sf_sub(filo_sf_parameter(fall), filo_sf_scale(time, 0.5f)));
    // The same until the next event.
    FiloSfBranch again = filo_sf_branch(b, "again", FILO_TYPE(float));
    FiloSf falling = filo_sf_sub(filo_sf_parameter(again), filo_sf_scale(time, 0.5f));
    filo_sf_define(again, filo_sf_switch(falling, FILO_ON(filo_sf_not_yet(e), again)));
    // What ran before, upside down.
    FiloSfBranch mirror = filo_sf_branch(b, "mirror", NULL);
    filo_sf_define(mirror, filo_sf_negate(filo_sf_old(mirror)));
    // What ran before stands still for 0.7 s, and then goes on.
    FiloSfBranch rest = filo_sf_branch(b, "rest", NULL), resume = filo_sf_branch(b, "resume", NULL);
    FiloSf rested = filo_sf_after(b, 0.7f, FILO_SF_NONE);
    filo_sf_define(rest, filo_sf_switch(filo_sf_constant(b, FILO_SF(float, 0)),
                                        FILO_ON_WITH(rested, resume, filo_sf_old(rest))));
    filo_sf_define(resume, filo_sf_old(resume));

    PLOT("switch", "switch", "xe", filo_sf_switch(x, FILO_ON(e, fall)));
    FiloSfBranch on_and_on = filo_sf_branch(b, "on and on", NULL); // what is outside is not restarted
    filo_sf_define(on_and_on, filo_sf_outer(filo_sf_sin(filo_sf_scale(time, 4))));
    PLOT("r_switch", "rSwitch", "xe", filo_sf_r_switch(x, FILO_ON(e, fall)));
    PLOT("k_switch", "kSwitch", "xe", filo_sf_k_switch(x, FILO_ON(e, mirror)));
    PLOT("start", "", "e", filo_sf_start(again, FILO_SF(float, 0.8f)));
    PLOT("start_with", "", "x", filo_sf_start_with(mirror, FILO_SF_NONE, x));
    PLOT("old", "kSwitch", "e", filo_sf_k_switch(filo_sf_sin(filo_sf_scale(time, 3)), FILO_ON(e, rest)));
    PLOT("provided", "provided", "yc", filo_sf_provided(c, time, y));
    PLOT("outer", "", "e", filo_sf_r_switch(filo_sf_sin(time), FILO_ON(e, on_and_on)));
    g->delta = GALLERY_COARSE;
    PLOT("d_switch", "dSwitch", "xe", filo_sf_d_switch(x, FILO_ON(e, fall)));
    PLOT("dr_switch", "drSwitch", "xe", filo_sf_dr_switch(x, FILO_ON(e, fall)));
    PLOT("dk_switch", "dkSwitch", "xe", filo_sf_dk_switch(x, FILO_ON(e, mirror)));
}

// ---- Collections ------------------------------------------------------------------------------------------

static FiloSfBranch flight; // the kind of all members

// An event adds a member; there are at most three.
static void launch(FiloSfMembers *members, const void *value) {
    const float *height = value;
    filo_sf_members_add(members, flight, FILO_SF(float, *height));
    if (filo_sf_members_count(members) > 3) filo_sf_members_remove(members, filo_sf_members_key(members, 0));
}

// Each member gets the input x, times its number.
static void spread(const void *const *input, const FiloSfMembers *members, void *inputs) {
    const float *x = input[0];
    float *values = inputs;
    for (size_t i = 0; i < filo_sf_members_count(members); i++) values[i] = *x * (float)(i + 1) / 3;
}

void gallery_add_collections(Gallery *g) {
    FiloSfBuilder *b = g->b;
    FiloSf x = filo_sf_in(b, 0), e = filo_sf_in(b, 4), d = filo_sf_in(b, 5);
    // A member swings around its parameter; its time begins with it.
    flight = filo_sf_branch(b, "flight", FILO_TYPE(float));
    FiloSf swing = filo_sf_scale(filo_sf_sin(filo_sf_scale(filo_sf_time(b), 4)), 0.3f);
    filo_sf_define(flight, filo_sf_add(filo_sf_parameter(flight), swing));
    const FiloSfMember two[] = { { flight, FILO_SF(float, 0.9f) }, { flight, FILO_SF(float, 0.2f) } };
    const FiloSfCollection flights = {
        .name = "flights", .capacity = 8, .kinds = { flight }, .initial = two, .initial_count = 2
    };
    // A member adds up its own input.
    FiloSfBranch adding = filo_sf_branch(b, "adding", NULL);
    filo_sf_define(adding, filo_sf_integral(filo_sf_input(b)));
    const FiloSfMember three[] = { { adding, FILO_SF_NONE },
                                   { adding, FILO_SF_NONE },
                                   { adding, FILO_SF_NONE } };
    const FiloSfCollection routed = { .name = "routed",
                                      .capacity = 4,
                                      .kinds = { adding },
                                      .initial = three,
                                      .initial_count = 3,
                                      .route = spread,
                                      .input_type = FILO_TYPE(float) };
    // The old members, with one more.
    FiloSfBranch more = filo_sf_branch(b, "more", FILO_TYPE(float));
    filo_sf_define(more, filo_sf_old_edited(more, launch));
    FiloSf par = filo_sf_par(x, &flights);
    PLOT("par", "parB", "", filo_sf_par(x, &flights));
    PLOT("par with route", "par", "x", filo_sf_par(x, &routed));
    PLOT("rp_switch", "rpSwitch", "e", filo_sf_rp_switch(x, &flights, e, launch));
    PLOT("p_switch", "pSwitch", "e", filo_sf_p_switch(par, FILO_ON(e, more)));
    PLOT("old_edited", "pSwitch", "d", filo_sf_p_switch(par, FILO_ON(filo_sf_not_yet(d), more)));
    PLOT("fold", "arr foldl", "e",
         filo_sf_fold(filo_sf_rp_switch(x, &flights, e, launch), FILO_SF(float, 0), &sum));
    g->delta = GALLERY_COARSE;
    PLOT("drp_switch", "drpSwitch", "e", filo_sf_drp_switch(x, &flights, e, launch));
    PLOT("dp_switch", "dpSwitch", "e", filo_sf_dp_switch(par, FILO_ON(e, more)));
}
