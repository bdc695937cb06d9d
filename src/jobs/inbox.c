// Inboxes: rings of jobs under a lock, for pinned jobs and jobs from foreign threads, which are rare. `count` is read
// without the lock, so that taking from an empty inbox costs one load.

#include "jobs/scheduler.h"

#define INITIAL_CAPACITY 64

bool jobs_inbox_init(JobsInbox *inbox, const FiloAllocator *allocator) {
    filo_mutex_init(&inbox->lock);
    inbox->allocator = allocator;
    inbox->first = 0;
    inbox->capacity = INITIAL_CAPACITY;
    base_store_relaxed(&inbox->count, 0);
    inbox->jobs = filo_alloc(allocator, INITIAL_CAPACITY * sizeof(FiloJob *), 0);
    return inbox->jobs != NULL;
}

void jobs_inbox_deinit(JobsInbox *inbox) {
    filo_free(inbox->allocator, inbox->jobs, inbox->capacity * sizeof(FiloJob *), 0);
    filo_mutex_deinit(&inbox->lock);
}

static bool grow(JobsInbox *inbox, uint32_t count) {
    size_t capacity = inbox->capacity * 2;
    FiloJob **jobs = filo_alloc(inbox->allocator, capacity * sizeof(FiloJob *), 0);
    if (jobs == NULL) return false;
    for (uint32_t i = 0; i < count; i++) jobs[i] = inbox->jobs[(inbox->first + i) & (inbox->capacity - 1)];
    filo_free(inbox->allocator, inbox->jobs, inbox->capacity * sizeof(FiloJob *), 0);
    inbox->jobs = jobs;
    inbox->capacity = capacity;
    inbox->first = 0;
    return true;
}

bool jobs_inbox_push(JobsInbox *inbox, FiloJob *job) {
    filo_mutex_lock(&inbox->lock);
    uint32_t count = base_load_relaxed(&inbox->count);
    bool fits = count < inbox->capacity || grow(inbox, count);
    if (fits) {
        inbox->jobs[(inbox->first + count) & (inbox->capacity - 1)] = job;
        base_store_relaxed(&inbox->count, count + 1);
    }
    filo_mutex_unlock(&inbox->lock);
    return fits;
}

FiloJob *jobs_inbox_take(JobsInbox *inbox) {
    if (base_load_relaxed(&inbox->count) == 0) return NULL;
    FiloJob *job = NULL;
    filo_mutex_lock(&inbox->lock);
    uint32_t count = base_load_relaxed(&inbox->count);
    if (count > 0) {
        job = inbox->jobs[inbox->first & (inbox->capacity - 1)];
        inbox->first++;
        base_store_relaxed(&inbox->count, count - 1);
    }
    filo_mutex_unlock(&inbox->lock);
    return job;
}
