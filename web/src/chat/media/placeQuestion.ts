import { createStore } from 'zustand/vanilla';
import { sessionStore } from '../../session/session.ts';

/*
 * Confirmation for files that may contain their location. Everything that sends files asks here, and
 * app/PlaceQuestionHost.tsx shows the question.
 */

interface PlaceQuestion {
  /** Names of the files. */
  readonly names: readonly string[];
  readonly answer: (mayGo: boolean) => void;
}

export const placeQuestionStore = createStore<{ readonly question: PlaceQuestion | null }>(() => ({ question: null }));

/** File that is about to be sent. */
export interface AskedFile {
  readonly name: string;
  readonly bytes: Blob;
  readonly mayTellPlace: boolean;
}

/** Files already confirmed, so that nobody is asked twice, for example when sending to several chats. */
const allowed = new WeakSet<Blob>();
let queue: Promise<unknown> = Promise.resolve();

const signedInId = (): string | undefined => sessionStore.getState().user?.id;

async function ask(files: readonly AskedFile[], userId: string | undefined): Promise<boolean> {
  const asked = files.filter(({ bytes, mayTellPlace }) => mayTellPlace && !allowed.has(bytes));
  if (asked.length === 0) return true;
  // The user is not asked about files that another user wanted to send.
  if (userId === undefined || signedInId() !== userId) return false;
  const mayGo = await new Promise<boolean>((answer) =>
    placeQuestionStore.setState({ question: { names: asked.map(({ name }) => name), answer } }),
  );
  placeQuestionStore.setState({ question: null });
  if (mayGo) for (const { bytes } of asked) allowed.add(bytes);
  return mayGo;
}

/** Resolves to true if the files may be sent. Asks about those that may contain a location. Questions are queued. */
export function confirmPlace(files: readonly AskedFile[]): Promise<boolean> {
  const userId = signedInId();
  const answer = queue.then(() => ask(files, userId));
  queue = answer;
  return answer;
}

// Signing out cancels the open question, and the queued ones find no user to ask.
sessionStore.subscribe(({ user }) => {
  if (user === null) placeQuestionStore.getState().question?.answer(false);
});
