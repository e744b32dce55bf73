import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually, followEvents } from '@nolo/testing';
import { operatorCaller, germanReaderIds, nobodyId, startBilling, type TestBilling } from './startBilling.ts';

interface Outgoing {
  to: string;
  subject: string;
  text: string;
}

let nolo: TestBilling;
let outbox: Server;
const mails: Outgoing[] = [];

/** Fake of the simulators' outbox. */
beforeAll(async () => {
  outbox = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      mails.push(JSON.parse(body) as Outgoing);
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => outbox.listen(0, '127.0.0.1', resolve));
  const { port } = outbox.address() as AddressInfo;
  nolo = await startBilling({ OUTBOX_URL: `http://127.0.0.1:${port}` });
});
afterAll(async () => {
  await nolo.stop();
  outbox.close();
});

const day = 86_400_000;
const subjectsTo = (userId: string) =>
  mails.filter(({ to }) => to === `${userId}@example.org`).map(({ subject }) => subject);
const waitForMail = (userId: string, subject: RegExp) =>
  eventually(() => subjectsTo(userId).filter((one) => subject.test(one)).length === 1);
const subscription = (actorId: string) => nolo.billing.getSubscription({ actorId });

test('receipt, reminder, grace period and end are each announced once, and services are notified of changes', async () => {
  const userId = randomUUID();
  const changed: string[] = [];
  const notifiedEvents: unknown[] = [];
  const subjects = ['event.billing.entitlements_changed', 'event.billing.notified'];
  const end = await followEvents(nolo.db, subjects, ({ subject, data }) => {
    const { userId: who } = data as { userId: string };
    if (who !== userId) return;
    if (subject === 'event.billing.notified') notifiedEvents.push(data);
    else changed.push(who);
  });
  await nolo.buy(userId, 'plus');
  await waitForMail(userId, /^Receipt 2026-/);
  await eventually(() => changed.length === 1);

  nolo.clock.advance(27 * day);
  await waitForMail(userId, /^Your Plus plan ends on/);
  nolo.clock.advance(3 * day);
  await waitForMail(userId, /^Your Plus plan has ended/);
  expect(await subscription(userId)).toMatchObject({ plan: 'plus', state: 'grace' });
  const before = changed.length;
  nolo.clock.advance(7 * day);
  await waitForMail(userId, /^Your Plus plan is over/);
  await eventually(() => changed.length > before);
  expect(await subscription(userId)).toMatchObject({ plan: 'free', state: 'ended', source: 'none' });
  expect(subjectsTo(userId)).toHaveLength(4);
  const all = ['receipt', 'reminder', 'grace', 'ended'].map((about) => ({ userId, about, item: 'plus' }));
  await eventually(() => notifiedEvents.length === all.length);
  expect(notifiedEvents).toEqual(all);
  end();
});

test('someone who reads German gets German emails and a German receipt file name', async () => {
  const userId = randomUUID();
  germanReaderIds.add(userId);
  const { id: orderId } = await nolo.buy(userId, 'plus');
  await waitForMail(userId, /^Quittung 2026-/);
  expect(mails.find(({ to }) => to === `${userId}@example.org`)?.text).toMatch(/Attached: quittung-2026-\d+\.pdf/);
  expect((await nolo.billing.getReceipt({ actorId: userId, orderId })).fileName).toMatch(/^quittung-/);
  nolo.clock.advance(27 * day);
  await waitForMail(userId, /^Dein Tarif Plus endet am \d+\. \p{L}+ \d{4}$/u);
});

test('someone who cancelled gets no reminder and no grace period', async () => {
  const userId = randomUUID();
  await nolo.buy(userId, 'plus');
  await waitForMail(userId, /^Receipt/);
  await nolo.billing.cancelSubscription({ actorId: userId });
  const other = randomUUID();
  await nolo.buy(other, 'plus');
  nolo.clock.advance(30 * day);
  await waitForMail(other, /has ended/);
  expect(await subscription(userId)).toMatchObject({ plan: 'free', state: 'ended' });
  expect(subjectsTo(userId)).toHaveLength(1);
});

test('an unpaid order expires after a day, and a payment already known to the gateway is found', async () => {
  const userId = randomUUID();
  const [lost, open] = [await nolo.order(userId, 'plus'), await nolo.order(userId, 'storage')];
  nolo.gateways.payfast.known.set(lost.id, [nolo.factOf('paid', lost)]);
  nolo.clock.advance(day + 1);
  const stateOf = async ({ id }: { id: string }) =>
    (await nolo.billing.getOrder({ actorId: userId, orderId: id })).state;
  await eventually(async () => (await stateOf(open)) === 'expired');
  await eventually(async () => (await stateOf(lost)) === 'paid');
  expect(await nolo.planOf(userId)).toBe('plus');
});

