// One file, three uses. In a notebook anywidget calls `render` and the kernel answers. In the published page
// `hydrate` wakes the still views and Python answers from a worker. The worker is this same file again.
// States are JSON text that only Python reads: JavaScript would turn 1.0 into 1.

const inWorker = typeof WorkerGlobalScope !== "undefined" && self instanceof WorkerGlobalScope;
const PROTOCOL = 1;
const SLOW = 300; // ms until a view says that it is working
const LONG = 2500; // ms until it offers to stop
const SWIPE = 24; // px that a finger must travel

// ---------------------------------------------------------------- the view

/** Change `old` into `fresh` in place: focus, selections and slider drags survive. */
function morph(old, fresh, held) {
  if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName || old.id !== fresh.id) {
    old.replaceWith(fresh);
    return;
  }
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
    return;
  }
  for (const { name } of [...old.attributes]) {
    // Whether a <details> stands open is the reader's choice.
    if (!fresh.hasAttribute(name) && !(name === "open" && old.nodeName === "DETAILS")) old.removeAttribute(name);
  }
  for (const { name, value } of [...fresh.attributes]) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  morphChildren(old, fresh, held);
  if (old === held) return; // the reader is dragging or typing here
  if (old.nodeName === "INPUT") {
    if (old.type === "checkbox" || old.type === "radio") old.checked = fresh.hasAttribute("checked");
    else if (old.value !== fresh.value) old.value = fresh.value;
  } else if (old.nodeName === "SELECT" || old.nodeName === "TEXTAREA") {
    if (old.value !== fresh.value) old.value = fresh.value;
  }
}

function morphChildren(old, fresh, held) {
  const before = [...old.childNodes];
  const after = [...fresh.childNodes];
  after.forEach((node, i) => (i < before.length ? morph(before[i], node, held) : old.append(node)));
  before.slice(after.length).forEach((node) => node.remove());
}

const isField = (element) => ["INPUT", "SELECT", "TEXTAREA"].includes(element.nodeName);
const isToggle = (element) => element.nodeName === "SELECT" || element.type === "checkbox" || element.type === "radio";

function fieldValue(field) {
  if (field.type === "checkbox") return field.checked;
  if (field.type === "range" || field.type === "number") return field.valueAsNumber;
  return field.value;
}

/** Turn clicks, input and keys below `root` into events: push(event, field it came from or null).
 *  While `busy()`, a key that is held down sends nothing more. */
function listen(root, push, busy) {
  const control = (event) => event.target.closest("[data-event]");
  const onField = (event, toggles) => {
    const field = control(event);
    if (!field || !isField(field) || isToggle(field) !== toggles) return;
    const value = fieldValue(field);
    if (!Number.isNaN(value)) push({ name: field.dataset.event, value }, field);
  };
  root.addEventListener("click", (event) => {
    const button = control(event);
    if (!button || isField(button) || button.getAttribute("aria-disabled") === "true") return;
    event.preventDefault();
    push({ name: button.dataset.event, value: button.dataset.value ?? null }, null);
  });
  root.addEventListener("input", (event) => onField(event, false));
  root.addEventListener("change", (event) => onField(event, true));
  let stopping = false; // the key that pressed Stop is still down: focus has moved on, and a repeat would press again
  root.addEventListener("keydown", (event) => {
    if (!event.repeat) stopping = event.target.matches(".ec-stop");
    if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return;
    const keys = event.target.closest("[data-keys]")?.dataset.keys.split(/\s+/) ?? [];
    const name = keys.map((pair) => pair.split("=")).find(([key]) => key === event.key)?.[1];
    const pressed = event.target.matches("[data-event]") && [" ", "Enter"].includes(event.key);
    const held = event.repeat && (busy() || stopping);
    if (!name && !pressed) return;
    if (!name && !held && event.target.nodeName === "BUTTON") return; // the browser makes its click
    event.preventDefault(); // no scrolling
    event.stopPropagation(); // JupyterLab has its own use for the arrows
    if (held) return;
    if (name) push({ name, value: null }, null);
    else event.target.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  });
  // A swipe over data-swipe="left right up down" sends the event of its direction, if it is listed there.
  let swipe = null;
  root.addEventListener("pointerdown", ({ isPrimary, target, clientX: x, clientY: y }) => {
    const area = target.closest("[data-swipe]");
    swipe = isPrimary && area ? { x, y, names: area.dataset.swipe.split(/\s+/) } : null;
  });
  root.addEventListener("pointerup", ({ clientX, clientY }) => {
    if (!swipe) return;
    const [x, y] = [clientX - swipe.x, clientY - swipe.y];
    const name = Math.abs(x) > Math.abs(y) ? (x < 0 ? "left" : "right") : y < 0 ? "up" : "down";
    if (Math.max(Math.abs(x), Math.abs(y)) >= SWIPE && swipe.names.includes(name)) push({ name, value: null }, null);
    swipe = null;
  });
}

