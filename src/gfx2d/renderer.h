// The renderer: FiloGfx2d, and how its parts work together.
//
//   extract/   sprites of the world → quads of the packet   filo_gfx2d_extract; extract/build_quads.c makes the quads
//   images/    images on atlas pages, and their frames
//   draw/      immediate drawing: filo_draw_…
//   render/    packet and immediate quads → picture         filo_gfx2d_render, filo_gfx2d_render_part
//   systems/   components and systems of sprites, animations and cameras; they do not need a renderer
//   module.c   the renderer as a module of an app
//
// A frame: filo_gfx2d_extract reads the world and makes the packet. Then the game draws immediately, and
// filo_gfx2d_render draws both. The world is not read after the extraction, so the next tick may run meanwhile.

#ifndef FILO_GFX2D_RENDERER_H
#define FILO_GFX2D_RENDERER_H

#include <filo/check.h>

#include "gfx2d/draw/draw.h"
#include "gfx2d/render/render.h"

struct FiloGfx2d {
    FiloWorld *world;
    FiloJobs *jobs;
    FiloAssets *assets;
    FiloGpu *gpu; // NULL: the CPU draws
    const FiloAllocator *allocator;
    float pixels_per_unit, units_per_pixel;
    FiloColor background;
    FiloDraw *draw;

    // Images.
    Gfx2dPages pages;
    FiloMap pictures;                 // FiloAsset → Gfx2dPageSlot of its pixels
    FiloArray(Gfx2dPageSlot) retired; // freed by the next extraction: the packet may still show them
    FiloArray(Gfx2dImage) images;
    Gfx2dImageEntry *entries; // by FiloName
    uint32_t entry_count;
    bool has_requests; // some entry is requested
    Gfx2dSpriteFrame placeholder, unrequested, box, white;
    Gfx2dPageSlot placeholder_slot, white_slot;
    uint32_t generation; // increased when any frame changes

    // Extraction.
    FiloQuery *sprites, *cameras;
    FiloQuery *unresolved_sprites; // in a family, but without a world transform
    FiloQuery *lost_animations;    // without a sprite
    FiloConcealed *concealed;
    const FiloBits *concealed_bits; // of this extraction; NULL: none
    bool concealed_changed;         // others are concealed than in the last extraction
    bool settled;                   // families have not changed since the last tick ended
    bool has_unresolved;            // there are some: transforms are computed from the parents
    FiloSeen seen;                  // of the sprites
    Gfx2dPartArray parts;           // of this extraction, in the order of the world
    Gfx2dPartArray part_by_chunk;   // by FiloChunkId.index; NULL: no sprites
    Gfx2dPartArray spare_parts;     // of chunks that no longer exist, for reuse
    size_t part_count;              // in part_by_chunk
    uint32_t extraction;            // number of the latest
    float blend;
    FiloRect region; // around all views
    bool single_view;
    uint64_t sorted_layers[4];            // bit per layer: by y
    FiloArray(Gfx2dView) views;           // in the order of drawing
    FiloArray(Gfx2dQuadArray) view_quads; // of each view, if the CPU draws
    FiloArray(Gfx2dSegment) segments;
    FiloArray(Gfx2dSortEntry) to_sort; // memory for twice as many as there are: the sort needs a copy
    Gfx2dBuckets *buckets;
    FiloArray(FiloQuadSource) sources;
    Gfx2dPartArray
        batches; // the first batch_count are in use; the order of sources and batches is mostly the same
    size_t batch_count;
    bool in_sources;  // a source may add batches
    bool extracted;   // there is a packet
    bool size_warned; // it was logged that a picture was too large

    // Drawing.
    int width, height;
    FiloRaster *raster;
    FiloPixels picture; // memory of its own: drawn by the CPU, or read back
    FiloPixels output;  // what was drawn: `picture`, or one that was passed in
    bool drawn;
    bool rendered;            // something, since the extraction
    Gfx2dRenderRange pending; // what is to be drawn next
    Gfx2dDrawCalls calls;
    FiloArray(FiloQuadSpan) spans;
    FiloGpuRing *ring;
    FiloPipeline pipelines[GFX2D_PIPELINES]; // by features: gfx2d_shaders_pipeline
    FiloPipeline fill;                       // fills viewports
    FiloArray(Gfx2dTarget) targets;
    FiloArray(Gfx2dShader) shaders;
    float time; // of the packet, for shaders

    FiloGfx2dStats stats;
};

// A frame for extraction; the placeholder for names that are not in the table. Any thread during extraction.
static inline const Gfx2dSpriteFrame *gfx2d_frames_find(const FiloGfx2d *gfx, FiloName name, unsigned frame) {
    if (FILO_UNLIKELY(name.id >= gfx->entry_count)) return &gfx->placeholder;
    const Gfx2dImageEntry *entry = &gfx->entries[name.id];
    return entry->frames + FILO_MIN(frame, (unsigned)entry->last);
}

// Makes `gfx->picture` as large as the output. False without memory.
bool gfx2d_renderer_size_picture(FiloGfx2d *gfx);

#endif
