// What the ways of going over a query share: iter.c goes over tables, driven.c over a shorter list.

#ifndef FILO_ECS_ITER_H
#define FILO_ECS_ITER_H

#include "ecs/world.h"

// What the terms outside of tables say to one row; their values in `pointers`, `stride` pointers apart. False
// if it does not match. `any`: it has one of the terms of which any will do.
bool filo_query_look_outside(const FiloQuery *query, FiloEntity entity, bool any, void **pointers,
                             size_t stride);
// Makes the gathered pointers of the terms outside of tables the columns.
void filo_iter_set_gathered(FiloIter *it);

// ---- driven.c

// The list to go over instead of tables with so many rows; NULL: the tables.
const FiloComponentData *filo_query_driver(const FiloQuery *query, size_t table_rows);
// Places in it, which parts of an iteration are counted in.
size_t filo_driver_places(const FiloWorld *world, const FiloComponentData *driver);
// As filo_iter_next. There is a buffer for what is gathered.
bool filo_iter_next_driven(FiloIter *it);

#endif