/** One app on screen. `ask(event)` promises {html, note}; `python` is the page's own, or null in a notebook. */
class View {
  constructor(root, ask, python) {
    Object.assign(this, { root, ask, python, queue: [], busy: false, answers: 0, progress: null, timers: [] });
    this.body = root.querySelector(":scope > .ec-app-view");
    this.status = root.querySelector(":scope > .ec-app-status");
    this.passing = !this.status.textContent;
    this.stop = document.createElement("button");
    Object.assign(this.stop, { type: "button", className: "ec-stop", textContent: "Stop", hidden: true });
    this.stop.onclick = () => python.stop();
    this.status.after(this.stop);
    listen(root, (event, field) => this.push(event, field), () => this.busy);
    root.dataset.live = "yes";
  }

  /** Say a sentence; a `passing` one may be written over without an answer. */
  say(text, passing = false) {
    this.passing = passing || !text;
    if (this.status.textContent !== text) this.status.textContent = text;
  }

  /** Say what Python does meanwhile, but not over what the reader was answered. */
  meanwhile(progress) {
    this.progress = progress;
    this.disarm();
    if (this.busy || this.passing) this.say(progress ?? (this.busy ? "Working …" : ""), true);
    if (this.busy) this.arm();
  }

  /** From now on the reader waits: say so soon, and later offer to stop what keeps Python busy. */
  arm() {
    this.timers = [setTimeout(() => this.say(this.progress ?? "Working …", true), SLOW)];
    if (!this.progress) this.timers.push(setTimeout(() => this.offer(), LONG));
  }

  offer() {
    const other = this.python && !this.python.runs(this);
    const words = `${other ? "Another app on this page" : "This"} takes long.`;
    this.say(this.python ? `${words} You can stop it.` : words, true);
    this.stop.hidden = !this.python;
  }

  disarm() {
    this.timers.forEach(clearTimeout);
    const focused = document.activeElement === this.stop;
    this.stop.hidden = true;
    if (!focused) return;
    if (!this.body.contains(this.used)) [this.used, this.root.tabIndex] = [this.root, -1];
    this.used.focus();
  }

  show(html) {
    const fresh = document.createElement("template");
    fresh.innerHTML = html;
    const held = this.queue.at(-1)?.field ?? null;
    morphChildren(this.body, fresh.content, held);
  }

  push(event, field) {
    const last = this.queue.at(-1);
    this.used = document.activeElement;
    // A dragged slider replaces its own waiting event.
    if (field && last?.field === field) last.event = event;
    else this.queue.push({ event, field });
    if (!this.busy) this.pump();
  }

  async pump() {
    this.busy = true;
    this.body.setAttribute("aria-busy", "true"); // not the root: the status is to be read out meanwhile
    while (this.queue.length) {
      const { event } = this.queue.shift();
      this.arm();
      try {
        const { html, note, by } = await this.ask(event);
        this.show(html);
        this.say(note);
        this.root.dataset.answeredBy = by;
        this.root.dataset.answers = ++this.answers;
      } catch (error) {
        this.queue.length = 0;
        this.say(error.message);
      } finally {
        this.disarm();
      }
    }
    this.busy = false;
    this.body.removeAttribute("aria-busy");
  }
}

