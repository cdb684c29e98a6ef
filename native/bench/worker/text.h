/* Files of text. */
#ifndef XSCHED_WORKER_TEXT_H
#define XSCHED_WORKER_TEXT_H

/* All that is in a file. The caller frees it. NULL if it cannot be read, or is empty. */
char *read_text(const char *path);

#endif
