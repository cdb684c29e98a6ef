package dev.xsched.bench.scene;

import java.time.Duration;

/**
 * How many programs and daemons are to be killed.
 *
 * @param trios how many daemons with two programs each do this side by side; 0 leaves it to the
 *     machine
 * @param seed of the random choices
 * @param limit after which nobody is killed any more
 */
public record KillPlan(int kills, int trios, long seed, Duration limit) {}
