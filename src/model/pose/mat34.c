// Conversions between matrices of three and of four rows.

#include <filo/pose.h>

FiloMat34 filo_mat34_from_mat4(FiloMat4 matrix) {
    FiloMat34 out;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++) out.m[4 * row + column] = matrix.m[4 * column + row];
    return out;
}

FiloMat4 filo_mat34_to_mat4(const FiloMat34 *matrix) {
    FiloMat4 out = filo_mat4_identity();
    if (matrix == NULL) return out;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++) out.m[4 * column + row] = matrix->m[4 * row + column];
    return out;
}
