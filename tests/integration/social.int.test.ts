import { randomUUID } from 'node:crypto';
import { eventually, exportOf, signUpByPhone, TestApi, type Json, type TestSocket, type TestUser } from '@nolo/testing';
import { tinyPng } from '../support/authorization/authorizationCast.ts';
import { requireSuccess } from '../support/clients/requireSuccess.ts';
import { answerConsent, connectByWindow, simulatedBlueskyAppPassword } from '../support/clients/socialPlatforms.ts';
import { openSharedTestStack } from '../support/stacks/testStack.ts';

const running = openSharedTestStack();
let ann: TestUser;
let socket: TestSocket;

beforeAll(async () => {
  ann = await signUpByPhone(running.urls[0]!);
  socket = await ann.connectSocket();
  await socket.next('hello');
});
afterAll(() => ann.disconnect());

const platforms = async ({ api }: TestUser) =>
  requireSuccess(await api.get('/api/social/platforms'), 'The platforms').body as Json[];
const platform = async (person: TestUser, id: string) => (await platforms(person)).find((one) => one.id === id) as Json;
const getPost = async (id: string) =>
  requireSuccess(await ann.api.get(`/api/social/posts/${id}`), 'The post').body as Json;
const waitForFrame = (type: string, data: object) =>
  eventually(() => socket.frames.find((frame) => frame.type === type && matches(frame.data, data)));
const matches = (given: Record<string, unknown>, wanted: object) =>
  Object.entries(wanted).every(([name, value]) => given[name] === value);

/** Sets what the simulated platform does at the next calls. */
async function prepare(id: string, ...switches: object[]): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const address = `${running.simulatorsUrl}/platforms/${id}/switches`;
  const { status } = await fetch(address, { method: 'PUT', headers, body: JSON.stringify(switches) });
  if (status !== 204) throw new Error(`The simulators answered ${status}.`);
}
async function sent(text: string): Promise<string[]> {
  const { posts } = (await (await fetch(`${running.simulatorsUrl}/platforms/posts`)).json()) as { posts: Json[] };
  return posts.filter((post) => post.text === text).map((post) => post.platform as string);
}

test('an account is connected in a window of the platform, which only the person who started it can complete', async () => {
  expect(await platform(ann, 'mastodon')).toMatchObject({ connected: false, offered: true, connectBy: 'server' });
  expect((await connectByWindow(ann.api, 'mastodon', 'deny')).get('outcome')).toBe('cancelled');

  const { authUrl } = requireSuccess(await ann.api.post('/api/social/connect/mastodon'), 'The connection').body as Json;
  const back = await answerConsent(authUrl as string);
  const path = back.pathname + back.search;
  const ben = await signUpByPhone(running.urls[0]!);
  const outcomeOf = async (api: TestApi) => (await api.get(path)).headers.get('location');
  expect(await outcomeOf(ben.api)).toBe('/social-connected?platform=mastodon&outcome=failed');
  const browser = { headers: { accept: 'text/html' } };
  const stranger = await new TestApi(running.urls[0]!).request('GET', path, browser);
  expect(stranger.headers.get('location')).toBe('/social-connected?outcome=signed_out');
  expect(await outcomeOf(ann.api)).toBe('/social-connected?platform=mastodon&outcome=connected');
  // A state is valid for one answer.
  expect(await outcomeOf(ann.api)).toBe('/social-connected?platform=mastodon&outcome=failed');
  await waitForFrame('social_connections_changed', { platform: 'mastodon' });

  expect(await platform(ann, 'mastodon')).toMatchObject({
    connected: true,
    accounts: [{ expired: false, chosen: true }],
    limits: { text: 500, images: 4, videos: 1 },
  });
  expect((await platforms(ben)).some(({ connected }) => connected)).toBe(false);
});

