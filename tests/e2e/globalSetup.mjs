import { startSharedStack } from './support/sharedStack.ts';

/** One Nolo for all journeys: the people in it are strangers to each other. */
export default async function globalSetup() {
  const stack = await startSharedStack({ media: true });
  globalThis.noloJourneys = stack;
  process.env.NOLO_JOURNEYS_URL = stack.urls[0];
}
