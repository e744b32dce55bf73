import type { RefObject } from 'react';
import { use, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { VirtuosoHandle } from 'react-virtuoso';
import { StillPictureContext } from './stillPicture.ts';
import type { Entry } from '../engine/entries.ts';

/** Where somebody wants to be: another object each time, so that the same message can be asked for again. */
export interface Jump {
  readonly seq: number;
  /** Whether the keyboard goes on from there. */
  readonly focus: boolean;
  /** What is marked in it: what was looked for. */
  readonly words?: readonly string[];
}

const highlightMs = 2_000;

/** What marks words comes over the line with the first that are to be marked. */
function markLater(article: HTMLElement, words: readonly string[]): void {
  import('./markFound.ts')
    .then(({ markWords }) => markWords(article, words))
    .catch(() => {
      // Without a network and never loaded before: the message is marked all the same.
    });
}
/* A list that is mounted anew must not go where somebody has already been. */
const reached = new WeakSet<Jump>();

/** The jump that is still to be made. */
export function openJump(jump: Jump | null): Jump | undefined {
  return jump && !reached.has(jump) ? jump : undefined;
}

interface JumpList {
  list: RefObject<VirtuosoHandle | null>;
  scroller: RefObject<HTMLElement | null>;
  entries: readonly Entry[];
  revealed: boolean;
}

/** Frames within which the list must have come to rest: older messages that arrive move it once more. */
const mostFrames = 60;

function isInView(article: HTMLElement | null, scroller: HTMLElement): boolean {
  if (!article) return false;
  const [box, room] = [article.getBoundingClientRect(), scroller.getBoundingClientRect()];
  return box.top < room.bottom - 24 && box.bottom > room.top + 24;
}

/** Brings the message into the middle of the screen and marks it for a moment. Answers which one is marked. */
export function useJumpTo(jump: Jump | null, { list, scroller, entries, revealed }: JumpList): string | null {
  const [highlighted, setHighlighted] = useState<{ key: string; jump: Jump } | null>(null);
  const latest = useRef(entries);
  const picture = use(StillPictureContext);
  // A list that another one replaces stays to be seen until that stands.
  useLayoutEffect(() => {
    const element = scroller.current;
    return () => {
      if (element) picture.keep(element);
    };
  }, [scroller, picture]);
  useEffect(() => {
    if (revealed && !openJump(jump)) picture.drop();
  }, [revealed, jump, picture]);
  const frame = useRef(0);
  useEffect(() => {
    latest.current = entries;
    if (!jump || reached.has(jump) || !revealed) return;
    const indexOf = () => latest.current.findIndex(({ message }) => message?.seq === jump.seq);
    const key = entries[indexOf()]?.key;
    if (key === undefined) return;
    reached.add(jump);
    if (scroller.current) picture.keep(scroller.current);
    let frames = 0;
    let steady = 0;
    const approach = (): void => {
      const element = scroller.current;
      const article = element?.querySelector<HTMLElement>(`article[data-key="${CSS.escape(key)}"]`) ?? null;
      frames += 1;
      steady = element && isInView(article, element) ? steady + 1 : 0;
      if (steady >= 3 || frames > mostFrames) {
        picture.drop();
        setHighlighted({ key, jump });
        if (jump.focus) article?.focus({ preventScroll: true });
        if (article && jump.words) markLater(article, jump.words);
        return;
      }
      if (steady === 0) list.current?.scrollToIndex({ index: indexOf(), align: 'center', behavior: 'auto' });
      frame.current = requestAnimationFrame(approach);
    };
    cancelAnimationFrame(frame.current);
    list.current?.scrollToIndex({ index: indexOf(), align: 'center', behavior: 'auto' });
    frame.current = requestAnimationFrame(approach);
  }, [jump, revealed, entries, list, scroller, picture]);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  useEffect(() => {
    if (!highlighted) return undefined;
    const timer = setTimeout(() => setHighlighted(null), highlightMs);
    return () => clearTimeout(timer);
  }, [highlighted]);
  return highlighted?.key ?? null;
}
