import { startChromium } from '@nolo/testing';
import { slowCameraArguments } from './support/motion.ts';
import { gatewayStartDataVariable } from './support/ownGateway.ts';
import { startSharedStack } from './support/sharedStack.ts';

/**
 * Starts one Nolo for all journeys, in every browser, with a transcription engine. The people in it are strangers to
 * each other. A file starts another one only if it needs exclusive access, because that takes ten seconds of CPU; often
 * its own gateway is enough.
 */
export default async function globalSetup({ maxWorkers }) {
  const { CHROMIUM_PATH, NOLO_TEST_FIREFOX, NOLO_TEST_WEBKIT } = process.env;
  // Skips the setup if no browser is available.
  if (!CHROMIUM_PATH && !NOLO_TEST_FIREFOX && !NOLO_TEST_WEBKIT) return;
  const stack = await startSharedStack({
    media: true,
    transcription: true,
    webhooks: true,
    light: true,
    // Stories simulate the push service of the browser's vendor.
    env: { PUSH_NETWORKS: '127.0.0.0/8' },
  });
  globalThis.noloJourneys = stack;
  [process.env.NOLO_JOURNEYS_INSTALLING_URL, process.env.NOLO_JOURNEYS_URL] = stack.urls;
  process.env[gatewayStartDataVariable] = JSON.stringify(stack.house);
  // Lets stories simulate the passing of time, as for a proof that expires.
  process.env.NOLO_JOURNEYS_IDENTITY_DATABASE = stack.stack.databaseUrls.identity;
  if (!CHROMIUM_PATH) return;
  // Starts a browser for each process, because starting one takes as long as a short story. They are separate, because
  // a connection to a browser gets the events of all its windows.
  const starting = Array.from({ length: maxWorkers }, () => startChromium({ frugal: true, args: slowCameraArguments }));
  globalThis.noloBrowsers = await Promise.all(starting);
  process.env.NOLO_JOURNEYS_BROWSERS = JSON.stringify(globalThis.noloBrowsers.map(({ endpoint }) => endpoint));
}
