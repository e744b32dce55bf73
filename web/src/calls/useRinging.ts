import { useEffect } from 'react';
import type { LiveCall } from './model/callPhase.ts';
import { ring } from './ringtone.ts';

/** Rings, and says it in the tab's title, where somebody who is elsewhere sees it. */
export function useRinging(live: LiveCall | null, title: string): void {
  const kind = live?.phase === 'incoming' ? 'incoming' : live?.phase === 'outgoing' ? 'outgoing' : null;
  // Put aside, it does not ask for attention any longer.
  const quiet = live?.minimised === true || live?.answering === true;
  useEffect(() => (kind === null || quiet ? undefined : ring(kind)), [kind, quiet]);
  useBlinkingTitle(kind === 'incoming' ? title : null);
}

/** Says it in the tab's title while it lasts; null says nothing. */
export function useBlinkingTitle(title: string | null): void {
  useEffect(() => {
    if (title === null) return undefined;
    const before = document.title;
    let shown = false;
    const blink = () => {
      shown = !shown;
      document.title = shown ? title : before;
    };
    blink();
    const timer = setInterval(blink, 1_500);
    return () => {
      clearInterval(timer);
      document.title = before;
    };
  }, [title]);
}
