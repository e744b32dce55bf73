import { useStore } from 'zustand';
import { locationQuestionStore } from '../chat/media/placeQuestion.ts';
import { lazyDialog } from '../ui/lazyDialog.tsx';

const PlaceQuestion = lazyDialog(
  async () => (await import('../chat/media/LocationQuestion.tsx')).LocationQuestion,
  () => locationQuestionStore.getState().question?.answer(false),
);

/** Asks over every screen if a file that may contain its location should be sent. */
export function PlaceQuestionHost() {
  const isQuestionOpen = useStore(locationQuestionStore, (state) => state.question !== null);
  return isQuestionOpen && <PlaceQuestion />;
}
