import { idOf, isQuiet, type TestDevice, World } from '../../tests/keys/keyDevices.ts';
import { beginDigits, fieldOf, isAt, linkByCode, linkByDigits, linkOf } from '../../tests/keys/linking.ts';

const [ann, ben] = [idOf(1), idOf(2)];
let world: World;

beforeEach(() => {
  world = new World();
});
afterEach(async () => {
  for (const device of world.devices) device.keys.stop();
  await world.idle();
});

const namesOf = ({ state }: TestDevice) => state.devices.map(({ name }) => name);
describe('first keys', () => {
  test('a first device creates keys and opens its vault', async () => {
    const device = await world.ready(ann, 'Laptop');
    expect(device.state).toMatchObject({
      phase: { name: 'ready' },
      vault: 'open',
      recovery: { isSet: false, maySet: true },
      devices: [{ name: 'Laptop', current: true, addedBy: null, removable: true, descendants: [] }],
    });
    expect([...world.server.vaults.values()][0]?.rows).toHaveLength(1);
  });

  test('a second device without a link is not one of the account', async () => {
    await world.ready(ann);
    const second = await world.ready(ann);
    expect(second.state.phase).toEqual({ name: 'unlinked', hasRecovery: false, passkeys: [], hasOtherDevices: true });
    expect(second.state.deviceId).toBeNull();
  });

  test('who loses the race for the first list links instead', async () => {
    const [one, two] = [world.device(ann), world.device(ann)];
    await Promise.all([one.start(), two.start()]);
    await world.idle();
    const phases = [one.phase, two.phase].toSorted();
    expect(phases).toEqual(['ready', 'unlinked']);
    const [winner, loser] = one.phase === 'ready' ? [one, two] : [two, one];
    await linkByCode(world, loser, winner);
    expect(loser.phase).toBe('ready');
  });

  test('keys may be bytes, for storages without handles', async () => {
    const device = world.device(ann, { keyForm: 'bytes', kind: 1 });
    await device.start();
    expect(isQuiet(device)).toBe(true);
    await device.restart();
    expect(isQuiet(device)).toBe(true);
  });

  test('a storage that keeps nothing is said to be unavailable', async () => {
    const device = world.device(ann);
    device.storage.write = async () => {
      throw new Error('quota');
    };
    await device.start();
    expect(device.state.phase).toEqual({ name: 'unavailable', reason: 'storage' });
  });

  test('without a network a device waits, and starts with what it has', async () => {
    const device = world.device(ann);
    world.server.isUp = false;
    await device.start();
    expect(device.phase).toBe('loading');
    world.server.isUp = true;
    await world.until(() => isQuiet(device));
    world.server.isUp = false;
    await device.restart();
    expect(device.state).toMatchObject({ phase: { name: 'ready' }, devices: [{ name: 'Browser' }] });
  });
});

describe('linking', () => {
  test('by a code, the new device joins and opens the vault', async () => {
    const old = await world.ready(ann, 'Laptop');
    const fresh = await world.ready(ann, 'Phone');
    await linkByCode(world, fresh, old);
    expect(isQuiet(fresh)).toBe(true);
    await world.until(() => old.state.devices.length === 2);
    expect(namesOf(old)).toEqual(['Laptop', 'Phone']);
    expect(old.state.link).toEqual({ side: 'old', step: 'done' });
    expect(old.state.notices).toEqual([]);
  });

  test('by digits, each side takes the digits of the other', async () => {
    const old = await world.ready(ann, 'Laptop');
    const fresh = await world.ready(ann, 'Phone');
    await linkByDigits(world, fresh, old);
    expect(isQuiet(fresh)).toBe(true);
    expect(fresh.state.devices[1]).toMatchObject({ current: true, addedBy: { device: old.state.deviceId } });
  });

  test('wrong digits end the link on either side', async () => {
    const old = await world.ready(ann);
    const fresh = await world.ready(ann);
    await beginDigits(world, fresh, old);
    await old.keys.typeDigits('0000000');
    expect(linkOf(old)).toEqual({ side: 'old', step: 'failed', reason: 'wrong_digits' });
    await world.until(() => isAt(fresh, 'failed'));
    await beginDigits(world, fresh, old);
    await old.keys.typeDigits(fieldOf(fresh, 'digits') ?? '');
    await fresh.keys.typeDigits('0000000');
    expect(linkOf(fresh)).toEqual({ side: 'new', step: 'failed', reason: 'wrong_digits' });
    await world.until(() => isAt(old, 'failed'));
    expect(old.state.devices).toHaveLength(1);
  });

  test('an old device answers three times within a day, and counts over restarts', async () => {
    const old = await world.ready(ann);
    const fresh = await world.ready(ann);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await beginDigits(world, fresh, old);
      await fresh.keys.cancelLink();
      await old.restart();
    }
    await fresh.keys.beginLink('digits');
    await world.until(() => old.state.requests.length === 1);
    await old.keys.answerLink(old.state.requests[0]?.linkId ?? '');
    expect(linkOf(old)).toEqual({ side: 'old', step: 'failed', reason: 'too_many' });
    await world.pass(86_400_000);
    await linkByDigits(world, fresh, old);
  });

  test('a link that nobody answers expires', async () => {
    await world.ready(ann);
    const fresh = await world.ready(ann);
    await fresh.keys.beginLink('code');
    await world.pass(600_000);
    await world.until(() => isAt(fresh, 'failed'));
    expect(linkOf(fresh)).toEqual({ side: 'new', step: 'failed', reason: 'expired' });
  });
});

