// The generated image that the UI is drawn with: discs and rings of all radii for corners, a soft edge for shadows, and
// icons.

#ifndef FILO_UI_ATLAS_H
#define FILO_UI_ATLAS_H

#include <filo/vector.h>

#define UI_ATLAS_SIZE   512
#define UI_ATLAS_RADIUS 24 // the largest
#define UI_ATLAS_RINGS  4  // widths of rings: 1 to this
#define UI_ATLAS_SHADOW 64

// Upper left corners, in texels.
FiloVec2 ui_atlas_disc(int radius);
FiloVec2 ui_atlas_ring(int radius, int width);
FiloVec2 ui_atlas_shadow(void);
// From transparent to opaque, to the right or down.
FiloRect ui_atlas_ramp(bool down);

#endif
