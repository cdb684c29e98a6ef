/* A library that calls ioctl, to be loaded so that it finds libc's first. */
#include <sys/ioctl.h>

int deep_ioctl(int fd, unsigned long request, void *argument);

__attribute__((visibility("default"))) int deep_ioctl(int fd, unsigned long request, void *argument)
{
    return ioctl(fd, request, argument);
}
