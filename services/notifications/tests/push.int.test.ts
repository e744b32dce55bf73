import { newId } from '@nolo/kit/ids';
import { eventually, startTestPushService, type SubscribedBrowser, type TestPushService } from '@nolo/testing';
import { startNotifications, type TestNotifications } from './startNotifications.ts';

let service: TestNotifications;
let pushService: TestPushService;
beforeAll(async () => {
  [service, pushService] = await Promise.all([startNotifications(), startTestPushService()]);
});
afterAll(async () => {
  await service.stop();
  await pushService.stop();
});
afterEach(() => {
  pushService.answers.status = 201;
  expect(pushService.objections).toEqual([]);
});

async function device(userId: string = newId(), sessionId: string = newId()) {
  const browser = pushService.browser();
  const { endpoint, keys } = browser.subscription;
  await service.push.subscribe({ actorId: userId, sessionId, endpoint, ...keys });
  return { userId, sessionId, browser };
}

/** Publishes a message to these people as chat would, and returns its conversation and the event's ID. */
async function write(to: readonly string[], { seq = 1, conversationId = newId(), eventId = service.eventId() } = {}) {
  const senderId = newId();
  service.asked.alerts.set(
    conversationId,
    to.map((userId) => ({ userId, messageId: newId(), seq, senderId, reason: 'message' })),
  );
  const messagesAdded = { conversationId, seq, lastSeq: seq };
  await service.publishEvent('event.chat.messages_added', messagesAdded, eventId, conversationId);
  return { conversationId, senderId, eventId };
}

const came = (browser: SubscribedBrowser, count = 1) =>
  eventually(() => (browser.received.length >= count ? browser.received : undefined));
const waiting = async () => Number((await service.db('pushes').count('* as count').first())?.['count']);
const subscribed = async (actorId: string) =>
  (await service.push.listSubscriptions({ actorId })).subscriptions.map(({ sessionId }) => sessionId);

test('a message reaches each browser of its reader, encrypted, with ids only, and once despite repeats', async () => {
  const { userId, browser } = await device();
  const { browser: other } = await device(userId);
  service.asked.unread.set(userId, 3);
  const { conversationId, senderId, eventId } = await write([userId]);
  const [push] = await came(browser);
  await came(other);
  expect(push).toMatchObject({ urgency: 'high', topic: expect.stringMatching(/^[\w-]{32}$/) });
  expect(push!.ttlSeconds).toBeGreaterThan(86_400);
  const ids = { conversationId, conversationType: 'direct', messageId: expect.any(String), seq: 1, senderId };
  const shown = { unread: 3, preview: true, sound: true, vibration: true };
  const about = { type: 'message', topic: `chat ${conversationId}`, userId, at: expect.any(String) };
  expect(push!.body).toEqual({ ...about, ...ids, ...shown });
  await write([userId], { conversationId, eventId });
  await write([userId], { conversationId, seq: 2 });
  await came(browser, 2);
  expect(browser.received.map(({ body }) => body['seq'])).toEqual([1, 2]);
  await eventually(async () => (await waiting()) === 0);
});

test("a device in use gets no push, and the person's others do", async () => {
  const { userId, sessionId, browser } = await device();
  const { browser: other } = await device(userId);
  await service.watches.begin(sessionId);
  await write([userId]);
  await came(other);
  await service.watches.end(sessionId);
  await write([userId]);
  await came(browser);
  expect(browser.received).toHaveLength(1);
});

test('a rejected push waits, newer ones replace it, and one read meanwhile is not sent', async () => {
  const { userId, browser } = await device();
  const { userId: reader, browser: readers } = await device();
  pushService.answers.status = 503;
  const { conversationId } = await write([userId, reader]);
  const before = pushService.requests;
  await eventually(() => pushService.requests >= before + 2);
  await write([userId], { conversationId, seq: 2 });
  const newer = await eventually(() => service.db('pushes').where({ version: 2 }).first('id', 'attempts'));
  // An attempt in flight may have started with the older push, but the next one has not.
  await eventually(async () => {
    const { attempts } = (await service.db('pushes').where({ id: newer['id'] }).first('attempts')) ?? {};
    return attempts >= newer['attempts'] + 2;
  });
  pushService.answers.status = 201;
  const [push, ...more] = await came(browser);
  expect([push!.body['seq'], more]).toEqual([2, []]);
  await eventually(async () => (await waiting()) === 0);
  expect(readers.received).toEqual([]);
});

test.each([404, 410, 403])('an expired subscription is deleted on response %i', async (status) => {
  const { userId, browser } = await device();
  pushService.answers.status = status;
  await write([userId]);
  await eventually(async () => (await subscribed(userId)).length === 0);
  expect([await waiting(), browser.received]).toEqual([0, []]);
});

