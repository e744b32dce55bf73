import { useStore } from 'zustand';
import { placeQuestionStore } from '../chat/media/placeQuestion.ts';
import { late } from '../ui/late.tsx';

const PlaceQuestion = late(
  async () => (await import('../chat/media/PlaceQuestion.tsx')).PlaceQuestion,
  () => placeQuestionStore.getState().question?.answer(false),
);

/** Asks over every screen if a file that may contain its location should be sent. */
export function PlaceQuestionHost() {
  const isAsked = useStore(placeQuestionStore, (state) => state.question !== null);
  return isAsked && <PlaceQuestion />;
}
