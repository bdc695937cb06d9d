// Calling the hooks of components.
//
// Hooks need not be ready for several threads. Most are called by the thread that changes the world, but values are
// also recorded in change sets, by systems that run at once and by threads that fill sets of their own at any time.
// So all hooks of one world are called under one lock. A world without hooks has none, and values without hooks never
// come here.
//
// A snapshot destructs its copies by the hooks of the world it was taken of, and may outlive that: who ends last frees
// the lock. The thread that has it may take it again: a value that is destructed may own a snapshot.

#include "ecs/world.h"

struct FiloHookLock {
    FiloMutex mutex;
    FILO_ATOMIC(uint32_t) owner; // filo_thread_id; 0: nobody
    uint32_t depth;
    FILO_ATOMIC(uint32_t) users;
};

FiloHookLock *filo_hook_lock_create(void) {
    FiloHookLock *lock = filo_alloc_zero(NULL, sizeof *lock, 0);
    if (lock == NULL) return NULL;
    filo_mutex_init(&lock->mutex);
    filo_store_relaxed(&lock->users, 1);
    return lock;
}

FiloHookLock *filo_hook_lock_share(FiloHookLock *lock) {
    filo_add_relaxed(&lock->users, 1);
    return lock;
}

void filo_hook_lock_release(FiloHookLock *lock) {
    // Acquire and release: who is the last comes after all that others did with it.
    if (lock == NULL || filo_sub_acq_rel(&lock->users, 1) > 1) return;
    filo_mutex_deinit(&lock->mutex);
    filo_free(NULL, lock, sizeof *lock, 0);
}

// Relaxed: only a thread itself can have written its own number, so it sees that, or that of somebody else.
void filo_hooks_begin(FiloHookLock *lock) {
    uint32_t self = filo_thread_id();
    if (FILO_LIKELY(filo_load_relaxed(&lock->owner) != self)) {
        filo_mutex_lock(&lock->mutex);
        filo_store_relaxed(&lock->owner, self);
    }
    lock->depth++;
}

void filo_hooks_end(FiloHookLock *lock) {
    if (--lock->depth > 0) return;
    filo_store_relaxed(&lock->owner, 0);
    filo_mutex_unlock(&lock->mutex);
}

void filo_hook_construct(const FiloComponentData *component, void *value) {
    filo_hooks_begin(component->hook_lock);
    component->info.hooks.construct(value, component->info.hooks.user);
    filo_hooks_end(component->hook_lock);
}

void filo_hook_destruct(const FiloComponentData *component, void *value) {
    filo_hooks_begin(component->hook_lock);
    component->info.hooks.destruct(value, component->info.hooks.user);
    filo_hooks_end(component->hook_lock);
}

void filo_hook_copy(const FiloComponentData *component, void *to, const void *from) {
    filo_hooks_begin(component->hook_lock);
    component->info.hooks.copy(to, from, component->info.hooks.user);
    filo_hooks_end(component->hook_lock);
}

void filo_hook_move(const FiloComponentData *component, uint8_t *to, uint8_t *from, size_t count) {
    filo_hooks_begin(component->hook_lock);
    for (size_t i = 0; i < count; i++)
        component->info.hooks.move(to + i * component->size, from + i * component->size,
                                   component->info.hooks.user);
    filo_hooks_end(component->hook_lock);
}
