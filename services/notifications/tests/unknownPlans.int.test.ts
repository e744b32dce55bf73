import { newId } from '@nolo/kit/ids';
import { eventually } from '@nolo/testing';
import { startNotifications, type TestNotifications } from './startNotifications.ts';

/** Billing decides whether a webhook receives events. Events wait for its reply and are not lost. */

const day = 24 * 3_600_000;

let service: TestNotifications;

beforeAll(async () => {
  service = await startNotifications({ sells: true, delaysMs: [2_000, 100] });
});
afterAll(() => service.stop());

async function hookOfBusiness() {
  const actorId = newId();
  await service.billing?.sell(actorId, 'business');
  return await eventually(() => service.hook(['meeting.started'], { actorId }).catch(() => undefined));
}

const began = (hostId: string) => {
  const event = { meetingId: newId(), hostId, groupId: null, startedAt: service.clock.now().toISOString() };
  return service.publishEvent('event.meetings.started', event, service.eventId(), hostId);
};

/** Restores billing; failed queries are retried after a few seconds of the clock. */
function comeBack(): void {
  service.billing?.setAway(false);
  service.clock.advance(10_000);
}

test('a webhook keeps receiving for a day without billing, and catches up once it is back', async () => {
  const { actorId, webhookId } = await hookOfBusiness();
  service.billing?.setAway(true);
  service.clock.advance(day / 2);
  await began(actorId);
  await service.settled(actorId, webhookId, 'delivered');
  service.clock.advance(day);
  await began(actorId);
  await eventually(async () => (await service.parked()) === 1);
  expect(await service.deliveriesOf(actorId, webhookId)).toHaveLength(1);
  comeBack();
  await service.settled(actorId, webhookId, 'delivered', 2);
}, 60_000);

test('a delivery is put on hold while the plan is unknown', async () => {
  const { actorId, webhookId } = await hookOfBusiness();
  service.receiver.answers.status = 500;
  await began(actorId);
  // The delivery also waits before its first attempt.
  await eventually(async () => (await service.settled(actorId, webhookId, 'waiting'))[0]?.attempts === 1);
  service.receiver.answers.status = 200;
  const before = service.receiver.received.length;
  service.billing?.setAway(true);
  service.clock.advance(2 * day);
  await eventually(async () => (await service.jobHoldReasons()).includes('plan_unknown'));
  expect(service.receiver.received).toHaveLength(before);
  comeBack();
  const [delivered] = await service.settled(actorId, webhookId, 'delivered');
  expect(delivered).toMatchObject({ attempts: 2, responseStatus: 200 });
}, 60_000);
