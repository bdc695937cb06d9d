// Ring buffers: memory that is rewritten every frame while the GPU reads that of earlier frames.
//
// Each part of a ring is a buffer. The first piece that is taken in a frame opens the next part: it waits until the GPU
// has finished with the frame that last used the part (three frames ago, so it rarely waits), and replaces the part's
// buffer by a larger one if the ring has grown. The invariant is that no part is open while it is in flight; the null
// device checks it, see null.c.
//
// A piece that does not fit into the part is staging memory from the heap. filo_gpu_ring_done copies it to a buffer of
// its own, which is destroyed at the end of the frame; the driver frees its memory when the GPU has finished with it.
// The next part that is opened is large enough.

#include "gpu/device.h"

#include <string.h>

#define PIECE_ALIGN 256 // the largest offset alignment of storage buffers that OpenGL allows

// ---- Parts --------------------------------------------------------------------------------------------

static FiloResult make_part(FiloBuffer *buffer, FiloGpu *gpu, const FiloGpuRing *ring) {
    return gpu_buffer_create(
        buffer, gpu, &(FiloBufferDesc){ .label = ring->label, .use = ring->use, .size = ring->size }, true);
}

static void verify_part(FiloGpu *gpu, FiloGpuRing *ring, GpuRingPart *part) {
    if (part->used > 0 && gpu->backend->ring_verify != NULL)
        gpu->backend->ring_verify(ring, part, gpu_buffer_at(gpu, part->buffer));
}

// Replaces the buffer of the part by a larger one. Without memory for one, the part keeps its buffer.
static void grow_part(FiloGpu *gpu, FiloGpuRing *ring, GpuRingPart *part) {
    FiloBuffer larger;
    FiloResult result = make_part(&larger, gpu, ring);
    if (result.code != FILO_OK) {
        filo_log_warn("gpu", "ring \"%s\" cannot grow: %s", ring->label, result.message);
        return;
    }
    gpu_buffer_destroy(gpu, part->buffer);
    part->buffer = larger;
}

// Opens the current part for this frame.
static void open_part(FiloGpu *gpu, FiloGpuRing *ring) {
    GpuRingPart *part = &ring->parts[ring->current];
    if (part->in_flight) gpu_wait_frame(gpu, part->frame);
    verify_part(gpu, ring, part);
    part->used = 0;
    if (gpu_buffer_at(gpu, part->buffer)->size < ring->size) grow_part(gpu, ring, part);
    if (gpu->backend->ring_open != NULL) gpu->backend->ring_open(gpu, gpu_buffer_at(gpu, part->buffer));
    part->frame = gpu->frame;
    ring->open = true;
}

// ---- Lifetime ---------------------------------------------------------------------------------------------

static void free_ring(FiloGpu *gpu, FiloGpuRing *ring) {
    for (int i = 0; i < ring->part_count; i++) gpu_buffer_destroy(gpu, ring->parts[i].buffer);
    filo_array_each (&ring->overflow, buffer) gpu_buffer_destroy(gpu, *buffer);
    filo_array_each (&ring->staging, staging)
        filo_free(gpu->allocator, staging->memory, staging->size, PIECE_ALIGN);
    filo_array_deinit(&ring->overflow);
    filo_array_deinit(&ring->staging);
    filo_free(gpu->allocator, ring, sizeof *ring, 0);
}

static FiloResult make_ring(FiloGpuRing **made, FiloGpu *gpu, const FiloRingDesc *desc) {
    const char *label = desc->label != NULL ? desc->label : "ring";
    if (desc->use == FILO_BUFFER_STORAGE && !gpu->limits.storage)
        return filo_error(FILO_ERROR_UNSUPPORTED, "ring \"%s\": OpenGL 3.3 has no storage buffers", label);
    FiloGpuRing *ring = filo_alloc_zero(gpu->allocator, sizeof *ring, 0);
    if (ring == NULL) return filo_error(FILO_ERROR_MEMORY, "ring \"%s\": no memory", label);
    gpu_copy_label(ring->label, desc->label, "ring");
    ring->use = desc->use;
    ring->size = FILO_ALIGN_UP(FILO_MAX(desc->size, (size_t)1), (size_t)PIECE_ALIGN);
    filo_array_init(&ring->staging, gpu->allocator);
    filo_array_init(&ring->overflow, gpu->allocator);
    int parts = desc->frames == 0 ? 3 : desc->frames;
    for (; ring->part_count < parts; ring->part_count++) {
        FiloResult result = make_part(&ring->parts[ring->part_count].buffer, gpu, ring);
        if (result.code != FILO_OK) {
            free_ring(gpu, ring);
            return result;
        }
    }
    ring->next = gpu->rings;
    gpu->rings = ring;
    *made = ring;
    return filo_ok();
}

