import { houseVariable } from '../e2e/support/ownGateway.ts';
import { startSharedStack } from '../e2e/support/sharedStack.ts';

/** One Nolo for both browsers, unless neither is there. */
export default async function globalSetup() {
  if (!process.env.NOLO_TEST_FIREFOX && !process.env.NOLO_TEST_WEBKIT) return;
  // With media on an address of the network, as npm start has it: Firefox finds no path to loopback.
  const stack = await startSharedStack({ media: true });
  globalThis.noloEngines = stack;
  process.env[houseVariable] = JSON.stringify(stack.house);
  process.env.NOLO_ENGINES_URL = stack.urls[0];
}
