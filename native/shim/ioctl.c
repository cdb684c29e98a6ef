/*
 * Watches what drivers' libraries ask of the kernel. A call is never changed, and never fails for our
 * sake.
 *
 * Everybody's ioctl goes through here, also from within signal handlers: what is none of our business
 * costs a comparison, and takes no lock.
 */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "amd.h"
#include "amd_kfd.h"
#include "nvidia.h"
#include "nvidia_rm.h"
#include "shim.h"

typedef int (*ioctl_f)(int, unsigned long, ...);

static _Atomic(ioctl_f) real_ioctl;

int gpu_ioctl(int fd, unsigned long request, void *argument)
{
    ioctl_f real = atomic_load_explicit(&real_ioctl, memory_order_acquire);
    return real != NULL ? real(fd, request, argument)
                        : (int)syscall(SYS_ioctl, fd, request, argument);
}

#define NVIDIA(number) (NV_IOCTL_MAGIC << 8 | (number))

EXPORTED int ioctl(int fd, unsigned long request, ...)
{
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    uint32_t what = request & 0xffff;
    if (argument != NULL && (what == (AMDKFD_IOC_DESTROY_QUEUE & 0xffff) ||
                             what == (AMDKFD_IOC_UPDATE_QUEUE & 0xffff))) {
        return amd_call(fd, request, argument);
    }
    if (what == NVIDIA(NV_ESC_RM_FREE)) {
        nvidia_frees(request, argument);
    }
    int result = gpu_ioctl(fd, request, argument);
    if (result == 0 && argument != NULL) {
        if (what == NVIDIA(NV_ESC_RM_ALLOC)) {
            nvidia_allocated(fd, request, argument);
        } else if (what == (AMDKFD_IOC_CREATE_QUEUE & 0xffff)) {
            amd_created(fd, request, argument);
        }
    }
    return result;
}

__attribute__((constructor(101))) static void find_ioctl(void)
{
    atomic_store(&real_ioctl, (ioctl_f)dlsym(RTLD_NEXT, "ioctl"));
}
