// Rings: memory that is written anew every frame while the card reads that of the frames before.
//
// Each part of a ring is a buffer of its own. The first piece that is taken in a frame opens the next part:
// it waits until the card has done with the frame in which the part was last used (three frames ago, so that
// it rarely waits), and replaces the part's buffer by a larger one if the ring has grown. That no part is
// open while it is in flight is the invariant; the null device checks it, see null.c.
//
// A piece that does not fit into the part is memory from the heap, which is copied into a buffer of its own
// when it is handed in; that buffer goes at the end of the frame (the driver keeps it as long as the card
// needs it). The next part that is opened will be large enough.

#include "gpu/device.h"

#include <string.h>

#define PIECE_ALIGN 256 // at least what storage buffers ask for on any card

// ---- Parts --------------------------------------------------------------------------------------------

static FiloResult make_part(FiloBuffer *buffer, FiloGpu *gpu, const FiloGpuRing *ring) {
    return gpu_buffer_add(
        buffer, gpu, &(FiloBufferDesc){ .label = ring->label, .use = ring->use, .size = ring->size }, true);
}

static void verify_part(FiloGpu *gpu, FiloGpuRing *ring, GpuRingPart *part) {
    if (part->used > 0) gpu->backend->ring_verify(gpu, ring, part, gpu_buffer_at(gpu, part->buffer));
}

// Gives the part a larger buffer. Where there is no memory for one, it keeps what it has.
static void grow_part(FiloGpu *gpu, FiloGpuRing *ring, GpuRingPart *part) {
    FiloBuffer larger;
    FiloResult result = make_part(&larger, gpu, ring);
    if (result.code != FILO_OK) {
        filo_log_warn("gpu", "ring \"%s\" cannot grow: %s", ring->label, result.message);
        return;
    }
    gpu_buffer_drop(gpu, part->buffer);
    part->buffer = larger;
}

// Opens the part for this frame.
static void open_part(FiloGpu *gpu, FiloGpuRing *ring) {
    GpuRingPart *part = &ring->parts[ring->current];
    if (part->in_flight) gpu_wait_frame(gpu, part->frame);
    verify_part(gpu, ring, part);
    part->used = 0;
    GpuBuffer *buffer = gpu_buffer_at(gpu, part->buffer);
    if (buffer->size < ring->size) grow_part(gpu, ring, part);
    gpu->backend->ring_open(gpu, gpu_buffer_at(gpu, part->buffer));
    part->frame = gpu->frame;
    ring->open = true;
}

// ---- Life ---------------------------------------------------------------------------------------------

static void free_ring(FiloGpu *gpu, FiloGpuRing *ring) {
    for (int i = 0; i < ring->part_count; i++) gpu_buffer_drop(gpu, ring->parts[i].buffer);
    filo_array_each (&ring->overflow, buffer) gpu_buffer_drop(gpu, *buffer);
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
    if (gpu == NULL) return FILO_MISTAKE(GPU_MISSING);
    if (desc == NULL) return FILO_MISTAKE("describe the ring");
    if (desc->frames < 0 || desc->frames > GPU_RING_PARTS)
        return FILO_MISTAKE("a ring has 1 to %d parts, or 0 for the usual three, not %d", GPU_RING_PARTS,
                            desc->frames);
    FiloResult result = make_ring(ring, gpu, desc);
    GPU_AFTER(gpu, "filo_gpu_ring_create");
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
    GPU_AFTER(gpu, "filo_gpu_ring_destroy");
}

// ---- Pieces -------------------------------------------------------------------------------------------

static bool take_staged(FiloGpu *gpu, FiloGpuRing *ring, size_t size, FiloRingPiece *piece) {
    size_t room = FILO_MAX(size, (size_t)1);
    void *memory = filo_alloc(gpu->allocator, room, PIECE_ALIGN);
    if (memory == NULL) return false;
    if (!filo_array_push(&ring->staging, (GpuStaging){ memory, room })) {
        filo_free(gpu->allocator, memory, room, PIECE_ALIGN);
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
    if (size > SIZE_MAX / 4 || ring->wanted > SIZE_MAX / 4) return false;
    if (!ring->open) open_part(gpu, ring);
    GpuRingPart *part = &ring->parts[ring->current];
    GpuBuffer *buffer = gpu_buffer_at(gpu, part->buffer);
    size_t room = FILO_ALIGN_UP(FILO_MAX(size, (size_t)1), (size_t)PIECE_ALIGN);
    if (buffer->size - part->used < room) {
        if (!take_staged(gpu, ring, size, piece)) return false;
    } else {
        *piece = (FiloRingPiece){ .memory = (uint8_t *)buffer->memory + part->used,
                                  .buffer = part->buffer,
                                  .offset = part->used,
                                  .size = size };
        gpu->backend->ring_take(gpu, buffer, part->used, room);
        part->used += room;
    }
    ring->wanted += room;
    ring->not_done++;
    return true;
}

// Copies what was staged into a buffer of its own.
static void hand_in_staged(FiloGpu *gpu, FiloGpuRing *ring, FiloRingPiece *piece) {
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
        result = gpu_buffer_add(&piece->buffer, gpu,
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
    ring->not_done--;
}

void filo_gpu_ring_done(FiloGpu *gpu, FiloGpuRing *ring, FiloRingPiece *piece) {
    if (!GPU_CHECK(gpu) || !FILO_CHECK(ring != NULL && piece != NULL, "pass the ring and the piece")) return;
    if (!FILO_CHECK(piece->memory != NULL, "ring \"%s\": this piece has been handed in already", ring->label))
        return;
    if (piece->staged) {
        hand_in_staged(gpu, ring, piece);
    } else {
        GpuRingPart *part = &ring->parts[ring->current];
        if (!FILO_CHECK(ring->open && ring->not_done > 0 && piece->buffer.id == part->buffer.id,
                        "ring \"%s\": hand in each piece once, in the frame in which it was taken",
                        ring->label))
            return;
        gpu->backend->ring_done(gpu, gpu_buffer_at(gpu, part->buffer), piece->offset, piece->size);
        gpu->stats.uploaded += piece->size;
        ring->not_done--;
    }
    piece->memory = NULL;
    GPU_AFTER(gpu, "filo_gpu_ring_done");
}

// ---- Frames -------------------------------------------------------------------------------------------

static void end_frame(FiloGpu *gpu, FiloGpuRing *ring) {
    (void)FILO_CHECK(
        ring->not_done == 0,
        "ring \"%s\": hand in all pieces before the frame ends, with filo_gpu_ring_done; %u were not",
        ring->label, ring->not_done);
    ring->not_done = 0;
    filo_array_each (&ring->staging, staging)
        filo_free(gpu->allocator, staging->memory, staging->size, PIECE_ALIGN);
    filo_array_clear(&ring->staging);
    filo_array_each (&ring->overflow, buffer) gpu_buffer_drop(gpu, *buffer);
    filo_array_clear(&ring->overflow);
    // Half as much again, so that what grows a little every frame does not allocate every frame.
    if (ring->wanted > ring->size)
        ring->size = FILO_ALIGN_UP(FILO_MAX(ring->wanted, ring->size + ring->size / 2), (size_t)PIECE_ALIGN);
    ring->wanted = 0;
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
