#include "ptx.h"

#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "answer.h"
#include "backend.h"

extern char **environ;

static bool is_newer(const char *path, const char *than)
{
    struct stat one, other;
    return stat(path, &one) == 0 && stat(than, &other) == 0 &&
           (one.st_mtim.tv_sec > other.st_mtim.tv_sec ||
            (one.st_mtim.tv_sec == other.st_mtim.tv_sec &&
             one.st_mtim.tv_nsec >= other.st_mtim.tv_nsec));
}

/* What it says goes to our standard error: the standard output is for answers. */
static int run_nvcc(char **arguments)
{
    pid_t child;
    int status = 0;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    int error = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
        return error;
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status == 0 ? 0 : EINVAL;
}

/* Renamed when it is complete, because another worker may be doing the same. */
static bool compile(const char *source, const char *target, int major, int minor)
{
    char architecture[32], unfinished[PATH_MAX];
    snprintf(architecture, sizeof architecture, "-arch=compute_%d%d", major, minor);
    if (snprintf(unfinished, sizeof unfinished, "%s.%d", target, (int)getpid()) >=
        (int)sizeof unfinished) {
        return problem("the worker's path is too long; move it");
    }
    char *arguments[] = {"nvcc", "-x",       "cu",           "-ptx", architecture,
                         "-o",   unfinished, (char *)source, NULL};
    int error = run_nvcc(arguments);
    if (error == ENOENT) {
        return problem("no nvcc to compile %s; install the CUDA toolkit and have nvcc in the PATH",
                       source);
    }
    if (error != 0) {
        unlink(unfinished);
        return problem("nvcc did not compile %s for %s into that folder; the standard error says "
                       "why", source, architecture);
    }
    return rename(unfinished, target) == 0 ||
           problem("%s: %s; let the worker write to its folder", target, strerror(errno));
}

char *read_ptx(int major, int minor)
{
    char source[PATH_MAX], target[PATH_MAX], name[64];
    char *text = NULL;
    size_t room = 0;
    snprintf(name, sizeof name, "kernels-%d.%d.ptx", major, minor);
    if (!beside(source, sizeof source, "kernels.cl") || !beside(target, sizeof target, name) ||
        (!is_newer(target, source) && !compile(source, target, major, minor))) {
        return NULL;
    }
    FILE *file = fopen(target, "r");
    if (file == NULL || getdelim(&text, &room, 0, file) < 0) {
        problem("%s cannot be read; delete it", target);
        free(text);
        text = NULL;
    }
    if (file != NULL) {
        fclose(file);
    }
    return text;
}