describe('recovery', () => {
  test('words bring a device in after everything else was lost', async () => {
    const first = await world.ready(ann, 'Lost laptop');
    const words = await first.keys.createRecoveryWords();
    expect(words).toHaveLength(24);
    await first.keys.setRecovery();
    expect(first.state.recovery).toMatchObject({ isSet: true, maySet: false });
    expect(await first.keys.checkRecoveryWords(words.join(' '))).toBe(true);
    expect(await first.keys.checkRecoveryWords(words.toReversed().join(' '))).toBe(false);
    const fresh = await world.ready(ann, 'Phone');
    expect(fresh.state.phase).toMatchObject({ name: 'unlinked', hasRecovery: true });
    await expect(fresh.keys.recover({ words: 'a b c' }, [])).rejects.toMatchObject({ code: 'wrong_words' });
    await fresh.keys.recover({ words: words.join(' ') }, [first.state.deviceId ?? '']);
    expect(isQuiet(fresh)).toBe(true);
    expect(fresh.state.devices).toMatchObject([{ name: 'Phone', addedBy: 'recovery' }]);
    await world.until(() => first.phase === 'removed');
    expect(fresh.state.notices).toEqual([]);
  });

  test('a passkey unwraps the seed', async () => {
    const first = await world.ready(ann);
    await first.keys.createRecoveryWords();
    await first.keys.setRecovery();
    const prf = crypto.getRandomValues(new Uint8Array(32));
    await first.keys.wrapRecovery(idOf(77), prf);
    const fresh = await world.ready(ann);
    expect(fresh.state.phase).toMatchObject({ passkeys: [{ passkeyId: idOf(77) }] });
    const wrong = fresh.keys.recover({ passkeyId: idOf(77), prf: new Uint8Array(32) }, []);
    await expect(wrong).rejects.toMatchObject({ code: 'wrong_passkey' });
    await fresh.keys.recover({ passkeyId: idOf(77), prf }, []);
    expect(isQuiet(fresh)).toBe(true);
    expect(fresh.state.devices).toHaveLength(2);
    await first.keys.unwrapRecovery(idOf(77));
    expect(first.state.recovery.passkeys).toEqual([]);
  });

  test('only the current words replace words, and other devices are told', async () => {
    const first = await world.ready(ann);
    const old = await first.keys.createRecoveryWords();
    await first.keys.setRecovery();
    const second = await world.ready(ann);
    await linkByCode(world, second, first);
    await second.keys.createRecoveryWords();
    await expect(second.keys.setRecovery()).rejects.toMatchObject({ code: 'wrong_words' });
    await second.keys.setRecovery(old.join(' '));
    expect(await second.keys.checkRecoveryWords(old.join(' '))).toBe(false);
    await world.until(() => first.state.notices.length > 0);
    expect(first.state.notices).toMatchObject([{ kind: 'recovery_replaced' }]);
    await first.keys.dismissNotice(first.state.notices[0]?.id ?? '');
    await first.restart();
    expect(first.state.notices).toEqual([]);
  });

  test('a junior device may not set the first words', async () => {
    const first = await world.ready(ann);
    const second = await world.ready(ann);
    await linkByCode(world, second, first);
    expect(second.state.recovery.maySet).toBe(false);
    await second.keys.createRecoveryWords();
    await expect(second.keys.setRecovery()).rejects.toMatchObject({ code: 'not_allowed' });
  });

  test('starting over replaces the identity, and the former devices are told', async () => {
    const first = await world.ready(ann);
    const fresh = await world.ready(ann);
    await fresh.keys.startOver();
    expect(isQuiet(fresh)).toBe(true);
    await world.until(() => first.phase === 'unlinked');
    expect(first.state.notices).toMatchObject([{ kind: 'identity_replaced' }]);
    await linkByCode(world, first, fresh);
    expect(first.state.devices).toHaveLength(2);
  });

  test('a refused new identity leaves the device with its keys', async () => {
    const first = await world.ready(ann);
    const { deviceId } = first.state;
    world.server.isProven = false;
    await expect(first.keys.startOver()).rejects.toMatchObject({ code: 'proof_required' });
    await first.restart();
    expect(first.state).toMatchObject({ phase: { name: 'ready' }, deviceId });
  });
});

