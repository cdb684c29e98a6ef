/**
 * What an experiment asks of a device, and what it hears back.
 *
 * <p>An experiment is written once, against {@link dev.xsched.bench.scene.Stage}. It describes who
 * runs together ({@link dev.xsched.bench.scene.Scene}) and under whose control ({@link
 * dev.xsched.bench.scene.Control}), and gets measured requests ({@link
 * dev.xsched.bench.scene.Outcome}). It knows nothing of how a kind of device makes numbers; a stage
 * knows nothing of experiments, figures and criteria.
 *
 * <p>To add a kind of device, implement {@link dev.xsched.bench.scene.Stage} and name it in {@code
 * dev.xsched.bench.run.Stages}. The stage on virtual time is {@code dev.xsched.bench.virtual};
 * those on real devices drive worker processes.
 */
@NullMarked
package dev.xsched.bench.scene;

import org.jspecify.annotations.NullMarked;
