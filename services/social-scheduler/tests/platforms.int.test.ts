import { systemClock } from '@nolo/kit/clock';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { Secret } from '@nolo/kit/config';
import { createPlatforms } from '../src/platforms/createPlatforms.ts';
import { PlatformError } from '../src/domain/PlatformError.ts';
import { socialPlatforms } from '@nolo/rules';
import type { PlatformConnection, PlatformId } from '../src/domain/platform.ts';
import { blueskyErrors } from '../../../simulators/src/platforms/blueskyRoutes.ts';
import { linkedinErrors } from '../../../simulators/src/platforms/linkedinRoutes.ts';
import { mastodonErrors } from '../../../simulators/src/platforms/mastodonRoutes.ts';
import { metaErrors } from '../../../simulators/src/platforms/metaRoutes.ts';
import { xErrors } from '../../../simulators/src/platforms/xRoutes.ts';
import { documentedReplies, type DocumentedReply } from './fixtures/documentedReplies.ts';
import {
  createTestAttempt,
  createTestImage,
  createMemoryMastodonApps,
  createTestPost,
  createPlatformSettings,
  startSimulatedPlatforms,
  createTestVideo,
} from './startSimulatedPlatforms.ts';

const never = new AbortController().signal;
const simulatedErrors = {
  twitter: xErrors,
  facebook: metaErrors,
  instagram: metaErrors,
  linkedin: linkedinErrors,
  threads: metaErrors,
  mastodon: mastodonErrors,
  bluesky: blueskyErrors,
} satisfies Record<PlatformId, unknown>;

let simulated: Awaited<ReturnType<typeof startSimulatedPlatforms>>;
beforeAll(async () => {
  simulated = await startSimulatedPlatforms();
});
afterAll(() => simulated.stop());

const platformOf = (id: PlatformId) => {
  const platform = simulated.platforms.get(id);
  if (!platform) throw new Error(`no platform is called ${id}`);
  return platform;
};

async function connected(id: PlatformId): Promise<PlatformConnection> {
  const [first] = await simulated.connect(id);
  if (!first) throw new Error('nothing was connected');
  return first;
}

/** Builds a post that every platform accepts. Instagram requires media. */
const postFor = (text: string) => createTestPost(text, createTestImage());
let count = 0;
const newText = () =>
  `A post, number ${(count += 1)}: tea & cake <3 https://example.org/${count}, also at example.com/${count}.`;

async function refusalOf(work: Promise<unknown>): Promise<PlatformError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof PlatformError)) throw new Error(`it was not refused by the platform but by ${inspect(error)}`);
  return error;
}

/** Starts a server that answers everything with the documentation's example. */
async function replay({ status, headers, body }: DocumentedReply) {
  const server: Server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, stop: () => new Promise((resolve) => void server.close(resolve)) };
}

describe.each(documentedReplies.map((one) => [`${one.platform} ${one.simulated}`, one] as const))(
  'error %s',
  (_name, one) => {
    test('the documented response is understood', async () => {
      const { url, stop } = await replay(one);
      const platform = createPlatforms(
        createPlatformSettings(() => url),
        createMemoryMastodonApps(),
        systemClock,
      ).get(one.platform);
      const account = { id: '1', name: '@example', server: url };
      const connection = { account, tokens: { access: new Secret('a-token-of-somebody') } };
      const { attempt } = createTestAttempt();
      const refusal = await refusalOf(platform?.publish(connection, postFor('hello'), attempt) ?? Promise.resolve());
      await stop();
      expect(refusal).toMatchObject({ reason: one.reason, status: one.status, mayBeDone: false });
      expect(inspect(refusal)).not.toContain('a-token-of-somebody');
      const hasResetHeader = Object.keys(one.headers ?? {}).some((header) => header.endsWith('reset'));
      expect(refusal.retryAt !== undefined && refusal.retryAt.getTime() > Date.now()).toBe(hasResetHeader);
    });

    test('the simulator responds in the same shape', () => {
      const answer = simulatedErrors[one.platform](new Date())[one.simulated];
      expect(answer?.status).toBe(one.status);
      expect(Object.keys(answer?.headers ?? {})).toEqual(expect.arrayContaining(Object.keys(one.headers ?? {})));
      expect(shapeOf(answer?.body)).toEqual(expect.objectContaining(shapeOf(one.body)));
    });
  },
);

/** Returns full paths and types without values. */
function shapeOf(value: unknown, path = ''): Record<string, string> {
  if (typeof value !== 'object' || value === null) return { [path]: typeof value };
  return Object.assign({}, ...Object.entries(value).map(([name, one]) => shapeOf(one, `${path}.${name}`))) as Record<
    string,
    string
  >;
}