// ---------------------------------------------------------------- Python in the page

/** The one worker of a page. It holds no state of any app, so that it can be ended and started anew. */
class Python {
  constructor(files, announce) {
    Object.assign(this, { files, announce, worker: null, ready: false, failure: null, waiting: new Map(), next: 0 });
  }

  start() {
    if (this.worker || this.failure) return;
    if (typeof WebAssembly === "undefined" || typeof Worker === "undefined") {
      this.fail("this browser is too old or forbids it");
      return;
    }
    this.worker = new Worker(new URL(import.meta.url), { type: "module" });
    this.worker.onerror = (event) => this.fail(event.message || "its worker did not load");
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.postMessage({ files: this.files });
    this.announce("starting");
  }

  hear(data) {
    if (data.failed) this.fail(data.failed);
    else if (data.ready) {
      this.ready = true;
      this.announce("ready");
      this.waiting.forEach((job, id) => this.worker.postMessage({ id, request: job.request }));
    } else {
      const job = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if (data.error) job?.reject(new Error(data.error));
      else job?.resolve(JSON.parse(data.answer));
    }
  }

  fail(reason) {
    this.failure = new Error(`Python cannot start in this page (${reason}). The app stays as it is.`);
    this.worker?.terminate();
    this.waiting.forEach((job) => job.reject(this.failure));
    this.waiting.clear();
    this.announce("failed");
  }

  ask(owner, request) {
    this.start();
    if (this.failure) return Promise.reject(this.failure);
    return new Promise((resolve, reject) => {
      const id = this.next++;
      this.waiting.set(id, { owner, request: JSON.stringify(request), resolve, reject });
      if (this.ready) this.worker.postMessage({ id, request: this.waiting.get(id).request });
    });
  }

  /** Say whether the worker is at an event of this app: it takes them in the order in which they wait. */
  runs(owner) {
    return this.waiting.values().next().value?.owner === owner;
  }

  /** Give up the event that the worker is at, whichever app it came from; the others wait for the next worker. */
  stop() {
    const [running] = this.waiting;
    if (!running) return;
    this.worker.terminate();
    this.worker = null;
    this.ready = false;
    this.waiting.delete(running[0]);
    running[1].reject(new Error("Stopped. The app stands where it stood before."));
    this.start();
  }
}

/** Wake every still view below `page`. `files` are the addresses of Pyodide and of the course's archive. */
export function hydrate(page, files) {
  const views = [];
  const announce = (what) => {
    const progress = what === "starting" ? "Python is starting in this page, once, for a few seconds …" : null;
    for (const view of views) {
      view.meanwhile(progress);
      if (what === "failed") view.say(python.failure.message);
    }
  };
  const python = new Python(files, announce);
  for (const root of page.querySelectorAll("[data-liveapp]")) {
    const data = JSON.parse(root.dataset.liveapp || "null");
    const status = root.querySelector(":scope > .ec-app-status");
    if (!data) status.textContent = "This app lives in a notebook of its own: run it there.";
    else if (data.protocol !== PROTOCOL) status.textContent = "Reload the page: the app is newer than its script.";
    else views.push(wake(root, data, python));
  }
}

function wake(root, data, python) {
  let frames = JSON.parse(root.dataset.frames || "{}");
  let state = data.state;
  const ask = async (event) => {
    const stored = frames[JSON.stringify([event.name, event.value])];
    frames = {}; // they hold for the first event only
    python.start();
    const answer = stored ?? (await python.ask(view, { app: data.app, state, event }));
    state = answer.state;
    return { ...answer, by: stored ? "frame" : "python" };
  };
  const view = new View(root, ask, python);
  // Whoever reaches for a control will want Python: a second of start-up is already over at the click.
  for (const sign of ["pointerover", "focusin"]) root.addEventListener(sign, () => python.start(), { once: true });
  return view;
}

