import { createStore } from 'zustand/vanilla';

/** Playable sound. */
export interface PlayerTrack {
  /** Key of the message. */
  readonly key: string;
  /** Returns the URL of its bytes when it is played. */
  readonly load: () => Promise<string>;
  /** Duration in seconds, if the sender included it. Recorders often write none into their files. */
  readonly duration: number | null;
  /** Returns the track that plays after this one. */
  readonly next?: () => PlayerTrack | null;
  readonly onPlay?: () => void;
}

export const playbackSpeeds = [1, 1.5, 2] as const;
export type PlaybackSpeed = (typeof playbackSpeeds)[number];

export interface PlayerState {
  /** Track that is playing or paused, or null. */
  readonly key: string | null;
  readonly status: 'loading' | 'playing' | 'paused' | 'failed';
  /** Position in seconds. */
  readonly time: number;
  readonly duration: number | null;
  readonly speed: PlaybackSpeed;
}

type Sound = Pick<
  HTMLAudioElement,
  'src' | 'currentTime' | 'duration' | 'playbackRate' | 'play' | 'pause' | 'addEventListener' | 'removeEventListener'
>;
type SpeedStorage = Pick<Storage, 'getItem' | 'setItem'>;

const speedKey = 'nolo.voiceSpeed';
/** Position beyond any end. Seeking there makes the browser determine the duration. */
const faraway = 1e7;

/** Plays one track at a time, anywhere on the screen. */
export function createPlayer(makeSound: () => Sound, storage: SpeedStorage) {
  const kept = playbackSpeeds.find((speed) => String(speed) === storage.getItem(speedKey));
  const store = createStore<PlayerState>(() => ({
    key: null,
    status: 'paused',
    time: 0,
    duration: null,
    speed: kept ?? 1,
  }));
  let sound: Sound | null = null;
  let track: PlayerTrack | null = null;
  /** Start position after loading. */
  let wanted = 0;
  /** Increases with each played track, so that results for older ones are ignored. */
  let turn = 0;

  const lengthNow = (): number | null => {
    const measured = sound && Number.isFinite(sound.duration) && sound.duration > 0 ? sound.duration : null;
    return measured ?? track?.duration ?? null;
  };

  const opened = (): Sound => {
    if (sound) return sound;
    const made = makeSound();
    made.addEventListener('timeupdate', () => {
      // The position is meaningless while the duration is being determined.
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

  /** Recorders write neither a duration nor seek positions. Seeking to the end makes the browser determine both. */
  const measure = (made: Sound): Promise<void> =>
    new Promise((resolve) => {
      const handleDuration = (): void => {
        if (made.duration === Infinity) {
          made.currentTime = faraway;
          return;
        }
        made.removeEventListener('loadedmetadata', handleDuration);
        made.removeEventListener('durationchange', handleDuration);
        resolve();
      };
      made.addEventListener('loadedmetadata', handleDuration);
      made.addEventListener('durationchange', handleDuration);
      // Unreadable files fire `error`, and `play` rejects.
      made.addEventListener('error', () => resolve());
    });

  const play = async (next: PlayerTrack, from: number): Promise<void> => {
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
      // Paused before playback started.
      if (mine !== turn || (error as Error).name === 'AbortError') return;
      store.setState({ status: 'failed' });
      track = null;
    }
  };

  return {
    store,
    /** Plays, pauses, or resumes. */
    toggle(next: PlayerTrack): void {
      const { key, status } = store.getState();
      if (key !== next.key || status === 'failed' || !track) return void play(next, key === next.key ? wanted : 0);
      track = next;
      if (status === 'playing') sound?.pause();
      else if (status === 'paused') sound?.play().catch(() => store.setState({ status: 'failed' }));
    },
    /** Seeks to a position in seconds. A track that is not loaded starts there. */
    seek(next: PlayerTrack, seconds: number): void {
      const { key, status } = store.getState();
      if (key !== next.key || status === 'failed' || !track) return void play(next, seconds);
      wanted = Math.max(0, seconds);
      store.setState({ time: wanted });
      if (status !== 'loading' && sound) sound.currentTime = wanted;
    },
    setSpeed(speed: PlaybackSpeed): void {
      store.setState({ speed });
      if (sound) sound.playbackRate = speed;
      try {
        storage.setItem(speedKey, String(speed));
      } catch {
        // Full storage means that the speed lasts until the page closes.
      }
    },
    /** Pauses because a recording or call starts, or the conversation closes. */
    pause(): void {
      turn += 1;
      sound?.pause();
      if (store.getState().status === 'loading') store.setState({ key: null, status: 'paused' });
    },
  };
}

let own: ReturnType<typeof createPlayer> | undefined;

/** Returns the only player of this tab. */
export function getVoicePlayer(): ReturnType<typeof createPlayer> {
  return (own ??= createPlayer(() => new Audio(), localStorage));
}
