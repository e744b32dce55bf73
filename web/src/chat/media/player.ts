import { createStore } from 'zustand/vanilla';

/** Something to listen to. */
export interface Track {
  /** Of the message that carries it. */
  readonly key: string;
  /** Where its bytes are; asked for when it is played. */
  readonly load: () => Promise<string>;
  /** Seconds, where the sender said; what recorders write into their files often does not say. */
  readonly duration: number | null;
  /** What is played when it has come to its end. */
  readonly next?: () => Track | null;
  readonly onPlay?: () => void;
}

export const speeds = [1, 1.5, 2] as const;
export type Speed = (typeof speeds)[number];

export interface PlayerState {
  /** What is played, or was paused; null for nothing. */
  readonly key: string | null;
  readonly status: 'loading' | 'playing' | 'paused' | 'failed';
  /** Seconds. */
  readonly time: number;
  readonly duration: number | null;
  readonly speed: Speed;
}

type Sound = Pick<
  HTMLAudioElement,
  'src' | 'currentTime' | 'duration' | 'playbackRate' | 'play' | 'pause' | 'addEventListener' | 'removeEventListener'
>;
type SpeedStorage = Pick<Storage, 'getItem' | 'setItem'>;

const speedKey = 'nolo.voiceSpeed';
/** Beyond the end of anything: a player that is sent there finds out how long it is. */
const faraway = 1e7;

/** Plays one thing at a time, wherever on the screen it stands. */
export function createPlayer(makeSound: () => Sound, storage: SpeedStorage) {
  const kept = speeds.find((speed) => String(speed) === storage.getItem(speedKey));
  const store = createStore<PlayerState>(() => ({
    key: null,
    status: 'paused',
    time: 0,
    duration: null,
    speed: kept ?? 1,
  }));
  let sound: Sound | null = null;
  let track: Track | null = null;
  /** Where it is to begin, once it is here. */
  let wanted = 0;
  /** Grows with each thing that is played: an answer to an older one is for nobody. */
  let turn = 0;

  const lengthNow = (): number | null => {
    const measured = sound && Number.isFinite(sound.duration) && sound.duration > 0 ? sound.duration : null;
    return measured ?? track?.duration ?? null;
  };

  const opened = (): Sound => {
    if (sound) return sound;
    const made = makeSound();
    made.addEventListener('timeupdate', () => {
      // While its length is being found out it is nowhere.
      if (made.currentTime < faraway / 2) store.setState({ time: made.currentTime, duration: lengthNow() });
    });
    made.addEventListener('pause', () => {
      if (store.getState().status === 'playing') store.setState({ status: 'paused' });
    });
    made.addEventListener('play', () => store.setState({ status: 'playing' }));
    made.addEventListener('ended', () => {
      const next = track?.next?.() ?? null;
      store.setState({ status: 'paused', time: 0 });
      made.currentTime = 0;
      if (next) void play(next, 0);
    });
    return (sound = made);
  };

  /** Recorders write no length and no places to go to: once it was sent to its end, the browser knows both. */
  const measure = (made: Sound): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (made.duration === Infinity) {
          made.currentTime = faraway;
          return;
        }
        made.removeEventListener('loadedmetadata', look);
        made.removeEventListener('durationchange', look);
        resolve();
      };
      made.addEventListener('loadedmetadata', look);
      made.addEventListener('durationchange', look);
      // What cannot be read says so by `error`, and `play` rejects.
      made.addEventListener('error', () => resolve());
    });

  const play = async (next: Track, from: number): Promise<void> => {
    const mine = (turn += 1);
    const made = opened();
    made.pause();
    track = next;
    wanted = from;
    store.setState({ key: next.key, status: 'loading', time: from, duration: next.duration });
    try {
      const address = await next.load();
      if (mine !== turn) return;
      const measured = measure(made);
      made.src = address;
      await measured;
      if (mine !== turn) return;
      made.currentTime = Math.min(wanted, lengthNow() ?? wanted);
      made.playbackRate = store.getState().speed;
      await made.play();
      if (mine === turn) next.onPlay?.();
    } catch (error) {
      // Paused before it began.
      if (mine !== turn || (error as Error).name === 'AbortError') return;
      store.setState({ status: 'failed' });
      track = null;
    }
  };

  return {
    store,
    /** Plays, or pauses and goes on. */
    toggle(next: Track): void {
      const { key, status } = store.getState();
      if (key !== next.key || status === 'failed' || !track) return void play(next, key === next.key ? wanted : 0);
      track = next;
      if (status === 'playing') sound?.pause();
      else if (status === 'paused') sound?.play().catch(() => store.setState({ status: 'failed' }));
    },
    /** Goes to a place, in seconds; what is not being played yet begins there. */
    seek(next: Track, seconds: number): void {
      const { key, status } = store.getState();
      if (key !== next.key || status === 'failed' || !track) return void play(next, seconds);
      wanted = Math.max(0, seconds);
      store.setState({ time: wanted });
      if (status !== 'loading' && sound) sound.currentTime = wanted;
    },
    setSpeed(speed: Speed): void {
      store.setState({ speed });
      if (sound) sound.playbackRate = speed;
      try {
        storage.setItem(speedKey, String(speed));
      } catch {
        // A full storage forgets it with the page.
      }
    },
    /** Silence: somebody records, a call comes, or the conversation is left. */
    pause(): void {
      turn += 1;
      sound?.pause();
      if (store.getState().status === 'loading') store.setState({ key: null, status: 'paused' });
    },
  };
}

let own: ReturnType<typeof createPlayer> | undefined;

/** The one player of this tab. */
export function voicePlayer(): ReturnType<typeof createPlayer> {
  return (own ??= createPlayer(() => new Audio(), localStorage));
}
