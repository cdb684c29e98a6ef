package dev.xsched.scheduler;

import java.util.AbstractList;
import java.util.RandomAccess;

/**
 * An unmodifiable list right on top of an array that nobody else holds. Policies read every queue
 * several times per decision; each layer that the JDK's own lists put in between shows in profiles,
 * and List.of would copy once more.
 */
final class FrozenList<E> extends AbstractList<E> implements RandomAccess {
  private final E[] elements;

  FrozenList(E[] elements) {
    this.elements = elements;
  }

  @Override
  public E get(int index) {
    return elements[index];
  }

  @Override
  public int size() {
    return elements.length;
  }
}
