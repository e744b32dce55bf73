import { randomUUID } from 'node:crypto';
import { eventually, exportOf, signUpByPhone, type Json, type TestUser } from '@nolo/testing';
import { tinyPng } from '../support/authorization/authorizationCast.ts';
import { requireSuccess } from '../support/clients/requireSuccess.ts';
import { openSharedTestStack } from '../support/stacks/testStack.ts';

const running = openSharedTestStack();
let ann: TestUser;
let ben: TestUser;
let cara: TestUser;

beforeAll(async () => {
  // Ann and Ben are contacts of each other; Cara has Ann, but not the reverse. Each uses another replica if there are
  // two.
  [ann, ben, cara] = (await Promise.all(
    [0, 1, 0].map((replica) => signUpByPhone(running.urls[replica] ?? running.urls[0]!)),
  )) as [TestUser, TestUser, TestUser];
  for (const [owner, other] of [
    [ann, ben],
    [ben, ann],
    [cara, ann],
  ] as const) {
    requireSuccess(await owner.api.post('/api/contacts', { userId: other.id }), 'The contact');
  }
});
afterEach(async () => {
  await Promise.all([ann, ben, cara].map((person) => person.disconnect()));
});

const list = async ({ api }: TestUser) =>
  requireSuccess(await api.get('/api/status-updates'), 'The list').body as Json[];
const post = async ({ api }: TestUser, body: object) =>
  requireSuccess(await api.post('/api/status-updates', body), 'A status update').body as Json;
const uploaded = async ({ api }: TestUser, name: string, bytes: Uint8Array<ArrayBuffer>) => {
  const body = new FormData();
  body.set('file', new Blob([bytes]), name);
  return requireSuccess(await api.request('POST', '/api/upload-media', { body }), 'A file').body.url as string;
};

test('mutual contacts, and nobody else, see a picture and its file at once, until it is deleted', async () => {
  // Events bring contacts to status.
  const first = await post(ann, { content: 'first' });
  await eventually(async () => (await list(ben)).some(({ id }) => id === first.id));
  const sockets = await Promise.all([ben, cara].map((person) => person.connectSocket()));
  for (const socket of sockets) await socket.next('hello');

  const mediaUrl = await uploaded(ann, 'picture.png', new Uint8Array(tinyPng));
  expect((await ben.api.get(mediaUrl)).status).toBe(404);
  const clientStatusId = randomUUID();
  const posted = await post(ann, { mediaType: 'image', content: 'by the sea', mediaUrl, clientStatusId });
  expect(await post(ann, { mediaType: 'image', content: 'by the sea', mediaUrl, clientStatusId })).toEqual(posted);
  const shown = {
    id: posted.id,
    userId: ann.id,
    mediaType: 'image',
    content: 'by the sea',
    mediaUrl,
    backgroundColor: '#1DB584',
    textColor: '#FFFFFF',
    font: 'Arial',
    expiresAt: posted.expiresAt,
  };
  expect(Date.parse(posted.expiresAt) - Date.parse(posted.createdAt)).toBe(86_400_000);
  expect(posted).toMatchObject({
    ...shown,
    viewCount: 0,
    hasViewed: false,
    audience: 'contacts',
    user: { id: ann.id },
  });
  const frame = await sockets[0]!.next('status_posted');
  expect(frame.data).toMatchObject(shown);
  expect(await list(ben)).toMatchObject([{ content: 'first' }, { ...shown, audience: null, isMuted: false }]);
  expect(await list(cara)).toEqual([]);
  expect((await ben.api.get(mediaUrl)).status).toBe(200);
  expect((await cara.api.get(mediaUrl)).status).toBe(404);

  const at = `/api/status-updates/${posted.id}`;
  for (const { api } of [ben, ben, ann]) expect((await api.post(`${at}/view`)).status).toBe(204);
  expect((await cara.api.post(`${at}/view`)).status).toBe(404);
  expect((await list(ann)).find(({ id }) => id === posted.id)).toMatchObject({ viewCount: 1, hasViewed: false });
  expect((await list(ben)).find(({ id }) => id === posted.id)).toMatchObject({ viewCount: 0, hasViewed: true });
  expect((await ann.api.get(`${at}/viewers`)).body).toMatchObject([{ user: { id: ben.id } }]);
  // A receipt that is not shared is sent to nobody.
  requireSuccess(await ben.api.put('/api/profile/privacy', { shareReceipts: false }), 'The privacy');
  const viewedFirst = async () => {
    const another = await post(ann, { content: 'another' });
    await ben.api.post(`/api/status-updates/${another.id}/view`);
    const { body } = await ann.api.get(`/api/status-updates/${another.id}/viewers`);
    await ann.api.delete(`/api/status-updates/${another.id}`);
    return (body as Json[]).length;
  };
  await eventually(async () => (await viewedFirst()) === 0);

  requireSuccess(await ann.api.delete(at), 'The deletion');
  await eventually(() =>
    sockets[0]!.frames.some(({ type, data }) => type === 'status_removed' && data['statusId'] === posted.id),
  );
  expect((await list(ben)).some(({ id }) => id === posted.id)).toBe(false);
  expect((await ben.api.get(mediaUrl)).status).toBe(404);
  expect((await ann.api.post('/api/status-updates', { mediaType: 'image', mediaUrl, clientStatusId })).status).toBe(
    409,
  );
  const others = sockets[1]!.frames.filter(({ type }) => type.startsWith('status_'));
  expect(others).toEqual([]);
});

test('the audience is remembered, and the export has current updates and their audience', async () => {
  const audience = { mode: 'except', userIds: [ben.id] };
  expect((await ben.api.get('/api/status-updates/audience')).body).toEqual({ mode: 'contacts', userIds: [] });
  expect((await ben.api.put('/api/status-updates/audience', { mode: 'only' })).body.code).toBe('audience_invalid');
  const dee = await signUpByPhone(running.urls[0]!);
  await post(dee, { content: 'not for Ben', audience });
  expect((await dee.api.get('/api/status-updates/audience')).body).toEqual(audience);
  const { statusUpdates, statusAudience } = (await exportOf(dee)).data as Json;
  expect(statusUpdates).toMatchObject([
    { content: expect.stringContaining('not for Ben'), audienceMode: 'except', viewCount: 0 },
  ]);
  expect(statusAudience).toEqual([audience]);
});

test('a block hides earlier updates, in both directions', async () => {
  const [one, other] = (await Promise.all([0, 0].map(() => signUpByPhone(running.urls[0]!)))) as [TestUser, TestUser];
  requireSuccess(await one.api.post('/api/contacts', { userId: other.id }), 'The contact');
  requireSuccess(await other.api.post('/api/contacts', { userId: one.id }), 'The contact');
  await post(one, { content: 'mine' });
  await post(other, { content: 'theirs' });
  const contents = async (person: TestUser) => (await list(person)).map(({ content }) => content);
  await eventually(async () => (await contents(one)).length === 2 && (await contents(other)).length === 2);
  requireSuccess(await one.api.put(`/api/blocks/${other.id}`), 'The block');
  await eventually(async () => (await contents(other)).length === 1);
  expect([await contents(one), await contents(other)]).toEqual([['mine'], ['theirs']]);
});
