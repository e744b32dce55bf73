import { useCloseOverlayOnBack } from './useCloseOverlayOnBack.ts';

/**
 * Makes the Back button close the current view while mounted. It is separate, so that early screens can load it late.
 */
export function CloseOnBack({ onBack }: { onBack: () => void }) {
  useCloseOverlayOnBack(true, onBack);
  return null;
}
