import { startSharedStack } from './support/sharedStack.ts';

/**
 * One Nolo for all journeys, with an engine that writes down what is said: the people in it are strangers to each other.
 * A file brings up another one only where it needs what nobody else may have, for that takes ten seconds of a processor.
 */
export default async function globalSetup() {
  const stack = await startSharedStack({ media: true, transcription: true });
  globalThis.noloJourneys = stack;
  process.env.NOLO_JOURNEYS_URL = stack.urls[0];
}
