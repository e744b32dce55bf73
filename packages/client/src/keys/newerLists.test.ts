import type { Epoch, OwnKeys } from '@nolo/api';
import { ApiError } from '../http/request.ts';
import { idOf, look, type TestDevice, World } from '../../tests/keys/keyDevices.ts';
import { fieldOf, linkByCode } from '../../tests/keys/linking.ts';

/** A list of the own account that the vault names, and the server does not show (sections 3 and 6). */

const [ann, ben] = [idOf(1), idOf(2)];
let world: World;

beforeEach(() => {
  world = new World();
});
afterEach(async () => {
  for (const device of world.devices) device.keys.stop();
  await world.idle();
});

/** Hides from all devices but one the lists of Ann after the newest one of now. */
function hideNewerLists(except: TestDevice): () => void {
  const newest = (world.server.account(ann).chains[0]?.length ?? 0) - 1;
  return world.server.lie('getOwnKeys', (reply: OwnKeys, session) =>
    session.userId !== ann || session.id === except.session.id
      ? reply
      : {
          ...reply,
          newest: { chain: 0, n: newest },
          lists: reply.lists.filter(({ n }) => n <= newest),
          more: false,
        },
  );
}

/** A laptop with recovery words, and a phone. */
async function pair(): Promise<{ laptop: TestDevice; phone: TestDevice; words: string }> {
  const laptop = await world.ready(ann, 'Laptop');
  await world.ready(ben);
  const words = await laptop.keys.createRecoveryWords();
  await laptop.keys.setRecovery();
  const phone = await world.ready(ann, 'Phone');
  await linkByCode(world, phone, laptop);
  await world.pass(60_000);
  return { laptop, phone, words: words.join(' ') };
}

/** The laptop links a tablet: a header of the vault names the list, which the others are not shown. */
async function linkHidden(laptop: TestDevice): Promise<() => void> {
  const stop = hideNewerLists(laptop);
  const tablet = world.device(ann, { name: 'Tablet' });
  await tablet.start();
  await tablet.keys.beginLink('code');
  await laptop.keys.scanLinkCode(fieldOf(tablet, 'code') ?? '');
  await laptop.keys.confirmLink();
  tablet.keys.stop();
  return stop;
}

/** The laptop removes a device. The server loses that list and the header after it, but keeps the laptop's record. */
async function loseRemoval(laptop: TestDevice, removed: TestDevice): Promise<void> {
  const before = world.server.clone();
  const stop = world.server.lie('commitEpoch', () => {
    throw new ApiError(0, { code: 'network_error' }, 'network_error');
  });
  await expect(laptop.keys.removeDevices([removed.state.deviceId ?? ''])).rejects.toThrow('network_error');
  stop();
  // The first vault is Ann's.
  [...world.server.vaults.values()][0]?.epochs.pop();
  await laptop.keys.setVerified(ben, true);
  laptop.keys.stop();
  await world.idle();
  const after = world.server.clone();
  world.server.take(before);
  world.server.showVaults(after);
}

