/**
 * Events of webhooks (docs/webhooks.md). Each entry states whose webhooks receive it, and its data: ids and states,
 * never anything a user wrote, said or showed, and never a name.
 */
export const webhookEvents = {
  'meeting.started': {
    summary:
      'The first participant joined a meeting. Sent to the host, or for a call in a group, to the person who started it.',
    data: { meetingId: 'id', groupId: 'id or null', startedAt: 'time' },
  },
  'meeting.ended': {
    summary: 'The last participant left a meeting, or the meeting was ended. Sent to the same person as its start.',
    data: { meetingId: 'id', groupId: 'id or null', endedAt: 'time', durationSeconds: 'number' },
  },
  'group.member_joined': {
    summary: 'A person joined a group. Sent to the owner and admins of the group.',
    data: { groupId: 'id', userId: 'id', role: 'owner, admin or member' },
  },
  'group.member_left': {
    summary: 'A person is no longer in a group. Sent to the owner and admins of the group.',
    data: { groupId: 'id', userId: 'id', reason: 'left, removed or banned' },
  },
  'post.published': {
    summary: 'A post was published on all its social platforms. Sent to its author.',
    data: { postId: 'id' },
  },
  'post.failed': {
    summary:
      'A post failed on a social platform and is not retried there, or someone has to check whether it was published. Sent to its author.',
    data: { postId: 'id', state: 'failed or needs_review' },
  },
  'status.posted': {
    summary: 'A status update was posted. Sent to its author, not to its viewers.',
    data: { statusId: 'id', expiresAt: 'time' },
  },
  'plan.changed': {
    summary:
      'The plan of the account changed. Sent even if the new plan does not include webhooks; it is then the last event sent.',
    data: { plan: 'free, plus or business', previousPlan: 'free, plus or business' },
  },
} as const;

export type WebhookEventType = keyof typeof webhookEvents;
export const webhookEventTypes = Object.keys(webhookEvents) as readonly WebhookEventType[];

/** Event that an owner sends to test a webhook; it cannot be subscribed to. */
export const webhookTestEventType = 'webhook.test';

export const isWebhookEventType = (type: string): type is WebhookEventType => Object.hasOwn(webhookEvents, type);

export const webhookLimits = {
  perAccount: 10,
  urlLength: 2_048,
  descriptionLength: 200,
  deliveriesPerPage: 100,
  /** Days for which deliveries are listed. */
  deliveryDays: 30,
  /** Hours for which the previous secret still signs. */
  oldSecretHours: 24,
  /** Concurrent requests per webhook. */
  atOnce: 2,
  /** Timeout of a receiver in milliseconds. */
  answerMs: 10_000,
  /** Days without a successful delivery after which a webhook is disabled. */
  failingDays: 5,
} as const;

/** Reasons why a webhook is inactive. */
export const webhookInactivityReasons = ['owner', 'plan', 'gone', 'failing'] as const;
export type WebhookInactivityReason = (typeof webhookInactivityReasons)[number];
export const webhookStates = ['active', 'paused', 'disabled'] as const;
export type WebhookState = (typeof webhookStates)[number];

export const webhookDeliveryStates = ['waiting', 'sending', 'delivered', 'failed'] as const;
export type WebhookDeliveryState = (typeof webhookDeliveryStates)[number];
/** Reasons why an attempt failed, or why no attempt is made. */
export const webhookDeliveryReasons = [
  'status',
  'timeout',
  'unreachable',
  'refused',
  'paused',
  'disabled',
  'plan',
] as const;
export type WebhookDeliveryReason = (typeof webhookDeliveryReasons)[number];