test('people, pages and organisations can be connected, and a callback with another state is rejected', async () => {
  const names = async (id: PlatformId) => (await simulated.connect(id)).map(({ account }) => account.name);
  expect(await names('twitter')).toEqual(['@example']);
  expect(await names('facebook')).toEqual(['Example Bakery', 'Example Choir']);
  expect(await names('linkedin')).toEqual(['Example Person', 'Example Company']);
  for (const id of socialPlatforms) {
    const { connect } = platformOf(id);
    if (connect.kind !== 'oauth') continue;
    const { pending } = await connect.begin({ redirectUri: 'http://localhost:8080/callback', signal: never });
    const foreign = new URL('http://localhost:8080/callback?code=x&state=another');
    await expect(connect.finish(pending, foreign, never)).rejects.toBeInstanceOf(PlatformError);
  }
});

test.each(socialPlatforms)('%s publishes a post and finds it afterwards', async (id) => {
  const connection = await connected(id);
  const post = postFor(newText());
  const { attempt, attemptRecord } = createTestAttempt();
  const published = await platformOf(id).publish(connection, post, attempt);
  expect(attemptRecord.committed).toBe(true);
  const [newest] = await simulated.posts(id);
  expect(newest).toMatchObject({ text: post.text, media: [expect.any(String)] });
  const lookUp = { ...attempt, kept: attemptRecord.kept };
  const found = await platformOf(id).find(connection, post, lookUp);
  // LinkedIn does not let apps read a person's posts, so the state is unknown.
  if (id === 'linkedin') expect(found).toEqual({ state: 'unknown' });
  else expect(found).toMatchObject({ state: 'published', post: { id: published.id } });
  const other = createTestAttempt().attempt;
  const absent = await platformOf(id).find(connection, postFor(newText()), other);
  expect(absent.state).toBe(id === 'linkedin' ? 'unknown' : 'absent');
});

test.each(socialPlatforms)('%s: a post accepted without a response is distinguished from one not sent', async (id) => {
  const connection = await connected(id);
  const post = postFor(newText());
  await simulated.prepare(id, { step: 'publish', lost: true });
  const { attempt, attemptRecord } = createTestAttempt();
  const lost = await refusalOf(platformOf(id).publish(connection, post, attempt));
  expect(lost).toMatchObject({ reason: 'unreachable', mayBeDone: true });
  const found = await platformOf(id).find(connection, post, { ...attempt, kept: attemptRecord.kept });
  expect(found.state).toBe(id === 'linkedin' ? 'unknown' : 'published');
  expect((await simulated.posts(id)).filter(({ text }) => text === post.text)).toHaveLength(1);

  const step = id === 'instagram' || id === 'threads' ? 'container' : 'upload';
  if (id === 'facebook') return;
  await simulated.prepare(id, { step, cut: true });
  const early = createTestAttempt();
  const notSent = await refusalOf(platformOf(id).publish(connection, postFor(newText()), early.attempt));
  expect([notSent.reason, notSent.mayBeDone, early.attemptRecord.committed]).toEqual(['unreachable', false, false]);
});

test.each<[PlatformId, string, string]>([
  ['twitter', 'suspended', 'account_suspended'],
  ['twitter', 'scope', 'permission_missing'],
  ['twitter', 'too_long', 'text_too_long'],
  ['facebook', 'scope', 'permission_missing'],
  ['facebook', 'blocked', 'content_refused'],
  ['facebook', 'checkpoint', 'account_suspended'],
  ['instagram', 'too_long', 'text_too_long'],
  ['instagram', 'restricted', 'account_suspended'],
  ['linkedin', 'duplicate', 'duplicate'],
  ['linkedin', 'restricted', 'account_suspended'],
  ['threads', 'expired', 'authentication_expired'],
  ['mastodon', 'suspended', 'account_suspended'],
  ['mastodon', 'too_long', 'text_too_long'],
  ['bluesky', 'takedown', 'account_suspended'],
  ['bluesky', 'too_long', 'text_too_long'],
])('%s: the error %s is classified as %s', async (id, error, reason) => {
  const connection = await connected(id);
  await simulated.prepare(id, { step: 'publish', error });
  const { attempt } = createTestAttempt();
  const refusal = await refusalOf(platformOf(id).publish(connection, postFor(newText()), attempt));
  expect(refusal).toMatchObject({ reason, mayBeDone: false });
});

test.each(socialPlatforms)('%s may have published a post despite an outage', async (id) => {
  const connection = await connected(id);
  await simulated.prepare(id, { step: 'publish', error: 'outage' });
  const refusal = await refusalOf(platformOf(id).publish(connection, postFor(newText()), createTestAttempt().attempt));
  expect(refusal).toMatchObject({ reason: 'platform_down', next: 'retry', mayBeDone: true });
});

