import { useLayoutEffect } from 'react';
import { loadFont } from '../ui/font.ts';

/** Whatever keeps the messages from standing, nobody looks at words that cannot be pressed for longer. */
const mostMs = 2_000;

function removeFrame(): void {
  const frame = document.getElementById('frame');
  if (frame === null) return;
  frame.remove();
  delete document.documentElement.dataset.frame;
  loadFont(document, localStorage).catch(() => undefined);
}

/**
 * Of the frame only its words are seen any more. What is around them stays, for they stand by it, and nothing that is
 * inherited changes: each of them would be styled anew.
 */
function showWordsOnly(words: Element): void {
  for (let part = words; part.id !== 'frame' && part.parentElement; part = part.parentElement) {
    for (const other of part.parentElement.children) {
      if (other !== part && other instanceof HTMLElement) other.style.opacity = '0';
    }
    part.parentElement.style.background = 'none';
  }
}

/**
 * The app has something of its own to show: what the document showed until then, the landing page, the loading line and
 * the frame of the first screen, goes with its ids and links. Of that one its words stay, where it has any, until
 * their own list stands beneath them: they would go and come again.
 */
export function reveal(): void {
  document.documentElement.dataset.view = 'app';
  for (const id of ['landing', 'loading']) document.getElementById(id)?.remove();
  const words = document.querySelector('#frame [data-words]');
  if (words === null) return removeFrame();
  showWordsOnly(words);
  setTimeout(removeFrame, mostMs);
}

/** The list of messages stands where the frame's words do, or has gone with its screen. */
export function useRevealWords(stands: boolean): void {
  useLayoutEffect(() => {
    if (stands) removeFrame();
  }, [stands]);
  useLayoutEffect(() => removeFrame, []);
}

/** For the components of which one stands on every screen of the app. */
export function useReveal(): void {
  useLayoutEffect(reveal, []);
}
