import { eventually, signUpByPhone, type Json, type TestUser } from '@nolo/testing';
import { socialPostStates } from '@nolo/rules';
import { enterMeetingBySocket } from '../support/authorization/meetingCast.ts';
import { requireSuccess } from '../support/clients/requireSuccess.ts';
import { connectByWindow } from '../support/clients/socialPlatforms.ts';
import { openSharedTestStack } from '../support/stacks/testStack.ts';

/** Checks that every number on a screen matches the list that it counts. */

const running = openSharedTestStack();
const [url = ''] = running.urls;
const get = async <T = Json>({ api }: TestUser, path: string) =>
  requireSuccess(await api.get(path), `The answer of ${path}`).body as T;
const lengthOf = async (person: TestUser, path: string) => (await get<Json[]>(person, path)).length;

test('meetings: each status count matches its filter, and a meeting without a time is not scheduled', async () => {
  const ann = await signUpByPhone(url);
  const create = async (body: object = {}) =>
    requireSuccess(await ann.api.post('/api/meetings/create', { name: 'Tea', ...body }), 'A meeting').body as Json;
  const withoutTime = await create();
  await create();
  const scheduledAt = new Date(Date.now() + 86_400_000).toISOString();
  await create({ scheduledAt });
  const cancelled = await create({ scheduledAt });
  requireSuccess(await ann.api.delete(`/api/meetings/${cancelled.roomCode as string}`), 'The end');
  const socket = await ann.connectSocket();
  await enterMeetingBySocket(socket, (await create()).roomCode as string);

  const all = await get<Json[]>(ann, '/api/meetings');
  const countOf = (...statuses: string[]) => all.filter(({ status }) => statuses.includes(status as string)).length;
  expect(all.find(({ id }) => id === withoutTime.id)).toMatchObject({ status: 'created' });
  expect([countOf('live'), countOf('scheduled'), countOf('created'), all.length]).toEqual([1, 1, 2, 5]);
  expect(await lengthOf(ann, '/api/meetings?status=live')).toBe(countOf('live'));
  expect(await lengthOf(ann, '/api/meetings?status=scheduled')).toBe(countOf('scheduled'));
  expect(await lengthOf(ann, '/api/meetings?status=past')).toBe(countOf('completed', 'cancelled'));
  await socket.close();
});

test('posts: each counter matches the posts that its filter finds', async () => {
  const ann = await signUpByPhone(url);
  await connectByWindow(ann.api, 'mastodon');
  const platforms = ['mastodon'];
  const scheduledAt = new Date(Date.now() + 86_400_000).toISOString();
  const schedule = async () =>
    requireSuccess(
      await ann.api.post('/api/social/schedule', { content: 'Later', platforms, scheduledAt, timeZone: 'UTC' }),
      'A post',
    ).body as Json;
  await schedule();
  const cancelled = await schedule();
  requireSuccess(await ann.api.post(`/api/social/posts/${cancelled.scheduleId as string}/cancel`), 'The end');
  requireSuccess(await ann.api.post('/api/social/post', { message: 'Now', platforms }), 'A post');
  const draft = { content: 'Some day', platforms, draft: true };
  requireSuccess(await ann.api.post('/api/social/posts', draft), 'A draft');

  const counts = await get(ann, '/api/social/counts');
  const found: Json = {};
  for (const state of socialPostStates) found[state] = await lengthOf(ann, `/api/social/posts?state=${state}`);
  expect(found).toMatchObject({ draft: 1, scheduled: 1, published: 1, cancelled: 1 });
  expect(counts).toEqual({
    scheduled: found.scheduled,
    published: found.published,
    failed: found.failed,
    needsReview: found.needs_review,
    total: await lengthOf(ann, '/api/social/posts'),
  });
});

test('chats: counters match unread messages, join requests and members', async () => {
  const [ann, ben, cara] = [await signUpByPhone(url), await signUpByPhone(url), await signUpByPhone(url)];
  const group = requireSuccess(
    await ann.api.post('/api/group-chats/create', { name: 'Bread', isPublic: false }),
    'A group',
  ).body as Json;
  const id = group.id as string;
  for (const person of [ben, cara]) {
    requireSuccess(await person.api.post(`/api/group-chats/join/${group.roomCode as string}`), 'The request');
  }
  const { requestCount } = await get(ann, `/api/group-chats/${id}`);
  expect(requestCount).toBe(2);
  expect(await lengthOf(ann, `/api/group-chats/${id}/requests`)).toBe(requestCount);
  requireSuccess(await ann.api.post(`/api/group-chats/${id}/requests/${ben.id}`, { approve: true }), 'The approval');
  const { memberCount } = await get(ann, `/api/group-chats/${id}`);
  expect(memberCount).toBe(2);
  expect(await lengthOf(ann, `/api/group-chats/${id}/members`)).toBe(memberCount);
  expect((await get(ann, `/api/group-chats/${id}`)).requestCount).toBe(
    await lengthOf(ann, `/api/group-chats/${id}/requests`),
  );

  for (const content of ['One', 'Two']) {
    requireSuccess(
      await ann.api.post(`/api/group-chats/${id}/messages`, { content, messageType: 'text' }),
      'A message',
    );
  }
  const bens = await eventually(async () => {
    const found = (await get<Json[]>(ben, '/api/conversations')).find((one) => one.id === id);
    return found && (found.unreadCount as number) >= 2 ? found : undefined;
  });
  const messages = await get<Json[]>(ben, `/api/conversations/${id}/messages`);
  const unread = messages.filter(
    ({ seq, messageType, senderId }) =>
      (seq as number) > (bens.readSeq as number) && messageType !== 'system' && senderId !== ben.id,
  );
  expect(bens.unreadCount).toBe(unread.length);
});

test('status updates: the view count matches the list of viewers', async () => {
  const [ann, ben] = [await signUpByPhone(url), await signUpByPhone(url)];
  for (const [owner, other] of [
    [ann, ben],
    [ben, ann],
  ] as const) {
    requireSuccess(await owner.api.post('/api/contacts', { userId: other.id }), 'The contact');
  }
  const { id } = requireSuccess(await ann.api.post('/api/status-updates', { content: 'Bread' }), 'A status update')
    .body as Json;
  const shown = () => get<Json[]>(ben, '/api/status-updates');
  await eventually(async () => (await shown()).some((one) => one.id === id));
  requireSuccess(await ben.api.post(`/api/status-updates/${id as string}/view`), 'The view');
  const own = (await get<Json[]>(ann, '/api/status-updates')).find((one) => one.id === id);
  expect(own?.viewCount).toBe(1);
  expect(await lengthOf(ann, `/api/status-updates/${id as string}/viewers`)).toBe(own?.viewCount);
});

test('administration: the number of quarantined items matches the list of each queue', async () => {
  const opal = await signUpByPhone(url);
  await running.letIn(opal.id);
  const { queues } = await get<{ queues: Json[] }>(opal, '/api/admin/work');
  expect(queues.length).toBeGreaterThan(0);
  for (const { part, kind, queue, setAside } of queues) {
    const query = new URLSearchParams({ part, kind, queue } as Record<string, string>).toString();
    expect([queue, await lengthOf(opal, `/api/admin/work/set-aside?limit=100&${query}`)]).toEqual([queue, setAside]);
  }
});
