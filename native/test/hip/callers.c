#include "../cuda/entries.h"
#include "structs.h"
#include "callers.gen.c"
