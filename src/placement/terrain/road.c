// Roads: the cheapest way between two points (A*), on a grid of nodes.
//
// A node has 16 neighbours: eight beside it, and eight a knight's move away, so that a road has more directions. The cost
// of an edge is its length in centimetres, times a factor for its grade and for what it crosses, rounded to an integer:
// the sum does not depend on an order. Of two nodes of equal cost, the one with the lower index comes first.

#include "placement/terrain/terrain.h"

#include <string.h>

#define NODES_MAX  768 // on a side
#define AVOID      15.0f
#define PREFER     0.35f
#define STEEP      60.0f // the largest factor for a grade
#define NO_EDGE    255
#define FURTHER    UINT64_MAX
#define NOT_QUEUED UINT32_MAX

static const int8_t edge_x[16] = { 1, 0, -1, 0, 1, -1, -1, 1, 2, 1, -1, -2, -2, -1, 1, 2 };
static const int8_t edge_y[16] = { 0, 1, 0, -1, 1, 1, -1, -1, 1, 2, 2, 1, -1, -2, -2, -1 };

typedef struct Search {
    const PlacementTerrain *terrain;
    const FiloTerrainRoad *road;
    int step;          // texels from a node to the next
    int width, height; // nodes
    size_t count;
    float lengths[16]; // metres of the edges
    float grade;
    uint64_t *costs;     // from the start
    uint64_t *estimates; // the same and the least that is left
    uint32_t *heap, *positions;
    uint32_t queued;
    uint8_t *edges; // by which a node was reached
    uint32_t from, to;
} Search;

// ---- Costs ----------------------------------------------------------------------------------------------

static int texel_of(int node, int step, int texels) { return FILO_MIN(node * step + step / 2, texels - 1); }

static size_t texel_index(const Search *s, int x, int y) {
    return (size_t)texel_of(y, s->step, s->terrain->height) * (size_t)s->terrain->width +
           (size_t)texel_of(x, s->step, s->terrain->width);
}

static float height_of(const Search *s, int x, int y) {
    int tx = texel_of(x, s->step, s->terrain->width), ty = texel_of(y, s->step, s->terrain->height);
    return placement_terrain_value(&s->terrain->map, tx, ty) * s->terrain->range;
}

static uint64_t edge_cost(const Search *s, int x, int y, int edge) {
    int nx = x + edge_x[edge], ny = y + edge_y[edge];
    float grade = filo_abs(height_of(s, nx, ny) - height_of(s, x, y)) / s->lengths[edge] / s->grade;
    float factor = 1.0f + filo_min(grade * grade, STEEP);
    size_t texel = texel_index(s, nx, ny);
    if (s->road->avoid != NULL && s->road->avoid[texel] >= 128) factor *= AVOID;
    if (s->road->prefer != NULL && s->road->prefer[texel] >= 128) factor *= PREFER;
    return (uint64_t)(s->lengths[edge] * factor * 100.0f + 0.5f);
}

// Not more than what is left: the straight line, at the least cost of a metre.
static uint64_t least_left(const Search *s, uint32_t node) {
    float x = (float)((int)(node % (uint32_t)s->width) - (int)(s->to % (uint32_t)s->width));
    float y = (float)((int)(node / (uint32_t)s->width) - (int)(s->to / (uint32_t)s->width));
    float dx = x * s->lengths[0], dy = y * s->lengths[1];
    float least = s->road->prefer != NULL ? PREFER : 1.0f;
    return (uint64_t)(filo_sqrt(dx * dx + dy * dy) * least * 99.0f);
}

// ---- The queue: a binary heap -----------------------------------------------------------------------------

static bool is_before(const Search *s, uint32_t a, uint32_t b) {
    return s->estimates[a] != s->estimates[b] ? s->estimates[a] < s->estimates[b] : a < b;
}

static void put(Search *s, uint32_t position, uint32_t node) {
    s->heap[position] = node;
    s->positions[node] = position;
}

