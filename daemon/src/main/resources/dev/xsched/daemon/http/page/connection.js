// Speaks with the daemon: the token, requests and live events.

const TOKEN = "xsched-token";
const SILENCE_MILLIS = 7000; // the daemon says something every 2 s
const RETRY_MILLIS = 1500;

/** Takes the token out of the address, so that nobody copies it along with the address. */
export function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    sessionStorage.setItem(TOKEN, given);
    history.replaceState(null, "", location.pathname + location.search);
  }
}

export const hasToken = () => sessionStorage.getItem(TOKEN) !== null;

/** Sends a request and returns what it answers; throws an Error with the daemon's own words. */
export async function ask(method, path, body) {
  const headers = {};
  if (body) {
    headers["Content-Type"] = "application/json";
  }
  if (method !== "GET") {
    headers.Authorization = `Bearer ${sessionStorage.getItem(TOKEN)}`;
  }
  let response;
  try {
    response = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
  } catch {
    throw new Error("the daemon does not answer; is it running?");
  }
  const answer = await response.json();
  if (response.status === 401) {
    sessionStorage.removeItem(TOKEN);
    dispatchEvent(new Event("xsched-token"));
    throw new Error("the token is not valid (any more); open the link that xsched status prints");
  }
  if (!response.ok) {
    throw new Error(answer.error);
  }
  return answer;
}

/**
 * Listens to the daemon for as long as the page is shown, and comes back when the connection was
 * lost. A hidden page lets go, because a browser has only six connections for all of its tabs.
 *
 * @param on {state(state), runs(runs), changes(changes), lost(reason)}
 */
export function listen(on) {
  let stop = new AbortController();

  async function once() {
    const abort = stop;
    let timer;
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(() => abort.abort("silent"), SILENCE_MILLIS);
    };
    try {
      heard();
      const response = await fetch("/api/v1/events", { signal: abort.signal });
      if (!response.ok) {
        throw new Error((await response.json()).error);
      }
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let pieces = [];
      for (;;) {
        const { value, done } = await reader.read();
        if (done) {
          throw new Error("the daemon has ended the connection");
        }
        heard();
        pieces.push(value);
        if (value.includes("\n\n") || pieces.at(-2)?.endsWith("\n")) {
          const events = pieces.join("").split("\n\n");
          pieces = [events.pop()];
          events.forEach(deliver);
        }
      }
    } finally {
      clearTimeout(timer);
    }
  }

  function deliver(text) {
    const [event, data] = text.split("\n");
    on[event.slice("event: ".length)]?.(JSON.parse(data.slice("data: ".length)));
  }

  async function forever() {
    for (;;) {
      if (document.hidden) {
        await new Promise((shown) =>
          document.addEventListener("visibilitychange", shown, { once: true }));
        continue;
      }
      stop = new AbortController();
      try {
        await once();
      } catch (e) {
        if (!document.hidden) {
          on.lost(e instanceof TypeError || !e.message ? "" : e.message);
          await new Promise((later) => setTimeout(later, RETRY_MILLIS));
        }
      }
    }
  }

  document.addEventListener("visibilitychange", () => document.hidden && stop.abort("hidden"));
  forever();
}
