/* Every way in which a program may find OpenCL's functions leads through the library: on real OpenCL. */
#include <dlfcn.h>
#include <fcntl.h>
#include <libgen.h>
#include <link.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"
#include "standin.h"

static struct standin standin;
static struct guest guest;

static void start(const char *program, const char *how, FILE **says, FILE **hears)
{
    char folder[3000], path[4000], library[4000];
    int in[2], out[2];
    snprintf(folder, sizeof folder, "%s", xpuload_path());
    snprintf(path, sizeof path, "%s/test/opencl/%s", dirname(folder), program);
    snprintf(library, sizeof library, "%s/libxsched.so", folder);
    CHECK(pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        setenv("LD_PRELOAD", library, 1);
        execl(path, path, how, (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    *hears = fdopen(in[1], "w");
    *says = fdopen(out[0], "r");
}

/* The calls in the table that put work on a queue, one bit each once they were made. */
static int find_in_table(const char *name, int *count)
{
    char line[256], found[64];
    FILE *table = fopen("shim/opencl.table", "r");
    int index = -1;
    CHECK(table != NULL);
    *count = 0;
    while (fgets(line, sizeof line, table) != NULL) {
        if (sscanf(line, "launch %63s", found) == 1) {
            index = strcmp(found, name) == 0 ? *count : index;
            ++*count;
        }
    }
    fclose(table);
    return index;
}

static uint64_t load(const uint64_t *fact)
{
    return __atomic_load_n(fact, __ATOMIC_SEQ_CST);
}

static void check_path(const char *program, const char *how)
{
    char line[128], name[64];
    FILE *says, *hears;
    int result, status, in_table = 0;
    uint64_t calls = 0, made = 0;
    standin_start(&standin);
    standin_host(&standin, &guest);
    start(program, how, &says, &hears);
    while (fgets(line, sizeof line, says) != NULL && strncmp(line, "right", 5) != 0) {
        if (strcmp(line, "none\n") == 0) {
            printf("skipped, as there is no OpenCL: ");
            exit(0);
        }
        if (sscanf(line, "%63s %d", name, &result) != 2 || strncmp(name, "cl", 2) != 0) {
            fprintf(stderr, "%s: %s", how, line);
            exit(1);
        }
        if (calls++ == 0) {
            standin_hosted(&standin);
            /* While others are there each call is counted at once. */
            __atomic_store_n(&guest.block->slot[0].others, XSCHED_OTHERS_BELOW, __ATOMIC_SEQ_CST);
        }
        int index = find_in_table(name, &in_table);
        if (index < 0 || load(&guest.block->slot[0].launched) != calls) {
            fprintf(stderr, "%s: %s was not counted\n", how, name);
            exit(1);
        }
        made |= 1ull << index;
        fputc('\n', hears);
        fflush(hears);
    }
    CHECK(in_table > 20 && made == (1ull << in_table) - 1); /* every one of them */
    struct xsched_slot *slot = &guest.block->slot[0];
    EVENTUALLY(load(&slot->completed) == calls &&
               __atomic_load_n(&slot->ready_since, __ATOMIC_SEQ_CST) == 0);
    CHECK(load(&slot->submitted) == calls && load(&slot->launched) == calls);
    fclose(hears);
    CHECK(wait(&status) > 0);
}

static void linked(void)
{
    check_path("every-linked", "linked");
}

static void asked_for_by_name(void)
{
    check_path("every", "dlopen");
}

static void asked_for_by_path(void)
{
    struct link_map *map;
    void *library = dlopen("libOpenCL.so.1", RTLD_LAZY);
    if (library == NULL) {
        printf("skipped, as there is no OpenCL: ");
        return;
    }
    CHECK(dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map->l_name[0] == '/');
    check_path("every", map->l_name);
}

static void asked_of_all_libraries(void)
{
    check_path("every-linked", "default");
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {
        {"calls of a program that is linked with OpenCL are counted", linked},
        {"calls of a program that opens OpenCL by its name are counted", asked_for_by_name},
        {"calls of a program that opens OpenCL by its path are counted", asked_for_by_path},
        {"calls of a program that looks through all libraries are counted", asked_of_all_libraries},
    };
    test_folder();
    return run_tests(count, arguments, tests, sizeof tests / sizeof tests[0]);
}
