// Results that come at any time, and how they pass through a program that records them.

#include <filo/check.h>

#include "objects/objects.h"
#include "objects/requests.h"

void filo_objects_set_results(FiloWorld *world, FiloObjectResultFunction result, void *user, bool replaying) {
    if (!FILO_CHECK(world != NULL, "pass a world to filo_objects_set_results")) return;
    ObjectsWorld *objects = objects_world_get(world);
    if (objects == NULL) return; // no memory, which was reported
    ObjectsRequests *requests = objects->requests;
    requests->result = result;
    requests->result_user = user;
    requests->replaying = replaying;
}

void filo_objects_poll(FiloWorld *world) {
    if (!FILO_CHECK(world != NULL, "pass a world to filo_objects_poll")) return;
    const ObjectsWorld *objects = objects_world(world);
    if (objects != NULL) objects_requests_poll(objects->requests);
}

void filo_objects_result(FiloWorld *world, FiloEntity object, const FiloType *type, const void *value) {
    if (!FILO_CHECK(world != NULL && type != NULL && value != NULL,
                    "pass a world, an object, a type and a value to filo_objects_result"))
        return;
    ObjectsWorld *objects = objects_world(world);
    const ObjectsInbox *inbox = objects != NULL ? objects_inbox_find(objects, type) : NULL;
    if (!FILO_CHECK(inbox != NULL, "no kind of objects in this world takes events %s", type->name)) return;
    // A recording may name any entity.
    if (filo_entity_exists(world, object) && filo_entity_has(world, object, inbox->component))
        (void)objects_deliver_one(objects, object, type, value);
}

const FiloType *filo_objects_event_named(const FiloWorld *world, const char *name) {
    if (!FILO_CHECK(world != NULL && name != NULL, "pass a world, and the name of an event")) return NULL;
    const ObjectsWorld *objects = objects_world(world);
    for (size_t i = 0; objects != NULL && i < objects->inboxes.count; i++)
        if (strcmp(objects->inboxes.items[i]->event->name, name) == 0)
            return objects->inboxes.items[i]->event;
    return NULL;
}