test('the first of several pages is selected by default, and a single one can be disconnected', async () => {
  expect((await connectByWindow(ann.api, 'facebook')).get('outcome')).toBe('connected');
  const { accounts } = await platform(ann, 'facebook');
  expect((accounts as Json[]).map(({ chosen }) => chosen)).toEqual([true, false]);
  const [first, second] = accounts as [Json, Json];
  const at = '/api/social/platforms/facebook/accounts';
  const chosen = requireSuccess(await ann.api.put(at, { accountIds: [second.id] }), 'The choice').body as Json[];
  expect(chosen.map((account) => account.chosen)).toEqual([false, true]);
  expect((await ann.api.put(at, { accountIds: [randomUUID()] })).body.code).toBe('connection_not_found');

  requireSuccess(await ann.api.delete(`/api/social/disconnect/facebook?accountId=${first.id}`), 'The end');
  expect((await platform(ann, 'facebook')).accounts).toMatchObject([{ id: second.id }]);
  requireSuccess(await ann.api.delete('/api/social/disconnect/facebook'), 'The end');
  expect(await platform(ann, 'facebook')).toMatchObject({ connected: false, accounts: [] });
});

test('a post with a picture goes to each platform, and if one refuses, only that one fails', async () => {
  const password = { handle: 'example.bsky.social', appPassword: simulatedBlueskyAppPassword };
  expect((await ann.api.post('/api/social/connect/bluesky')).body.code).toBe('password_required');
  expect((await ann.api.post('/api/social/connect/bluesky', { ...password, appPassword: 'x' })).body.code).toBe(
    'connection_failed',
  );
  expect(requireSuccess(await ann.api.post('/api/social/connect/bluesky', password), 'The connection').body).toEqual({
    authUrl: null,
  });
  await connectByWindow(ann.api, 'twitter');
  await prepare('twitter', { step: 'publish', error: 'suspended' });

  const text = `A loaf of bread, ${randomUUID()}`;
  const body = new FormData();
  body.set('text', text);
  body.set('image_0', new Blob([new Uint8Array(tinyPng)], { type: 'image/png' }), 'loaf.png');
  body.set('platforms', JSON.stringify(['twitter', 'bluesky']));
  body.set('texts', JSON.stringify({ bluesky: `${text}!` }));
  body.set('altTexts', JSON.stringify(['A loaf']));
  const results = requireSuccess(await ann.api.request('POST', '/api/social/multipost', { body }), 'The post')
    .body as Json[];
  expect(results.toSorted((one, other) => (one.platform < other.platform ? -1 : 1))).toMatchObject([
    { platform: 'bluesky', success: true, reason: null },
    { platform: 'twitter', success: false, reason: 'account_suspended', state: 'failed' },
  ]);
  expect(await sent(`${text}!`)).toEqual(['bluesky']);
  const { postId } = results[0] as Json;
  await waitForFrame('social_post_changed', { postId, state: 'failed' });
  expect(await getPost(postId as string)).toMatchObject({ state: 'failed', media: [{ altText: 'A loaf' }] });

  // A retry repeats only what failed.
  requireSuccess(await ann.api.post(`/api/social/posts/${postId}/retry`), 'The retry');
  await waitForFrame('social_post_changed', { postId, state: 'published' });
  expect([await sent(text), await sent(`${text}!`)]).toEqual([['twitter'], ['bluesky']]);
  expect(requireSuccess(await ann.api.get('/api/social/counts'), 'The counts').body).toMatchObject({
    published: 1,
    failed: 0,
  });
});

