import { newId } from '@nolo/kit/ids';
import { webhookEventTypes } from '@nolo/rules';
import { webhookEventRoutes, eventTime } from './webhookEventRoutes.ts';

const [ann, ben, thing] = [newId(), newId(), newId()];
const at = '2026-11-24T08:00:00.000Z';
const readEvent = (subject: string, data: object) =>
  webhookEventRoutes.find((route) => route.subject === subject)?.read(data);

describe('webhook events', () => {
  it('cover each type of event on offer, except plan changes', () => {
    const states = ['published', 'failed'].map((state) => ({ postId: thing, userId: ann, state }));
    const samples = [
      readEvent('event.meetings.started', { meetingId: thing, hostId: ann, groupId: null, startedAt: at }),
      readEvent('event.meetings.ended', {
        meetingId: thing,
        hostId: ann,
        groupId: null,
        startedAt: at,
        endedAt: at,
        durationSeconds: 60,
      }),
      readEvent('event.chat.member_joined', { conversationId: thing, userId: ben, role: 'member' }),
      readEvent('event.chat.member_left', { conversationId: thing, userId: ben, reason: 'left' }),
      ...states.map((data) => readEvent('event.social.post_settled', data)),
      readEvent('event.status.posted', { statusId: thing, userId: ann, expiresAt: at }),
    ];
    const types = samples.map((tidings) => tidings?.type);
    expect(new Set([...types, 'plan.changed'])).toEqual(new Set(webhookEventTypes));
  });

  it('are sent to the host of a meeting, the author of a post, and the admins of a group', () => {
    const started = { meetingId: thing, hostId: ann, groupId: null, startedAt: at };
    expect(readEvent('event.meetings.started', started)?.audience).toEqual({ userIds: [ann] });
    const failed = readEvent('event.social.post_settled', { postId: thing, userId: ann, state: 'needs_review' });
    expect(failed).toEqual({
      type: 'post.failed',
      audience: { userIds: [ann] },
      data: { postId: thing, state: 'needs_review' },
    });
    const joined = readEvent('event.chat.member_joined', { conversationId: thing, userId: ben, role: 'member' });
    expect(joined?.audience).toEqual({ decidersOf: thing });
  });

  it('omit fields added later by the source', () => {
    const data = { statusId: thing, userId: ann, expiresAt: at, content: 'Hello' };
    expect(JSON.stringify(readEvent('event.status.posted', data))).not.toContain('Hello');
  });

  it('take their time from the event id', () => {
    const before = Date.now();
    expect(Math.abs(eventTime({ id: newId() }).getTime() - before)).toBeLessThan(1_000);
  });
});
