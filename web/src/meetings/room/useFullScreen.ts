import { useCallback, useEffect, useState } from 'react';
import { listen } from '../../device/listen.ts';

export interface FullScreen {
  /** False on phones that support full screen for videos only. */
  possible: boolean;
  on: boolean;
  toggle: () => void;
}

/** Puts the whole page in full screen, so that dialogs and menus outside the room also appear. */
export function useFullScreen(): FullScreen {
  const [on, setOn] = useState(Boolean(document.fullscreenElement));
  useEffect(() => listen(document, ['fullscreenchange'], () => setOn(Boolean(document.fullscreenElement))), []);
  const toggle = useCallback(() => {
    const root = document.documentElement;
    // A refusal changes nothing.
    if (document.fullscreenElement) void document.exitFullscreen().catch(() => undefined);
    else void root.requestFullscreen?.().catch(() => undefined);
  }, []);
  return { possible: document.fullscreenEnabled === true, on, toggle };
}
