#include "entries.h"

#include "callers.gen.c"