test('a subscription belongs to one session and person, and is deleted whenever the session ends', async () => {
  const { userId, sessionId, browser } = await device();
  const secondSubscription = pushService.browser().subscription;
  await service.push.subscribe({
    actorId: userId,
    sessionId,
    endpoint: secondSubscription.endpoint,
    ...secondSubscription.keys,
  });
  expect(await subscribed(userId)).toEqual([sessionId]);
  // A different account in the same browser.
  const someone = newId();
  const theirs = {
    actorId: someone,
    sessionId: newId(),
    endpoint: secondSubscription.endpoint,
    ...secondSubscription.keys,
  };
  await service.push.subscribe(theirs);
  expect([await subscribed(userId), await subscribed(someone)]).toEqual([[], [theirs.sessionId]]);
  service.bus.publish('gateway.all.session_ended', { userId: someone, sessionIds: [theirs.sessionId] });
  await eventually(async () => (await subscribed(someone)).length === 0);
  const quietly = await device();
  service.asked.ended.add(quietly.sessionId);
  await write([quietly.userId]);
  await eventually(async () => (await subscribed(quietly.userId)).length === 0);
  expect([quietly.browser.received, browser.received]).toEqual([[], []]);
  const own = await device();
  await service.push.unsubscribe({ actorId: own.userId, sessionId: newId() });
  expect(await subscribed(own.userId)).toEqual([own.sessionId]);
  await service.push.unsubscribe({ actorId: own.userId, sessionId: own.sessionId });
  expect(await subscribed(own.userId)).toEqual([]);
});

test('forbidden hosts get no pushes, and a subscription without valid keys is rejected', async () => {
  const { endpoint, keys } = pushService.browser().subscription;
  const given = { actorId: newId(), sessionId: newId(), endpoint, ...keys };
  const attempt = (more: object) => service.push.subscribe({ ...given, ...more });
  await expect(attempt({ endpoint: 'http://10.0.0.1/push' })).rejects.toMatchObject({ code: 'push_endpoint_refused' });
  await expect(attempt({ endpoint: 'http://[::ffff:169.254.169.254]/' })).rejects.toMatchObject({
    code: 'push_endpoint_refused',
  });
  await expect(attempt({ endpoint: 'ftp://push.example.org/' })).rejects.toMatchObject({
    code: 'push_endpoint_invalid',
  });
  await expect(attempt({ p256dh: keys.auth })).rejects.toMatchObject({ code: 'push_keys_invalid' });
  await expect(attempt({ auth: 'AAAA' })).rejects.toMatchObject({ code: 'push_keys_invalid' });
});

test('disabled kinds, and any during quiet hours, are not pushed', async () => {
  const { userId, browser } = await device();
  const byDefault = await service.push.getSettings({ actorId: userId });
  expect(byDefault).toMatchObject({ preview: true, quietHours: undefined });
  expect(byDefault.kinds).toContain('calls');
  // When another person has received it, this one was excluded.
  const { userId: other, browser: others } = await device();
  await service.push.updateSettings({ actorId: userId, kinds: { kinds: ['reactions', 'nonsense'] }, quiet: undefined });
  await write([userId, other]);
  await came(others);
  const minute = service.clock.now().getUTCHours() * 60 + service.clock.now().getUTCMinutes();
  const hours = { fromMinute: minute, toMinute: (minute + 60) % 1_440, timeZone: 'UTC' };
  await service.push.updateSettings({
    actorId: userId,
    kinds: { kinds: ['messages'] },
    quiet: { $case: 'quietHours', value: hours },
  });
  await write([userId, other]);
  await came(others, 2);
  const updatedSettings = await service.push.updateSettings({
    actorId: userId,
    preview: false,
    quiet: { $case: 'noQuietHours', value: true },
  });
  expect(updatedSettings).toEqual({
    kinds: ['messages'],
    preview: false,
    sound: true,
    vibration: true,
    quietHours: undefined,
  });
  const last = await write([userId]);
  await came(browser);
  expect(browser.received.map(({ body }) => [body['conversationId'], body['preview']])).toEqual([
    [last.conversationId, false],
  ]);
});

test('a deleted account leaves neither subscriptions nor settings', async () => {
  const { userId } = await device();
  await service.push.updateSettings({ actorId: userId, sound: false, quiet: undefined });
  await service.publishEvent('event.identity.user_deleted', { userId }, service.eventId(), userId);
  await eventually(async () => (await subscribed(userId)).length === 0);
  expect((await service.push.getSettings({ actorId: userId })).sound).toBe(true);
});

test('a call rings as long as it lasts, and its outcome replaces the ring', async () => {
  const { userId, browser } = await device();
  const callId = `call-${userId}-1`;
  const call = { callId, conversationId: newId(), callerId: newId(), type: 'audio', userId };
  await service.publishEvent('event.meetings.call_rang', call, service.eventId(), callId);
  const [ring] = await came(browser);
  expect(ring).toMatchObject({ urgency: 'high', body: { type: 'call', callId, senderId: call.callerId } });
  expect(ring!.ttlSeconds).toBeLessThanOrEqual(45);
  await service.publishEvent('event.meetings.call_ring_ended', { ...call, state: 'joined' }, service.eventId(), callId);
  await service.publishEvent('event.meetings.call_ring_ended', { ...call, state: 'missed' }, service.eventId(), callId);
  const [, over, missed] = await came(browser, 3);
  expect([over!.body['type'], missed!.body['type']]).toEqual(['call_over', 'missed_call']);
  expect(new Set([ring!.topic, over!.topic, missed!.topic]).size).toBe(1);
});

