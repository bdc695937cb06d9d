// What a placement says about its world and its maps.

#include "placement/placement.h"

FiloVec3 filo_placement_size(const FiloPlacement *placement) {
    if (!FILO_CHECK(placement != NULL, "pass the placement that filo_placement_create made"))
        return (FiloVec3){ 0, 0, 0 };
    return placement->size;
}

FiloPlacementPosition filo_placement_corner(const FiloPlacement *placement) {
    if (!FILO_CHECK(placement != NULL, "pass the placement that filo_placement_create made"))
        return (FiloPlacementPosition){ 0 };
    return (FiloPlacementPosition){ placement->corner_x, placement->corner_y, (double)placement->lowest };
}

FiloPlacementMapInfo filo_placement_map_info(const FiloPlacement *placement, int map) {
    FiloPlacementMapInfo info = { .name = "" };
    if (!FILO_CHECK(placement != NULL, "pass the placement that filo_placement_create made")) return info;
    if (map < 0 || map >= placement->map_count) return info;
    const PlacementMap *m = &placement->maps[map];
    info.name = m->name;
    info.whole = true;
    if (m->data == NULL) return info;
    info.width = m->reader.full_width;
    info.height = m->reader.full_height;
    info.whole = m->reader.width == info.width && m->reader.height == info.height;
    return info;
}
