/* The verbs of the protocol that take time. Each answers by itself, or is false with a problem. */
#ifndef XSCHED_WORKER_PLAY_H
#define XSCHED_WORKER_PLAY_H

#include "words.h"

bool play(struct words *words);
bool suspend(struct words *words);

/* From then on nobody but the worker itself schedules its queues. */
bool has_suspended(void);

#endif