describe('devices', () => {
  test('a removed device leaves with those that it added, and learns it', async () => {
    const first = await world.ready(ann, 'Laptop');
    const second = await world.ready(ann, 'Phone');
    await linkByCode(world, second, first);
    const third = await world.ready(ann, 'Tablet');
    await linkByCode(world, third, second);
    await world.until(() => first.state.devices.length === 3);
    expect(first.state.notices).toMatchObject([{ kind: 'device_added', deviceName: 'Tablet' }]);
    const { id, descendants } = first.state.devices[1] ?? { id: '', descendants: [] };
    expect(descendants).toEqual([third.state.deviceId]);
    await expect(second.keys.removeDevices([first.state.deviceId ?? ''])).rejects.toMatchObject({
      code: 'not_allowed',
    });
    await first.keys.removeDevices([id]);
    expect(namesOf(first)).toEqual(['Laptop']);
    await world.until(() => second.phase === 'removed' && third.phase === 'removed');
    // The vault has an epoch without them, and a snapshot.
    const [vault] = [...world.server.vaults.values()];
    expect([...(vault?.epochs.at(-1)?.boxes.keys() ?? [])]).toEqual([first.state.deviceId]);
    await linkByCode(world, second, first);
    expect(second.state.deviceId).not.toBe(id);
    expect(isQuiet(second)).toBe(true);
  });

  test('a device that is kept stays when the one that added it leaves', async () => {
    const first = await world.ready(ann);
    const second = await world.ready(ann);
    await linkByCode(world, second, first);
    const third = await world.ready(ann);
    await linkByCode(world, third, second);
    await world.until(() => first.state.devices.length === 3);
    await first.keys.removeDevices([second.state.deviceId ?? ''], [third.state.deviceId ?? '']);
    expect(first.state.devices).toHaveLength(2);
    await world.until(() => second.phase === 'removed');
    expect(third.phase).toBe('ready');
  });

  test('a device continues in a new session', async () => {
    const device = await world.ready(ann);
    const { deviceId } = device.state;
    device.signInAgain();
    await device.restart();
    expect(device.state).toMatchObject({ phase: { name: 'ready' }, deviceId });
    expect(world.server.account(ann).devices.get(deviceId ?? '')?.session).toBe(device.session.id);
  });

  test('a suspended device is left out, and returns', async () => {
    const first = await world.ready(ann);
    const second = await world.ready(ann);
    await linkByCode(world, second, first);
    const suspended = world.server.account(ann).devices.get(second.state.deviceId ?? '');
    if (suspended) Object.assign(suspended, { session: null, suspendedAt: new Date(0).toISOString() });
    const [vault] = [...world.server.vaults.values()];
    second.keys.stop();
    first.keys.onFrame({ type: 'devices_changed', data: { userId: ann } });
    await world.pass(1_000);
    expect([...(vault?.epochs.at(-1)?.boxes.keys() ?? [])]).toEqual([first.state.deviceId]);
    second.signInAgain();
    await second.restart();
    await world.until(() => isQuiet(second));
    expect(vault?.epochs.at(-1)?.boxes.size).toBe(2);
  });

  test('a device that was suspended for 30 days is removed, except the last other one of an account without words', async () => {
    const first = await world.ready(ann);
    const second = await world.ready(ann);
    await linkByCode(world, second, first);
    const suspended = world.server.account(ann).devices.get(second.state.deviceId ?? '');
    const suspendedAt = new Date(world.clock.timers.now() - 31 * 86_400_000).toISOString();
    if (suspended) Object.assign(suspended, { session: null, suspendedAt });
    second.keys.stop();
    await first.restart();
    await world.until(() => isQuiet(first));
    expect(first.state.devices).toHaveLength(2);
    await first.keys.createRecoveryWords();
    await first.keys.setRecovery();
    await first.restart();
    await world.until(() => first.state.devices.length === 1);
  });
});

