// Panels: events, and values that are made of them.

#include "gallery.h"

FILO_SF_FUNCTION2(sum, float, float, total, float, x) { return total + x; }
FILO_SF_FUNCTION2(larger, float, float, x, float, y) { return filo_max(x, y); }
FILO_SF_PREDICATE(is_positive, float, x) { return x > 0; }
FILO_SF_MAYBE(root, float, float, x, result) {
    if (x < 0) return false;
    *result = filo_sqrt(x);
    return true;
}
FILO_SF_MAYBE2(turned, float, float, before, float, x, result) { // the sign has changed
    *result = x;
    return before * x < 0;
}
FILO_SF_MAYBE2(if_large, float, float, total, float, x, result) {
    (void)x;
    *result = total;
    return total > 0.5f;
}

// ---- Sources ----------------------------------------------------------------------------------------------

void gallery_add_sources(Gallery *g) {
    FiloSfBuilder *b = g->b;
    FiloSf x = filo_sf_in(b, 0), y = filo_sf_in(b, 1), c = filo_sf_in(b, 2);
    FiloSf low = filo_sf_less(x, y);
    const float seconds[] = { 0.5f, 0.5f, 1.5f, 0.02f }, values[] = { 0.2f, 0.4f, 0.6f, 0.8f };
    PLOT("never", "never", "", filo_sf_never(b, FILO_TYPE(float)));
    PLOT("now", "now", "", filo_sf_now(b, FILO_SF(float, 0.5f)));
    PLOT("after", "after", "", filo_sf_after(b, 1.5f, FILO_SF(float, 0.5f)));
    PLOT("repeatedly", "repeatedly", "", filo_sf_repeatedly(b, 0.5f, FILO_SF(float, 0.5f)));
    PLOT("after_each", "afterEach", "", filo_sf_after_each(b, seconds, FILO_TYPE(float), values, 4));
    PLOT("after_each_cat", "afterEachCat", "",
         filo_sf_after_each_cat(b, seconds, FILO_TYPE(float), values, 4));
    PLOT("occasionally", "occasionally", "", filo_sf_occasionally(b, 0.4f, FILO_SF_NONE));
    PLOT("noise", "noiseR", "", filo_sf_noise(b, -1, 1));
    PLOT("edge", "edge", "c", filo_sf_edge(c));
    PLOT("i_edge", "iEdge", "xy", filo_sf_i_edge(low, false));
    PLOT("edge_tag", "edgeTag", "c", filo_sf_edge_tag(c, FILO_SF(float, 0.5f)));
    PLOT("edge_just", "edgeJust", "xc", filo_sf_edge_just(filo_sf_event_when(c, x)));
    PLOT("edge_by", "edgeBy", "x", filo_sf_edge_by(x, FILO_SF(float, 0), &turned));
    PLOT("snap", "snap", "y", filo_sf_snap(y));
    PLOT("snap_after", "snapAfter", "y", filo_sf_snap_after(y, 1.5f));
    PLOT("sample", "sample", "x", filo_sf_sample(x, 0.5f));
    PLOT("event_when", "", "xc", filo_sf_event_when(c, x));
    PLOT("sample_window", "sampleWindow", "x", filo_sf_sample_window(x, 4, 0.75f));
}

// ---- Changing events --------------------------------------------------------------------------------------

