import { openKeys, type KeysWithConversations } from '../../src/keys/openKeys.ts';
import type { KeysPorts, KeyStorage } from '../../src/keys/ports.ts';
import type { KeysState } from '../../src/keys/types.ts';
import { fakeTimers } from '../fakeTimers.ts';
import { KeyServer } from './keyServer.ts';
import type { Session } from './servedState.ts';

/** Devices of people, their storages, and kills, for tests of keys. */

/**
 * Copies values as a storage does, which takes bytes, numbers, texts, and what consists of them. Handles of the engine
 * stay the same.
 */
function copy(value: unknown): unknown {
  if (value instanceof Uint8Array) return Uint8Array.from(value);
  if (Array.isArray(value)) return value.map(copy);
  if (value instanceof Set || value instanceof Map) throw new TypeError('Storages take no sets and maps.');
  if (typeof value !== 'object' || value === null || value.constructor.name !== 'Object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copy(inner)]));
}

export class MemoryKeyStorage implements KeyStorage {
  values = new Map<string, unknown>();

  /** Returns a storage with the same values, as an older profile has them. */
  clone(): MemoryKeyStorage {
    const cloned = new MemoryKeyStorage();
    for (const [key, value] of this.values) cloned.values.set(key, copy(value));
    return cloned;
  }
  async read(key: string): Promise<unknown> {
    return copy(this.values.get(key));
  }
  async list(prefix: string): Promise<readonly (readonly [string, unknown])[]> {
    return [...this.values]
      .filter(([key]) => key.startsWith(prefix))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => [key, copy(value)] as const);
  }
  async write(values: Readonly<Record<string, unknown>>): Promise<void> {
    for (const [key, value] of Object.entries(values)) {
      if (value === undefined) this.values.delete(key);
      else this.values.set(key, copy(value));
    }
  }
  close(): void {}
}

/** Lock that tabs of one storage share. A killed holder gives it back. */
class TestLock {
  #tail: Promise<unknown> = Promise.resolve();
  #running = 0;

  readonly run = <T>(task: () => Promise<T>): Promise<T> => {
    this.#running += 1;
    const result = this.#tail.then(task);
    this.#tail = result.then(
      () => void (this.#running -= 1),
      () => void (this.#running -= 1),
    );
    return result;
  };

  async idle(): Promise<void> {
    while (this.#running > 0) await this.#tail;
  }
}

/** Thrown out of a call or a write that ends the process. */
class Killed extends Error {}

/** Kills at the n-th step: before it takes effect, or after. */
export interface KillPlan {
  readonly step: number;
  readonly when: 'before' | 'after';
}

interface DeviceOptions {
  readonly name?: string;
  readonly kind?: 0 | 1;
  readonly keyForm?: KeysPorts['keyForm'];
}

export class World {
  readonly clock = fakeTimers();
  server = new KeyServer(() => this.clock.timers.now());
  readonly devices: TestDevice[] = [];

  /** Copies the server, the time, and devices, which start anew on copies of their storages. */
  async copy(devices: readonly TestDevice[]): Promise<World> {
    const world = new World();
    const { timers } = world.clock;
    await world.clock.advance(this.clock.timers.now() - timers.now());
    world.server = this.server.clone(() => timers.now());
    for (const one of devices) {
      const device = new TestDevice(world, one.session, one.options);
      device.storage = one.storage.clone();
      world.devices.push(device);
      await device.start();
    }
    return world;
  }

  /** Creates a device that is signed in. */
  device(userId: string, options: DeviceOptions = {}): TestDevice {
    const device = new TestDevice(this, signIn(this.server, userId, options.name), options);
    this.devices.push(device);
    return device;
  }

  /** Opens a device and starts it. */
  async ready(userId: string, name?: string): Promise<TestDevice> {
    const device = this.device(userId, name === undefined ? {} : { name });
    await device.start();
    return device;
  }

  async idle(): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1) for (const { lock } of this.devices) await lock.idle();
  }

  /** Lets time pass until the condition holds. */
  async until(condition: () => boolean, what = 'the condition'): Promise<void> {
    for (let turn = 0; turn < 40; turn += 1) {
      await this.idle();
      if (condition()) return;
      await this.clock.advance(2_500);
    }
    throw new Error(
      `${what} did not come true: ${JSON.stringify(
        this.devices.map((one) => one.state),
        null,
        1,
      )}`,
    );
  }