FiloResult filo_gpu_ring_create(FiloGpuRing **ring, FiloGpu *gpu, const FiloRingDesc *desc) {
    if (ring == NULL) return FILO_MISTAKE("say where to put the new ring");
    *ring = NULL;
    if (gpu_mistake(gpu) != NULL) return FILO_MISTAKE("%s", gpu_mistake(gpu));
    if (desc == NULL) return FILO_MISTAKE("describe the ring");
    if (desc->use == FILO_BUFFER_READBACK)
        return FILO_MISTAKE("a ring is written by the program; make readback buffers one by one");
    if (desc->frames < 0 || desc->frames > GPU_RING_PARTS)
        return FILO_MISTAKE("a ring has 1 to %d parts, or 0 for the usual three, not %d", GPU_RING_PARTS,
                            desc->frames);
    FiloResult result = make_ring(ring, gpu, desc);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_ring_create");
    return result;
}

void filo_gpu_ring_destroy(FiloGpu *gpu, FiloGpuRing *ring) {
    if (!GPU_CHECK(gpu) || ring == NULL) return;
    FiloGpuRing **link = &gpu->rings;
    while (*link != NULL && *link != ring) link = &(*link)->next;
    if (!FILO_CHECK(*link != NULL, "filo_gpu_ring_destroy: this ring has been destroyed already")) return;
    for (int i = 0; i < ring->part_count; i++) verify_part(gpu, ring, &ring->parts[i]);
    *link = ring->next;
    free_ring(gpu, ring);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_ring_destroy");
}

// ---- Pieces -------------------------------------------------------------------------------------------

static bool take_staged(FiloGpu *gpu, FiloGpuRing *ring, size_t size, FiloRingPiece *piece) {
    size_t bytes = FILO_MAX(size, (size_t)1);
    void *memory = filo_alloc(gpu->allocator, bytes, PIECE_ALIGN);
    if (memory == NULL) return false;
    if (!filo_array_push(&ring->staging, (GpuStaging){ memory, bytes })) {
        filo_free(gpu->allocator, memory, bytes, PIECE_ALIGN);
        return false;
    }
    *piece = (FiloRingPiece){ .memory = memory, .size = size, .staged = true };
    return true;
}

bool filo_gpu_ring_take(FiloGpu *gpu, FiloGpuRing *ring, size_t size, FiloRingPiece *piece) {
    if (!GPU_CHECK(gpu) ||
        !FILO_CHECK(ring != NULL && piece != NULL, "pass the ring, and the piece to fill in"))
        return false;
    *piece = (FiloRingPiece){ 0 };
    if (size > SIZE_MAX / 4 || ring->requested > SIZE_MAX / 4) return false;
    if (!ring->open) open_part(gpu, ring);
    GpuRingPart *part = &ring->parts[ring->current];
    GpuBuffer *buffer = gpu_buffer_at(gpu, part->buffer);
    size_t bytes = FILO_ALIGN_UP(FILO_MAX(size, (size_t)1), (size_t)PIECE_ALIGN);
    if (buffer->size - part->used < bytes) {
        if (!take_staged(gpu, ring, size, piece)) return false;
    } else {
        *piece = (FiloRingPiece){ .memory = (uint8_t *)buffer->memory + part->used,
                                  .buffer = part->buffer,
                                  .offset = part->used,
                                  .size = size };
        if (gpu->backend->ring_take != NULL) gpu->backend->ring_take(gpu, buffer, part->used, bytes);
        part->used += bytes;
    }
    ring->requested += bytes;
    ring->open_pieces++;
    return true;
}

