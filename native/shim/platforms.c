/* What platforms have in common that no unit or stream needs. */
#include <stdbool.h>
#include <stdio.h>

#include "platforms.h"

void xshim_name_after_uuid(char *name, size_t size, const unsigned char *uuid)
{
    int length = snprintf(name, size, "gpu:");
    for (int i = 0; i < 16; i++) {
        bool dash = i == 4 || i == 6 || i == 8 || i == 10;
        length += snprintf(name + length, size - (size_t)length, dash ? "-%02x" : "%02x", uuid[i]);
    }
}
