import { idOf, seededRandom, World, type TestDevice } from '../../tests/keys/keyDevices.ts';
import { fieldOf } from '../../tests/keys/linking.ts';
import { ApiError } from '../http/request.ts';
import { KeysError } from './keysError.ts';
import type { Keys } from './types.ts';

/**
 * Kills devices out of requests and writes, before or after they take effect, and opens them anew. A user then goes on
 * from what the screen shows. At the end everything is whole.
 */

const [ann, ben] = [idOf(1), idOf(2)];
/** Kills of one run. `KEYS_KILLS=200` takes most of a minute. */
const kills = Number(process.env['KEYS_KILLS'] ?? 50);
/** Requests and writes within which a kill happens. */
const maxSteps = 10;
const maxTurns = 120;

class Life {
  readonly world = new World();
  readonly random: () => number;
  killed = 0;

  constructor(seed: number) {
    this.random = seededRandom(seed);
  }

  /** Lets a user act on a device, which may be killed meanwhile. */
  async act(device: TestDevice, task: (keys: Keys) => Promise<unknown>): Promise<void> {
    device.steps = 0;
    device.kill =
      this.random() < 0.85
        ? { step: 1 + Math.floor(this.random() * maxSteps), when: this.random() < 0.5 ? 'before' : 'after' }
        : null;
    try {
      await task(device.keys);
    } catch (error) {
      // The screen shows a refusal; the user goes on from there.
      if (!device.isDead && !(error instanceof KeysError) && !(error instanceof ApiError)) throw error;
    }
    await this.revive();
    if (!device.isDead) device.kill = null;
  }

  /** Opens killed devices again. */
  async revive(): Promise<void> {
    await this.world.idle();
    for (const device of this.world.devices) {
      if (!device.isDead) continue;
      this.killed += 1;
      await device.restart();
      await this.world.idle();
    }
  }

  async until(isDone: () => boolean, turn: () => Promise<void>, what: string): Promise<void> {
    for (let turns = 0; turns < maxTurns; turns += 1) {
      if (isDone()) return;
      await turn();
      await this.world.clock.advance(2_500);
      await this.revive();
    }
    const states = this.world.devices.map(({ state }) => state);
    throw new Error(`${what} did not end: ${JSON.stringify(states, null, 1)}`);
  }
}

const isWhole = ({ state }: TestDevice): boolean => state.phase.name === 'ready' && state.vault === 'open';

/** Brings a device in by a code or by digits, as the screens of both sides offer it. */
async function link(life: Life, fresh: TestDevice, old: TestDevice, way: 'code' | 'digits'): Promise<void> {
  const { world } = life;
  const turn = async (): Promise<void> => {
    const [its, olds] = [fresh.state.link, old.state.link];
    if (isWhole(fresh) && olds?.step !== 'done' && olds?.step !== 'failed') return;
    if (olds?.step === 'failed' && olds.reason === 'too_many') await world.pass(86_400_000);
    if (!its || its.step === 'failed') return life.act(fresh, (keys) => keys.beginLink(way));
    if (its.step === 'code') {
      if (olds?.step === 'confirm') return life.act(old, (keys) => keys.confirmLink());
      if (olds?.step !== 'finishing') return life.act(old, (keys) => keys.scanLinkCode(its.code));
    }
    const [request] = old.state.requests;
    if (its.step === 'waiting' && request) return life.act(old, (keys) => keys.answerLink(request.linkId));
    if (its.step === 'digits' && olds?.step === 'type') return life.act(old, (keys) => keys.typeDigits(its.digits));
    const shown = fieldOf(old, 'digits');
    if (its.step === 'digits' && shown !== undefined) return life.act(fresh, (keys) => keys.typeDigits(shown));
    return undefined;
  };
  await life.until(() => isWhole(fresh) && fresh.state.link?.step === 'done', turn, `linking by ${way}`);
}

/** Creates words and makes them the account's; a killed device creates others. */
async function setWords(life: Life, device: TestDevice): Promise<string> {
  let words: string[] = [];
  const turn = () =>
    life.act(device, async (keys) => {
      words = [...(await keys.createRecoveryWords())];
      await keys.setRecovery();
    });
  await life.until(() => device.state.recovery.isSet, turn, 'setting words');
  return words.join(' ');
}

async function live(life: Life): Promise<void> {
  const { world } = life;
  const other = await world.ready(ben);
  const first = world.device(ann, { name: 'Laptop' });
  await life.until(
    () => isWhole(first),
    () => life.act(first, (keys) => keys.start()),
    'first keys',
  );
  await life.until(
    () => world.server.vaults.size === 2 && [...world.server.vaults.values()].every(({ rows }) => rows.length > 0),
    async () => undefined,
    'the first record',
  );
  await life.act(first, (keys) => keys.setVerified(ben, true));
  const isVerified = async (device: TestDevice) => (await device.keys.lookUp([ben]))[0]?.verified;
  if ((await isVerified(first)) !== true) await first.keys.setVerified(ben, true);
  const words = await setWords(life, first);
  const isCurrent = await first.keys.checkRecoveryWords(words);
  const second = await world.ready(ann, 'Phone');
  await link(life, second, first, life.random() < 0.5 ? 'code' : 'digits');
  const third = await world.ready(ann, 'Tablet');
  const recover = () => life.act(third, (keys) => keys.recover({ words }, []));
  // Words whose list the server accepted, but whose screen was killed, are on no paper.
  if (isCurrent) await life.until(() => isWhole(third), recover, 'recovery');
  else await link(life, third, second, 'code');

  await life.until(
    () => world.devices.every((one) => isWhole(one)),
    async () => undefined,
    'quiet',
  );
  await world.pass(30_000);
  const { devices, chains } = world.server.account(ann);
  expect(chains).toHaveLength(1);
  expect(new Set(devices.keys())).toEqual(new Set([first, second, third].map((one) => one.state.deviceId)));
  for (const device of [first, second, third]) {
    expect(device.state.devices).toHaveLength(3);
    expect(await isVerified(device)).toBe(true);
  }
  expect(other.phase).toBe('ready');
  for (const device of world.devices) device.keys.stop();
  await world.idle();
}

test(`after ${kills} kills at random, every device is whole, once, and nothing is lost`, async () => {
  let killed = 0;
  const first = Number(process.env['KEYS_SEED'] ?? Math.floor(Math.random() * 1_000_000));
  for (let seed = first; killed < kills; seed += 1) {
    const life = new Life(seed);
    try {
      await live(life);
    } catch (error) {
      throw new Error(`seed ${seed} (KEYS_SEED=${seed} repeats it)`, { cause: error });
    }
    killed += life.killed;
  }
});