describe('people', () => {
  test('a device does not ask for the rows of the vault that it appended itself, and its others do', async () => {
    const first = await world.ready(ann, 'Laptop');
    const second = await world.ready(ann, 'Phone');
    await linkByCode(world, second, first);
    await world.ready(ben);
    await world.pass(30_000);
    const reads: string[] = [];
    const listen = world.server.listeners;
    const [key, onFrame] = [...listen].find(([of]) => of.endsWith(first.session.id))!;
    let own = 0;
    listen.set(key, (frame) => {
      own += 1;
      onFrame(frame);
    });
    world.server.lie('getOwnKeys', (reply) => (reads.push('a device'), reply));
    await first.keys.lookUp([ben]);
    reads.length = 0;
    await world.pass(30_000);
    await world.pass(1);
    expect(own).toBe(1);
    expect(reads).toEqual(['a device']);
  });

  test('a person is looked up, compared, and verified on all devices', async () => {
    const first = await world.ready(ann, 'Laptop');
    const other = await world.ready(ben);
    expect(await first.keys.lookUp([ben, idOf(3)])).toEqual([
      { userId: ben, identity: 'known', verified: false, wasVerified: false, blocked: null, decidedOn: null },
      { userId: idOf(3), identity: 'none', verified: false, wasVerified: false, blocked: null, decidedOn: null },
    ]);
    expect(await first.keys.numberWith(idOf(3))).toBeNull();
    expect(await first.keys.numberWith(ben)).toMatch(/^\d{60}$/);
    expect(await first.keys.numberWith(ben)).toBe(await other.keys.numberWith(ann));
    const code = (await other.keys.verificationCode(ann)) ?? '';
    expect(await first.keys.scanVerificationCode(idOf(4), code)).toBe('different');
    expect(await first.keys.scanVerificationCode(ben, 'AAAA')).toBe('malformed');
    expect(await first.keys.scanVerificationCode(ben, code)).toBe('verified');
    const second = await world.ready(ann);
    await linkByCode(world, second, first);
    expect(await second.keys.lookUp([ben])).toMatchObject([{ verified: true, decidedOn: 'Laptop' }]);
    await second.keys.setVerified(ben, false);
    await world.pass(1_000);
    expect(await first.keys.lookUp([ben])).toMatchObject([{ verified: false }]);
  });

  test('another identity waits until it is accepted, here or on another device', async () => {
    const first = await world.ready(ann, 'Laptop');
    const second = await world.ready(ann, 'Phone');
    await linkByCode(world, second, first);
    const other = await world.ready(ben);
    await first.keys.setVerified(ben, true);
    await world.pass(1_000);
    await second.keys.lookUp([ben]);
    await other.keys.startOver();
    const changed = { identity: 'changed', verified: false, wasVerified: true, blocked: null };
    expect(await first.keys.lookUp([ben])).toMatchObject([changed]);
    expect(await second.keys.lookUp([ben])).toMatchObject([changed]);
    await first.keys.acceptIdentity(ben);
    expect(await first.keys.lookUp([ben])).toMatchObject([{ identity: 'known', verified: false }]);
    await world.pass(1_000);
    expect(await second.keys.lookUp([ben])).toMatchObject([{ identity: 'known', decidedOn: 'Laptop' }]);
  });

  test('a code that names a newer list is compared after a look at the server', async () => {
    const first = await world.ready(ann);
    const other = await world.ready(ben);
    await first.keys.lookUp([ben]);
    const more = await world.ready(ben);
    await linkByCode(world, more, other);
    expect(await first.keys.scanVerificationCode(ben, (await more.keys.verificationCode(ann)) ?? '')).toBe('verified');
  });
});