static void move_up(Search *s, uint32_t node) {
    uint32_t at = s->positions[node];
    while (at > 0 && is_before(s, node, s->heap[(at - 1) / 2])) {
        put(s, at, s->heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    put(s, at, node);
}

static uint32_t take_first(Search *s) {
    uint32_t first = s->heap[0], node = s->heap[--s->queued], at = 0;
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= s->queued) break;
        if (child + 1 < s->queued && is_before(s, s->heap[child + 1], s->heap[child])) child++;
        if (!is_before(s, s->heap[child], node)) break;
        put(s, at, s->heap[child]);
        at = child;
    }
    if (s->queued > 0) put(s, at, node);
    s->positions[first] = NOT_QUEUED;
    return first;
}

// ---- The search -----------------------------------------------------------------------------------------

static void reach(Search *s, uint32_t node, uint64_t cost, uint8_t edge) {
    if (cost >= s->costs[node]) return;
    s->costs[node] = cost;
    s->estimates[node] = cost + least_left(s, node);
    s->edges[node] = edge;
    if (s->positions[node] == NOT_QUEUED) put(s, s->queued++, node);
    move_up(s, node);
}

static FiloResult search(Search *s) {
    for (size_t i = 0; i < s->count; i++) s->costs[i] = FURTHER;
    memset(s->positions, 0xFF, s->count * sizeof *s->positions);
    reach(s, s->from, 0, NO_EDGE);
    for (uint32_t taken = 0; s->queued > 0; taken++) {
        uint32_t node = take_first(s);
        if (node == s->to) break;
        if (taken % 65536 == 0) {
            FiloResult result = placement_terrain_report(s->terrain, (float)taken / (float)s->count);
            if (result.code != FILO_OK) return result;
        }
        int x = (int)(node % (uint32_t)s->width), y = (int)(node / (uint32_t)s->width);
        for (int edge = 0; edge < 16; edge++) {
            int nx = x + edge_x[edge], ny = y + edge_y[edge];
            if (nx < 0 || ny < 0 || nx >= s->width || ny >= s->height) continue;
            reach(s, (uint32_t)(ny * s->width + nx), s->costs[node] + edge_cost(s, x, y, edge),
                  (uint8_t)edge);
        }
    }
    return filo_ok();
}

// ---- Drawing --------------------------------------------------------------------------------------------

static FiloVec2 point_of(const Search *s, uint32_t node) {
    int x = texel_of((int)(node % (uint32_t)s->width), s->step, s->terrain->width);
    int y = texel_of((int)(node / (uint32_t)s->width), s->step, s->terrain->height);
    return filo_vec2(((float)x + 0.5f) * s->terrain->dx, ((float)y + 0.5f) * s->terrain->dy);
}

static uint32_t node_before(const Search *s, uint32_t node) {
    int edge = s->edges[node];
    return (uint32_t)((int)node - edge_y[edge] * s->width - edge_x[edge]);
}

// Draws from `to` back to `from`: between the middles of edges, a quadratic curve whose control point is the node.
static float draw(uint8_t *mask, const Search *s) {
    enum { PARTS = 4 };
    float width = s->road->width > 0.0f ? s->road->width : 6.0f, length = 0.0f;
    FiloVec2 at = s->road->to, control = s->road->to;
    for (uint32_t node = s->to;; node = node_before(s, node)) {
        bool is_last = node == s->from;
        FiloVec2 next = is_last ? s->road->from : point_of(s, node_before(s, node)), start = at;
        if (node != s->to) control = point_of(s, node);
        FiloVec2 end = is_last ? next : filo_vec2_scale(filo_vec2_add(control, next), 0.5f);
        for (int part = 1; part <= PARTS; part++) {
            float t = (float)part / PARTS;
            FiloVec2 a = filo_vec2_lerp(start, control, t), b = filo_vec2_lerp(control, end, t);
            FiloVec2 point = filo_vec2_lerp(a, b, t);
            placement_terrain_stamp(mask, s->terrain, at, point, 0.5f * width);
            length += filo_vec2_length(filo_vec2_sub(point, at));
            at = point;
        }
        if (is_last) return length;
    }
}