test('a refund made in the gateway’s own dashboard is found within a week and revokes the plan', async () => {
  const userId = randomUUID();
  const order = await nolo.buy(userId, 'plus');
  expect(await nolo.planOf(userId)).toBe('plus');
  nolo.gateways.payfast.known.set(order.id, [nolo.factOf('paid', order), nolo.factOf('refunded', order)]);
  nolo.clock.advance(7 * day + 1);
  await eventually(async () => (await nolo.planOf(userId)) === 'free');
  expect((await nolo.billing.getOrder({ actorId: userId, orderId: order.id })).state).toBe('refunded');
});

test('the last of concurrent grants and revocations applies', async () => {
  const userId = randomUUID();
  const give = (plan: string) =>
    nolo.admin.grantPlan({ ...operatorCaller, userId, plan, days: 5, reason: 'A test.', grantId: randomUUID() });
  for (let round = 0; round < 4; round += 1) {
    await give('plus');
    await give('free');
    nolo.clock.advance(5);
    expect(await nolo.planOf(userId)).toBe('free');
    await give('free');
    await give('business');
    nolo.clock.advance(5);
    expect(await nolo.planOf(userId)).toBe('business');
  }
});

test('emails go to one address, for a few purposes, and a receipt only to its owner', async () => {
  const actorId = randomUUID();
  const mail = {
    actorId,
    purpose: 'invitation',
    to: 'friend@example.com',
    orderId: '',
    origin: 'https://evil.example',
  };
  await nolo.billing.sendMail(mail);
  const sent = await eventually(() => mails.find(({ to }) => to === 'friend@example.com'));
  expect(sent.text).toContain('Jo Doe');
  expect(sent.text).not.toContain('evil');
  for (const to of ['a@b', 'a@example.org,b@example.org', 'a@example.org\nBcc: b@example.org', 'A <a@example.org>']) {
    await expect(nolo.billing.sendMail({ ...mail, to })).rejects.toMatchObject({ code: 'mail_address_invalid' });
  }
  await expect(nolo.billing.sendMail({ ...mail, purpose: 'advert' })).rejects.toMatchObject({
    code: 'mail_purpose_unknown',
  });
  const { id: orderId } = await nolo.buy(randomUUID(), 'plus');
  await expect(nolo.billing.sendMail({ ...mail, purpose: 'receipt', orderId })).rejects.toMatchObject({
    code: 'order_not_found',
  });
});