test('a group call rings, and is over or missed, under one topic', async () => {
  const { userId, browser } = await device();
  const callId = newId();
  const call = { callId, conversationId: newId(), callerId: newId(), type: 'video', userId, roomCode: 'ABC234' };
  await service.publishEvent('event.meetings.group_call_rang', call, service.eventId(), callId);
  const [ring] = await came(browser);
  const { conversationId } = call;
  expect(ring).toMatchObject({ urgency: 'high', body: { type: 'call', conversationType: 'group', conversationId } });
  expect(ring!.ttlSeconds).toBeLessThanOrEqual(45);
  await service.publishEvent(
    'event.meetings.group_call_ring_ended',
    { ...call, reason: 'answered' },
    service.eventId(),
    callId,
  );
  await service.publishEvent(
    'event.meetings.group_call_ring_ended',
    { ...call, reason: 'missed' },
    service.eventId(),
    callId,
  );
  const [, over, missed] = await came(browser, 3);
  expect([over!.body['type'], missed!.body['type']]).toEqual(['call_over', 'missed_call']);
  expect(new Set([ring!.topic, over!.topic, missed!.topic]).size).toBe(1);
});

test('admins of a group are notified of requests to join', async () => {
  const { userId, browser } = await device();
  const [conversationId, requesterId] = [newId(), newId()];
  service.deciders.set(conversationId, [userId]);
  const joinRequest = { conversationId, userId: requesterId };
  await service.publishEvent('event.chat.join_requested', joinRequest, service.eventId(), conversationId);
  await came(browser);
  expect(browser.received[0]!.body).toMatchObject({ type: 'join_request', conversationId, senderId: requesterId });
});

test('hosts are notified of people waiting in their lobby, for as long as anyone waits', async () => {
  const [one, other] = await Promise.all([device(), device()]);
  const meetingId = newId();
  const lobbyEvent = { meetingId, roomCode: 'ABC234', hostIds: [one.userId, other.userId] };
  await service.publishEvent('event.meetings.lobby_waiting', lobbyEvent, service.eventId(), meetingId);
  const [[push]] = await Promise.all([came(one.browser), came(other.browser)]);
  expect(push!.body).toMatchObject({ type: 'lobby_knock', meetingId, roomCode: 'ABC234' });
  expect(push!.ttlSeconds).toBeLessThanOrEqual(600);
});

test('a status update is pushed only to people who may see it, subscribed to it and have not seen it', async () => {
  const [byDefault, eager, late] = await Promise.all([device(), device(), device()]);
  const kinds = { kinds: ['statuses'] };
  for (const actorId of [eager.userId, late.userId]) {
    await service.push.updateSettings({ actorId, kinds, quiet: undefined });
  }
  const [userId, statusId] = [newId(), newId()];
  const expiresAt = new Date(service.clock.now().getTime() + 86_400_000).toISOString();
  service.asked.readers.set(statusId, [byDefault.userId, eager.userId]);
  await service.publishEvent('event.status.posted', { statusId, userId, expiresAt }, service.eventId(), userId);
  const [push] = await came(eager.browser);
  expect(push).toMatchObject({ urgency: 'low', body: { type: 'status', statusId, senderId: userId } });
  await eventually(async () => (await waiting()) === 0);
  expect([byDefault.browser.received, late.browser.received]).toEqual([[], []]);
});

test('a finished export is pushed to the person who requested it, unless that kind is disabled', async () => {
  const [wants, other] = await Promise.all([device(), device()]);
  await service.push.updateSettings({ actorId: other.userId, kinds: { kinds: ['messages'] }, quiet: undefined });
  for (const { userId } of [other, wants]) {
    await service.publishEvent('event.files.export_ready', { userId, exportId: newId() }, service.eventId(), userId);
  }
  const [push] = await came(wants.browser);
  expect(push).toMatchObject({ urgency: 'normal', body: { type: 'export', topic: 'export', userId: wants.userId } });
  expect(push!.ttlSeconds).toBeLessThanOrEqual(86_400);
  expect(other.browser.received).toEqual([]);
});

test('payments and the end of a plan are pushed to the paying person', async () => {
  const seller = await startNotifications({ sells: true });
  try {
    const browser = pushService.browser();
    const userId = newId();
    const { endpoint, keys } = browser.subscription;
    await seller.push.subscribe({ actorId: userId, sessionId: newId(), endpoint, ...keys });
    for (const about of ['receipt', 'reminder']) {
      await seller.billing!.publishEvent(
        'event.billing.notified',
        { userId, about, item: 'plus' },
        seller.eventId(),
        userId,
      );
    }
    await eventually(() => browser.received.some(({ body }) => body['state'] === 'reminder'));
    expect(browser.received.at(-1)!.body).toMatchObject({ type: 'payment', item: 'plus' });
  } finally {
    await seller.stop();
  }
});