test('a post reports that access was revoked, and is published after reconnecting', async () => {
  const ended = await fetch(`${running.simulatorsUrl}/platforms/twitter/end-tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ all: true }),
  });
  expect(ended.status).toBe(204);
  const before = socket.frames.length;
  const message = `Not yet, ${randomUUID()}`;
  const { body: post } = requireSuccess(
    await ann.api.post('/api/social/post', { message, platforms: ['twitter'] }),
    'The post',
  );
  expect(post).toMatchObject({ state: 'failed', deliveries: [{ reason: 'authentication_expired' }] });
  await eventually(() =>
    socket.frames
      .slice(before)
      .some(({ type, data }) => type.endsWith('connections_changed') && data['platform'] === 'twitter'),
  );
  expect(await platform(ann, 'twitter')).toMatchObject({ connected: false, accounts: [{ expired: true }] });

  await connectByWindow(ann.api, 'twitter');
  expect(await platform(ann, 'twitter')).toMatchObject({ connected: true, accounts: [{ expired: false }] });
  requireSuccess(await ann.api.post(`/api/social/posts/${post.id}/retry`), 'The retry');
  await waitForFrame('social_post_changed', { postId: post.id, state: 'published' });
  expect(await sent(message)).toEqual(['twitter']);
});

test('a platform that fetches media itself gets it from a signed URL', async () => {
  await connectByWindow(ann.api, 'threads');
  const text = `A picture to fetch, ${randomUUID()}`;
  const body = new FormData();
  body.set('text', text);
  body.set('image_0', new Blob([new Uint8Array(tinyPng)], { type: 'image/png' }), 'loaf.png');
  body.set('platforms', JSON.stringify(['threads']));
  const results = requireSuccess(await ann.api.request('POST', '/api/social/multipost', { body }), 'The post').body;
  expect(results).toMatchObject([{ platform: 'threads', success: true, reason: null }]);
  expect(await sent(text)).toEqual(['threads']);
});

test('content that a platform does not accept is rejected before sending, with its limits', async () => {
  await connectByWindow(ann.api, 'instagram');
  const body = new FormData();
  body.set('text', 'A loaf of bread');
  body.set('image_0', new Blob([new Uint8Array(tinyPng)], { type: 'image/png' }), 'loaf.png');
  body.set('platforms', JSON.stringify(['instagram']));
  const { status, body: refusal } = await ann.api.request('POST', '/api/social/multipost', { body });
  expect([status, refusal]).toMatchObject([
    400,
    {
      code: 'post_media_type',
      message: 'Instagram does not accept this file type. It accepts image/jpeg, video/mp4, video/quicktime.',
      details: { platform: 'instagram' },
    },
  ]);
  requireSuccess(await ann.api.delete('/api/social/disconnect/instagram'), 'The end');
});

test('a post waits for its time, and can be edited, cancelled and copied until it has started', async () => {
  const clientPostId = randomUUID();
  const schedule = {
    clientPostId,
    content: 'later',
    scheduledAt: '2199-03-31T09:00',
    timeZone: 'Europe/Berlin',
    platforms: ['mastodon'],
  };
  const { scheduleId } = requireSuccess(await ann.api.post('/api/social/schedule', schedule), 'The post').body as Json;
  expect(scheduleId).toBe(clientPostId);
  expect(requireSuccess(await ann.api.post('/api/social/schedule', schedule), 'The same').body).toMatchObject({
    scheduleId,
  });
  expect(await getPost(clientPostId)).toMatchObject({
    state: 'scheduled',
    scheduledAt: '2199-03-31T07:00:00.000Z',
    localTime: '2199-03-31T09:00',
    platforms: ['mastodon'],
  });
  await waitForFrame('social_post_changed', { postId: clientPostId, state: 'scheduled' });
  const inMonth = '/api/social/posts?from=2199-03-01T00:00:00.000Z&to=2199-04-01T00:00:00.000Z&state=scheduled';
  expect((await ann.api.get(inMonth)).body).toMatchObject([{ id: clientPostId }]);

  const at = `/api/social/posts/${clientPostId}`;
  const { clientPostId: _, ...written } = schedule;
  const edited = { ...written, content: 'later still', scheduledAt: '2199-04-02T09:00' };
  expect((await ann.api.put(at, edited)).body).toMatchObject({ content: 'later still', state: 'scheduled' });
  expect((await ann.api.get(inMonth)).body).toEqual([]);
  expect((await ann.api.post(`${at}/cancel`)).body).toMatchObject({ state: 'cancelled' });
  const copy = (await ann.api.post(`${at}/duplicate`)).body as Json;
  expect(copy).toMatchObject({ state: 'draft', content: 'later still', platforms: ['mastodon'], scheduledAt: null });

  // The draft is published once it is no longer a draft; after that it cannot be changed.
  const content = `now, ${randomUUID()}`;
  const now = { content, accountIds: copy.accountIds };
  requireSuccess(await ann.api.put(`/api/social/posts/${copy.id}`, now), 'The post');
  await waitForFrame('social_post_changed', { postId: copy.id, state: 'published' });
  expect(await sent(content)).toEqual(['mastodon']);
  for (const refused of [
    await ann.api.put(`/api/social/posts/${copy.id}`, now),
    await ann.api.post(`/api/social/posts/${copy.id}/cancel`),
  ]) {
    expect([refused.status, refused.body.code]).toEqual([409, 'post_begun']);
  }
  requireSuccess(await ann.api.delete(`/api/social/posts/${copy.id}`), 'The deletion');
  await waitForFrame('social_post_changed', { postId: copy.id, state: null });
  expect((await ann.api.get(`/api/social/posts/${copy.id}`)).body.code).toBe('post_not_found');
});

test('a meeting is shared with its link, and the list continues from page to page', async () => {
  const meetingUrl = `https://nolo.example/meeting/${randomUUID()}`;
  const share = { platforms: ['mastodon'], message: 'Come in', meetingUrl, meetingTitle: 'Bread', roomCode: 'ABCDEF' };
  const { body: post } = requireSuccess(await ann.api.post('/api/social/share-meeting', share), 'The post');
  expect(post).toMatchObject({ state: 'published', content: `Come in\n${meetingUrl}` });
  expect(await sent(`Come in\n${meetingUrl}`)).toEqual(['mastodon']);
  const seen: string[] = [];
  let cursor = '';
  do {
    const { body, headers } = await ann.api.get(`/api/social/posts?limit=2${cursor && `&cursor=${cursor}`}`);
    seen.push(...(body as Json[]).map(({ id }) => id as string));
    cursor = headers.get('nolo-next-cursor') ?? '';
  } while (cursor !== '');
  expect(seen.length).toBeGreaterThan(2);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen[0]).toBe(post.id);
  const { socialPosts, socialAccounts } = (await exportOf(ann)).data as Json;
  expect((socialPosts as Json[]).map(({ id }) => id)).toEqual(seen);
  expect(JSON.stringify(socialAccounts)).toMatch(/"platform":"mastodon"/);
});

