package dev.xsched.cli.report;

import dev.xsched.bench.record.RecordFolder;
import dev.xsched.bench.record.RunRecord;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** Records written by hand for all figures: test data, nothing was measured. */
public final class SampleRecords {
  private SampleRecords() {}

  public static Path folder() throws Exception {
    URI folder =
        Objects.requireNonNull(
                SampleRecords.class.getResource("/dev/xsched/cli/report/records"),
                "the test resources are missing")
            .toURI();
    return Path.of(folder);
  }

  public static List<RunRecord> all() throws Exception {
    return RecordFolder.read(folder()).records();
  }
}
