// Results that come at any time, and how they pass through a program that records them.

#include <filo/check.h>

#include "objects/objects.h"
#include "objects/requests.h"

void filo_objects_set_results(FiloWorld *world, FiloObjectResultFunction result, void *user, bool replaying) {
    if (!FILO_CHECK(world != NULL, "pass a world to filo_objects_set_results")) return;
    ObjectsRequests *requests = objects_requests_of(world);
    if (requests == NULL) return; // no memory, which was reported
    requests->result = result;
    requests->result_user = user;
    requests->replaying = replaying;
}

void filo_objects_poll(FiloWorld *world) {
    if (!FILO_CHECK(world != NULL, "pass a world to filo_objects_poll")) return;
    ObjectsRequests *requests = objects_requests_find(world);
    if (requests != NULL) objects_requests_poll(requests);
}

void filo_objects_result(FiloWorld *world, FiloEntity object, const FiloType *type, const void *value) {
    if (!FILO_CHECK(world != NULL && type != NULL && value != NULL,
                    "pass a world, an object, a type and a value to filo_objects_result"))
        return;
    objects_put_event(world, object, type, value);
}
