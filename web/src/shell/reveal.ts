import { useLayoutEffect } from 'react';

/**
 * The app has something of its own to show: what the document showed until then, the landing page, the loading line and
 * the frame of the first screen, goes with its ids and links.
 */
export function reveal(): void {
  document.documentElement.dataset.view = 'app';
  for (const id of ['landing', 'loading', 'frame']) document.getElementById(id)?.remove();
}

/** For the components of which one stands on every screen of the app. */
export function useReveal(): void {
  useLayoutEffect(reveal, []);
}
