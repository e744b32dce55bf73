import { newId } from '@nolo/kit/ids';
import { eventually } from '@nolo/testing';
import { startNotifications, type TestNotifications } from './startNotifications.ts';
import { startWebhookReceiver } from './startWebhookReceiver.ts';

let service: TestNotifications;

beforeAll(async () => {
  // Timeouts are long, so requests end only through the receiver's gate.
  service = await startNotifications({ sells: true, answerMs: 600_000, delaysMs: [] });
});
afterAll(() => service.stop());

const test = (actorId: string, webhookId: string) => service.client.sendTestEvent({ actorId, webhookId });

describe('a slow receiver', () => {
  it('has at most two requests in flight, delays nobody else, and receives everything', async () => {
    const quick = await startWebhookReceiver();
    try {
      const actorId = newId();
      await service.billing?.sell(actorId, 'business');
      const slow = await service.hook(['meeting.started'], { actorId });
      const made = await service.client.createWebhook({
        actorId,
        sessionId: newId(),
        url: quick.url,
        description: '',
        events: ['post.failed'],
      });
      const open = Promise.withResolvers<void>();
      service.receiver.answers.gate = open.promise;
      for (let count = 0; count < 8; count += 1) await test(actorId, slow.webhookId);
      await test(actorId, made.webhook?.id ?? '');
      await eventually(() => quick.received.length === 1);
      await eventually(() => service.receiver.received.length === 2);
      open.resolve();
      await service.settled(actorId, slow.webhookId, 'delivered', 8);
      expect(service.receiver.underWay.peak).toBe(2);
    } finally {
      service.receiver.answers.gate = undefined;
      await quick.stop();
    }
  });

  it('fails with a timeout', async () => {
    const impatient = await startNotifications({ answerMs: 300, delaysMs: [] });
    try {
      impatient.receiver.answers.gate = new Promise(() => undefined);
      const { actorId, webhookId } = await impatient.hook(['meeting.started']);
      await impatient.client.sendTestEvent({ actorId, webhookId });
      const [failed] = await impatient.settled(actorId, webhookId, 'failed');
      expect(failed).toMatchObject({ reason: 'timeout', responseStatus: undefined });
    } finally {
      await impatient.stop();
    }
  });
});

describe('webhooks and the plan', () => {
  it('report a plan change; without the feature they pause, can be viewed and deleted, and resume later', async () => {
    const actorId = newId();
    const refused = service.hook(['plan.changed'], { actorId });
    await expect(refused).rejects.toMatchObject({ code: 'plan_limit', details: { feature: 'apiAccess' } });
    await service.billing?.sell(actorId, 'business');
    const { webhookId } = await eventually(() => service.hook(['plan.changed'], { actorId }).catch(() => undefined));
    service.receiver.received.splice(0);
    await service.billing?.sell(actorId, 'free');
    await eventually(() => service.receiver.received.length === 1);
    expect(JSON.parse(service.receiver.received[0]?.body ?? '{}')).toMatchObject({
      type: 'plan.changed',
      data: { plan: 'free', previousPlan: 'business' },
    });
    expect(await service.client.getWebhook({ actorId, webhookId })).toMatchObject({ state: 'paused', reason: 'plan' });
    await expect(test(actorId, webhookId)).rejects.toMatchObject({ code: 'plan_limit' });

    await service.billing?.sell(actorId, 'business');
    await eventually(() => service.receiver.received.length === 2);
    expect((await service.client.getWebhook({ actorId, webhookId })).state).toBe('active');
    await service.client.deleteWebhook({ actorId, webhookId });
    expect((await service.client.listWebhooks({ actorId })).webhooks).toEqual([]);
  });
});
