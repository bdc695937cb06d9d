// From the parts of a transform to where something is in the world.

#include <filo/check.h>
#include <filo/sprite.h>

FiloAffine2 filo_transform_affine(const FiloTransform *transform) {
    FiloVec2 scale = transform->scale;
    if (scale.x == 0 && scale.y == 0) scale = filo_vec2(1, 1);
    // What comes out below, without sine and cosine: most things are not rotated.
    if (transform->rotation == 0)
        return filo_affine2(filo_vec2(scale.x, 0), filo_vec2(0, scale.y), transform->position);
    return filo_affine2_from_parts(transform->position, transform->rotation, scale);
}

FiloAffine2 filo_transform_in_world(const FiloWorld *world, FiloEntity entity) {
    FiloAffine2 place = filo_affine2_identity();
    FiloComponent component = filo_component_of(world, FILO_TYPE(FiloTransform));
    if (!FILO_CHECK(component.id != 0, "call filo_gfx2d_register for this world first")) return place;
    for (; entity.id != 0; entity = filo_entity_parent(world, entity)) {
        const FiloTransform *transform = filo_entity_get(world, entity, component);
        if (transform != NULL) place = filo_affine2_mul(filo_transform_affine(transform), place);
    }
    return place;
}
