// filo/filo.h: all of Filo.

#ifndef FILO_FILO_H
#define FILO_FILO_H

#include <filo/base.h>

#endif
