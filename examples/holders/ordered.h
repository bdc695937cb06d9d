// A user-defined holder (filo/holder.h): a list in the order of entity indices.
//
//     filo_component(world, Wound, .storage = FILO_STORAGE_USER, .holder = &ordered_holder);
//
// It has only the list: no table by entity, as a sparse holder has, and no hash table, as a map has. So it takes the
// least memory of all. Iteration is always in the order of entities, whatever was added and removed before. The price:
// a look-up is a binary search, and adding in the middle moves the entries behind it. Most new entities are added at
// the end, which is fast.

#ifndef ORDERED_H
#define ORDERED_H

#include <filo/holder.h>

extern const FiloHolderInterface ordered_holder;

#endif
