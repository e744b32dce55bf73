/** Helpers shared by the tests of several packages: real servers, users, browsers, and waiting without sleeps. */
export {
  countDeadlocks,
  createTestDatabase,
  createTestEnvironment,
  assertNoDeadlock as demandNoDeadlock,
  readTestServerAddresses,
  createUniqueName,
  type TestServerAddresses,
  type TestDatabase,
  type TestEnvironment,
} from './testEnvironment.ts';
export {
  chromiumArguments,
  getChromiumPath,
  connectChromium,
  desktopViewport,
  launchChromium,
  newBrowserPerson as newPerson,
  phoneViewport,
  startChromium,
  type BrowserPerson as Person,
  type BrowserPersonOptions as PersonOptions,
  type RunningChromium,
} from './browser.ts';
export { startAcceptedConversation as converse, allowGroupAdds as openToGroups } from './startAcceptedConversation.ts';
export {
  openGatewaySocket as dial,
  waitForHello as greeted,
  type GatewaySocketOptions as DialOptions,
} from './openGatewaySocket.ts';
export { eventually, type EventuallyOptions } from './eventually.ts';
export {
  requestAccountExport as exportOf,
  parseAccountExport,
  type AccountExportContent,
} from './requestAccountExport.ts';
export { messageTo, randomName, randomPhone } from './factories.ts';
export { GatewayClient, HeadlessDevice as Headless, type HeadlessReply as Answer } from './HeadlessDevice.ts';
export { launchFirefox, enableKeyboardFills as typeAsPeopleDo } from './firefox.ts';
export { openDatabase } from './openDatabase.ts';
export { computeOneTimePassword } from './computeOneTimePassword.ts';
export { createFakeClock, type FakeClock } from './fakeClock.ts';
export type { Json } from './json.ts';
export { waitTimeoutMs } from './waitTimeout.ts';
export {
  startTestPushService,
  type SubscribedBrowser,
  type ReceivedPush,
  type TestPushService,
} from './testPushService.ts';
export { startTestBilling, type TestBilling } from './testBilling.ts';
export { createTestProofs, type TestProofs } from './testProofs.ts';
export { followEvents, startTestEvents, type TestEvents } from './testEvents.ts';
export { TestSocket, type SocketOptions, type TestFrame } from './testSocket.ts';
export { signInByPhone, signUpByPhone, TestApi, TestUser, type TestReply, type TestRequest } from './testUser.ts';
export { createSelfSignedCertificate } from './createSelfSignedCertificate.ts';
