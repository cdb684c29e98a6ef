/* Folders of private daemons. One that a killed program left behind goes when the next is made. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "api.h"

#define PREFIX "xsched-private-"
#define LONGEST_PARENT 60 /* the path of a socket must not be longer than 107 */
#define OLD_SECONDS 60    /* younger ones may be just being made */

static const char *parent(void)
{
    const char *named = getenv("TMPDIR");
    return named != NULL && *named == '/' && strlen(named) < LONGEST_PARENT ? named : "/tmp";
}

bool api_make_folder(char *path, size_t size)
{
    snprintf(path, size, "%s/" PREFIX "XXXXXX", parent());
    if (mkdtemp(path) == NULL) {
        xsched_say(0, "no folder could be made in %s; running unscheduled", parent());
        path[0] = 0;
        return false;
    }
    return true;
}

void api_remove_folder(const char *path)
{
    DIR *entries = opendir(path);
    struct dirent *entry;
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        unlinkat(dirfd(entries), entry->d_name, 0);
    }
    if (entries != NULL) {
        closedir(entries);
    }
    rmdir(path);
}

/* The daemon's process id is locked while it runs. */
static bool is_in_use(const char *path)
{
    char file[520];
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    snprintf(file, sizeof file, "%s/pid", path);
    int fd = open(file, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) {
        return false;
    }
    bool in_use = fcntl(fd, F_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
    close(fd);
    return in_use;
}

void api_sweep_folders(void)
{
    DIR *entries = opendir(parent());
    struct dirent *entry;
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        char path[512];
        struct stat status;
        snprintf(path, sizeof path, "%s/%s", parent(), entry->d_name);
        if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) == 0 && lstat(path, &status) == 0 &&
            S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
            status.st_mtime < time(NULL) - OLD_SECONDS && !is_in_use(path)) {
            api_remove_folder(path);
        }
    }
    if (entries != NULL) {
        closedir(entries);
    }
}
