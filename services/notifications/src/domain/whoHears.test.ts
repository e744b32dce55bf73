import { newId } from '@nolo/kit/ids';
import { webhookEventTypes } from '@nolo/rules';
import { lines, timeOf } from './whoHears.ts';

const [ann, ben, thing] = [newId(), newId(), newId()];
const at = '2026-11-24T08:00:00.000Z';
const told = (subject: string, data: object) => lines.find((line) => line.subject === subject)?.read(data);

describe('who hears what', () => {
  it('has a line for each type of event that is offered, but for those of plans', () => {
    const states = ['published', 'failed'].map((state) => ({ postId: thing, userId: ann, state }));
    const samples = [
      told('event.meetings.started', { meetingId: thing, hostId: ann, groupId: null, startedAt: at }),
      told('event.meetings.ended', {
        meetingId: thing,
        hostId: ann,
        groupId: null,
        startedAt: at,
        endedAt: at,
        durationSeconds: 60,
      }),
      told('event.chat.member_joined', { conversationId: thing, userId: ben, role: 'member' }),
      told('event.chat.member_left', { conversationId: thing, userId: ben, reason: 'left' }),
      ...states.map((data) => told('event.social.post_settled', data)),
      told('event.status.posted', { statusId: thing, userId: ann, expiresAt: at }),
    ];
    const types = samples.map((tidings) => tidings?.type);
    expect(new Set([...types, 'plan.changed'])).toEqual(new Set(webhookEventTypes));
  });

  it('tells the host of a meeting, the author of a post, and those who decide in a group', () => {
    const started = { meetingId: thing, hostId: ann, groupId: null, startedAt: at };
    expect(told('event.meetings.started', started)?.heardBy).toEqual({ userIds: [ann] });
    const failed = told('event.social.post_settled', { postId: thing, userId: ann, state: 'needs_review' });
    expect(failed).toEqual({
      type: 'post.failed',
      heardBy: { userIds: [ann] },
      data: { postId: thing, state: 'needs_review' },
    });
    const joined = told('event.chat.member_joined', { conversationId: thing, userId: ben, role: 'member' });
    expect(joined?.heardBy).toEqual({ decidersOf: thing });
  });

  it('passes on nothing that an owner adds later', () => {
    const data = { statusId: thing, userId: ann, expiresAt: at, content: 'Hello' };
    expect(JSON.stringify(told('event.status.posted', data))).not.toContain('Hello');
  });

  it('reads from an event when it was written', () => {
    const before = Date.now();
    expect(Math.abs(timeOf({ id: newId() }).getTime() - before)).toBeLessThan(1_000);
  });
});
