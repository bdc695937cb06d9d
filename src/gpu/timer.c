// Timers and labels.
//
// A measurement is a pair of time stamps that the card writes when it comes past them. Each timer has a few
// pairs, used in turn, which are looked at when a frame ends; while all of them are on their way it does not
// measure. So nobody ever waits.

#include "gpu/device.h"

static GpuTimerData *timer_at(const FiloGpu *gpu, FiloGpuTimer timer, const char *function) {
    if (!GPU_CHECK(gpu) || timer.id == 0) return NULL;
    GpuTimerData *data = gpu_pool_get(&gpu->timers, timer.id);
    (void)FILO_CHECK(data != NULL, "%s: this timer has been destroyed, or never was", function);
    return data;
}

FiloResult filo_gpu_timer_create(FiloGpuTimer *handle, FiloGpu *gpu, const char *label) {
    if (handle == NULL) return FILO_MISTAKE("say where to put the new timer");
    *handle = (FiloGpuTimer){ 0 };
    if (gpu == NULL) return FILO_MISTAKE(GPU_MISSING);
    if (label == NULL) label = "timer";
    uint32_t id;
    GpuTimerData *timer = gpu_pool_add(&gpu->timers, &id);
    if (timer == NULL) return filo_error(FILO_ERROR_MEMORY, "timer \"%s\": no memory", label);
    gpu_copy_label(timer->label, label, "timer");
    FiloResult result = gpu->backend->timer_create(gpu, timer);
    if (result.code == FILO_OK)
        handle->id = id;
    else
        gpu_pool_remove(&gpu->timers, id);
    GPU_AFTER(gpu, "filo_gpu_timer_create");
    return result;
}

void filo_gpu_timer_begin(FiloGpu *gpu, FiloGpuTimer handle) {
    GpuTimerData *timer = timer_at(gpu, handle, __func__);
    if (timer == NULL) return;
    if (!FILO_CHECK(!timer->running, "timer \"%s\": end it before you begin it again", timer->label)) return;
    timer->running = true;
    timer->counts = timer->waiting < GPU_QUERIES;
    if (timer->counts) gpu->backend->timer_mark(gpu, timer, (timer->first + timer->waiting) % GPU_QUERIES, 0);
    GPU_AFTER(gpu, "filo_gpu_timer_begin");
}

void filo_gpu_timer_end(FiloGpu *gpu, FiloGpuTimer handle) {
    GpuTimerData *timer = timer_at(gpu, handle, __func__);
    if (timer == NULL) return;
    if (!FILO_CHECK(timer->running, "timer \"%s\": begin it before you end it", timer->label)) return;
    timer->running = false;
    if (timer->counts) {
        gpu->backend->timer_mark(gpu, timer, (timer->first + timer->waiting) % GPU_QUERIES, 1);
        timer->waiting++;
    }
    GPU_AFTER(gpu, "filo_gpu_timer_end");
}

void gpu_timers_read(FiloGpu *gpu) {
    for (uint32_t i = 0; i < gpu->timers.count; i++) {
        uint32_t id;
        GpuTimerData *timer = gpu_pool_at(&gpu->timers, i, &id);
        if (timer == NULL) continue;
        while (timer->waiting > 0 && gpu->backend->timer_read(gpu, timer, timer->first, &timer->ms)) {
            timer->first = (timer->first + 1) % GPU_QUERIES;
            timer->waiting--;
        }
    }
}

double filo_gpu_timer_ms(const FiloGpu *gpu, FiloGpuTimer handle) {
    const GpuTimerData *timer = timer_at(gpu, handle, __func__);
    return timer != NULL ? timer->ms : 0;
}

void filo_gpu_timer_destroy(FiloGpu *gpu, FiloGpuTimer handle) {
    GpuTimerData *timer = timer_at(gpu, handle, __func__);
    if (timer == NULL) return;
    gpu->backend->timer_destroy(gpu, timer);
    gpu_pool_remove(&gpu->timers, handle.id);
    GPU_AFTER(gpu, "filo_gpu_timer_destroy");
}

void filo_gpu_push_label(FiloGpu *gpu, const char *label) {
    if (!GPU_CHECK(gpu) || !FILO_CHECK(label != NULL, "name the group")) return;
    gpu->label_depth++;
    gpu->backend->push_label(gpu, label);
    GPU_AFTER(gpu, "filo_gpu_push_label");
}

void filo_gpu_pop_label(FiloGpu *gpu) {
    if (!GPU_CHECK(gpu) || !FILO_CHECK(gpu->label_depth > 0, "push a label before you pop one")) return;
    gpu->label_depth--;
    gpu->backend->pop_label(gpu);
    GPU_AFTER(gpu, "filo_gpu_pop_label");
}
