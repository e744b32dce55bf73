import { randomBytes } from 'node:crypto';
import type { Clock } from '@nolo/kit/clock';
import { parseActorId, newId, parseId, type UserId } from '@nolo/kit/ids';
import { resolveAllowedAddresses, type OutboundGuard } from '@nolo/kit/outbound';
import type { ProofGuard } from '@nolo/kit/proof';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { WebhookServiceDefinition } from '@nolo/proto/webhooks';
import { cleanName, cutText, isWebhookEventType, webhookEventTypes, webhookLimits } from '@nolo/rules';
import { webhookAddressRefused, parseWebhookAddress } from '../domain/webhookAddress.ts';
import type { WebhookDeliveryStore, ListedWebhook, WebhookStore } from '../domain/ports.ts';
import type { WebhookId } from '../domain/webhook.ts';
import { webhooksNotInPlan, createNotificationsError, webhookNotFound } from '../errors.ts';
import { toWebhookReply } from './replies.ts';

export interface WebhookDependencies {
  readonly webhooks: WebhookStore;
  readonly deliveries: Pick<WebhookDeliveryStore<never>, 'list' | 'resend' | 'test'>;
  readonly guard: OutboundGuard;
  /** True to allow http, as in demo mode. */
  readonly plain: boolean;
  readonly mayUse: (userId: UserId) => Promise<boolean>;
  readonly planOf: (userId: UserId) => Promise<string>;
  /** Admits account owners with fresh proof, and their tokens. */
  readonly mustBeProven: ProofGuard;
  readonly clock: Clock;
}

type Handler<Name extends keyof (typeof WebhookServiceDefinition)['methods']> = RpcHandler<
  (typeof WebhookServiceDefinition)['methods'][Name]
>;

/** Timeout for a name lookup while a user waits. */
const lookUpMs = 4_000;

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

export async function requireWebhookPlan(
  { mayUse }: Pick<WebhookDependencies, 'mayUse'>,
  userId: UserId,
): Promise<void> {
  if (!(await mayUse(userId))) throw webhooksNotInPlan();
}

/** @throws AppError webhook_not_found, even if it belongs to someone else */
export async function findWebhook(
  { webhooks }: Pick<WebhookDependencies, 'webhooks'>,
  userId: UserId,
  webhookId: string | undefined,
): Promise<ListedWebhook> {
  const id = parseId<WebhookId>(webhookId);
  const found = id && (await webhooks.find(userId, id));
  if (!found) throw webhookNotFound();
  return found;
}

/**
 * Validates an address. One that leads nowhere now may lead somewhere later, but one that leads to a forbidden place is
 * refused at once, so its owner learns why. Every request is checked again.
 */
async function addressFrom(
  { guard, plain }: Pick<WebhookDependencies, 'guard' | 'plain'>,
  text: string,
): Promise<string> {
  const url = parseWebhookAddress(text.trim(), plain);
  const found = await resolveAllowedAddresses(url, guard, AbortSignal.timeout(lookUpMs)).catch(
    () => 'nowhere' as const,
  );
  if (found === 'refused') throw webhookAddressRefused();
  return url.href;
}

function eventsFrom(types: readonly string[]): readonly string[] {
  const unknown = types.filter((type) => !isWebhookEventType(type));
  if (types.length > 0 && unknown.length === 0) return webhookEventTypes.filter((type) => types.includes(type));
  throw createNotificationsError('invalid', 'webhook_events_invalid', 'Choose at least one of the available events.', {
    unknown: unknown.slice(0, 10),
  });
}

const descriptionFrom = (text: string): string =>
  cutText(cleanName(text), webhookLimits.descriptionLength, 'codePoints');

export function listWebhooks(dependencies: WebhookDependencies): Handler<'listWebhooks'> {
  const { webhooks, mayUse } = dependencies;
  return async (request) => {
    const userId = parseActorId(request.actorId ?? '');
    const [listed, allowed] = await Promise.all([webhooks.list(userId), mayUse(userId)]);
    return { webhooks: listed.map((one) => toWebhookReply(one, allowed)) };
  };
}