// Copies a staged piece to a buffer of its own.
static void upload_staged(FiloGpu *gpu, FiloGpuRing *ring, FiloRingPiece *piece) {
    size_t index = 0;
    while (index < ring->staging.count && ring->staging.items[index].memory != piece->memory) index++;
    if (!FILO_CHECK(index < ring->staging.count,
                    "ring \"%s\": hand in each piece once, in the frame in which it was taken", ring->label))
        return;
    GpuStaging staging = ring->staging.items[index];
    FiloResult result;
    if (!filo_array_reserve(&ring->overflow, ring->overflow.count + 1))
        result = filo_error(FILO_ERROR_MEMORY, "no memory");
    else
        result = gpu_buffer_create(&piece->buffer, gpu,
                                   &(FiloBufferDesc){ .label = ring->label,
                                                      .use = ring->use,
                                                      .size = staging.size,
                                                      .data = staging.memory,
                                                      .constant = true },
                                   false);
    if (result.code == FILO_OK)
        (void)filo_array_push(&ring->overflow, piece->buffer);
    else
        filo_log_error("gpu", "ring \"%s\": a piece is lost: %s", ring->label, result.message);
    piece->offset = 0;
    filo_array_remove_swap(&ring->staging, index);
    filo_free(gpu->allocator, staging.memory, staging.size, PIECE_ALIGN);
    ring->open_pieces--;
}

void filo_gpu_ring_done(FiloGpu *gpu, FiloGpuRing *ring, FiloRingPiece *piece) {
    if (!GPU_CHECK(gpu) || !FILO_CHECK(ring != NULL && piece != NULL, "pass the ring and the piece")) return;
    if (!FILO_CHECK(piece->memory != NULL, "ring \"%s\": this piece has been handed in already", ring->label))
        return;
    if (piece->staged) {
        upload_staged(gpu, ring, piece);
    } else {
        GpuRingPart *part = &ring->parts[ring->current];
        if (!FILO_CHECK(ring->open && ring->open_pieces > 0 && piece->buffer.id == part->buffer.id,
                        "ring \"%s\": hand in each piece once, in the frame in which it was taken",
                        ring->label))
            return;
        if (gpu->backend->ring_done != NULL)
            gpu->backend->ring_done(gpu, gpu_buffer_at(gpu, part->buffer), piece->offset, piece->size);
        gpu->stats.uploaded += piece->size;
        ring->open_pieces--;
    }
    piece->memory = NULL;
    GPU_REPORT_ERRORS(gpu, "filo_gpu_ring_done");
}

// ---- Frames -------------------------------------------------------------------------------------------

static void end_frame(FiloGpu *gpu, FiloGpuRing *ring) {
    (void)FILO_CHECK(
        ring->open_pieces == 0,
        "ring \"%s\": hand in all pieces before the frame ends, with filo_gpu_ring_done; %u were not",
        ring->label, ring->open_pieces);
    ring->open_pieces = 0;
    filo_array_each (&ring->staging, staging)
        filo_free(gpu->allocator, staging->memory, staging->size, PIECE_ALIGN);
    filo_array_clear(&ring->staging);
    filo_array_each (&ring->overflow, buffer) gpu_buffer_destroy(gpu, *buffer);
    filo_array_clear(&ring->overflow);
    // At least half as much again, so that a slow growth does not allocate in every frame.
    if (ring->requested > ring->size)
        ring->size =
            FILO_ALIGN_UP(FILO_MAX(ring->requested, ring->size + ring->size / 2), (size_t)PIECE_ALIGN);
    ring->requested = 0;
    ring->parts[ring->current].in_flight = true;
    ring->current = (ring->current + 1) % ring->part_count;
    ring->open = false;
}

void gpu_rings_end_frame(FiloGpu *gpu) {
    for (FiloGpuRing *ring = gpu->rings; ring != NULL; ring = ring->next)
        if (ring->open) end_frame(gpu, ring);
}

void gpu_rings_complete(FiloGpu *gpu) {
    for (FiloGpuRing *ring = gpu->rings; ring != NULL; ring = ring->next) {
        for (int i = 0; i < ring->part_count; i++) {
            GpuRingPart *part = &ring->parts[i];
            if (!part->in_flight || part->frame >= gpu->completed) continue;
            part->in_flight = false;
            verify_part(gpu, ring, part);
        }
    }
}
