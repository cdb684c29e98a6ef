/* Stand-ins for networks: their layers, in order and number, much narrower, with random weights. */
#ifndef XSCHED_WORKER_NETWORKS_H
#define XSCHED_WORKER_NETWORKS_H

#include "plan.h"

/* A residual network: a picture goes through four stages of blocks. */
struct resnet {
    const char *stands_for;
    int blocks[4]; /* in each stage */
    bool bottleneck;
    int images; /* at once */
    int side;   /* of a picture, in pixels */
    int width;  /* channels of the first stage */
    bool trains;
};

void plan_resnet(struct plan *plan, const struct resnet *resnet);

/* A transformer that reads a text. */
struct transformer {
    const char *stands_for;
    int layers;
    int tokens;
    int hidden; /* numbers of a token */
    int heads;
};

void plan_transformer(struct plan *plan, const struct transformer *transformer);

#endif
