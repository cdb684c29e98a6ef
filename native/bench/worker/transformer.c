/* Transformers as Bert (Devlin et al., 2018), nine kernels to a layer. */
#include <math.h>
#include <stdio.h>

#include "networks.h"

#define GROUP 32

static uint64_t weights(struct plan *plan, int inputs, int outputs)
{
    float most = (float)sqrt(3.0 / inputs);
    return plan_random(plan, (size_t)(inputs * outputs), -most, most);
}

/* Rows of a matrix times weights of their own; `added` may be 0. */
static void multiply(struct plan *plan, uint64_t rows, int count, int width, int columns,
                     uint64_t added, bool bends, uint64_t out)
{
    plan_step(plan, &plan->request, "multiply", (size_t)columns, (size_t)count, GROUP, "bbbbiiii",
              rows, weights(plan, width, columns), added == 0 ? rows : added, out, width, columns,
              added != 0, bends);
}

static void standardize(struct plan *plan, uint64_t rows, int count, int width)
{
    plan_step(plan, &plan->request, "standardize", (size_t)count, 1, 1, "bii", rows, count, width);
}

void plan_transformer(struct plan *plan, const struct transformer *transformer)
{
    int tokens = transformer->tokens, hidden = transformer->hidden, heads = transformer->heads;
    size_t numbers = (size_t)(tokens * hidden);
    uint64_t text = plan_random(plan, numbers, -1, 1);
    uint64_t all = plan_buffer(plan, 3 * numbers); /* query, key and value of each token */
    uint64_t scores = plan_buffer(plan, (size_t)(heads * tokens * tokens));
    uint64_t gathered = plan_buffer(plan, numbers);
    uint64_t between = plan_buffer(plan, numbers);
    uint64_t wide = plan_buffer(plan, 4 * numbers);
    uint64_t result = plan_buffer(plan, numbers);
    uint64_t in = text; /* which stays as it is: the second layer reads the first one's result */
    for (int layer = 0; layer < transformer->layers; layer++) {
        multiply(plan, in, tokens, hidden, 3 * hidden, 0, false, all);
        plan_step(plan, &plan->request, "attend", (size_t)tokens, (size_t)(heads * tokens), GROUP,
                  "bbiii", all, scores, tokens, hidden, heads);
        plan_step(plan, &plan->request, "softmax", (size_t)(heads * tokens), 1, 1, "bii", scores,
                  heads * tokens, tokens);
        plan_step(plan, &plan->request, "gather", (size_t)hidden, (size_t)tokens, GROUP, "bbbiii",
                  scores, all, gathered, tokens, hidden, heads);
        multiply(plan, gathered, tokens, hidden, hidden, in, false, between);
        standardize(plan, between, tokens, hidden);
        multiply(plan, between, tokens, hidden, 4 * hidden, 0, true, wide);
        multiply(plan, wide, tokens, 4 * hidden, hidden, between, false, result);
        standardize(plan, result, tokens, hidden);
        in = result;
    }
    plan_result(plan, result, numbers);
    snprintf(plan->describe, sizeof plan->describe,
             "%d layers of attention and multiplications in %zu kernels over %d tokens of %d "
             "numbers, %d heads, stand-in for %s, random weights",
             transformer->layers, plan->request.count, tokens, hidden, heads,
             transformer->stands_for);
}