test.each<PlatformId>(['twitter', 'instagram', 'threads', 'linkedin', 'mastodon'])(
  '%s waits for media that is still being processed, and reports media that fails',
  async (id) => {
    const connection = await connected(id);
    const media = id === 'instagram' || id === 'threads' ? 'container' : 'upload';
    const post = createTestPost(newText(), createTestVideo());
    await simulated.prepare(id, { step: media, pollsUntilReady: 1 });
    await platformOf(id).publish(connection, post, createTestAttempt().attempt);
    expect((await simulated.posts(id))[0]).toMatchObject({ text: post.text });
    await simulated.prepare(id, { step: media, pollsUntilReady: 1, fails: true });
    const bad = createTestAttempt();
    const refusal = await refusalOf(
      platformOf(id).publish(connection, createTestPost(newText(), createTestVideo()), bad.attempt),
    );
    expect([refusal.reason, bad.attemptRecord.committed]).toEqual(['media_refused', false]);
  },
  30_000,
);

test.each<PlatformId>(['instagram', 'threads', 'facebook'])(
  '%s rejects a video that its URL does not serve',
  async (id) => {
    const connection = await connected(id);
    const gone = { ...createTestVideo(), address: () => Promise.resolve(`${simulated.url}/nothing-here`) };
    const refusal = await refusalOf(
      platformOf(id).publish(connection, createTestPost(newText(), gone), createTestAttempt().attempt),
    );
    expect(refusal.reason).toBe('media_refused');
  },
);

test.each<PlatformId>(['instagram', 'threads'])(
  '%s: an attempt that resumes with a container cannot publish twice',
  async (id) => {
    const connection = await connected(id);
    const post = postFor(newText());
    await simulated.prepare(id, { step: 'publish', lost: true });
    const first = createTestAttempt();
    await refusalOf(platformOf(id).publish(connection, post, first.attempt));
    const retry = createTestAttempt({ kept: first.attemptRecord.kept });
    await platformOf(id).publish(connection, post, retry.attempt);
    expect(retry.attemptRecord.committed).toBe(false);
    expect((await simulated.posts(id)).filter(({ text }) => text === post.text)).toHaveLength(1);
  },
);

test.each<PlatformId>(['mastodon', 'bluesky'])('%s: repeating the same attempt publishes one post', async (id) => {
  const connection = await connected(id);
  const post = postFor(newText());
  const { attempt } = createTestAttempt();
  await platformOf(id).publish(connection, post, attempt);
  await platformOf(id)
    .publish(connection, post, attempt)
    .catch(() => undefined);
  expect((await simulated.posts(id)).filter(({ text }) => text === post.text)).toHaveLength(1);
});

test.each<PlatformId>(['twitter', 'instagram', 'linkedin', 'threads', 'bluesky'])(
  '%s renews tokens and reports an ended connection',
  async (id) => {
    const platform = platformOf(id);
    const connection = await connected(id);
    const tokens = await platform.refresh?.(connection, never);
    expect(tokens?.access.reveal()).not.toBe(connection.tokens.access.reveal());
    const renewed = { ...connection, tokens: tokens ?? connection.tokens };
    await platform.publish(renewed, postFor(newText()), createTestAttempt().attempt);
    await simulated.endTokens(id, true);
    const refusal = await refusalOf(platform.refresh?.(renewed, never) ?? Promise.resolve());
    expect(refusal).toMatchObject({ reason: 'authentication_expired', next: 'reconnect' });
  },
);

test.each<PlatformId>(['twitter', 'linkedin', 'mastodon', 'bluesky'])(
  '%s: disconnecting an account also revokes access at the platform',
  async (id) => {
    const connection = await connected(id);
    await platformOf(id).revoke(connection, never);
    const { refresh } = platformOf(id);
    const work =
      id === 'twitter' || id === 'bluesky'
        ? refresh?.(connection, never)
        : platformOf(id).publish(connection, postFor(newText()), createTestAttempt().attempt);
    expect((await refusalOf(work ?? Promise.resolve())).reason).toBe('authentication_expired');
  },
);

test.each<[PlatformId, number]>([
  ['twitter', 100],
  ['facebook', 100],
  ['mastodon', 40],
])('%s: a post that may lie beyond the page that was searched is in an unknown state', async (id, page) => {
  const connection = await connected(id);
  const publish = (text: string) =>
    platformOf(id).publish(connection, { text, media: [] }, createTestAttempt().attempt);
  const { attempt } = createTestAttempt();
  const post = { text: newText(), media: [] };
  await publish(post.text);
  await Promise.all(Array.from({ length: page }, () => publish(newText())));
  expect(await platformOf(id).find(connection, post, attempt)).toEqual({ state: 'unknown' });
});
