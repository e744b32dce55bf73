/** What Back does to something that lies over a screen: a dialog, a menu, a pane, the picture viewer. False where it stays. */
export type CloseOverlay = () => unknown;

/** What overlays need to know of whoever keeps the screens in the history. */
export interface Screens {
  /** The key of the screen that is shown, as the entries of the history have it. */
  key(): string;
  /** Whether another screen is being opened, which ends with an entry of its own. */
  busy(): boolean;
}

/** What an entry of the history keeps: its screen, by key and by number, and how many overlays were open over it. */
interface EntryState {
  key?: string;
  idx?: number;
  overlays?: number;
}

interface Step {
  readonly by: number;
  /** The depth it leads to. */
  readonly to: number;
  /** What is put in the place of the entry that it leads to. */
  readonly replacement?: { state: unknown; address: string };
}

/** A step of ours that the browser never took is forgotten after so long. */
const stepMs = 1_000;
const busyMs = 50;

/**
 * Gives each open overlay an entry of its own in the browser's history, so that Back closes the topmost one before it
 * leaves the screen. Such an entry has the address and the router's state of the screen below, and the router never
 * hears of going between them. What closes in another way takes its entry along a moment later. An entry that another
 * screen was opened from stays behind, and is passed over when one comes back to it; a screen that takes the place of
 * such an entry takes that of the screen below.
 */
export function createOverlays(page: Window) {
  const { history } = page;
  const open: CloseOverlay[] = [];
  const here = (): EntryState => (history.state as EntryState | null) ?? {};
  const depth = (): number => here().overlays ?? 0;
  const keyHere = (): string => here().key ?? 'default';
  let screens: Screens = { key: keyHere, busy: () => false };
  /** Our own step through the history that is under way. */
  let step: Step | null = null;
  let expiry: number | undefined;
  let settling: number | undefined;
  /** The page is on its way to another one, which a step through the history would call off. */
  let leaving = false;
  /** The entry that we put on top of the history last. */
  let top: { idx: number | undefined; depth: number } | null = null;

  const push = (): void => {
    while (depth() < open.length) {
      history.pushState({ ...here(), overlays: depth() + 1 } satisfies EntryState, '');
    }
    top = depth() === 0 ? null : { idx: here().idx, depth: depth() };
  };
  const go = (next: Step): void => {
    // Going nowhere would load the page anew.
    if (next.by === 0) return;
    step = next;
    top = null;
    page.clearTimeout(expiry);
    expiry = page.setTimeout(() => (step = null), stepMs);
    history.go(next.by);
  };
  const settleSoon = (ms = 0): void => {
    // What follows at once decides: the next overlay takes over the entry, and another screen is put above it.
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
      // Another screen was opened while the step was under way: up again, past what the step began at.
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
        // One that asks first stays, with what lies below it.
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
  // The page was loaded anew with something open.
  settleSoon();

  return {
    /** Puts an overlay above the others; answers with what to call once it is closed, however that came. */
    add(close: CloseOverlay): () => void {
      open.push(close);
      // Whoever opens something has stayed after all.
      leaving = false;
      if (step === null) push();
      return () => {
        const at = open.indexOf(close);
        if (at >= 0) open.splice(at, 1);
        settleSoon();
      };
    },
    /** Tells whose screens the overlays lie over. */
    follow(those: Screens): void {
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
