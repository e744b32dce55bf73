import { createAppError } from '@nolo/kit/errors';
import {
  createTestDevice,
  signFirstList,
  signNextList,
  signTestClaim,
  type SignedList,
  type TestDevice,
} from '@nolo/testing/keys';
import { testCallerOf, type TestIdentity, type TestPerson } from './startIdentity.ts';

/** People with signed device lists, and a chat service that fails when a test wants it to. */

export const send = (identity: TestIdentity, person: TestPerson, { message }: Pick<SignedList, 'message'>) =>
  identity.keys.addDeviceList({ ...testCallerOf(person), ...message, removes: undefined });
export const alone = ({ message, ...list }: SignedList) => ({ ...list, message: { ...message, vault: undefined } });
export const ownKeysOf = (identity: TestIdentity, person: TestPerson) =>
  identity.keys.getOwnKeys({ ...testCallerOf(person), after: undefined });
export const alsoAt = async (identity: TestIdentity, person: TestPerson): Promise<TestPerson> => {
  const { token, sessionId } = await identity.signIn(person.phoneNumber);
  return { ...person, token, sessionId };
};
export const claim = async (identity: TestIdentity, person: TestPerson, device: TestDevice) => {
  const signature = await signTestClaim(device, person.sessionId);
  await identity.keys.claimDevice({ ...testCallerOf(person), deviceId: device.uuid, signature });
};
export const stored = async (identity: TestIdentity, { id }: TestPerson) => ({
  lists: await identity.db('device_lists').where({ user_id: id }).orderBy(['chain', 'n']).pluck('n'),
  waiting: await identity.db('pending_lists').where({ user_id: id }).pluck('hash'),
});
export const commitsOf = (identity: TestIdentity, { id }: TestPerson) =>
  identity.epochs.requests.filter(({ actorId }) => actorId === id);

const unavailable = () => createAppError('unavailable', 'service_unavailable', 'It cannot be reached.');
export const pending = { kind: 'unavailable', code: 'list_pending' };

/** Makes the chat service fail before or after it stored the epoch. */
export const failOnce = (identity: TestIdentity, when: 'before' | 'after', error: () => Error = unavailable) => {
  identity.epochs.hooks[when] = async () => {
    identity.epochs.hooks[when] = undefined;
    throw error();
  };
};
export const failAlways = (identity: TestIdentity, when: 'before' | 'after', error: () => Error = unavailable) => {
  identity.epochs.hooks[when] = async () => {
    throw error();
  };
};

export async function withKeys(identity: TestIdentity) {
  const ada = await identity.signUp('Ada', 'Lovelace');
  const laptop = await createTestDevice(ada.id);
  const first = await signFirstList(laptop);
  await send(identity, ada, first);
  return { ada, laptop, first };
}

export async function withTwo(identity: TestIdentity) {
  const owner = await withKeys(identity);
  const phone = await createTestDevice(owner.ada.id);
  const second = await signNextList(owner.first.checked, owner.laptop, { add: [phone] });
  await send(identity, owner.ada, second);
  const atPhone = await alsoAt(identity, owner.ada);
  await claim(identity, atPhone, phone);
  return { ...owner, phone, second, atPhone };
}
