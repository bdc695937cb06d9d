// filo/maths.h: all of Filo's maths for simulations, the same bits on every machine, compiler and -O level.
//
//     filo/scalar.h  sine, power, rounding, blending, angles: functions of one number
//     filo/vector.h  FiloVec2, FiloVec3, FiloVec4, FiloIVec2, FiloRect, FiloAabb3
//     filo/matrix.h  FiloAffine2, FiloMat4, FiloQuat
//     filo/curves.h  easing, Bézier curves, Catmull-Rom splines, distances along them
//     filo/color.h   FiloColor, premultiplied bytes
//
// Use this, and neither <math.h> nor cglm, in everything that a world's hash depends on. For drawing, where a
// difference in the last bit is not visible, cglm is faster (it uses all instructions that the compiler allows, such as
// fused multiply-add). FiloMat4 has the order of cglm's mat4, but not its alignment: copy, do not cast.
//
// Conventions, everywhere:
//
// - Angles are in radians, and grow from +x towards +y; in space, by the right-hand rule.
// - Space is right-handed: +x to the right, +y up, +z towards the viewer. Cameras look along -z. In 2D
//   coordinates whose y points down the same formulas hold, and positive angles turn clockwise.
// - Vectors are columns and matrices are multiplied from the left: a * b is first b, then a. Matrices are stored column
//   by column. Clip space is OpenGL's: x, y and depth from -1 to 1.
// - Intervals, rectangles and boxes contain their lower end, but not their upper one.
// - A parameter t runs from 0 to 1. Times are in seconds.

#ifndef FILO_MATHS_H
#define FILO_MATHS_H

#include <filo/color.h>
#include <filo/curves.h>
#include <filo/matrix.h>
#include <filo/scalar.h>
#include <filo/vector.h>

#endif
