import type { RouteName } from '@nolo/api';
import { gatherCast, type Cast } from '../support/authorizationCast.ts';
import { describeMatrix } from '../support/authorizationMatrix.ts';
import { billingExpectations } from '../support/billingAuthorizationTable.ts';
import { startTestStack, type TestStack } from '../support/testStack.ts';

/** Of its own, for where plans limit people the rest of the table would need ones that are paid for. */
let running: TestStack;
let cast: Cast;

beforeAll(async () => {
  running = await startTestStack({ media: 1, social: true, billing: true, env: { MEDIA_WORKERS: '1' } });
  cast = await gatherCast(running.urls[0]!);
}, 120_000);
afterAll(async () => {
  await running?.stop();
});

beforeEach(() => running.forgetLimits('requestsPerUser', 'requestsPerAddress', 'billingChangesPerUser'));

describeMatrix(Object.keys(billingExpectations) as RouteName[], () => cast);
