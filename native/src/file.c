#include <sys/stat.h>
#include <unistd.h>

#include "client.h"

void xsched_file_keep(struct xsched_file *file, int fd)
{
    struct stat status;
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

void xsched_file_close(struct xsched_file *file)
{
    if (xsched_file_is_ours(file)) {
        close(file->fd);
    }
    file->fd = -1;
}
