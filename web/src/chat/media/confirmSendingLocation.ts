import { sessionStore } from '../../session/session.ts';
import { locationWarningStore } from './locationWarning.ts';

/** File that is about to be sent. */
export interface FileToConfirm {
  readonly name: string;
  readonly bytes: Blob;
  readonly canRevealLocation: boolean;
}

/** Files already confirmed, so that nobody is asked twice, for example when sending to several chats. */
const allowed = new WeakSet<Blob>();
let queue: Promise<unknown> = Promise.resolve();

const signedInId = (): string | undefined => sessionStore.getState().user?.id;

async function askOnce(files: readonly FileToConfirm[], userId: string | undefined): Promise<boolean> {
  const filesToConfirm = files.filter(({ bytes, canRevealLocation }) => canRevealLocation && !allowed.has(bytes));
  if (filesToConfirm.length === 0) return true;
  // The user is not asked about files that another user wanted to send.
  if (userId === undefined || signedInId() !== userId) return false;
  const mayGo = await new Promise<boolean>((answer) =>
    locationWarningStore.setState({ question: { names: filesToConfirm.map(({ name }) => name), answer } }),
  );
  locationWarningStore.setState({ question: null });
  if (mayGo) for (const { bytes } of filesToConfirm) allowed.add(bytes);
  return mayGo;
}

/** Resolves to true if the files may be sent. Asks about those that may contain a location. Questions are queued. */
export function confirmSendingLocation(files: readonly FileToConfirm[]): Promise<boolean> {
  const userId = signedInId();
  const answer = queue.then(() => askOnce(files, userId));
  queue = answer;
  return answer;
}

// Signing out cancels the open question, and the queued ones find no user to ask.
sessionStore.subscribe(({ user }) => {
  if (user === null) locationWarningStore.getState().question?.answer(false);
});