export function getWebhook(dependencies: WebhookDependencies): Handler<'getWebhook'> {
  return async ({ actorId, webhookId }) => {
    const userId = parseActorId(actorId ?? '');
    const found = await findWebhook(dependencies, userId, webhookId);
    return toWebhookReply(found, await dependencies.mayUse(userId));
  };
}

export function createWebhook(dependencies: WebhookDependencies): Handler<'createWebhook'> {
  const { webhooks, planOf, clock, mustBeProven } = dependencies;
  return async (request) => {
    await mustBeProven(request);
    const userId = parseActorId(request.actorId ?? '');
    await requireWebhookPlan(dependencies, userId);
    const events = eventsFrom(request.events);
    const url = await addressFrom(dependencies, request.url ?? '');
    const [secret, plan] = [newSecret(), await planOf(userId)];
    const wanted = { id: newId<WebhookId>(), userId, url, events, secret, plan };
    const made = await webhooks.add(
      { ...wanted, description: descriptionFrom(request.description ?? '') },
      clock.now(),
    );
    if (!made) {
      throw createNotificationsError('conflict', 'too_many_webhooks', 'You have reached the webhook limit.', {
        limit: webhookLimits.perAccount,
      });
    }
    return { webhook: toWebhookReply({ webhook: made, last: undefined }, true), secret };
  };
}

export function updateWebhook(dependencies: WebhookDependencies): Handler<'updateWebhook'> {
  const { webhooks, mayUse, mustBeProven } = dependencies;
  return async (request) => {
    const { actorId, webhookId, url, description, events, state } = request;
    // Changing the target requires the owner's fresh proof.
    if (url !== undefined) await mustBeProven(request);
    const userId = parseActorId(actorId ?? '');
    const { webhook } = await findWebhook(dependencies, userId, webhookId);
    if (state !== undefined && state !== 'active' && state !== 'paused') {
      throw createNotificationsError(
        'invalid',
        'webhook_state_invalid',
        'A webhook can only be set to active or paused.',
      );
    }
    const allowed = await mayUse(userId);
    // Plans without webhooks permit viewing, pausing, and deleting.
    if (!allowed && (state === 'active' || url !== undefined || events !== undefined)) throw webhooksNotInPlan();
    await webhooks.change(userId, webhook.id, {
      ...(url === undefined ? {} : { url: await addressFrom(dependencies, url) }),
      ...(description === undefined ? {} : { description: descriptionFrom(description) }),
      ...(events === undefined ? {} : { events: eventsFrom(events.types) }),
      ...(state === undefined ? {} : { state }),
    });
    return toWebhookReply(await findWebhook(dependencies, userId, webhookId), allowed);
  };
}

export function deleteWebhook({ webhooks }: WebhookDependencies): Handler<'deleteWebhook'> {
  return async ({ actorId, webhookId }) => {
    const id = parseId<WebhookId>(webhookId);
    if (!id || !(await webhooks.remove(parseActorId(actorId ?? ''), id))) throw webhookNotFound();
    return {};
  };
}

export function rotateSecret(dependencies: WebhookDependencies): Handler<'rotateSecret'> {
  const { webhooks, clock, mustBeProven } = dependencies;
  return async (request) => {
    await mustBeProven(request);
    const { actorId, webhookId } = request;
    const userId = parseActorId(actorId ?? '');
    const { webhook } = await findWebhook(dependencies, userId, webhookId);
    await requireWebhookPlan(dependencies, userId);
    const secret = newSecret();
    const oldUntil = new Date(clock.now().getTime() + webhookLimits.oldSecretHours * 3_600_000);
    if (!(await webhooks.rotate(userId, webhook.id, secret, oldUntil))) throw webhookNotFound();
    return { webhook: toWebhookReply(await findWebhook(dependencies, userId, webhookId), true), secret };
  };
}
