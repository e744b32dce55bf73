import { startChromium } from '@nolo/testing';
import { slowCamera } from './support/motion.ts';
import { houseVariable } from './support/ownGateway.ts';
import { startSharedStack } from './support/sharedStack.ts';

/**
 * One Nolo for all journeys, in whichever browser, with an engine that writes down what is said: the people in it are
 * strangers to each other. A file brings up another one only where it needs what nobody else may have, for that takes ten
 * seconds of a processor; often a gateway of its own is enough.
 */
export default async function globalSetup({ maxWorkers }) {
  const { CHROMIUM_PATH, NOLO_TEST_FIREFOX, NOLO_TEST_WEBKIT } = process.env;
  // Where none of the other browsers is to be had, nobody comes.
  if (!CHROMIUM_PATH && !NOLO_TEST_FIREFOX && !NOLO_TEST_WEBKIT) return;
  const stack = await startSharedStack({
    media: true,
    transcription: true,
    webhooks: true,
    light: true,
    // Stories stand in for the push service of the browser's maker.
    env: { PUSH_NETWORKS: '127.0.0.0/8' },
  });
  globalThis.noloJourneys = stack;
  [process.env.NOLO_JOURNEYS_INSTALLING_URL, process.env.NOLO_JOURNEYS_URL] = stack.urls;
  process.env[houseVariable] = JSON.stringify(stack.house);
  // For what takes its time, as a proof that grows old does.
  process.env.NOLO_JOURNEYS_IDENTITY_DATABASE = stack.stack.databaseUrls.identity;
  if (!CHROMIUM_PATH) return;
  // And a browser for each process, in which a story has windows that nobody else sees: to start one takes as long as a
  // short story. They are separate, for whoever speaks to a browser hears of all its windows.
  const starting = Array.from({ length: maxWorkers }, () => startChromium({ frugal: true, args: slowCamera }));
  globalThis.noloBrowsers = await Promise.all(starting);
  process.env.NOLO_JOURNEYS_BROWSERS = JSON.stringify(globalThis.noloBrowsers.map(({ endpoint }) => endpoint));
}
