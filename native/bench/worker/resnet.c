/*
 * Residual networks (He et al., 2015), as kernels: every convolution is one, with the adding of the
 * shortcut and the cut at 0 in it. Training runs them, then all of them backwards, and has each
 * learn.
 */
#include <math.h>
#include <stdio.h>

#include "networks.h"

#define GROUP 32
#define CLASSES 32
#define MOST_LAYERS 256
#define RATE 1e-4

/* A picture on its way. */
struct picture {
    uint64_t pixels;
    uint64_t error; /* in training: what it should have been is so far away */
    int side, channels;
    bool has_error; /* some was put there already */
};

struct layer {
    struct picture *in, *out, *shortcut; /* the last may be NULL */
    uint64_t weights;
    int size, stride;
};

struct build {
    struct plan *plan;
    const struct resnet *resnet;
    struct picture pictures[MOST_LAYERS];
    int picture_count;
    struct layer layers[MOST_LAYERS];
    int layer_count;
};

static size_t numbers_of(const struct build *build, const struct picture *picture)
{
    return (size_t)(build->resnet->images * picture->side * picture->side * picture->channels);
}

static struct picture *make_picture(struct build *build, int side, int channels)
{
    struct picture *picture = &build->pictures[build->picture_count++];
    *picture = (struct picture){.side = side, .channels = channels};
    picture->pixels = plan_buffer(build->plan, numbers_of(build, picture));
    if (build->resnet->trains) {
        picture->error = plan_buffer(build->plan, numbers_of(build, picture));
    }
    return picture;
}

/* Weights so large that pictures keep their brightness on the way. */
static uint64_t make_weights(struct build *build, int inputs, int outputs)
{
    float most = (float)sqrt(3.0 / inputs);
    return plan_random(build->plan, (size_t)(inputs * outputs), -most, most);
}

static struct picture *convolve(struct build *build, struct picture *in, int size, int stride,
                                int channels, struct picture *shortcut)
{
    struct layer *layer = &build->layers[build->layer_count++];
    struct picture *out = make_picture(build, in->side / stride, channels);
    *layer = (struct layer){
        .in = in, .out = out, .shortcut = shortcut, .size = size, .stride = stride};
    layer->weights = make_weights(build, size * size * in->channels, channels);
    plan_step(build->plan, &build->plan->request, "convolve", (size_t)channels,
              (size_t)(build->resnet->images * out->side * out->side), GROUP, "bbbbiiiiii",
              in->pixels, layer->weights, shortcut == NULL ? in->pixels : shortcut->pixels,
              out->pixels, in->side, in->channels, size, stride, channels, shortcut != NULL);
    return out;
}

static struct picture *block(struct build *build, struct picture *in, int stride, int width)
{
    int channels = build->resnet->bottleneck ? 4 * width : width;
    struct picture *shortcut = in;
    if (stride != 1 || in->channels != channels) {
        shortcut = convolve(build, in, 1, stride, channels, NULL);
    }
    if (!build->resnet->bottleneck) {
        return convolve(build, convolve(build, in, 3, stride, width, NULL), 3, 1, width, shortcut);
    }
    struct picture *narrow = convolve(build, in, 1, 1, width, NULL);
    return convolve(build, convolve(build, narrow, 3, stride, width, NULL), 1, 1, channels,
                    shortcut);
}

static void learn(struct build *build, struct layer *layer)
{
    struct plan *plan = build->plan;
    struct picture *in = layer->in, *out = layer->out;
    int images = build->resnet->images;
    if (layer->shortcut != NULL) {
        size_t count = numbers_of(build, out);
        plan_step(plan, &plan->request, "shortcut_back", count, 1, GROUP, "bbbii", out->error,
                  out->pixels, layer->shortcut->error, (int)count, layer->shortcut->has_error);
        layer->shortcut->has_error = true;
    }
    plan_step(plan, &plan->request, "convolve_back", (size_t)in->channels,
              (size_t)(images * in->side * in->side), GROUP, "bbbbiiiiii", out->error, out->pixels,
              layer->weights, in->error, in->side, in->channels, layer->size, layer->stride,
              out->channels, in->has_error);
    in->has_error = true;
    plan_step(plan, &plan->request, "convolve_learn", (size_t)out->channels,
              (size_t)(layer->size * layer->size * in->channels), GROUP, "bbbbiiiiiir", in->pixels,
              out->error, out->pixels, layer->weights, in->side, in->channels, layer->size,
              layer->stride, out->channels, images, RATE);
}

/* From the last picture to classes, as a mean and a layer of size 1. */
static struct picture *classify(struct build *build, struct picture *last, struct picture **means)
{
    *means = make_picture(build, 1, last->channels);
    plan_step(build->plan, &build->plan->request, "average", (size_t)last->channels,
              (size_t)build->resnet->images, GROUP, "bbii", last->pixels, (*means)->pixels,
              last->side * last->side, last->channels);
    return convolve(build, *means, 1, 1, CLASSES, NULL);
}

static void train(struct build *build, struct picture *last, struct picture *means,
                  struct picture *classes)
{
    struct plan *plan = build->plan;
    size_t count = numbers_of(build, classes);
    uint64_t target = plan_random(plan, count, 0, 1);
    plan_step(plan, &plan->request, "compare", count, 1, GROUP, "bbbi", classes->pixels, target,
              classes->error, (int)count);
    for (int i = build->layer_count - 1; i >= 0; i--) {
        learn(build, &build->layers[i]);
        if (build->layers[i].in == means) {
            plan_step(plan, &plan->request, "average_back", (size_t)last->channels,
                      (size_t)(build->resnet->images * last->side * last->side), GROUP, "bbii",
                      means->error, last->error, last->side * last->side, last->channels);
            last->has_error = true;
        }
    }
}

void plan_resnet(struct plan *plan, const struct resnet *resnet)
{
    static struct build build; /* too large for a stack; plans are made one at a time */
    struct picture *means;
    build = (struct build){.plan = plan, .resnet = resnet};
    struct picture *first = make_picture(&build, resnet->side, 3);
    first->pixels = plan_random(plan, numbers_of(&build, first), 0, 1);
    struct picture *picture = convolve(&build, first, 3, 1, resnet->width, NULL);
    for (int stage = 0; stage < 4; stage++) {
        for (int i = 0; i < resnet->blocks[stage]; i++) {
            picture = block(&build, picture, stage > 0 && i == 0 ? 2 : 1, resnet->width << stage);
        }
    }
    struct picture *classes = classify(&build, picture, &means);
    if (resnet->trains) {
        train(&build, picture, means, classes);
    }
    plan_result(plan, classes->pixels, numbers_of(&build, classes));
    snprintf(plan->describe, sizeof plan->describe,
             "%s in %zu kernels over %d picture(s) of %dx%d, %s blocks %d+%d+%d+%d from %d "
             "channels on, stand-in for %s, random weights",
             resnet->trains ? "convolutions, forwards, backwards and learning," : "convolutions",
             plan->request.count, resnet->images, resnet->side, resnet->side,
             resnet->bottleneck ? "bottleneck" : "basic", resnet->blocks[0], resnet->blocks[1],
             resnet->blocks[2], resnet->blocks[3], resnet->width, resnet->stands_for);
}
