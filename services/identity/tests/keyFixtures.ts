import {
  createTestDevice,
  signFirstList,
  signNextList,
  signTestClaim,
  type SignedList,
  type TestDevice,
} from '@nolo/testing/keys';
import { createSoftAuthenticator, testRelyingParty } from './softAuthenticator.ts';
import { testCallerOf, type TestIdentity, type TestPerson } from './startIdentity.ts';

type Message = Omit<SignedList['message'], 'vault'> & Partial<SignedList['message']>;

interface Owner {
  ada: TestPerson;
  laptop: TestDevice;
  first: SignedList;
}

export const refusedAs = (reason: string) => ({ kind: 'invalid', code: 'list_refused', details: { reason } });

/** Returns what tests of device lists and keys do with an account. */
export function createKeyFixtures(identity: TestIdentity) {
  /** Signs the account in on another device. */
  const alsoAt = async (person: TestPerson): Promise<TestPerson> => {
    const { token, sessionId } = await identity.signIn(person.phoneNumber);
    return { ...person, token, sessionId };
  };
  const send = (person: TestPerson, { message }: { message: Message }, removes?: boolean) =>
    identity.keys.addDeviceList({ ...testCallerOf(person), vault: undefined, ...message, removes });
  const replace = (person: TestPerson, { message }: SignedList) =>
    identity.keys.replaceIdentity({ ...testCallerOf(person), ...message, removes: undefined });
  const ownKeysOf = (person: TestPerson) => identity.keys.getOwnKeys({ ...testCallerOf(person), after: undefined });
  const keysOf = async (viewer: TestPerson, userId: string, after?: { chain: number; n: number }) =>
    (await identity.keys.findKeys({ actorId: viewer.id, accounts: [{ userId, after }] })).accounts[0];
  const isSignedIn = async ({ token }: TestPerson) =>
    identity.client.authenticateSession({ token }).then(
      () => true,
      () => false,
    );
  /** Makes the proofs of all sessions of an account stale. */
  const forgetProof = ({ id }: TestPerson) =>
    identity
      .db('sessions')
      .where({ user_id: id })
      .update({ proven_at: new Date(0) });
  const stored = async ({ id }: TestPerson) => ({
    lists: await identity.db('device_lists').where({ user_id: id }).orderBy(['chain', 'n']).select('chain', 'n'),
    devices: (await identity.db('devices').where({ user_id: id }).select('id', 'removed_at')).length,
  });

  /** Creates an account whose first list is stored. */
  async function withKeys(): Promise<Owner> {
    const ada = await identity.signUp('Ada', 'Lovelace');
    const laptop = await createTestDevice(ada.id);
    const first = await signFirstList(laptop);
    await send(ada, first);
    return { ada, laptop, first };
  }

  /** Adds a device in a session of its own, which it claims. */
  async function withTwo() {
    const owner = await withKeys();
    const phone = await createTestDevice(owner.ada.id);
    const second = await signNextList(owner.first.checked, owner.laptop, { add: [phone] });
    await send(owner.ada, second);
    const atPhone = await alsoAt(owner.ada);
    await claim(atPhone, phone);
    return { ...owner, phone, second, atPhone };
  }

  const claim = async (person: TestPerson, device: TestDevice, sessionId = person.sessionId) =>
    identity.keys.claimDevice({
      ...testCallerOf(person),
      deviceId: device.uuid,
      signature: await signTestClaim(device, sessionId),
    });

  const addPasskey = async (person: TestPerson): Promise<string> => {
    const authenticator = createSoftAuthenticator();
    const begun = { ...testCallerOf(person), relyingParty: testRelyingParty };
    const { options = '' } = await identity.passkeys.beginPasskey(begun);
    const response = authenticator.make(options, {});
    return (await identity.passkeys.addPasskey({ ...begun, name: 'Laptop', response })).id!;
  };

  return {
    alsoAt,
    send,
    replace,
    ownKeysOf,
    keysOf,
    isSignedIn,
    forgetProof,
    stored,
    withKeys,
    withTwo,
    claim,
    addPasskey,
  };
}
