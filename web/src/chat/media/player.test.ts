import { settlePromises } from '../../../../packages/client/tests/fakeTimers.ts';
import { createPlayer } from './player.ts';
import type { PlayerTrack } from './player.ts';

function fakeSound(duration = 10) {
  const listeners = new Map<string, Set<() => void>>();
  const fire = (event: string) => [...(listeners.get(event) ?? [])].forEach((listener) => listener());
  let playable = true;
  const sound = {
    currentTime: 0,
    duration: Number.NaN,
    playbackRate: 1,
    paused: true,
    address: '',
    get src() {
      return sound.address;
    },
    set src(address: string) {
      sound.address = address;
      sound.duration = duration;
      queueMicrotask(() => fire('loadedmetadata'));
    },
    async play() {
      if (!playable) throw new DOMException('no', 'NotSupportedError');
      sound.paused = false;
      fire('play');
    },
    pause() {
      if (sound.paused) return;
      sound.paused = true;
      fire('pause');
    },
    addEventListener: (event: string, listener: () => void) =>
      void listeners.set(event, (listeners.get(event) ?? new Set()).add(listener)),
    removeEventListener: (event: string, listener: () => void) => void listeners.get(event)?.delete(listener),
  };
  return { sound, fire, break: () => void (playable = false) };
}

function start(duration = 10) {
  const fake = fakeSound(duration);
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  const open = () => createPlayer(() => fake.sound as unknown as HTMLAudioElement, storage);
  return { ...fake, player: open(), open };
}

const track = (key: string, more: Partial<PlayerTrack> = {}): PlayerTrack => ({
  key,
  load: async () => `blob:${key}`,
  duration: 4,
  ...more,
});

test('a track plays, pauses and resumes', async () => {
  const { player, sound } = start();
  player.toggle(track('a'));
  expect(player.store.getState()).toMatchObject({ key: 'a', status: 'loading', duration: 4 });
  await settlePromises();
  expect(player.store.getState().status).toBe('playing');
  player.toggle(track('a'));
  expect(player.store.getState().status).toBe('paused');
  player.toggle(track('a'));
  await settlePromises();
  expect(sound.paused).toBe(false);
});

test('one track plays at a time, and the answer to an earlier request is dropped', async () => {
  const { player, sound } = start();
  let answer: (address: string) => void = () => {};
  player.toggle(track('slow', { load: () => new Promise((resolve) => (answer = resolve)) }));
  player.toggle(track('b'));
  await settlePromises();
  answer('blob:slow');
  await settlePromises();
  expect(sound.address).toBe('blob:b');
  expect(player.store.getState().key).toBe('b');
});

test('the next track plays at the end of one, and each reports that it was played', async () => {
  const { player, fire } = start();
  const played: string[] = [];
  const next = track('b', { onPlay: () => played.push('b') });
  player.toggle(track('a', { next: () => next, onPlay: () => played.push('a') }));
  await settlePromises();
  fire('ended');
  await settlePromises();
  expect(player.store.getState()).toMatchObject({ key: 'b', status: 'playing' });
  expect(played).toEqual(['a', 'b']);
  fire('ended');
  await settlePromises();
  expect(player.store.getState()).toMatchObject({ status: 'paused', time: 0 });
});

test('a recording without a duration seeks to its end to find it', async () => {
  const { player, sound, fire } = start(Infinity);
  player.toggle(track('a'));
  await settlePromises();
  expect(sound.currentTime).toBeGreaterThan(1_000_000);
  expect(player.store.getState().time).toBe(0);
  sound.duration = 7;
  fire('durationchange');
  await settlePromises();
  expect(sound.currentTime).toBe(0);
  expect(player.store.getState().status).toBe('playing');
});

test('a track starts where the person pressed, and seeks where they press next', async () => {
  const { player, sound } = start();
  player.seek(track('a'), 3);
  await settlePromises();
  expect(sound.currentTime).toBe(3);
  player.seek(track('a'), 8);
  expect(sound.currentTime).toBe(8);
});

test('the speed applies to all tracks, also after a reload', async () => {
  const { player, open, sound } = start();
  player.setSpeed(1.5);
  player.toggle(track('a'));
  await settlePromises();
  expect(sound.playbackRate).toBe(1.5);
  expect(open().store.getState().speed).toBe(1.5);
});

test('a track that cannot be loaded or decoded fails, and can be tried again', async () => {
  const { player, ...fake } = start();
  player.toggle(track('a', { load: () => Promise.reject(new Error('gone')) }));
  await settlePromises();
  expect(player.store.getState().status).toBe('failed');
  player.toggle(track('a'));
  await settlePromises();
  expect(player.store.getState().status).toBe('playing');
  fake.break();
  player.toggle(track('b'));
  await settlePromises();
  expect(player.store.getState().status).toBe('failed');
});
