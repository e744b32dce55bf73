import { useEffect, useRef } from 'react';
import { createOverlayHistory, type CloseOverlay } from './overlayHistory.ts';

/** Overlays above the screens of this page. */
export const overlayHistory = createOverlayHistory(window);

/** Makes Back close an overlay while it is open. */
export function useCloseOverlayOnBack(open: boolean, onClose: CloseOverlay): void {
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useEffect(() => (open ? overlayHistory.add(() => close.current()) : undefined), [open]);
}
