/*
 * Layers of networks that look at pictures, [image][row][column][channel]. Weights are
 * [row][column][channel in][channel out]. A work item is a channel out (X) of a pixel (Y).
 */

/* A convolution of size x size; what comes by a shortcut is added, and the result cut at 0. */
KERNEL convolve(GLOBAL const float *in, GLOBAL const float *weights, GLOBAL const float *shortcut,
                GLOBAL float *out, int side, int channels, int size, int stride, int channels_out,
                int has_shortcut)
{
    if (X >= channels_out) {
        return;
    }
    int side_out = side / stride;
    int image = Y / (side_out * side_out);
    int row = Y / side_out % side_out * stride - size / 2;
    int column = Y % side_out * stride - size / 2;
    float sum = has_shortcut ? shortcut[Y * channels_out + X] : 0.0f;
    for (int i = 0; i < size; i++) {
        for (int j = 0; j < size; j++) {
            int r = row + i, c = column + j;
            if (r < 0 || r >= side || c < 0 || c >= side) {
                continue;
            }
            int from = ((image * side + r) * side + c) * channels;
            int weight = (i * size + j) * channels * channels_out + X;
            for (int k = 0; k < channels; k++) {
                sum += in[from + k] * weights[weight + k * channels_out];
            }
        }
    }
    out[Y * channels_out + X] = fmax(sum, 0.0f);
}

/* The mean of each channel X of each image Y. */
KERNEL average(GLOBAL const float *in, GLOBAL float *out, int pixels, int channels)
{
    if (X >= channels) {
        return;
    }
    float sum = 0.0f;
    for (int i = 0; i < pixels; i++) {
        sum += in[(Y * pixels + i) * channels + X];
    }
    out[Y * channels + X] = sum / (float)pixels;
}
