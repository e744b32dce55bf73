import { randomUUID } from 'node:crypto';
import type { RouteName } from '@nolo/api';
import { must, type AuthorizationCast } from './authorizationCast.ts';
import { all, nothing, ownerOnly, type RouteExpectation, type SignedInStatuses } from './routeExpectation.ts';
import { simulatedBlueskyAppPassword } from '../clients/socialPlatforms.ts';

const atBluesky = () => ({ params: { platform: 'bluesky' } });
const appPassword = { handle: 'example.bsky.social', appPassword: simulatedBlueskyAppPassword };

/** Creates a draft, which needs no connected account. */
async function drafted({ owner, canaries }: AuthorizationCast): Promise<string> {
  const draft = { content: canaries.message, draft: true };
  return must(await owner.api.post('/api/social/posts', draft), 'A draft').body.id as string;
}

async function scheduled({ owner, canaries }: AuthorizationCast): Promise<string> {
  must(await owner.api.post('/api/social/connect/bluesky', appPassword), 'The connection');
  const post = { content: canaries.message, scheduledAt: '2199-01-01T10:00:00Z', platforms: ['bluesky'] };
  return must(await owner.api.post('/api/social/schedule', post), 'A post').body.scheduleId as string;
}

const atDraft = async (cast: AuthorizationCast) => ({ id: await drafted(cast) });
const atScheduled = async (cast: AuthorizationCast) => ({ id: await scheduled(cast) });
/** Statuses for routes that need a connection, which only the owner has. */
const connectedOnly = (status: number, otherwise: number): SignedInStatuses => ({ ...all(otherwise), owner: status });
const form = (): FormData => {
  const body = new FormData();
  body.set('text', 'hello');
  body.set('platforms', JSON.stringify(['bluesky']));
  return body;
};

/** Expectations of social routes: accounts and posts belong to their owner alone. */
export const socialExpectations = {
  listSocialPlatforms: { attempt: nothing, expected: all(200) },
  connectSocialPlatform: {
    attempt: () => ({ ...atBluesky(), body: appPassword }),
    expected: all(200),
    byNewcomer: true,
  },
  // The window always continues to the page that shows the result.
  finishSocialConnection: { attempt: () => ({ params: { platform: 'mastodon' } }), expected: all(302) },
  chooseSocialAccounts: {
    attempt: async (cast) => {
      await scheduled(cast);
      const platforms = must(await cast.owner.api.get('/api/social/platforms'), 'The platforms').body as {
        id: string;
        accounts: { id: string }[];
      }[];
      const accountIds = platforms.flatMap(({ id, accounts }) =>
        id === 'bluesky' ? accounts.map((one) => one.id) : [],
      );
      return { ...atBluesky(), body: { accountIds } };
    },
    expected: ownerOnly(200),
  },
  // Each user only affects their own connections: nothing of others can be named.
  disconnectSocialPlatform: { attempt: atBluesky, expected: all(204), byNewcomer: true },
  multipost: {
    attempt: async (cast) => {
      await scheduled(cast);
      return { body: form() };
    },
    expected: connectedOnly(200, 409),
  },
  listSocialPosts: { attempt: nothing, expected: all(200) },
  countSocialPosts: { attempt: nothing, expected: all(200) },
  schedulePost: {
    attempt: async (cast) => {
      await scheduled(cast);
      return { body: { content: 'later', scheduledAt: '2199-01-01T10:00:00Z', platforms: ['bluesky'] } };
    },
    expected: connectedOnly(201, 409),
  },
  sharePost: {
    attempt: async (cast) => {
      await scheduled(cast);
      return { body: { message: `now ${randomUUID()}`, platforms: ['bluesky'] } };
    },
    expected: connectedOnly(201, 409),
  },
  shareMeeting: {
    attempt: async (cast) => {
      await scheduled(cast);
      return { body: { meetingUrl: `https://nolo.example/meeting/${randomUUID()}`, platforms: ['bluesky'] } };
    },
    expected: connectedOnly(201, 409),
  },
  createSocialPost: { attempt: () => ({ body: { content: 'mine', draft: true } }), expected: all(201) },
  getSocialPost: { attempt: atDraft, expected: ownerOnly(200) },
  editSocialPost: {
    attempt: async (cast) => ({ ...(await atDraft(cast)), body: { content: 'another', draft: true } }),
    expected: ownerOnly(200),
  },
  deleteSocialPost: { attempt: atDraft, expected: ownerOnly(204) },
  cancelSocialPost: { attempt: atScheduled, expected: ownerOnly(200) },
  retrySocialPost: { attempt: atScheduled, expected: ownerOnly(200) },
  duplicateSocialPost: { attempt: atDraft, expected: ownerOnly(201) },
  reviewSocialPost: {
    attempt: async (cast) => {
      const id = await scheduled(cast);
      const { deliveries } = must(await cast.owner.api.get(`/api/social/posts/${id}`), 'The post').body as {
        deliveries: { id: string }[];
      };
      return { params: { id, deliveryId: deliveries[0]?.id ?? '' }, body: { wentOut: true } };
    },
    expected: ownerOnly(200),
  },
} as const satisfies Partial<Record<RouteName, RouteExpectation>>;
