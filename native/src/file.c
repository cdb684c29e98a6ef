#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client.h"

/* A program that closed its standard input must not read from our socket instead. */
static int beyond_standard_files(int fd)
{
    if (fd < 0 || fd > STDERR_FILENO) {
        return fd;
    }
    int moved = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(fd);
    return moved;
}

void xsched_file_keep(struct xsched_file *file, int fd)
{
    struct stat status;
    fd = beyond_standard_files(fd);
    file->fd = -1;
    if (fd >= 0 && fstat(fd, &status) == 0) {
        *file = (struct xsched_file){.fd = fd, .dev = status.st_dev, .ino = status.st_ino};
    }
}

bool xsched_file_is_ours(const struct xsched_file *file)
{
    struct stat status;
    return file->fd >= 0 && fstat(file->fd, &status) == 0 && status.st_dev == file->dev &&
           status.st_ino == file->ino;
}

bool xsched_file_may_have(size_t size)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur >= size;
}

void xsched_file_close(struct xsched_file *file)
{
    if (xsched_file_is_ours(file)) {
        close(file->fd);
    }
    file->fd = -1;
}