test.each<[string, object, number, string]>([
  ['nothing', { message: ' ', platforms: ['mastodon'] }, 400, 'post_empty'],
  ['too much', { message: 'x'.repeat(501), platforms: ['mastodon'] }, 400, 'post_too_long'],
  ['to nowhere', { message: 'x', platforms: [] }, 400, 'platform_required'],
  ['where nothing is connected', { message: 'x', platforms: ['linkedin'] }, 409, 'platform_not_connected'],
  ['to an unknown platform', { message: 'x', platforms: ['myspace'] }, 400, 'invalid_input'],
  ['by an unknown account', { message: 'x', accountIds: [randomUUID()] }, 404, 'connection_not_found'],
  ['in the past', { message: 'x', platforms: ['mastodon'], scheduledAt: '2020-01-01T00:00:00Z' }, 400, 'time_past'],
  [
    'at an invalid time',
    { message: 'x', platforms: ['mastodon'], scheduledAt: 'soon', timeZone: 'UTC' },
    400,
    'time_invalid',
  ],
  [
    'with a file from elsewhere',
    { message: 'x', media: [{ url: 'https://a.example/b.png' }] },
    400,
    'post_media_invalid',
  ],
  ['with a file of nobody', { message: 'x', media: [{ url: `/objects/${randomUUID()}` }] }, 404, 'file_not_found'],
])('posting %s is rejected with its own code', async (_, body, status, code) => {
  const { status: answered, body: answer } = await ann.api.post('/api/social/post', body);
  expect([answered, answer.code]).toEqual([status, code]);
});

test('an invalid form, or one with a file where none belongs, is rejected', async () => {
  const codeOf = async (fields: Record<string, string | Blob>) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    return (await ann.api.request('POST', '/api/social/multipost', { body })).body.code;
  };
  expect(await codeOf({ text: 'x', platforms: 'mastodon' })).toBe('form_invalid');
  expect(await codeOf({ text: 'x', platforms: '["myspace"]' })).toBe('invalid_input');
  expect(await codeOf({ text: 'x', avatar: new Blob(['x']) })).toBe('form_invalid');
  expect(await codeOf({ platforms: '["mastodon"]', image_0: new Blob(['no picture']) })).toBe('file_not_image');
});
