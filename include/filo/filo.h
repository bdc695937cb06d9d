// filo/filo.h: all of Filo.

#ifndef FILO_FILO_H
#define FILO_FILO_H

#include <filo/app.h>
#include <filo/assets.h>
#include <filo/async.h>
#include <filo/audio.h>
#include <filo/base.h>
#include <filo/components3d.h>
#include <filo/draw.h>
#include <filo/ecotope.h>
#include <filo/ecs.h>
#include <filo/embed.h>
#include <filo/events.h>
#include <filo/figure.h>
#include <filo/gfx2d.h>
#include <filo/gfx3d.h>
#include <filo/gpu.h>
#include <filo/ground.h>
#include <filo/image.h>
#include <filo/input.h>
#include <filo/inspector.h>
#include <filo/jobs.h>
#include <filo/lockfree.h>
#include <filo/material.h>
#include <filo/mesh.h>
#include <filo/model.h>
#include <filo/modules.h>
#include <filo/objects.h>
#include <filo/physics2d.h>
#include <filo/placement.h>
#include <filo/placement_gpu.h>
#include <filo/placement_shader.h>
#include <filo/placement_world.h>
#include <filo/platform.h>
#include <filo/pose.h>
#include <filo/raster.h>
#include <filo/scene.h>
#include <filo/sheet.h>
#include <filo/signal.h>
#include <filo/sound.h>
#include <filo/spatial.h>
#include <filo/sprite.h>
#include <filo/task.h>
#include <filo/terrain_file.h>
#include <filo/text.h>
#include <filo/transform.h>
#include <filo/ui.h>

#endif
