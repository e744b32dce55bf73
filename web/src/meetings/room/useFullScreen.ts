import { useCallback, useEffect, useState } from 'react';

export interface FullScreen {
  /** Phones of one maker know it for videos only. */
  possible: boolean;
  on: boolean;
  toggle: () => void;
}

/** The whole page in full screen, so that dialogs and menus, which stand beside the room, show as well. */
export function useFullScreen(): FullScreen {
  const [on, setOn] = useState(document.fullscreenElement !== null && document.fullscreenElement !== undefined);
  useEffect(() => {
    const changed = () => setOn(Boolean(document.fullscreenElement));
    document.addEventListener('fullscreenchange', changed);
    return () => document.removeEventListener('fullscreenchange', changed);
  }, []);
  const toggle = useCallback(() => {
    const root = document.documentElement;
    // A refusal leaves everything as it is.
    if (document.fullscreenElement) void document.exitFullscreen().catch(() => undefined);
    else void root.requestFullscreen?.().catch(() => undefined);
  }, []);
  return { possible: document.fullscreenEnabled === true, on, toggle };
}