describe('a running device', () => {
  test('says which device saw a newer list, and goes on once the user sets it aside or the server shows it', async () => {
    const { laptop, phone } = await pair();
    const stop = await linkHidden(laptop);
    await look(phone);
    expect(phone.state.phase).toEqual({ name: 'blocked', reason: 'old' });
    expect(phone.state.newerList).toMatchObject({ device: laptop.state.deviceId, deviceName: 'Laptop' });
    await expect(phone.keys.setListAside('other')).rejects.toMatchObject({ code: 'conflict' });
    await expect(phone.keys.removeDevices([phone.state.deviceId ?? ''])).rejects.toMatchObject({ code: 'blocked' });

    await phone.keys.setListAside(phone.state.newerList?.id ?? '');
    expect(phone.state).toMatchObject({ phase: { name: 'ready' }, vault: 'open' });
    expect(phone.state.newerList).toBeUndefined();
    await phone.restart();
    expect(phone.phase).toBe('ready');
    expect(phone.state.devices.map(({ name }) => name)).toEqual(['Laptop', 'Phone']);

    stop();
    await look(phone);
    expect(phone.state.devices.map(({ name }) => name)).toEqual(['Laptop', 'Phone', 'Tablet']);
    expect(phone.phase).toBe('ready');
  });

  test('learns of the newer list from a pin too', async () => {
    const { laptop, phone } = await pair();
    const tablet = await world.ready(ann, 'Tablet');
    await linkByCode(world, tablet, laptop);
    await world.pass(60_000);
    await loseRemoval(laptop, tablet);
    await look(phone);
    expect(phone.state.phase).toEqual({ name: 'blocked', reason: 'old' });
    expect(phone.state.newerList).toMatchObject({ device: laptop.state.deviceId, deviceName: 'Laptop' });
    await phone.keys.setListAside(phone.state.newerList?.id ?? '');
    expect(phone.phase).toBe('ready');
    await phone.restart();
    expect(phone.phase).toBe('ready');
  });

  test('asks about no list that the server shows a moment later', async () => {
    const { laptop, phone } = await pair();
    const stop = await linkHidden(laptop);
    // The list is there once the vault was read.
    world.server.lie('listEpochs', (reply: { items: Epoch[] }) => {
      stop();
      return reply;
    });
    await look(phone);
    expect(phone.phase).toBe('ready');
    expect(phone.state.devices).toHaveLength(3);
  });

  test('refuses a header that a listed device did not sign', async () => {
    const { laptop, phone } = await pair();
    const stop = await linkHidden(laptop);
    const stopForging = world.server.lie('listEpochs', (reply: { items: Epoch[] }) => ({
      ...reply,
      items: reply.items.map((one, at) =>
        at === reply.items.length - 1 ? { ...one, signature: reply.items[0]?.signature } : one,
      ),
    }));
    await look(phone);
    expect(phone.state.phase).toEqual({ name: 'blocked', reason: 'fork' });
    expect(phone.state.newerList).toBeUndefined();
    stopForging();
    stop();
    await look(phone);
    expect(phone.phase).toBe('ready');
  });
});

describe('a recovery', () => {
  test('stops at a newer list, names the device that saw it, and goes on once the server shows it', async () => {
    const { laptop, words } = await pair();
    const stop = await linkHidden(laptop);
    const fresh = await world.ready(ann, 'Fresh');
    const refusal = { code: 'newer_in_vault', newer: { device: laptop.state.deviceId, deviceName: 'Laptop' } };
    await expect(fresh.keys.recover({ words }, [])).rejects.toMatchObject(refusal);
    expect(fresh.phase).toBe('unlinked');
    stop();
    await fresh.keys.recover({ words }, []);
    expect(fresh.phase).toBe('ready');
    expect(fresh.state.devices.map(({ name }) => name)).toEqual(['Laptop', 'Phone', 'Tablet', 'Fresh']);
  });

  test('goes on without a newer list that the server lost, once the user sets it aside', async () => {
    const { laptop, phone, words } = await pair();
    await loseRemoval(laptop, phone);
    const fresh = await world.ready(ann, 'Fresh');
    const refused = await fresh.keys.recover({ words }, []).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'newer_in_vault', newer: { deviceName: 'Laptop' } });
    const { id } = (refused as { newer: { id: string } }).newer;
    await expect(fresh.keys.recover({ words }, [], 'b3RoZXI')).rejects.toMatchObject({ code: 'newer_in_vault' });
    await fresh.keys.recover({ words }, [], id);
    expect(fresh.state).toMatchObject({ phase: { name: 'ready' }, vault: 'open' });
    expect(await fresh.keys.lookUp([ben])).toMatchObject([{ verified: true }]);
    await fresh.restart();
    expect(fresh.phase).toBe('ready');

    // The record stays in the vault: another device that recovers asks about it again.
    const later = await world.ready(ann, 'Later');
    await expect(later.keys.recover({ words }, [])).rejects.toMatchObject({ code: 'newer_in_vault', newer: { id } });
    await later.keys.recover({ words }, [], id);
    expect(later.phase).toBe('ready');
  });

  test('cannot go on while the server keeps the header that follows the newer list', async () => {
    const { laptop, words } = await pair();
    await linkHidden(laptop);
    const fresh = await world.ready(ann, 'Fresh');
    const refused = await fresh.keys.recover({ words }, []).catch((error: unknown) => error);
    const { id } = (refused as { newer: { id: string } }).newer;
    await expect(fresh.keys.recover({ words }, [], id)).rejects.toMatchObject({ code: 'newer_list' });
    expect(fresh.phase).toBe('unlinked');
  });
});
