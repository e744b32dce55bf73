import { useEffect, useEffectEvent } from 'react';
import { createOverlayHistory, type CloseOverlay } from './overlayHistory.ts';

/** Overlays above the screens of this page. */
export const overlayHistory = createOverlayHistory(window);

/** Makes Back close an overlay while it is open. */
export function useCloseOverlayOnBack(open: boolean, onClose: CloseOverlay): void {
  const close = useEffectEvent(onClose);
  useEffect(() => (open ? overlayHistory.add(() => close()) : undefined), [open]);
}