// ---------------------------------------------------------------- the worker

function serve() {
  let answer;
  const send = (message) => self.postMessage(message);
  const boot = async ({ pyodide, archive }) => {
    const course = fetch(archive).then((reply) => {
      if (!reply.ok) throw new Error(`the course's files: ${reply.status}`);
      return reply.arrayBuffer();
    });
    // A failing WebAssembly file only makes a line on the console: loadPyodide then waits for ever.
    const broken = new Promise((_, reject) => {
      for (const level of ["warn", "error"]) {
        const original = console[level].bind(console);
        console[level] = (...words) => {
          original(...words);
          if (/wasm|abort/i.test(words.join(" "))) reject(new Error("its WebAssembly file did not load"));
        };
      }
    });
    const { loadPyodide } = await import(new URL("pyodide.mjs", pyodide));
    const python = await Promise.race([loadPyodide({ indexURL: pyodide }), broken]);
    broken.catch(() => {});
    python.unpackArchive(await course, "zip", { extractDir: "/course" });
    python.runPython("import sys; sys.path.insert(0, '/course')");
    answer = python.pyimport("expectimax_course.apps._protocol").answer;
    send({ ready: true });
  };
  self.onmessage = ({ data }) => {
    if (data.files) boot(data.files).catch((error) => send({ failed: error.message }));
    else {
      try {
        send({ id: data.id, answer: answer(data.request) });
      } catch (error) {
        send({ id: data.id, error: `The app stopped: ${error.message.trim().split("\n").at(-1)}` });
      }
    }
  };
}

if (inWorker) serve();

// ---------------------------------------------------------------- the notebook

/** Called by anywidget for each view: the kernel answers. */
function render({ model, el }) {
  const name = `${Math.random()}`.slice(2);
  const waiting = new Map();
  let count = 0;
  let heard = false;
  let gone = false;
  const root = document.createElement("div");
  root.className = "ec-app";
  root.setAttribute("role", "group");
  root.innerHTML =
    '<h3></h3><div class="ec-app-view"></div><p class="ec-app-status ec-status" role="status"></p>';
  const { title } = model.get("data");
  root.setAttribute("aria-label", title);
  root.firstChild.textContent = title;
  el.append(root);

  const ask = (event) =>
    new Promise((resolve, reject) => {
      const id = `${name}-${count++}`;
      waiting.set(id, { resolve, reject });
      try {
        if (!gone) model.send({ kind: "event", id, event });
        else lose();
      } catch {
        lose();
      }
    });
  const lose = () => {
    waiting.forEach(({ reject }) => reject(new Error("The kernel is gone: run this cell again.")));
    waiting.clear();
  };
  const greet = () => {
    try {
      model.send({ kind: "hello" });
    } catch {
      // Said below, when nobody has answered.
    }
  };
  const view = new View(root, ask, null);
  view.show(model.get("data").html);
  view.say(model.get("data").note);

  const follow = () => {
    const data = model.get("data");
    const asked = waiting.get(data.answered);
    waiting.delete(data.answered);
    if (asked) asked.resolve({ html: data.html, note: data.note, by: "kernel" });
    else {
      view.show(data.html);
      view.say(data.note);
    }
  };
  const hear = (message) => {
    heard ||= message.kind === "here";
    gone &&= message.kind !== "here";
    if (heard && !view.busy) view.say(model.get("data").note);
  };
  // A kernel that restarts answers no more. A connection that comes back does, and says so when it is greeted.
  const cut = () => {
    gone = true;
    lose();
    greet();
  };
  const heed = { "change:data": follow, "msg:custom": hear, "comm:close": cut, comm_live_update: cut };
  for (const [what, act] of Object.entries(heed)) model.on(what, act);
  greet();
  const timer = setTimeout(() => heard || view.say("The kernel does not answer yet. If it is idle, run this cell again."), 3000);
  return () => {
    clearTimeout(timer);
    for (const [what, act] of Object.entries(heed)) model.off(what, act);
  };
}

export default { render };
