package dev.xsched.cli;

import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IFactory;

/** Makes the commands and hands them terminal and host, so that none reaches for System. */
final class Commands implements IFactory {
  private final List<Object> given;

  Commands(Terminal terminal, Host host) {
    given = List.of(terminal, host);
  }

  @Override
  public <K> K create(Class<K> type) throws Exception {
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      List<Object> arguments = new ArrayList<>();
      for (Class<?> parameter : constructor.getParameterTypes()) {
        given.stream().filter(parameter::isInstance).forEach(arguments::add);
      }
      if (!arguments.isEmpty() && arguments.size() == constructor.getParameterCount()) {
        return type.cast(constructor.newInstance(arguments.toArray()));
      }
    }
    return CommandLine.defaultFactory().create(type);
  }
}