describe('a team', () => {
  const seats = async (actorId: string) =>
    (await nolo.team.getTeam({ actorId })).members.map(({ userId, state }) => [userId, state]);

  test('has as many seats as were paid for, each worth a Business plan', async () => {
    const [ownerId, ada, ben, cem] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    await expect(nolo.team.getTeam({ actorId: ownerId })).rejects.toMatchObject({ code: 'team_not_found' });
    await nolo.buy(ownerId, 'business', { seats: 3 });
    await nolo.team.inviteToSeat({ actorId: ownerId, userId: ada });
    await nolo.team.inviteToSeat({ actorId: ownerId, userId: ada });
    await nolo.team.inviteToSeat({ actorId: ownerId, userId: ben });
    await expect(nolo.team.inviteToSeat({ actorId: ownerId, userId: cem })).rejects.toMatchObject({
      code: 'seats_taken',
    });
    expect(await nolo.planOf(ada)).toBe('free');
    await waitForMail(ada, /^You’ve been offered a seat$/);
    expect(await subscription(ada)).toMatchObject({ plan: 'free', seatOffered: true });

    await nolo.team.acceptSeat({ actorId: ada, userId: ownerId });
    expect(await nolo.planOf(ada)).toBe('business');
    expect(await subscription(ada)).toMatchObject({ plan: 'business', source: 'seat', seatOffered: false });
    expect(await seats(ownerId)).toEqual([
      [ownerId, 'owner'],
      [ada, 'member'],
      [ben, 'invited'],
    ]);

    await nolo.team.moveSeat({ actorId: ownerId, fromUserId: ada, toUserId: cem });
    expect(await nolo.planOf(ada)).toBe('free');
    await nolo.team.acceptSeat({ actorId: cem, userId: ownerId });
    await nolo.team.freeSeat({ actorId: cem, userId: cem });
    expect(await nolo.planOf(cem)).toBe('free');
  });

  test('is managed by its owner only, admits nobody from another team, and shows usage to the owner only', async () => {
    const [first, second, member, stranger] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    await nolo.buy(first, 'business', { seats: 2 });
    await nolo.buy(second, 'business', { seats: 2 });
    await nolo.entitlements.reportLevel({ userId: member, feature: 'storageBytes', amount: 77, at: nolo.clock.now() });
    await nolo.team.inviteToSeat({ actorId: first, userId: member });
    await nolo.team.inviteToSeat({ actorId: second, userId: member });
    await nolo.team.acceptSeat({ actorId: member, userId: first });
    await expect(nolo.team.acceptSeat({ actorId: member, userId: second })).rejects.toMatchObject({
      code: 'seat_elsewhere',
    });
    await expect(nolo.team.acceptSeat({ actorId: stranger, userId: first })).rejects.toMatchObject({
      code: 'seat_not_found',
    });
    await expect(nolo.team.inviteToSeat({ actorId: member, userId: stranger })).rejects.toMatchObject({
      code: 'not_team_owner',
    });
    await expect(nolo.team.freeSeat({ actorId: stranger, userId: member })).rejects.toMatchObject({
      code: 'not_team_owner',
    });
    await expect(nolo.team.inviteToSeat({ actorId: first, userId: nobodyId })).rejects.toMatchObject({
      code: 'user_not_found',
    });

    const seenBy = async (actorId: string) => {
      const found = (await nolo.team.getTeam({ actorId })).members.find(({ userId }) => userId === member);
      return [found?.storageBytes, found?.devices, found?.lastUsedOn];
    };
    expect(await seenBy(first)).toEqual([77, 2, '2026-11-19']);
    expect(await seenBy(member)).toEqual([0, undefined, undefined]);
    // A person who is only invited has not agreed to anything.
    expect(await seenBy(second)).toEqual([0, undefined, undefined]);
  });

  test('shows the inviting owner to an invitee, and the other members only once the seat is accepted', async () => {
    const [ownerId, ada, ben] = [randomUUID(), randomUUID(), randomUUID()];
    await nolo.buy(ownerId, 'business', { seats: 3 });
    await nolo.team.inviteToSeat({ actorId: ownerId, userId: ada });
    await nolo.team.acceptSeat({ actorId: ada, userId: ownerId });
    await nolo.team.inviteToSeat({ actorId: ownerId, userId: ben });
    expect(await nolo.team.getTeam({ actorId: ben })).toMatchObject({
      ownerId,
      seats: 0,
      periodEndsAt: undefined,
      members: [
        { userId: ownerId, since: undefined },
        { userId: ben, state: 'invited' },
      ],
    });
    await nolo.team.acceptSeat({ actorId: ben, userId: ownerId });
    expect(await seats(ben)).toHaveLength(3);
  });

  test.each(['blocked by the owner', 'who blocked the owner'])('has no seat for someone %s', async (how) => {
    const [ownerId, ada, ben] = [randomUUID(), randomUUID(), randomUUID()];
    const block = (userId: string) =>
      how === 'who blocked the owner' ? nolo.block(userId, ownerId) : nolo.block(ownerId, userId);
    await nolo.buy(ownerId, 'business', { seats: 3 });
    await nolo.team.inviteToSeat({ actorId: ownerId, userId: ada });
    block(ada);
    block(ben);
    await expect(nolo.team.getTeam({ actorId: ada })).rejects.toMatchObject({ code: 'team_not_found' });
    expect(await subscription(ada)).toMatchObject({ seatOffered: false });
    await expect(nolo.team.inviteToSeat({ actorId: ownerId, userId: ben })).rejects.toMatchObject({
      code: 'user_not_found',
    });
    const moved = { actorId: ownerId, fromUserId: ada, toUserId: ben };
    await expect(nolo.team.moveSeat(moved)).rejects.toMatchObject({ code: 'user_not_found' });
  });

  test("ends with the plan, and with its owner's account", async () => {
    const [ownerId, member] = [randomUUID(), randomUUID()];
    await nolo.buy(ownerId, 'business', { seats: 2 });
    await nolo.team.inviteToSeat({ actorId: ownerId, userId: member });
    await nolo.team.acceptSeat({ actorId: member, userId: ownerId });
    await nolo.publishEvent('event.identity.user_deleted', { userId: ownerId });
    await eventually(async () => (await nolo.planOf(member)) === 'free');
    await expect(nolo.team.getTeam({ actorId: member })).rejects.toMatchObject({ code: 'team_not_found' });
    expect(await nolo.db('receipts').where({ user_id: ownerId })).toHaveLength(1);
  });
});

test('an export contains everything stored about a person', async () => {
  const actorId = randomUUID();
  await nolo.buy(actorId, 'plus');
  const kinds: string[] = [];
  for await (const { kind } of nolo.billing.exportBilling({ actorId })) kinds.push(kind);
  expect(new Set(kinds)).toEqual(new Set(['order', 'payment', 'subscription']));
});
