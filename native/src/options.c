#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"

static const char usage[] =
    "usage: xpuload --device PATH [OPTION]...\n"
    "Uses a shared virtual XPU the way programs use a GPU.\n"
    "  --device PATH       the device; made if it is not there\n"
    "  --command-us N      time of one command (default 100)\n"
    "  --window N          most commands in flight per queue (default 16)\n"
    "  --seconds S         ends after that time (default 1, unless --commands)\n"
    "  --commands N        ends after that many commands per queue\n"
    "  --period-us P       works in bursts, one per period; else without a pause\n"
    "  --burst B           commands of one burst (default 1)\n"
    "  --queues Q          queues, with threads of their own (default 1)\n"
    "  --name S            name of the queues (default load)\n"
    "  --priority N        hint for the queues\n"
    "  --json              prints one line of JSON at the end\n"
    "  --fork              forks, while it works, a child that does the same\n"
    "  --exec-self         registers, then starts itself again in place\n"
    "  --misbehave HOW     garbage-block, garbage-socket, garbage-board or garbage-hello\n"
    "  --seed N            of the garbage (default 1)\n";

static const struct option words[] = {
    {"device", required_argument, NULL, 'd'},    {"command-us", required_argument, NULL, 'c'},
    {"window", required_argument, NULL, 'w'},    {"seconds", required_argument, NULL, 's'},
    {"commands", required_argument, NULL, 'n'},  {"period-us", required_argument, NULL, 'p'},
    {"burst", required_argument, NULL, 'b'},     {"queues", required_argument, NULL, 'q'},
    {"name", required_argument, NULL, 'N'},      {"priority", required_argument, NULL, 'P'},
    {"json", no_argument, NULL, 'j'},            {"fork", no_argument, NULL, 'f'},
    {"exec-self", no_argument, NULL, 'e'},       {"misbehave", required_argument, NULL, 'm'},
    {"seed", required_argument, NULL, 'S'},      {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static void fail(const char *option, const char *text, const char *valid)
{
    fprintf(stderr, "xpuload: --%s is '%s'; give %s\n", option, text, valid);
    exit(2);
}

static long long number(const char *option, long long min, long long max)
{
    char valid[80];
    char *end;
    errno = 0;
    long long value = strtoll(optarg, &end, 10);
    if (end == optarg || *end != 0 || errno != 0 || value < min || value > max) {
        snprintf(valid, sizeof valid, "a whole number from %lld to %lld", min, max);
        fail(option, optarg, valid);
    }
    return value;
}

static double seconds(const char *option)
{
    char *end;
    double value = strtod(optarg, &end);
    if (end == optarg || *end != 0 || !(value > 0 && value < 1e6)) {
        fail(option, optarg, "a number of seconds above 0");
    }
    return value;
}

static enum misbehave way(const char *option)
{
    static const char *const ways[] = {"", "garbage-block", "garbage-socket", "garbage-board",
                                       "garbage-hello"};
    for (int i = GARBAGE_BLOCK; i <= GARBAGE_HELLO; i++) {
        if (strcmp(optarg, ways[i]) == 0) {
            return (enum misbehave)i;
        }
    }
    fail(option, optarg, "garbage-block, garbage-socket, garbage-board or garbage-hello");
    return BEHAVE;
}

static void set(int letter, const char *option, struct options *options)
{
    switch (letter) {
    case 'd': options->device = optarg; break;
    case 'c': options->command_us = number(option, 1, 60000000); break;
    case 'w': options->window = number(option, 1, 100000); break;
    case 's': options->seconds = seconds(option); break;
    case 'n': options->commands = number(option, 1, INT64_MAX); break;
    case 'p': options->period_us = number(option, 1, 3600000000ll); break;
    case 'b': options->burst = number(option, 1, 1000000); break;
    case 'q': options->queues = number(option, 1, LOAD_QUEUES); break;
    case 'N': options->name = optarg; break;
    case 'P':
        options->priority = number(option, -256, 255);
        options->has_priority = true;
        break;
    case 'j': options->json = true; break;
    case 'f': options->fork = true; break;
    case 'e': options->exec_self = true; break;
    case 'm': options->misbehave = way(option); break;
    case 'S': options->seed = number(option, 0, INT64_MAX); break;
    case 'h':
        fputs(usage, stdout);
        exit(0);
    default:
        fputs(usage, stderr);
        exit(2);
    }
}

void options_parse(int count, char **arguments, struct options *options)
{
    *options = (struct options){.name = "load",
                                .command_us = 100,
                                .window = 16,
                                .burst = 1,
                                .queues = 1,
                                .seed = 1};
    int index = 0;
    int letter;
    while ((letter = getopt_long(count, arguments, "", words, &index)) != -1) {
        set(letter, words[index].name, options);
    }
    if (options->device == NULL || optind != count) {
        fputs(usage, stderr);
        exit(2);
    }
    if (options->seconds <= 0 && options->commands == 0) {
        options->seconds = 1;
    }
}
