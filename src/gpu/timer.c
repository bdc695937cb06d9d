// Timers and labels.
//
// A measurement is a pair of time stamps that the GPU writes when it executes them. Each timer has a few pairs, used in
// turn, whose results are read when a frame ends. While all pairs are pending, the timer does not measure. So no
// function waits for the GPU.

#include "gpu/device.h"

static GpuTimer *timer_at(const FiloGpu *gpu, FiloGpuTimer timer, const char *function) {
    if (!GPU_CHECK(gpu) || timer.id == 0) return NULL;
    GpuTimer *data = gpu_pool_get(&gpu->timers, timer.id);
    (void)FILO_CHECK(data != NULL, "%s: this timer has been destroyed, or never was", function);
    return data;
}

FiloResult filo_gpu_timer_create(FiloGpuTimer *handle, FiloGpu *gpu, const char *label) {
    if (handle == NULL) return FILO_MISTAKE("say where to put the new timer");
    *handle = (FiloGpuTimer){ 0 };
    if (gpu_mistake(gpu) != NULL) return FILO_MISTAKE("%s", gpu_mistake(gpu));
    if (label == NULL) label = "timer";
    uint32_t id;
    GpuTimer *timer = gpu_pool_add(&gpu->timers, &id);
    if (timer == NULL) return filo_error(FILO_ERROR_MEMORY, "timer \"%s\": no memory", label);
    gpu_copy_label(timer->label, label, "timer");
    FiloResult result = gpu->backend->timer_create(gpu, timer);
    if (result.code == FILO_OK)
        handle->id = id;
    else
        gpu_pool_remove(&gpu->timers, id);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_timer_create");
    return result;
}

void filo_gpu_timer_begin(FiloGpu *gpu, FiloGpuTimer handle) {
    GpuTimer *timer = timer_at(gpu, handle, __func__);
    if (timer == NULL) return;
    if (!FILO_CHECK(!timer->running, "timer \"%s\": end it before you begin it again", timer->label)) return;
    timer->running = true;
    timer->recording = timer->pending < GPU_QUERIES;
    if (timer->recording)
        gpu->backend->timer_mark(gpu, timer, (timer->first + timer->pending) % GPU_QUERIES, 0);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_timer_begin");
}

void filo_gpu_timer_end(FiloGpu *gpu, FiloGpuTimer handle) {
    GpuTimer *timer = timer_at(gpu, handle, __func__);
    if (timer == NULL) return;
    if (!FILO_CHECK(timer->running, "timer \"%s\": begin it before you end it", timer->label)) return;
    timer->running = false;
    if (timer->recording) {
        gpu->backend->timer_mark(gpu, timer, (timer->first + timer->pending) % GPU_QUERIES, 1);
        timer->pending++;
    }
    GPU_REPORT_ERRORS(gpu, "filo_gpu_timer_end");
}

void gpu_timers_read(FiloGpu *gpu) {
    for (uint32_t i = 0; i < gpu->timers.count; i++) {
        GpuTimer *timer = gpu_pool_at(&gpu->timers, i);
        if (timer == NULL) continue;
        while (timer->pending > 0 && gpu->backend->timer_read(gpu, timer, timer->first, &timer->ms)) {
            timer->first = (timer->first + 1) % GPU_QUERIES;
            timer->pending--;
        }
    }
}

double filo_gpu_timer_ms(const FiloGpu *gpu, FiloGpuTimer handle) {
    const GpuTimer *timer = timer_at(gpu, handle, __func__);
    return timer != NULL ? timer->ms : 0;
}

void filo_gpu_timer_destroy(FiloGpu *gpu, FiloGpuTimer handle) {
    GpuTimer *timer = timer_at(gpu, handle, __func__);
    if (timer == NULL) return;
    gpu->backend->timer_destroy(gpu, timer);
    gpu_pool_remove(&gpu->timers, handle.id);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_timer_destroy");
}

void filo_gpu_push_label(FiloGpu *gpu, const char *label) {
    if (!GPU_CHECK(gpu) || !FILO_CHECK(label != NULL, "name the group")) return;
    gpu->label_depth++;
    gpu->backend->push_label(gpu, label);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_push_label");
}

void filo_gpu_pop_label(FiloGpu *gpu) {
    if (!GPU_CHECK(gpu) || !FILO_CHECK(gpu->label_depth > 0, "push a label before you pop one")) return;
    gpu->label_depth--;
    gpu->backend->pop_label(gpu);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_pop_label");
}
