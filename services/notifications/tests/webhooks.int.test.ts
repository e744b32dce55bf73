import { isAppError } from '@nolo/kit/errors';
import { newId } from '@nolo/kit/ids';
import { eventually } from '@nolo/testing';
import { Webhook } from 'standardwebhooks';
import { startNotifications, type TestNotifications } from './startNotifications.ts';

let service: TestNotifications;

beforeAll(async () => {
  service = await startNotifications();
});
afterAll(() => service.stop());
beforeEach(() => {
  Object.assign(service.receiver.answers, { status: 204, headers: {} });
  Object.assign(service.receiver.underWay, { now: 0, peak: 0 });
  service.receiver.received.splice(0);
});

const hourMs = 3_600_000;
const started = (hostId: string) => ({
  meetingId: newId(),
  hostId,
  groupId: null,
  startedAt: new Date().toISOString(),
});
const began = (hostId: string, more: object = {}, id = service.eventId()) =>
  service.publishEvent('event.meetings.started', { ...started(hostId), ...more }, id, newId());
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'none',
    (error: unknown) => (isAppError(error) ? error.code : 'unknown'),
  );
const arrived = (count: number) => eventually(() => service.receiver.received.length >= count);

describe('webhooks', () => {
  it("send an event once, signed verifiably for the receivers' library, and to nobody else", async () => {
    const { actorId, webhookId, secret } = await service.hook(['meeting.started']);
    const other = await service.hook(['meeting.started']);
    const eventId = service.eventId();
    const meetingId = newId();
    await began(actorId, { meetingId, name: 'Not for the wire' }, eventId);
    await began(actorId, { meetingId }, eventId);
    const [delivery] = await service.settled(actorId, webhookId, 'delivered');
    const [request] = service.receiver.received;
    expect(request?.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': delivery?.id });
    const payload = new Webhook(secret).verify(request?.body ?? '', service.receiver.signed(request!));
    expect(payload).toEqual({
      type: 'meeting.started',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      data: { meetingId, groupId: null, startedAt: expect.any(String) as string },
    });
    expect(delivery).toMatchObject({ attempts: 1, responseStatus: 204, reason: undefined });
    expect(service.receiver.received).toHaveLength(1);
    expect(await service.deliveriesOf(other.actorId, other.webhookId)).toEqual([]);
    expect(await codeOf(service.deliveriesOf(other.actorId, webhookId))).toBe('webhook_not_found');
  });

  it("send group events to the group's admins", async () => {
    const [admin, member, groupId] = [newId(), newId(), newId()];
    const hook = await service.hook(['group.member_joined'], { actorId: admin });
    const ordinary = await service.hook(['group.member_joined'], { actorId: member });
    service.deciders.set(groupId, [admin]);
    const joined = { conversationId: groupId, userId: newId(), role: 'member' };
    await service.publishEvent('event.chat.member_joined', joined, service.eventId(), newId());
    await service.settled(admin, hook.webhookId, 'delivered');
    expect(await service.deliveriesOf(member, ordinary.webhookId)).toEqual([]);
  });

  it('receive no events from before they were created', async () => {
    const actorId = newId();
    const before = service.eventId();
    service.clock.advance(1_000);
    const { webhookId } = await service.hook(['meeting.started'], { actorId });
    await began(actorId, {}, before);
    const later = await service.hook(['status.posted'], { actorId });
    const posted = { statusId: newId(), userId: actorId, expiresAt: new Date().toISOString() };
    await service.publishEvent('event.status.posted', posted, service.eventId());
    await service.settled(actorId, later.webhookId, 'delivered');
    expect(await service.deliveriesOf(actorId, webhookId)).toEqual([]);
  });

  it('are retried with the same id and body until accepted, then given up, and can be resent by hand', async () => {
    const { actorId, webhookId, secret } = await service.hook(['meeting.started']);
    service.receiver.answers.status = 500;
    await began(actorId);
    const [failed] = await service.settled(actorId, webhookId, 'failed');
    expect(failed).toMatchObject({ attempts: 3, responseStatus: 500, reason: 'status' });
    const ids = service.receiver.received.map(({ headers, body }) => `${String(headers['webhook-id'])} ${body}`);
    expect(new Set(ids).size).toBe(1);
    expect((await service.client.getWebhook({ actorId, webhookId })).failingSince).toBeDefined();

    service.receiver.answers.status = 200;
    await service.client.resendDelivery({ actorId, webhookId, deliveryId: failed?.id ?? '' });
    const [delivered] = await service.settled(actorId, webhookId, 'delivered');
    expect(delivered).toMatchObject({ id: failed?.id, attempts: 1, responseStatus: 200 });
    const last = service.receiver.received.at(-1)!;
    expect(() => new Webhook(secret).verify(last.body, service.receiver.signed(last))).not.toThrow();
    expect((await service.client.getWebhook({ actorId, webhookId })).failingSince).toBeUndefined();
  });

  it('follow no redirect', async () => {
    const { actorId, webhookId } = await service.hook(['meeting.started']);
    Object.assign(service.receiver.answers, { status: 302, headers: { location: '/elsewhere' } });
    await began(actorId);
    await service.settled(actorId, webhookId, 'failed');
    expect(new Set(service.receiver.received.map(({ path }) => path))).toEqual(new Set(['/hooks']));
  });

  it('are disabled if the receiver is gone, and the owner is notified', async () => {
    const { actorId, webhookId } = await service.hook(['meeting.started']);
    service.receiver.answers.status = 410;
    await began(actorId);
    await service.settled(actorId, webhookId, 'failed');
    expect(await service.client.getWebhook({ actorId, webhookId })).toMatchObject({
      state: 'disabled',
      reason: 'gone',
    });
    const host = new URL(service.receiver.url).host;
    await eventually(() => service.mails.some((mail) => mail.userId === actorId && mail.gone && mail.host === host));
    expect(await codeOf(service.client.sendTestEvent({ actorId, webhookId }))).toBe('webhook_not_active');

    service.receiver.answers.status = 200;
    const retryRequest = { actorId, webhookId, state: 'active' };
    expect(await service.client.updateWebhook(retryRequest)).toMatchObject({ state: 'active', reason: undefined });
    await service.client.sendTestEvent({ actorId, webhookId });
    const [test] = await service.settled(actorId, webhookId, 'delivered');
    expect(test?.type).toBe('webhook.test');
  });

  it('are disabled if nothing was delivered for five days, and not before', async () => {
    const { actorId, webhookId } = await service.hook(['meeting.started']);
    service.receiver.answers.status = 503;
    await began(actorId);
    await service.settled(actorId, webhookId, 'failed');
    service.clock.advance(119 * hourMs);
    await began(actorId);
    await service.settled(actorId, webhookId, 'failed', 2);
    expect((await service.client.getWebhook({ actorId, webhookId })).state).toBe('active');
    service.clock.advance(2 * hourMs);
    await began(actorId);
    await service.settled(actorId, webhookId, 'failed', 3);
    expect(await service.client.getWebhook({ actorId, webhookId })).toMatchObject({
      state: 'disabled',
      reason: 'failing',
    });
    await eventually(() => service.mails.some((mail) => mail.userId === actorId && !mail.gone));
  });

  it('are also signed with the old secret for a day after it changed', async () => {
    const { actorId, webhookId, secret } = await service.hook(['meeting.started']);
    const { secret: anew = '' } = await service.client.rotateSecret({ actorId, webhookId, sessionId: newId() });
    const verifies = (key: string) => {
      const last = service.receiver.received.at(-1)!;
      // Receivers accept current messages only, and this clock runs ahead.
      const headers = service.receiver.signed(last);
      const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
      return headers['webhook-signature']!.split(' ').includes(
        new Webhook(key).sign(headers['webhook-id']!, at, last.body),
      );
    };
    await began(actorId);
    await arrived(1);
    expect([verifies(secret), verifies(anew)]).toEqual([true, true]);
    service.clock.advance(25 * hourMs);
    await began(actorId);
    await arrived(2);
    expect([verifies(secret), verifies(anew)]).toEqual([false, true]);
  });

  it('require fresh proof for changes of URL and secret, and for nothing else', async () => {
    const { actorId, webhookId } = await service.hook(['meeting.started']);
    const [old, unknown] = [newId(), newId()];
    service.proofs.outdated.add(old);
    service.proofs.unknown.add(unknown);
    const url = `${service.receiver.url}other`;
    const at = { actorId, webhookId };
    const events = ['meeting.started'];
    const { createWebhook, updateWebhook, rotateSecret } = service.client;
    const callAll = (caller: { sessionId?: string; tokenId?: string }) =>
      Promise.all([
        codeOf(createWebhook({ ...caller, actorId, url, events })),
        codeOf(updateWebhook({ ...caller, ...at, url })),
        codeOf(rotateSecret({ ...caller, ...at })),
        codeOf(updateWebhook({ ...caller, ...at, description: 'Mine', state: 'paused' })),
      ]);
    const refused = (code: string) => [code, code, code, 'none'];
    expect(await callAll({ sessionId: old })).toEqual(refused('proof_required'));
    expect(await callAll({})).toEqual(refused('proof_required'));
    expect(await callAll({ sessionId: unknown })).toEqual(refused('proof_unavailable'));
    // Creating a token required proof.
    expect(await callAll({ tokenId: newId() })).toEqual(['none', 'none', 'none', 'none']);
  });

  it('can reach only the public internet and networks allowed by an operator', async () => {
    const actorId = newId();
    const make = (url: string, events = ['post.failed']) =>
      codeOf(service.client.createWebhook({ actorId, sessionId: newId(), url, description: '', events }));
    expect(await make('http://10.0.0.1/')).toBe('webhook_url_refused');
    expect(await make('http://[::1]:80/')).toBe('webhook_url_refused');
    expect(await make('http://169.254.169.254/latest/meta-data')).toBe('webhook_url_refused');
    expect(await make('https://ann:word@example.org/')).toBe('webhook_url_invalid');
    expect(await make('ftp://example.org/')).toBe('webhook_url_invalid');
    expect(await make('https://93.184.216.34/', ['message.sent'])).toBe('webhook_events_invalid');
    // The name is resolved for each request. Here the row contains an address to which a name might later resolve.
    const hook = await service.hook(['meeting.started'], { actorId });
    await service.db('webhooks').where({ id: hook.webhookId }).update({ url: 'http://192.168.1.1/' });
    await began(actorId);
    const [failed] = await service.settled(actorId, hook.webhookId, 'failed');
    expect(failed?.reason).toBe('refused');
  });

  it('receive nothing while the account is pending deletion, and resume if it is reopened', async () => {
    const { actorId, webhookId } = await service.hook(['meeting.started']);
    const closed = async (isClosed: boolean) => {
      await service.publishEvent('event.identity.account_closed', { userId: actorId, closed: isClosed });
      const there = { id: webhookId, owner_closed: isClosed };
      await eventually(async () => (await service.db('webhooks').where(there).first('id')) !== undefined);
    };
    await closed(true);
    await began(actorId);
    // Deliveries that were pending when the account was closed are not sent either.
    await service.client.sendTestEvent({ actorId, webhookId });
    const [failedDelivery] = await service.settled(actorId, webhookId, 'failed');
    expect([failedDelivery?.type, failedDelivery?.reason]).toEqual(['webhook.test', 'paused']);
    await closed(false);
    await began(actorId);
    await service.settled(actorId, webhookId, 'delivered');
    expect(await service.deliveriesOf(actorId, webhookId)).toHaveLength(2);
  });

  it('are limited to ten, page their deliveries, and are deleted with the account', async () => {
    const actorId = newId();
    const hooks = [];
    for (let count = 0; count < 10; count += 1) hooks.push(await service.hook(['meeting.started'], { actorId }));
    expect(await codeOf(service.hook(['meeting.started'], { actorId }))).toBe('too_many_webhooks');
    const { webhookId } = hooks[0]!;
    for (let count = 0; count < 3; count += 1) await service.client.sendTestEvent({ actorId, webhookId });
    await service.settled(actorId, webhookId, 'delivered', 3);
    const first = await service.client.listDeliveries({ actorId, webhookId, limit: 2 });
    const rest = await service.client.listDeliveries({ actorId, webhookId, cursor: first.nextCursor, limit: 2 });
    expect([first.deliveries.length, rest.deliveries.length, rest.nextCursor]).toEqual([2, 1, undefined]);
    const [sent] = (await service.client.listWebhooks({ actorId })).webhooks;
    expect(sent?.lastDelivery?.type).toBe('webhook.test');

    service.clock.advance(31 * 24 * hourMs);
    await eventually(async () => (await service.deliveriesOf(actorId, webhookId)).length === 0);
    await service.publishEvent('event.identity.user_deleted', { userId: actorId });
    await eventually(async () => (await service.client.listWebhooks({ actorId })).webhooks.length === 0);
  });
});
