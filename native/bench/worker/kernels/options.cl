/* Prices of options (Black and Scholes, 1973). */

/* The normal distribution, by Abramowitz and Stegun, 26.2.17; wrong by less than 1e-7. */
DEVICE float normal_distribution(float d)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
    float tail = 0.39894228f * exp(-0.5f * d * d) * k *
                 (0.31938153f +
                  k * (-0.356563782f +
                       k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    return d > 0.0f ? 1.0f - tail : tail;
}

KERNEL black_scholes(GLOBAL const float *spot, GLOBAL const float *strike,
                     GLOBAL const float *years, GLOBAL float *call, GLOBAL float *put, int count,
                     float rate, float volatility)
{
    if (X >= count) {
        return;
    }
    float deviation = volatility * sqrt(years[X]);
    float d1 = (log(spot[X] / strike[X]) + (rate + 0.5f * volatility * volatility) * years[X]) /
               deviation;
    float n1 = normal_distribution(d1);
    float n2 = normal_distribution(d1 - deviation);
    float discounted = strike[X] * exp(-rate * years[X]);
    call[X] = spot[X] * n1 - discounted * n2;
    put[X] = discounted * (1.0f - n2) - spot[X] * (1.0f - n1);
}
