import { newId } from '@nolo/kit/ids';
import { webhookEventTypes } from '@nolo/rules';
import { webhookRoutes, eventTime } from './webhookRoutes.ts';

const [ann, ben, thing] = [newId(), newId(), newId()];
const at = '2026-11-24T08:00:00.000Z';
const readEvent = (subject: string, data: object) =>
  webhookRoutes.find((route) => route.subject === subject)?.read(data);

describe('who hears what', () => {
  it('has a line for each type of event that is offered, but for those of plans', () => {
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

  it('tells the host of a meeting, the author of a post, and those who decide in a group', () => {
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

  it('passes on nothing that an owner adds later', () => {
    const data = { statusId: thing, userId: ann, expiresAt: at, content: 'Hello' };
    expect(JSON.stringify(readEvent('event.status.posted', data))).not.toContain('Hello');
  });

  it('reads from an event when it was written', () => {
    const before = Date.now();
    expect(Math.abs(eventTime({ id: newId() }).getTime() - before)).toBeLessThan(1_000);
  });
});
