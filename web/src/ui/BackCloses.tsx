import { useOverlay } from './useOverlay.ts';

/** Makes Back lead here for as long as it is drawn; comes late to screens that are to be there early. */
export function BackCloses({ onBack }: { onBack: () => void }) {
  useOverlay(true, onBack);
  return null;
}
