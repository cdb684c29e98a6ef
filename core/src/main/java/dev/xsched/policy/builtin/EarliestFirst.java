package dev.xsched.policy.builtin;

/**
 * Picks the few earliest of many, without sorting the many: a heap that never holds more than its
 * capacity, with the latest of those picked so far at its root, ready to be displaced. It costs
 * {@code n log capacity} at worst, and near {@code n} where most come too late to be picked.
 *
 * <p>What is picked are indices. They are ordered by a first and then by a second key and at last
 * by id, so that the choice does not depend on the order in which they are offered.
 */
final class EarliestFirst {
  private final long[] firstKeys;
  private final long[] secondKeys;
  private final long[] ids;
  private final int[] heap;
  private int size;

  EarliestFirst(long[] firstKeys, long[] secondKeys, long[] ids, int capacity) {
    this.firstKeys = firstKeys;
    this.secondKeys = secondKeys;
    this.ids = ids;
    this.heap = new int[capacity];
  }

  void offer(int index) {
    if (size < heap.length) {
      heap[size++] = index;
      if (size == heap.length) {
        heapify();
      }
    } else if (isLater(heap[0], index)) {
      siftDown(0, index);
    }
  }

  int size() {
    return size;
  }

  /** Returns one of those picked, in no particular order. */
  int get(int position) {
    return heap[position];
  }

  private void heapify() {
    for (int i = size / 2 - 1; i >= 0; i--) {
      siftDown(i, heap[i]);
    }
  }

  private void siftDown(int from, int index) {
    int hole = from;
    while (true) {
      int child = 2 * hole + 1;
      if (child >= size) {
        break;
      }
      if (child + 1 < size && isLater(heap[child + 1], heap[child])) {
        child++;
      }
      if (!isLater(heap[child], index)) {
        break;
      }
      heap[hole] = heap[child];
      hole = child;
    }
    heap[hole] = index;
  }

  private boolean isLater(int a, int b) {
    if (firstKeys[a] != firstKeys[b]) {
      return firstKeys[a] > firstKeys[b];
    }
    if (secondKeys[a] != secondKeys[b]) {
      return secondKeys[a] > secondKeys[b];
    }
    return ids[a] > ids[b];
  }
}
