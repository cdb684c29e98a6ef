package dev.xsched.daemon.http;

import static dev.xsched.daemon.http.Route.Method.PATCH;
import static dev.xsched.daemon.http.Route.Method.POST;
import static dev.xsched.daemon.http.Route.Method.PUT;

import dev.xsched.daemon.api.DaemonControl;
import dev.xsched.daemon.api.DaemonState;
import dev.xsched.daemon.api.MechanismChange;
import dev.xsched.daemon.api.Run;
import dev.xsched.policy.Policies;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Everything that is served, in the order of the description. */
final class Api {
  private final DaemonControl control;
  private final Events events;
  private final List<Answers.PolicyInfo> policies;
  private final Map<String, Object> description;
  private final List<Route> routes = new ArrayList<>();

  Api(DaemonControl control, Events events) {
    this.control = control;
    this.events = events;
    this.policies =
        Policies.available().stream()
            .map(p -> new Answers.PolicyInfo(p.name(), p.summary()))
            .toList();
    addRoutes();
    this.description = OpenApi.of(routes);
  }

  List<Route> routes() {
    return List.copyOf(routes);
  }

  private void addRoutes() {
    routes.add(
        Route.read(
            "/api/v1/state",
            "everything there is to see now",
            DaemonState.class,
            r -> Reply.json(control.state())));
    routes.add(
        Route.read(
            "/api/v1/policies",
            "the policies that can be chosen",
            List.of(Answers.PolicyInfo.class),
            r -> Reply.json(policies)));
    routes.add(
        Route.read(
                "/api/v1/runs",
                "who ran when, oldest first; end_nanos is 2^63-1 while a run lasts",
                List.of(Run.class),
                r -> Reply.json(control.runsAfter(r.number("after", 0))))
            .with(
                new Route.Parameter(
                    "after", "query", "integer", "only runs with a higher number")));
    routes.add(
        Route.read(
                "/api/v1/changes",
                "how queues on GPUs were kept apart since when and why, oldest first",
                List.of(MechanismChange.class),
                r -> Reply.json(control.changesAfter(r.number("after", 0))))
            .with(
                new Route.Parameter(
                    "after", "query", "integer", "only changes with a higher number")));
    routes.add(
        Route.text(
            "/api/v1/events",
            "server-sent events: 'state' now and when it has changed, 'runs' and 'changes' with"
                + " new ones",
            "text/event-stream",
            r -> events.open()));
    addChanges();
    routes.add(
        Route.text(
            "/metrics",
            "statistics for Prometheus",
            Exposition.CONTENT_TYPE,
            r -> new Reply.Whole(200, Exposition.CONTENT_TYPE, Metrics.of(control.state()))));
    routes.add(
        Route.read("/openapi.json", "this description", Map.class, r -> Reply.json(description)));
    routes.add(Route.text("/", "the page", "text/html; charset=utf-8", r -> Assets.page()));
    routes.add(
        Route.text("/assets/{name}", "the files of the page", "*/*", r -> Assets.asset(r.name()))
            .with(new Route.Parameter("name", "path", "string", "the file's name")));
  }

  private void addChanges() {
    routes.add(
        Route.change(
            PUT,
            "/api/v1/policy",
            "changes the policy for everybody",
            Requests.PolicyChange.class,
            200,
            Answers.PolicySet.class,
            r -> {
              control.setPolicy(r.caller(), r.body(Requests.PolicyChange.class).name());
              return Reply.json(new Answers.PolicySet(control.state().policy()));
            }));
    routes.add(
        Route.change(
            PATCH,
            "/api/v1/hints",
            "sets hints of programs, of queues or of the system",
            Requests.HintChange.class,
            200,
            Answers.Changed.class,
            r -> {
              Requests.HintChange change = r.body(Requests.HintChange.class);
              return Reply.json(
                  new Answers.Changed(
                      control.hint(
                          r.caller(), change.target(), change.values(), change.sourceOrRest())));
            }));
    routes.add(
        Route.change(
            PATCH,
            "/api/v1/config",
            "sets how queues are preempted",
            Requests.ConfigChange.class,
            200,
            Answers.Changed.class,
            r -> {
              Requests.ConfigChange change = r.body(Requests.ConfigChange.class);
              return Reply.json(
                  new Answers.Changed(
                      control.configure(r.caller(), change.target(), change.config())));
            }));
    routes.add(
        Route.change(
            POST,
            "/api/v1/stop",
            "ends the daemon in good order; programs run on, unscheduled",
            null,
            202,
            Answers.Nothing.class,
            r -> {
              control.stop(r.caller());
              return Reply.json(202, new Answers.Nothing());
            }));
  }
}
