/** Helpers shared by the tests of several packages: real servers, users, browsers, and waiting without sleeps. */
export {
  countDeadlocks,
  createTestDatabase,
  createTestEnvironment,
  demandNoDeadlock,
  testBacking,
  uniqueName,
  type TestBacking,
  type TestDatabase,
  type TestEnvironment,
} from './backing.ts';
export {
  chromiumArguments,
  chromiumPath,
  connectChromium,
  desktopViewport,
  launchChromium,
  newPerson,
  phoneViewport,
  startChromium,
  type Person,
  type PersonOptions,
  type RunningChromium,
} from './browser.ts';
export { converse, openToGroups } from './converse.ts';
export { dial, greeted, type DialOptions } from './dial.ts';
export { eventually, type EventuallyOptions } from './eventually.ts';
export { exportOf, openArchive, type TestExport } from './exportOf.ts';
export { messageTo, randomName, randomPhone } from './factories.ts';
export { Door, Headless, type Answer } from './Headless.ts';
export { launchFirefox, typeAsPeopleDo } from './firefox.ts';
export { openDatabase } from './openDatabase.ts';
export { oneTimePassword } from './oneTimePassword.ts';
export { fakeClock, type FakeClock } from './fakeClock.ts';
export type { Json } from './json.ts';
export { waitTimeoutMs } from './waitTimeout.ts';
export { startPushService, type PushedBrowser, type ReceivedPush, type TestPushService } from './pushService.ts';
export { startTestBilling, type TestBilling } from './testBilling.ts';
export { createTestProofs, type TestProofs } from './testProofs.ts';
export { followEvents, startTestEvents, type TestEvents } from './testEvents.ts';
export { TestSocket, type SocketOptions, type TestFrame } from './testSocket.ts';
export { signInByPhone, signUpByPhone, TestApi, TestUser, type TestReply, type TestRequest } from './testUser.ts';
export { selfSigned } from './selfSigned.ts';
