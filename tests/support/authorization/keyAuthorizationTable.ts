import { randomUUID } from 'node:crypto';
import type { RouteName } from '@nolo/api';
import { must, type AuthorizationCast } from './authorizationCast.ts';
import { all, ownerOnly, type RouteExpectation } from './routeExpectation.ts';

const bytes = (length: number) => Buffer.alloc(length, 1).toString('base64url');
/** Statement that nobody signed. */
const statement = { body: bytes(100), signature: bytes(64) };
const epoch = { header: statement, roster: bytes(10), boxes: [] };
const list = { list: statement, boxKeys: [] };

/** Returns a new link, which the owner's session began. */
const newLink = async ({ owner }: AuthorizationCast) => ({
  id: must(await owner.api.post('/api/keys/links', { commitment: bytes(32) }), 'A link').body.id as string,
});

/** Links that stay open: one for each cast, because an account may begin only a few a day. */
const links = new WeakMap<AuthorizationCast, ReturnType<typeof newLink>>();

function ownLink(cast: AuthorizationCast): ReturnType<typeof newLink> {
  const link = links.get(cast) ?? newLink(cast);
  links.set(cast, link);
  return link;
}
const withLink = (body: object) => async (cast: AuthorizationCast) => ({ ...(await ownLink(cast)), body });

/**
 * Expectations of routes for devices with keys. Lists and box keys are public to whoever may see the profile; links
 * belong to the account. Nobody here has a device: identity's own tests sign lists.
 */
export const keyExpectations = {
  getOwnKeys: { attempt: () => ({}), expected: all(200) },
  getUserKeys: { attempt: ({ owner }: AuthorizationCast) => ({ id: owner.id }), expected: all(200) },
  lookUpKeys: {
    attempt: ({ owner }: AuthorizationCast) => ({ body: { accounts: [{ userId: owner.id }] } }),
    expected: all(200),
  },
  addDeviceList: {
    attempt: () => ({ body: list }),
    expected: all(400),
    withProof: { body: { ...list, removes: true } },
  },
  // The newcomer has a fresh proof.
  replaceIdentity: { attempt: () => ({ body: list }), expected: all(400), byNewcomer: true },
  renewBoxKeys: { attempt: () => ({ body: { boxKeys: statement } }), expected: all(403) },
  claimDevice: { attempt: () => ({ id: randomUUID(), body: { signature: bytes(64) } }), expected: all(404) },
  putRecoverySeed: { attempt: () => ({ id: randomUUID(), body: { wrapped: bytes(65) } }), expected: all(403) },
  deleteRecoverySeed: { attempt: () => ({ id: randomUUID() }), expected: all(403) },
  beginDeviceLink: { attempt: () => ({ body: { commitment: bytes(32) } }), expected: all(201) },
  getDeviceLink: { attempt: ownLink, expected: ownerOnly(200) },
  // The owner's session is the new device, and the link has no challenge yet.
  challengeDeviceLink: { attempt: withLink({ random: bytes(32), head: bytes(100) }), expected: ownerOnly(409) },
  openDeviceLink: { attempt: withLink({ random: bytes(32), offer: bytes(100) }), expected: ownerOnly(409) },
  answerDeviceLink: { attempt: withLink({ answer: bytes(100) }), expected: ownerOnly(409) },
  confirmDeviceLink: { attempt: withLink({ done: bytes(100) }), expected: ownerOnly(409) },
  endDeviceLink: { attempt: newLink, expected: ownerOnly(204) },
  // Only devices sign epochs: the tests of keys do.
  listEpochs: { attempt: () => ({ id: randomUUID() }), expected: all(404) },
  commitEpoch: { attempt: () => ({ id: randomUUID(), body: epoch }), expected: all(400) },
  getEpochTarget: {
    attempt: ({ groupId }) => ({ id: groupId }),
    expected: { ...all(404), member: 200, owner: 200 },
  },
  sendNack: { attempt: () => ({ id: randomUUID(), body: statement }), expected: all(403) },
  listNacks: { attempt: () => ({ id: randomUUID() }), expected: all(403) },
  answerNack: {
    attempt: () => ({ id: randomUUID(), params: { n: '0' }, body: { deviceId: randomUUID(), box: bytes(100) } }),
    expected: all(403),
  },
  listVaultRows: { attempt: () => ({ id: randomUUID() }), expected: all(404) },
  addVaultRow: {
    attempt: () => ({ id: randomUUID(), body: { clientMessageId: randomUUID(), own: [], sealed: bytes(100) } }),
    expected: all(403),
  },
  deleteVaultRows: {
    attempt: () => ({ id: randomUUID(), query: { from: '1', to: '2', snapshot: '3' } }),
    expected: all(403),
  },
} satisfies Partial<Record<RouteName, RouteExpectation>>;
