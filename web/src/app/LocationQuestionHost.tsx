import { useStore } from 'zustand';
import { locationWarningStore } from '../chat/media/locationWarning.ts';
import { lazyDialog } from '../ui/lazyDialog.tsx';

const PlaceQuestion = lazyDialog(
  async () => (await import('../chat/media/LocationWarningDialog.tsx')).LocationWarningDialog,
  () => locationWarningStore.getState().question?.answer(false),
);

/** Asks over every screen if a file that may contain its location should be sent. */
export function LocationQuestionHost() {
  const isQuestionOpen = useStore(locationWarningStore, (state) => state.question !== null);
  return isQuestionOpen && <PlaceQuestion />;
}