// ---- All of it ------------------------------------------------------------------------------------------

static bool is_inside(const FiloTerrainDesc *desc, FiloVec2 point) {
    return point.x >= 0.0f && point.y >= 0.0f && point.x <= desc->size.x && point.y <= desc->size.y;
}

static FiloResult check_road(const FiloTerrainDesc *desc, const FiloTerrainRoad *road) {
    if (!is_inside(desc, road->from) || !is_inside(desc, road->to))
        return FILO_MISTAKE("a road goes from one point of the map to another: (%g, %g) to (%g, %g) metres",
                            (double)road->from.x, (double)road->from.y, (double)road->to.x,
                            (double)road->to.y);
    if (!(road->width >= 0.0f && road->width <= 1000.0f) || !(road->grade >= 0.0f && road->grade <= 100.0f))
        return FILO_MISTAKE("the width of a road is 0 to 1000 metres, and its grade 0 to 100");
    return filo_ok();
}

static uint32_t node_at(const Search *s, FiloVec2 point) {
    int x = FILO_MIN((int)(point.x / s->terrain->dx) / s->step, s->width - 1);
    int y = FILO_MIN((int)(point.y / s->terrain->dy) / s->step, s->height - 1);
    return (uint32_t)(y * s->width + x);
}

static void prepare(Search *s) {
    const PlacementTerrain *t = s->terrain;
    s->step = (FILO_MAX(t->width, t->height) + NODES_MAX - 1) / NODES_MAX;
    s->width = (t->width + s->step - 1) / s->step;
    s->height = (t->height + s->step - 1) / s->step;
    s->count = (size_t)s->width * (size_t)s->height;
    s->grade = s->road->grade > 0.0f ? s->road->grade : 0.08f;
    for (int edge = 0; edge < 16; edge++) {
        float x = (float)(edge_x[edge] * s->step) * t->dx, y = (float)(edge_y[edge] * s->step) * t->dy;
        s->lengths[edge] = filo_sqrt(x * x + y * y);
    }
    s->from = node_at(s, s->road->from);
    s->to = node_at(s, s->road->to);
}

FiloResult filo_terrain_draw_road(uint8_t *mask, float *length, const FiloTerrainDesc *desc,
                                  const FiloTerrainRoad *road) {
    if (length != NULL) *length = 0.0f;
    PlacementTerrain terrain;
    FiloResult result = placement_terrain_open_whole(&terrain, desc, true, "roads are found on");
    if (result.code != FILO_OK) return result;
    if (mask == NULL || road == NULL)
        return FILO_MISTAKE("pass where the road is drawn, and from where to where");
    result = check_road(desc, road);
    if (result.code == FILO_OK) result = placement_terrain_heights(&terrain, NULL);
    if (result.code != FILO_OK) return result;
    Search s = { .terrain = &terrain, .road = road };
    prepare(&s);
    size_t size = s.count * (2 * sizeof(uint64_t) + 2 * sizeof(uint32_t) + 1);
    s.costs = filo_alloc(terrain.allocator, size, 0);
    if (s.costs == NULL) return placement_terrain_no_memory();
    s.estimates = s.costs + s.count;
    s.heap = (uint32_t *)(void *)(s.estimates + s.count);
    s.positions = s.heap + s.count;
    s.edges = (uint8_t *)(s.positions + s.count);
    result = search(&s);
    if (result.code == FILO_OK) {
        float drawn = draw(mask, &s);
        if (length != NULL) *length = drawn;
        result = placement_terrain_report(&terrain, 1.0f);
    }
    filo_free(terrain.allocator, s.costs, size, 0);
    return result;
}
