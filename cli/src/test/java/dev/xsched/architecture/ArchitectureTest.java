package dev.xsched.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.xsched.policy.Policies;
import java.time.Clock;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;

/** Which part may see which. Kept here because this module sees all of them. */
@AnalyzeClasses(packages = "dev.xsched", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String[] CORE = {
    "dev.xsched.queue..", "dev.xsched.policy..", "dev.xsched.scheduler.."
  };

  @ArchTest
  static final ArchRule mechanismKnowsNoPolicy =
      noClasses()
          .that()
          .resideInAPackage("dev.xsched.queue..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.xsched.policy..", "dev.xsched.scheduler..");

  @ArchTest
  static final ArchRule policyKnowsNoMechanism =
      noClasses()
          .that()
          .resideInAPackage("dev.xsched.policy..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.xsched.queue..", "dev.xsched.scheduler..");

  /**
   * What a policy could do I/O, wait or tell the time with. TimeUnit only converts numbers, and
   * Policies, which finds the others, looks where its caller's thread does.
   */
  @ArchTest
  static final ArchRule policiesDoNoInputOrOutputAndStartNoThread =
      noClasses()
          .that()
          .resideInAPackage("dev.xsched.policy..")
          .and()
          .doNotBelongToAnyOf(Policies.class)
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                      "java.io..", "java.nio.file..", "java.net..", "java.util.concurrent..")
                  .and(not(type(TimeUnit.class)))
                  .or(type(Thread.class))
                  .or(type(Clock.class)));

  @ArchTest
  static final ArchRule policiesAreToldTheTimeAndTheEnvironment =
      noClasses()
          .that()
          .resideInAPackage("dev.xsched.policy..")
          .should()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(System.class, "getenv", String.class)
          .orShould()
          .callMethod(System.class, "getProperty", String.class)
          .orShould()
          .callMethod(Math.class, "random");

  @ArchTest
  static final ArchRule onlyOneClassLooksForPolicies =
      noClasses()
          .that()
          .resideInAPackage("dev.xsched.policy..")
          .and()
          .doNotBelongToAnyOf(Policies.class)
          .should()
          .dependOnClassesThat(type(ServiceLoader.class));

  @ArchTest
  static final ArchRule coreSeesNobody =
      noClasses()
          .that()
          .resideInAnyPackage(CORE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.xsched.sim..",
              "dev.xsched.gpu..",
              "dev.xsched.opencl..",
              "dev.xsched.cuda..",
              "dev.xsched.hip..",
              "dev.xsched.link..",
              "dev.xsched.client..",
              "dev.xsched.daemon..",
              "dev.xsched.bench..",
              "dev.xsched.cli..");

  @ArchTest
  static final ArchRule coreNeedsNoLibrary =
      classes()
          .that()
          .resideInAnyPackage(CORE)
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage("dev.xsched..", "java..", "jdk..", "org.jspecify.."));

  @ArchTest
  static final ArchRule daemonKnowsNoDevice =
      noClasses()
          .that()
          .resideInAPackage("dev.xsched.daemon..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.xsched.queue..",
              "dev.xsched.client..",
              "dev.xsched.sim..",
              "dev.xsched.gpu..",
              "dev.xsched.opencl..",
              "dev.xsched.cuda..",
              "dev.xsched.hip..",
              "dev.xsched.bench..",
              "dev.xsched.cli..");

  @ArchTest
  static final ArchRule daemonIsServedAndDoesNotServe =
      noClasses()
          .that()
          .resideInAPackage("dev.xsched.daemon.http..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.xsched.daemon", "dev.xsched.link..");

  @ArchTest
  static final ArchRule simulatorSeesOnlyTheCore =
      noClasses()
          .that()
          .resideInAPackage("dev.xsched.sim..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.xsched.bench..", "dev.xsched.cli..");

  /** A driver is bound by our own hands: no library is needed for it, and none knows another. */
  @ArchTest
  static final ArchRule devicesSeeOnlyQueues =
      classes()
          .that()
          .resideInAnyPackage(
              "dev.xsched.gpu..", "dev.xsched.opencl..", "dev.xsched.cuda..", "dev.xsched.hip..")
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(
                  "dev.xsched.queue..",
                  "dev.xsched.gpu..",
                  "dev.xsched.opencl..",
                  "dev.xsched.cuda..",
                  "dev.xsched.hip..",
                  "java..",
                  "org.jspecify.."));

  @ArchTest static final ArchRule openClKnowsNoOtherPlatform = isApart("opencl", "cuda", "hip");

  @ArchTest static final ArchRule cudaKnowsNoOtherPlatform = isApart("cuda", "opencl", "hip");

  @ArchTest static final ArchRule hipKnowsNoOtherPlatform = isApart("hip", "opencl", "cuda");

  private static ArchRule isApart(String platform, String one, String other) {
    return noClasses()
        .that()
        .resideInAPackage("dev.xsched.%s..".formatted(platform))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.xsched.%s..".formatted(one), "dev.xsched.%s..".formatted(other));
  }

  /** Where programs and the daemon meet; the programs' library; neither knows a daemon. */
  @ArchTest
  static final ArchRule linkAndClientSeeOnlyTheCore =
      classes()
          .that()
          .resideInAnyPackage("dev.xsched.link..", "dev.xsched.client..")
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(CORE)
                  .or(
                      resideInAnyPackage(
                          "dev.xsched.link..", "dev.xsched.client..", "java..", "org.jspecify..")));

  @ArchTest
  static final ArchRule linkDoesNotKnowTheClient =
      noClasses()
          .that()
          .resideInAPackage("dev.xsched.link..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.xsched.client..");

  /**
   * A final field of a type made to be changed is state, too. JMH's own code is not ours, and what
   * calls the kernel keeps memory per thread that means nothing after the call.
   */
  @ArchTest
  static final ArchRule nobodyKeepsStateInStaticFields =
      fields()
          .that()
          .areStatic()
          .and()
          .areDeclaredInClassesThat()
          .resideOutsideOfPackage("..jmh_generated..")
          .and()
          .areDeclaredInClassesThat()
          .doNotHaveFullyQualifiedName("dev.xsched.link.Kernel")
          .and()
          .areDeclaredInClassesThat()
          .doNotHaveFullyQualifiedName("dev.xsched.link.Futex")
          .should()
          .beFinal()
          .andShould()
          .notHaveRawType(
              resideInAnyPackage("java.util.concurrent..")
                  .and(not(type(TimeUnit.class)))
                  .or(type(ThreadLocal.class)));
}
