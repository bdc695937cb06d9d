// A holder of our own (filo/holder.h): a list in the order of entity indices.
//
//     filo_component(world, Wound, .storage = FILO_STORAGE_USER, .holder = &ordered_holder);
//
// It has nothing but the list: no table by entity as a sparse holder, no hash as a map, so it takes the least
// memory of all. And going over it always takes the order of entities, whatever was done before: what is
// written from it to a file or a network is the same on both sides. The price: looking one up is a binary
// search, and adding in the middle moves those behind it. Most new entities come at the end, which is quick.

#ifndef ORDERED_H
#define ORDERED_H

#include <filo/holder.h>

extern const FiloHolderInterface ordered_holder;

#endif
