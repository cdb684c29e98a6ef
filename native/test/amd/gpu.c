/* A stand-in runtime of HIP whose device works for a program as the kernel's side says. */
#include "../cuda/standin.h"
#include "kfd.h"
#include "runtime.h"

static struct runtime runtime;

void standin_opens(void)
{
    if (kfd_state() != NULL) {
        runtime_start(&runtime);
    }
}

bool standin_runs(void)
{
    return kfd_runs();
}