void gallery_add_events(Gallery *g) {
    FiloSfBuilder *b = g->b;
    FiloSf x = filo_sf_in(b, 0), c = filo_sf_in(b, 2), e = filo_sf_in(b, 4), d = filo_sf_in(b, 5);
    FiloSf first = filo_sf_after(b, 0.8f, FILO_SF(float, 0.8f));
    FiloSf often = filo_sf_repeatedly(b, 0.4f, FILO_SF(float, 0.4f));
    PLOT("not_yet", "notYet", "d", filo_sf_not_yet(d));
    PLOT("once", "once", "e", filo_sf_once(e));
    PLOT("take_events", "takeEvents", "e", filo_sf_take_events(e, 3));
    PLOT("drop_events", "dropEvents", "e", filo_sf_drop_events(e, 3));
    PLOT("tag", "tag", "xe", filo_sf_tag(e, x));
    PLOT("attach", "attach", "xe", filo_sf_attach(e, x));
    PLOT("join", "joinE", "ed", filo_sf_join(e, d));
    PLOT("split", "splitE", "xe", filo_sf_split(filo_sf_attach(e, x)));
    PLOT("l_merge", "lMerge", "ed", filo_sf_l_merge(e, d));
    PLOT("r_merge", "rMerge", "ed", filo_sf_r_merge(e, d));
    PLOT("merge_by", "mergeBy", "ed", filo_sf_merge_by(e, d, &sum));
    PLOT("filter", "filterE", "e", filo_sf_filter(e, &is_positive));
    PLOT("map_filter", "mapFilterE", "e", filo_sf_map_filter(e, &root));
    PLOT("gate", "gate", "ec", filo_sf_gate(e, c));
    PLOT("is_event", "isEvent", "e", filo_sf_is_event(e));
    PLOT("from_event", "event", "e", filo_sf_from_event(e, FILO_SF(float, 0.1f)));
    PLOT("delay_event", "delayEvent", "e", filo_sf_delay_event(e, 0.35f, 8));
    PLOT("delay_event_cat", "delayEventCat", "e", filo_sf_delay_event_cat(e, 0.35f, 8));
    PLOT("recur", "recur", "", filo_sf_recur(first));
    PLOT("and_then", "andThen", "", filo_sf_and_then(first, often));
}

// ---- From events to values --------------------------------------------------------------------------------

void gallery_add_accumulators(Gallery *g) {
    FiloSfBuilder *b = g->b;
    FiloSf x = filo_sf_in(b, 0), c = filo_sf_in(b, 2), p = filo_sf_in(b, 3);
    FiloSf e = filo_sf_in(b, 4), some = filo_sf_event_when(c, x);
    FiloSfValue zero = FILO_SF(float, 0), low = FILO_SF(float, -1);
    PLOT("hold", "hold", "e", filo_sf_hold(e, zero));
    PLOT("track_and_hold", "trackAndHold", "xc", filo_sf_track_and_hold(some, zero));
    PLOT("accum", "accum", "e", filo_sf_accum(e, zero, &sum));
    PLOT("accum_by", "accumBy", "e", filo_sf_accum_by(e, low, &larger));
    PLOT("accum_hold", "accumHold", "e", filo_sf_accum_hold(e, zero, &sum));
    PLOT("accum_hold_by", "accumHoldBy", "e", filo_sf_accum_hold_by(e, low, &larger));
    PLOT("accum_filter", "accumFilter", "e", filo_sf_accum_filter(e, zero, &sum, &if_large));
    PLOT("count", "count", "e", filo_sf_count(e));
    g->delta = GALLERY_COARSE; // so that one sample later is visible
    PLOT("d_hold", "dHold", "e", filo_sf_d_hold(e, zero));
    PLOT("d_track_and_hold", "dTrackAndHold", "xc", filo_sf_d_track_and_hold(some, zero));
    PLOT("d_accum_hold", "dAccumHold", "e", filo_sf_d_accum_hold(e, zero, &sum));
    PLOT("d_accum_hold_by", "dAccumHoldBy", "e", filo_sf_d_accum_hold_by(e, low, &larger));
    PLOT("last", "lastSF", "c", filo_sf_last(c, true));
    g->delta = GALLERY_FINE;
    PLOT("so_far", "sofarSF", "p", filo_sf_so_far(filo_sf_not(p)));
    PLOT("ever", "everSF", "p", filo_sf_ever(p));
    PLOT("since", "", "cp", filo_sf_since(p, c));
    PLOT("until", "untilSF", "cp", filo_sf_until(filo_sf_not(c), p));
    PLOT("implies", "", "cp", filo_sf_implies(c, p));
}
