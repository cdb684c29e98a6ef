// Small helpers to build and update the page. Text from programs is hostile: it only ever goes
// through textContent.

export const $ = (id) => document.getElementById(id);

/** Makes an element: element("td", {class: "number"}, "text", child). */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

/** Sets text only where it differs, so that selections and screen readers are left in peace. */
export function setText(node, text) {
  if (node.textContent !== text) {
    node.textContent = text;
  }
}

export function setClass(node, name) {
  if (node.className !== name) {
    node.className = name;
  }
}

/**
 * Keeps one child of parent per item, in the order of the items: children that stay are updated,
 * not replaced, so that focus and scrolling survive.
 */
export function keyed(parent, items, keyOf, make, update) {
  const old = (parent.keyedChildren ??= new Map());
  const seen = new Set();
  let previous = null;
  for (const item of items) {
    const key = keyOf(item);
    seen.add(key);
    let child = old.get(key);
    if (!child) {
      child = make(item);
      old.set(key, child);
    }
    const expected = previous ? previous.nextSibling : parent.firstChild;
    if (child !== expected) {
      parent.insertBefore(child, expected);
    }
    update(child, item);
    previous = child;
  }
  for (const [key, child] of old) {
    if (!seen.has(key)) {
      child.remove();
      old.delete(key);
    }
  }
}

let toastTimer;

/** Says something for a few seconds. */
export function toast(text) {
  const node = $("toast");
  node.textContent = text;
  node.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (node.hidden = true), 6000);
}
