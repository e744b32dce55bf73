import { useEffect, useRef } from 'react';
import { createOverlays } from './overlays.ts';
import type { CloseOverlay } from './overlays.ts';

/** Overlays above the screens of this page. */
export const overlays = createOverlays(window);

/** Makes Back close an overlay while it is open. */
export function useOverlay(open: boolean, onClose: CloseOverlay): void {
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useEffect(() => (open ? overlays.add(() => close.current()) : undefined), [open]);
}
