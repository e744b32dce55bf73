/**
 * Closes something above a screen when Back is pressed: a dialog, a menu, a pane, the picture viewer. Returns false if
 * it stays.
 */
export type CloseOverlay = () => unknown;

/** Router features that overlays need. */
export interface OverlayRouter {
  /** Returns the key of the current screen, as in the history's entries. */
  key(): string;
  /** Returns true while another screen is opening, which ends with its own entry. */
  busy(): boolean;
}

/** State in a history entry: its screen, by key and number, and the number of overlays open above it. */
interface EntryState {
  key?: string;
  idx?: number;
  overlays?: number;
}

interface Step {
  readonly by: number;
  /** Target depth. */
  readonly to: number;
  /** Replacement for the target entry. */
  readonly replacement?: { state: unknown; address: string };
}

/** Milliseconds after which our own step is forgotten if the browser did not take it. */
const stepMs = 1_000;
const busyMs = 50;

/**
 * Gives each open overlay its own browser history entry, so that Back closes the topmost one before it leaves the
 * screen. Such an entry has the address and router state of the screen below, and the router is not notified of steps
 * between them. An overlay closed another way removes its entry a moment later. An entry from which another screen was
 * opened remains, and is skipped when the user returns to it. A screen that replaces such an entry replaces that of the
 * screen below.
 */
export function createOverlayHistory(page: Window) {
  const { history } = page;
  const open: CloseOverlay[] = [];
  const here = (): EntryState => (history.state as EntryState | null) ?? {};
  const depth = (): number => here().overlays ?? 0;
  const keyHere = (): string => here().key ?? 'default';
  let screens: OverlayRouter = { key: keyHere, busy: () => false };
  /** History step of ours in progress. */
  let step: Step | null = null;
  let expiry: number | undefined;
  let settling: number | undefined;
  /** True while the page is navigating away, which a history step would cancel. */
  let leaving = false;
  /** Entry that we pushed last. */
  let top: { idx: number | undefined; depth: number } | null = null;

  const push = (): void => {
    while (depth() < open.length) {
      history.pushState({ ...here(), overlays: depth() + 1 } satisfies EntryState, '');
    }
    top = depth() === 0 ? null : { idx: here().idx, depth: depth() };
  };
  const go = (next: Step): void => {
    // A step of zero would reload the page.
    if (next.by === 0) return;
    step = next;
    top = null;
    page.clearTimeout(expiry);
    expiry = page.setTimeout(() => (step = null), stepMs);
    history.go(next.by);
  };
  const settleSoon = (ms = 0): void => {
    // Immediate follow-ups decide: the next overlay takes over the entry, and another screen is pushed above it.
    settling ??= page.setTimeout(() => {
      settling = undefined;
      if (step !== null || leaving) return;
      const replaced = top !== null && depth() === 0 && here().idx === top.idx;
      if (depth() <= open.length && !replaced) return;
      if (screens.busy()) settleSoon(busyMs);
      else if (!replaced || top === null) go({ by: open.length - depth(), to: open.length });
      else go({ by: -top.depth, to: 0, replacement: { state: history.state, address: page.location.href } });
    }, ms);
  };
  const onOwnStep = ({ by, to, replacement }: Step): void => {
    step = null;
    if (replacement) history.replaceState(replacement.state, '', replacement.address);
    if (keyHere() !== screens.key()) {
      // The user opened another screen during the step: go forward again, past the step's start.
      go({ by: to - by - depth() + 1, to: 0 });
      return;
    }
    push();
    settleSoon();
  };
  const onPopState = (event: PopStateEvent): void => {
    if (step !== null) {
      event.stopImmediatePropagation();
      onOwnStep(step);
      return;
    }
    top = null;
    if (keyHere() === screens.key()) {
      const closing = open.splice(depth());
      if (closing.length > 0) event.stopImmediatePropagation();
      while (closing.length > 0 && closing.at(-1)?.() !== false) closing.pop();
      if (closing.length > 0) {
        // An overlay that asks first stays, as does everything below it.
        open.push(...closing);
        push();
      }
    }
    settleSoon();
  };
  const onLeaving = (): void => {
    leaving = true;
  };
  const onShown = (): void => {
    leaving = false;
    settleSoon();
  };
  page.addEventListener('popstate', onPopState, { capture: true });
  page.addEventListener('beforeunload', onLeaving);
  page.addEventListener('pageshow', onShown);
  // The page was reloaded with something open.
  settleSoon();

  return {
    /** Adds an overlay above the others. Returns a function to call once it is closed in any way. */
    add(close: CloseOverlay): () => void {
      open.push(close);
      // Opening something shows that the user has stayed.
      leaving = false;
      if (step === null) push();
      return () => {
        const at = open.indexOf(close);
        if (at >= 0) open.splice(at, 1);
        settleSoon();
      };
    },
    /** Sets the screens below the overlays. */
    follow(those: OverlayRouter): void {
      screens = those;
    },
    stop(): void {
      page.removeEventListener('popstate', onPopState, { capture: true });
      page.removeEventListener('beforeunload', onLeaving);
      page.removeEventListener('pageshow', onShown);
      page.clearTimeout(settling);
      page.clearTimeout(expiry);
    },
  };
}
