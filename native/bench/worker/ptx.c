#include "ptx.h"

#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "answer.h"
#include "text.h"

#define ROOM_FOR_A_NAME 16

extern char **environ;

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
    /* Where posix_spawnp cannot tell, the child does, as a shell would. */
    return status == 0 ? 0 : WIFEXITED(status) && WEXITSTATUS(status) == 127 ? ENOENT : EINVAL;
}

static bool compile(const char *source, char *target, int major, int minor)
{
    char architecture[32];
    snprintf(architecture, sizeof architecture, "-arch=compute_%d%d", major, minor);
    char *arguments[] = {"nvcc", "-x",   "cu",           "-ptx", architecture,
                         "-o",   target, (char *)source, NULL};
    int error = run_nvcc(arguments);
    if (error == ENOENT) {
        return problem("no nvcc to compile %s; install the CUDA toolkit and have nvcc in the PATH",
                       source);
    }
    return error == 0 || problem("nvcc did not compile %s for %s into %s; the standard error says "
                                 "why", source, architecture, target);
}

char *make_ptx(const char *source, int major, int minor)
{
    char folder[PATH_MAX - ROOM_FOR_A_NAME], target[PATH_MAX];
    const char *temporary = getenv("TMPDIR");
    if (temporary == NULL || temporary[0] == 0) {
        temporary = "/tmp";
    }
    int length = snprintf(folder, sizeof folder, "%s/xsched-ptx-XXXXXX", temporary);
    if (length >= (int)sizeof folder || mkdtemp(folder) == NULL) {
        problem("no folder for compiled kernels can be made in %s (%s); set TMPDIR to one that can "
                "be written", temporary, strerror(errno));
        return NULL;
    }
    snprintf(target, sizeof target, "%s/kernels.ptx", folder);
    char *text = NULL;
    if (compile(source, target, major, minor) && (text = read_text(target)) == NULL) {
        problem("nvcc wrote nothing to %s; see whether there is room", target);
    }
    unlink(target);
    rmdir(folder);
    return text;
}
