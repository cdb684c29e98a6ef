/* A stand-in driver of CUDA whose device works for a program only while its channels are enabled. */
#include "../cuda/standin.h"
#include "library.h"
#include "rm.h"

static struct library library = {.longer = true};

void standin_opens(void)
{
    library_start(&library);
}

bool standin_runs(void)
{
    return rm_runs(library.client, library.channels[0]);
}
