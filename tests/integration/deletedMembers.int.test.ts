import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { routes } from '@nolo/api';
import { eventually, openToGroups, signUpByPhone } from '@nolo/testing';
import { projectRoot } from '../../scripts/paths.ts';
import { must, openAcceptedConversation } from '../support/authorization/authorizationCast.ts';
import { linkDevice, setUpSealedPeople, type SealedDevice } from '../support/clients/sealedDevices.ts';
import { openSharedTestStack } from '../support/stacks/testStack.ts';

/** Checks that devices and people who come later read sealed conversations of accounts that are gone. */

const running = openSharedTestStack();
const { started, startPerson } = setUpSealedPeople(running);

/** Deletes an account as an operator does without the grace period. */
async function erase({ user }: SealedDevice): Promise<void> {
  const command = ['--no-warnings', join(projectRoot, 'services/identity/src/admin.ts'), 'users', 'delete', user.id];
  await promisify(execFile)(process.execPath, [...command, '--reason', 'A test.', '--now'], { env: running.adminEnv });
  await eventually(async () => (await user.api.get('/api/auth/user')).status === 401);
}

test('a new device reads a conversation with somebody whose account is closed, and then deleted', async () => {
  const [ann, ben] = await Promise.all([startPerson(0), startPerson(1)]);
  const id = await openAcceptedConversation(ann.user, ben.user);
  for (const device of [ann, ben]) await device.chats.open(id);
  await ann.send(id, 'one');
  await ben.reads(id, ['one']);
  const listsFor = async ({ user }: Pick<SealedDevice, 'user'>) => user.api.get(`/api/keys/${ben.user.id}`);
  const stranger = { user: await signUpByPhone(running.urls[0]!) };
  const open = must(await listsFor(ann), 'The lists').body as { lists: unknown[] };

  must(await ben.user.api.delete('/api/account'), 'The deletion');
  await eventually(async () => (await listsFor(stranger)).status === 404);
  expect((await listsFor(ann)).body).toMatchObject({ lists: open.lists, boxKeys: [], suspended: [ben.id] });
  const tablet = await started(linkDevice(ann));
  await tablet.chats.open(id);
  await tablet.reads(id, ['one']);

  ben.stop();
  await erase(ben);
  expect((await listsFor(ann)).body).toMatchObject({ lists: open.lists, boxKeys: [], suspended: [] });
  expect((await listsFor(stranger)).status).toBe(404);
  const watch = await started(linkDevice(ann));
  await watch.chats.open(id);
  await watch.reads(id, ['one']);
});

test('a group whose chain names a deleted account goes on, also for new devices and people', async () => {
  const [ann, ben, cem, dea] = await Promise.all([startPerson(0), startPerson(1), startPerson(0), startPerson(1)]);
  await openToGroups(...[ann, ben, cem, dea].map(({ user }) => user));
  const { id } = await ann.client.call(routes.createGroup, {
    body: { name: 'Birds', memberIds: [ben.user.id, cem.user.id] },
  });
  for (const device of [ann, ben, cem]) await device.chats.open(id);
  await ann.send(id, 'one');
  for (const device of [ben, cem]) await device.reads(id, ['one']);

  ben.stop();
  await erase(ben);
  await eventually(async () => {
    const { members } = must(await ann.user.api.get(`/api/epochs/${id}/target`), 'The target').body as {
      members: unknown[];
    };
    return members.length === 2;
  });
  await ann.send(id, 'two');
  await cem.reads(id, ['one', 'two']);
  const tablet = await started(linkDevice(ann));
  await tablet.chats.open(id);
  await tablet.reads(id, ['one', 'two']);

  const epoch = await ann.sign(id, { kind: 'add', userId: dea.user.id });
  must(await ann.user.api.post(`/api/group-chats/${id}/members`, { userIds: [dea.user.id], epoch }), 'The addition');
  await eventually(() => dea.chats.store.getState().conversations[id] !== undefined);
  await dea.chats.open(id);
  await ann.send(id, 'three');
  await dea.reads(id, ['three']);
});
