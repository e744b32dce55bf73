import { use, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import type { VirtuosoHandle } from 'react-virtuoso';
import type { MessageListEntry } from '@nolo/client/chat/timeline';
import { MessageListSnapshotContext } from './messageListSnapshot.ts';

/** Jump target. Each jump is a new object, so that the same message can be requested again. */
export interface JumpRequest {
  readonly seq: number;
  /** True if the message gets the keyboard focus. */
  readonly focus: boolean;
  /** Search words to highlight in the message. */
  readonly words?: readonly string[];
}

const highlightMs = 2_000;

/** Highlights words. The code for it loads with the first words to highlight. */
function highlightWhenLoaded(article: HTMLElement, words: readonly string[]): void {
  import('./highlightMatches.ts')
    .then(({ highlightWords }) => highlightWords(article, words))
    .catch(() => {
      // Offline and never loaded before: the message itself is highlighted nevertheless.
    });
}
/* A remounted list must not repeat a completed jump. */
const reached = new WeakSet<JumpRequest>();

/** Returns the jump if it is still pending. */
export function getPendingJump(jump: JumpRequest | null): JumpRequest | undefined {
  return jump && !reached.has(jump) ? jump : undefined;
}

interface JumpList {
  list: RefObject<VirtuosoHandle | null>;
  scroller: RefObject<HTMLElement | null>;
  entries: readonly MessageListEntry[];
  revealed: boolean;
}

/** Maximum frames until the list comes to rest around the drawn message. Arriving older messages move it again. */
const maxSettleFrames = 60;
/** Maximum time until the list draws the message: a busy device takes more than a second. */
const maxDrawMs = 5_000;

function isInView(article: HTMLElement | null, scroller: HTMLElement): boolean {
  if (!article) return false;
  const [box, room] = [article.getBoundingClientRect(), scroller.getBoundingClientRect()];
  return box.top < room.bottom - 24 && box.bottom > room.top + 24;
}

/**
 * Scrolls the message to the middle of the screen and highlights it for a moment. Returns the key of the highlighted
 * message.
 */
export function useScrollToJumpTarget(
  jump: JumpRequest | null,
  { list, scroller, entries, revealed }: JumpList,
): string | null {
  const [highlighted, setHighlighted] = useState<{ key: string; jump: JumpRequest } | null>(null);
  const latest = useRef(entries);
  const picture = use(MessageListSnapshotContext);
  // A snapshot of a replaced list stays visible until the new list is ready.
  useLayoutEffect(() => {
    const element = scroller.current;
    return () => {
      if (element) picture.keep(element);
    };
  }, [scroller, picture]);
  useEffect(() => {
    if (revealed && !getPendingJump(jump)) picture.drop();
  }, [revealed, jump, picture]);
  const frame = useRef(0);
  const running = useRef<JumpRequest | null>(null);
  useEffect(() => {
    latest.current = entries;
    if (!jump || reached.has(jump) || !revealed) return;
    const indexOf = () => latest.current.findIndex(({ message }) => message?.seq === jump.seq);
    const key = entries[indexOf()]?.key;
    if (key === undefined) return;
    reached.add(jump);
    running.current = jump;
    const begunAt = performance.now();
    if (scroller.current) picture.keep(scroller.current);
    let frames = 0;
    let steady = 0;
    const approach = (): void => {
      const element = scroller.current;
      const article = element?.querySelector<HTMLElement>(`article[data-key="${CSS.escape(key)}"]`) ?? null;
      if (article) frames += 1;
      steady = element && isInView(article, element) ? steady + 1 : 0;
      if (steady >= 3 || frames > maxSettleFrames || performance.now() - begunAt > maxDrawMs) {
        running.current = null;
        picture.drop();
        setHighlighted({ key, jump });
        if (jump.focus) article?.focus({ preventScroll: true });
        if (article && jump.words) highlightWhenLoaded(article, jump.words);
        return;
      }
      if (steady === 0) list.current?.scrollToIndex({ index: indexOf(), align: 'center', behavior: 'auto' });
      frame.current = requestAnimationFrame(approach);
    };
    cancelAnimationFrame(frame.current);
    list.current?.scrollToIndex({ index: indexOf(), align: 'center', behavior: 'auto' });
    frame.current = requestAnimationFrame(approach);
  }, [jump, revealed, entries, list, scroller, picture]);
  useEffect(
    () => () => {
      cancelAnimationFrame(frame.current);
      // The list that replaces this one completes the jump.
      if (running.current) reached.delete(running.current);
    },
    [],
  );
  useEffect(() => {
    if (!highlighted) return undefined;
    const timer = setTimeout(() => setHighlighted(null), highlightMs);
    return () => clearTimeout(timer);
  }, [highlighted]);
  return highlighted?.key ?? null;
}
