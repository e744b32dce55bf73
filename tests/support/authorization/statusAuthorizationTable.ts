import type { RouteName } from '@nolo/api';
import { eventually } from '@nolo/testing';
import { must, type AuthorizationCast } from './authorizationCast.ts';
import { all, nothing, ownerOnly, type RouteExpectation } from './routeExpectation.ts';

const post = async ({ owner, canaries }: AuthorizationCast): Promise<string> =>
  must(await owner.api.post('/api/status-updates', { content: canaries.message }), 'A status update').body.id as string;

/** Status update shared by all attempts that do not change it, because the number of updates is limited. */
const kept = new WeakMap<AuthorizationCast, Promise<string>>();
function posted(cast: AuthorizationCast): Promise<string> {
  const made =
    kept.get(cast) ??
    (async () => {
      const id = await post(cast);
      // Events bring the contacts of the two to status.
      await eventually(async () => {
        const { body } = await cast.member.api.get('/api/status-updates');
        return (body as { id: string }[]).some((one) => one.id === id);
      });
      return id;
    })();
  kept.set(cast, made);
  return made;
}

const atPosted = async (cast: AuthorizationCast) => ({ id: await posted(cast) });

/** Expectations of status routes: the owner's updates are for the member, a contact in both directions. */
export const statusExpectations = {
  listStatuses: {
    attempt: async (cast) => {
      await posted(cast);
      return {};
    },
    expected: all(200),
    shows: { member: ['name', 'picture', 'message', 'contact'] },
  },
  postStatus: { attempt: () => ({ body: { content: 'my own' } }), expected: all(201), byNewcomer: true },
  viewStatus: { attempt: atPosted, expected: { ...ownerOnly(204), member: 204 } },
  removeStatus: {
    attempt: async (cast) => {
      const there = must(await cast.owner.api.get('/api/status-updates'), 'The status updates').body as {
        id: string;
      }[];
      const stays = await posted(cast);
      for (const { id } of there) if (id !== stays) await cast.owner.api.delete(`/api/status-updates/${id}`);
      return { id: await post(cast) };
    },
    expected: ownerOnly(204),
  },
  listStatusViewers: { attempt: atPosted, expected: ownerOnly(200) },
  getStatusAudience: { attempt: nothing, expected: all(200) },
  setStatusAudience: { attempt: () => ({ body: { mode: 'contacts' } }), expected: all(200) },
  muteStatuses: { attempt: ({ bystander }) => ({ params: { userId: bystander.id } }), expected: all(204) },
  unmuteStatuses: { attempt: ({ bystander }) => ({ params: { userId: bystander.id } }), expected: all(204) },
} as const satisfies Partial<Record<RouteName, RouteExpectation>>;
