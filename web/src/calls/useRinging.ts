import { useEffect } from 'react';
import type { LiveCall } from './model/callPhase.ts';
import { playRingtone } from './ringtone.ts';

/** Rings, and shows it in the tab's title for a user who is elsewhere. */
export function useRinging(live: LiveCall | null, title: string): void {
  const kind = live?.phase === 'incoming' ? 'incoming' : live?.phase === 'outgoing' ? 'outgoing' : null;
  // A call that was put aside no longer asks for attention.
  const quiet = live?.minimised === true || live?.answering === true;
  useEffect(() => (kind === null || quiet ? undefined : playRingtone(kind)), [kind, quiet]);
  useBlinkingTitle(kind === 'incoming' ? title : null);
}

/** Shows a blinking tab title meanwhile; null shows none. */
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
