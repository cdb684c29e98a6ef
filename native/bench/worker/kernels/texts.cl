/* Layers of networks that read texts: a row for each token. */

/* Row Y of a, width long, times b; then what is added, and a bend if asked for. X is a column. */
KERNEL multiply(GLOBAL const float *a, GLOBAL const float *b, GLOBAL const float *added,
                GLOBAL float *out, int width, int columns, int has_added, int bends)
{
    if (X >= columns) {
        return;
    }
    float sum = has_added ? added[Y * columns + X] : 0.0f;
    for (int k = 0; k < width; k++) {
        sum += a[Y * width + k] * b[k * columns + X];
    }
    /* GELU, in the form that networks compute. */
    out[Y * columns + X] =
        bends ? 0.5f * sum * (1.0f + tanh(0.79788456f * (sum + 0.044715f * sum * sum * sum))) : sum;
}

/* How much token Y % tokens looks at token X, in head Y / tokens. A row is query, key, value. */
KERNEL attend(GLOBAL const float *all, GLOBAL float *scores, int tokens, int hidden, int heads)
{
    if (X >= tokens) {
        return;
    }
    int width = hidden / heads, head = Y / tokens, token = Y % tokens;
    float sum = 0.0f;
    for (int k = 0; k < width; k++) {
        sum += all[token * 3 * hidden + head * width + k] *
               all[X * 3 * hidden + hidden + head * width + k];
    }
    scores[Y * tokens + X] = sum / sqrt((float)width);
}

/* Row X, in place. */
KERNEL softmax(GLOBAL float *rows, int count, int width)
{
    if (X >= count) {
        return;
    }
    float most = rows[X * width], sum = 0.0f;
    for (int k = 1; k < width; k++) {
        most = fmax(most, rows[X * width + k]);
    }
    for (int k = 0; k < width; k++) {
        rows[X * width + k] = exp(rows[X * width + k] - most);
        sum += rows[X * width + k];
    }
    for (int k = 0; k < width; k++) {
        rows[X * width + k] /= sum;
    }
}

/* What token Y gets of the others' values, number X of it. */
KERNEL gather(GLOBAL const float *scores, GLOBAL const float *all, GLOBAL float *out, int tokens,
              int hidden, int heads)
{
    if (X >= hidden) {
        return;
    }
    int head = X / (hidden / heads);
    float sum = 0.0f;
    for (int k = 0; k < tokens; k++) {
        sum += scores[(head * tokens + Y) * tokens + k] * all[k * 3 * hidden + 2 * hidden + X];
    }
    out[Y * hidden + X] = sum;
}

/* Row X, in place, to mean 0 and variance 1. */
KERNEL standardize(GLOBAL float *rows, int count, int width)
{
    if (X >= count) {
        return;
    }
    float sum = 0.0f, squares = 0.0f;
    for (int k = 0; k < width; k++) {
        sum += rows[X * width + k];
        squares += rows[X * width + k] * rows[X * width + k];
    }
    float mean = sum / (float)width;
    float scale = 1.0f / sqrt(squares / (float)width - mean * mean + 1e-5f);
    for (int k = 0; k < width; k++) {
        rows[X * width + k] = (rows[X * width + k] - mean) * scale;
    }
}
