/**
 * Real devices: a scene is played by worker processes, one for each program of the scene, in the
 * way that is compared.
 *
 * <p>{@link dev.xsched.bench.worker.WorkerStage} has what a scene needs started ({@code Recipes},
 * {@code Crew}), tells all workers when to begin ({@code PlayLine}), and puts together what they
 * answer. {@link dev.xsched.bench.worker.WorkerProcess} says how workers are talked to.
 */
@NullMarked
package dev.xsched.bench.worker;

import org.jspecify.annotations.NullMarked;
