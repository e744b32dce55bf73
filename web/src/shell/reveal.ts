import { useLayoutEffect } from 'react';
import { loadFont } from '../ui/font.ts';

/**
 * Maximum milliseconds that the initial messages stay, in case the real list fails to appear, because they cannot be
 * pressed.
 */
const revealTimeoutMs = 2_000;

function removeFrame(): void {
  const frame = document.getElementById('frame');
  if (frame === null) return;
  frame.remove();
  delete document.documentElement.dataset.frame;
  loadFont(document, localStorage).catch(() => undefined);
}

/**
 * Hides everything in the frame except its messages. Elements around them keep their layout, and no inherited style
 * changes, which would restyle each of them.
 */
function showWordsOnly(words: Element): void {
  for (let ancestor = words; ancestor.id !== 'frame' && ancestor.parentElement; ancestor = ancestor.parentElement) {
    for (const other of ancestor.parentElement.children) {
      if (other !== ancestor && other instanceof HTMLElement) other.style.opacity = '0';
    }
    ancestor.parentElement.style.background = 'none';
  }
}

/**
 * Removes what the document showed until the app has content: the landing page, the loading line, and the first
 * screen's frame, with their ids and links. Messages in the frame stay until the real list is rendered beneath them,
 * because they would flicker otherwise.
 */
export function revealApp(): void {
  document.documentElement.dataset.view = 'app';
  for (const id of ['landing', 'loading']) document.getElementById(id)?.remove();
  const words = document.querySelector('#frame [data-words]');
  if (words === null) return removeFrame();
  showWordsOnly(words);
  setTimeout(removeFrame, revealTimeoutMs);
}

/** Removes the frame's messages when the message list is rendered, or its screen closes. */
export function useRemoveSkeletonMessages(stands: boolean): void {
  useLayoutEffect(() => {
    if (stands) removeFrame();
  }, [stands]);
  useLayoutEffect(() => removeFrame, []);
}

/** Reveals the app. One component on every screen calls it. */
export function useRevealApp(): void {
  useLayoutEffect(revealApp, []);
}
