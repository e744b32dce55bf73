import { createStore } from 'zustand/vanilla';
import { sessionStore } from '../../session/session.ts';

/*
 * Files that may still say where they were made go only when the person says so: everything that sends files asks here,
 * and app/PlaceQuestionHost.tsx shows the question.
 */

interface PlaceQuestion {
  /** The names of the files. */
  readonly names: readonly string[];
  readonly answer: (mayGo: boolean) => void;
}

export const placeQuestionStore = createStore<{ readonly question: PlaceQuestion | null }>(() => ({ question: null }));

/** A file that is about to be sent. */
export interface AskedFile {
  readonly name: string;
  readonly bytes: Blob;
  readonly mayTellPlace: boolean;
}

/** Files that may go, so that nobody is asked twice: as when something is sent to several chats. */
const allowed = new WeakSet<Blob>();
let queue: Promise<unknown> = Promise.resolve();

const signedInId = (): string | undefined => sessionStore.getState().user?.id;

async function ask(files: readonly AskedFile[], userId: string | undefined): Promise<boolean> {
  const asked = files.filter(({ bytes, mayTellPlace }) => mayTellPlace && !allowed.has(bytes));
  if (asked.length === 0) return true;
  // Nobody is asked about what somebody else wanted to send.
  if (userId === undefined || signedInId() !== userId) return false;
  const mayGo = await new Promise<boolean>((answer) =>
    placeQuestionStore.setState({ question: { names: asked.map(({ name }) => name), answer } }),
  );
  placeQuestionStore.setState({ question: null });
  if (mayGo) for (const { bytes } of asked) allowed.add(bytes);
  return mayGo;
}

/** Whether files may go: those that may tell a place only if the person agrees. Questions wait for one another. */
export function confirmPlace(files: readonly AskedFile[]): Promise<boolean> {
  const userId = signedInId();
  const answer = queue.then(() => ask(files, userId));
  queue = answer;
  return answer;
}

// Nothing is sent after the person signed out: the questions that wait find nobody to ask.
sessionStore.subscribe(({ user }) => {
  if (user === null) placeQuestionStore.getState().question?.answer(false);
});