  /** Lets this much time pass. */
  async pass(ms: number): Promise<void> {
    await this.clock.advance(ms);
    await this.idle();
  }
}

let sessions = 0;
/** Returns a UUID that tests can read. */
export const idOf = (number: number): string => `0190a000-0000-7000-8000-${String(number).padStart(12, '0')}`;

function signIn(server: KeyServer, userId: string, name = 'Browser'): Session {
  sessions += 1;
  const session = { userId, id: idOf(900_000 + sessions), name };
  server.names.set(session.id, session.name);
  return session;
}

export class TestDevice {
  readonly world: World;
  session: Session;
  storage = new MemoryKeyStorage();
  lock = new TestLock();
  /** Server that this device reaches. */
  server: KeyServer;
  /** Milliseconds that the device's clock is ahead. */
  clockOffset = 0;
  /** Milliseconds by which the server moves the device's corrected clock. */
  correction = 0;
  kill: KillPlan | null = null;
  /** Steps of the running process. */
  steps = 0;
  readonly options: DeviceOptions;
  #keys: KeysWithConversations | undefined;
  /** True once the newest process was killed. */
  isDead = false;

  constructor(world: World, session: Session, options: DeviceOptions) {
    this.world = world;
    this.server = world.server;
    this.options = options;
    this.session = session;
  }

  /** Signs in anew: another session on the same storage. */
  signInAgain(): void {
    this.session = signIn(this.server, this.session.userId, this.options.name);
  }

  get keys(): KeysWithConversations {
    this.#keys ??= this.open();
    return this.#keys;
  }

  get state(): KeysState {
    return this.keys.state();
  }

  get phase(): string {
    return this.state.phase.name;
  }

  /** Opens another process on the storage, as a tab does. */
  open(): KeysWithConversations {
    const process = { isDead: false };
    this.isDead = false;
    const end = () => {
      process.isDead = true;
      this.isDead = true;
    };
    const step = async <T>(act: () => Promise<T>): Promise<T> => {
      if (process.isDead) throw new Killed();
      this.steps += 1;
      const isHit = this.kill?.step === this.steps;
      if (isHit && this.kill?.when === 'before') {
        end();
        throw new Killed();
      }
      const result = await act();
      if (isHit) end();
      if (process.isDead) throw new Killed();
      return result;
    };
    const { timers } = this.world.clock;
    const keys = openKeys({
      userId: this.session.userId,
      kind: this.options.kind ?? 0,
      keyForm: this.options.keyForm ?? 'engine',
      storage: {
        read: async (key) => (process.isDead ? Promise.reject(new Killed()) : this.storage.read(key)),
        list: async (prefix) => (process.isDead ? Promise.reject(new Killed()) : this.storage.list(prefix)),
        write: (values) => step(() => this.storage.write(values)),
        close: () => undefined,
      },
      runAlone: (task) => this.lock.run(task),
      call: (async (route: never, options: object = {}) =>
        step(() => this.server.call(this.session, route, options))) as KeysPorts['call'],
      timers: { ...timers, now: () => timers.now() + this.clockOffset + this.correction },
      deviceNow: () => timers.now() + this.clockOffset,
      newId: () => crypto.randomUUID(),
    });
    const listen = this.world.server.listeners;
    listen.set(`${this.session.userId}/${this.session.id}`, (frame) => {
      if (process.isDead) return;
      keys.conversations.onFrame(frame);
      keys.onFrame(frame);
    });
    return keys;
  }

  start(): Promise<void> {
    return this.keys.start();
  }

  /** Ends the process without a word, and opens another one, which a plan may kill. */
  async restart(kill: KillPlan | null = null): Promise<void> {
    this.kill = null;
    this.#keys?.stop();
    await this.lock.idle();
    this.#keys = undefined;
    this.steps = 0;
    this.kill = kill;
    await this.start();
  }
}

/** Numbers from a seed (mulberry32), so that a failed run can be repeated. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Returns true for a device of the account that opened the vault and has read all of it. */
export const isQuiet = ({ state }: TestDevice): boolean => state.phase.name === 'ready' && state.vault === 'open';

/** Lets a device look at its server. */
export async function look(device: TestDevice): Promise<void> {
  device.keys.onFrame({ type: 'vault_changed', data: {} });
  await device.world.pass(1);
}
