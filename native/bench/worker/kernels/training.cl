/* The layers of pictures.cl backwards, and learning. */

/* By how much what came in was wrong. X is a channel in, Y a pixel in. */
KERNEL convolve_back(GLOBAL const float *error_out, GLOBAL const float *out,
                     GLOBAL const float *weights, GLOBAL float *error_in, int side, int channels,
                     int size, int stride, int channels_out, int adds)
{
    if (X >= channels) {
        return;
    }
    int side_out = side / stride;
    int image = Y / (side * side), row = Y / side % side, column = Y % side;
    float sum = adds ? error_in[Y * channels + X] : 0.0f;
    for (int i = 0; i < size; i++) {
        for (int j = 0; j < size; j++) {
            int r = row + size / 2 - i, c = column + size / 2 - j;
            if (r < 0 || c < 0 || r % stride != 0 || c % stride != 0 || r / stride >= side_out ||
                c / stride >= side_out) {
                continue;
            }
            int from = ((image * side_out + r / stride) * side_out + c / stride) * channels_out;
            int weight = ((i * size + j) * channels + X) * channels_out;
            for (int k = 0; k < channels_out; k++) {
                sum += out[from + k] > 0.0f ? error_out[from + k] * weights[weight + k] : 0.0f;
            }
        }
    }
    error_in[Y * channels + X] = sum;
}

/* A step down the slope. X is a channel out, Y a weight of it; sums over all pixels out. */
KERNEL convolve_learn(GLOBAL const float *in, GLOBAL const float *error_out,
                      GLOBAL const float *out, GLOBAL float *weights, int side, int channels,
                      int size, int stride, int channels_out, int images, float rate)
{
    if (X >= channels_out) {
        return;
    }
    int side_out = side / stride;
    int k = Y % channels, i = Y / channels / size, j = Y / channels % size;
    float sum = 0.0f;
    for (int image = 0; image < images; image++) {
        for (int r = 0; r < side_out; r++) {
            int row = r * stride + i - size / 2;
            if (row < 0 || row >= side) {
                continue;
            }
            for (int c = 0; c < side_out; c++) {
                int column = c * stride + j - size / 2;
                int to = ((image * side_out + r) * side_out + c) * channels_out + X;
                if (column >= 0 && column < side && out[to] > 0.0f) {
                    sum += in[((image * side + row) * side + column) * channels + k] *
                           error_out[to];
                }
            }
        }
    }
    weights[Y * channels_out + X] -= rate * sum / (float)(images * side_out * side_out);
}

/* The error of a result goes on to the shortcut that was added to it. */
KERNEL shortcut_back(GLOBAL const float *error_out, GLOBAL const float *out, GLOBAL float *error_in,
                     int count, int adds)
{
    if (X < count) {
        float error = out[X] > 0.0f ? error_out[X] : 0.0f;
        error_in[X] = adds ? error_in[X] + error : error;
    }
}

KERNEL average_back(GLOBAL const float *error_out, GLOBAL float *error_in, int pixels, int channels)
{
    if (X < channels) {
        error_in[Y * channels + X] = error_out[Y / pixels * channels + X] / (float)pixels;
    }
}

/* How far a result is from what it should be. */
KERNEL compare(GLOBAL const float *out, GLOBAL const float *target, GLOBAL float *error, int count)
{
    if (X < count) {
        error[X] = out[X] - target[X];
    }
}
