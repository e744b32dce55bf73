import type { Bus } from './bus.ts';
import type { Clock } from './clock.ts';
import { AppError } from './errors.ts';
import type { Ground } from './service.ts';

/** To everybody, from whoever keeps them: what operators set has changed. */
export const settingsChanged = 'installation.settings';

/** What operators set while the installation runs, as this process knows it. */
export interface Settings<Values> {
  /** What was heard last; nothing is asked for it. Nothing is set until something was heard. */
  current(): Values;
  /** What goes out, or cannot be taken back, waits where this is false; see `Followed`. */
  isKnown(): boolean;
  onChange(listener: (now: Values) => void): void;
}

export interface SettingsOptions<Values> {
  /** Of identity, which keeps them. */
  list: () => Promise<{ settings: readonly { name?: string | undefined; value?: string | undefined }[] }>;
  read: (rows: readonly { name?: string | undefined; value?: string | undefined }[]) => Values;
}

export interface SettingsGround extends Pick<Ground<unknown>, 'onStop' | 'repeat' | 'log'> {
  bus: Pick<Bus, 'subscribe' | 'onReconnect'>;
  clock: Clock;
}

const everyMs = 60_000;
/** Pauses after a question that failed: while nothing was heard yet, and later. */
const firstAgainMs = 1_000;
const againMs = 5_000;
/** How long an answer is believed while nobody can be asked. */
const heldMs = 15 * 60_000;

/**
 * Follows what operators set: asked for at the start, at every word of a change, and every minute, for a word may be lost.
 * Where nobody can be asked, what was heard last holds for a quarter of an hour, and is not known from then on.
 */
export function createSettings<Values extends object>(
  ground: SettingsGround,
  { list, read }: SettingsOptions<Values>,
): Settings<Values> {
  let known = read([]);
  const listeners: ((now: Values) => void)[] = [];
  const { isKnown } = follow(ground, { name: 'settings', subject: settingsChanged }, async () => {
    const fresh = read((await list()).settings);
    const isSame = JSON.stringify(fresh) === JSON.stringify(known);
    known = fresh;
    if (!isSame) for (const tell of listeners) tell(fresh);
  });
  return { current: () => known, isKnown, onChange: (listener) => void listeners.push(listener) };
}

export interface Followed {
  /**
   * False until something was heard, and again once nobody could be asked for a quarter of an hour. What cannot be taken
   * back waits then, rather than go by what may be another by now; the first to wait is logged.
   */
  isKnown(): boolean;
}

/** Asks again and again, as above. */
export function follow(
  { bus, clock, log, onStop, repeat }: SettingsGround,
  { name, subject }: { name: string; subject: string },
  refresh: () => Promise<void>,
): Followed {
  let heardAt: number | undefined;
  /** Not while the first question is under way: a process that begins has not missed anything. */
  let hasFailed = false;
  let isAway = false;
  let isWaitedFor = false;
  const now = () => clock.now().getTime();
  const asking = repeat({
    name,
    everyMs,
    everywhere: true,
    async run() {
      try {
        const askedAt = now();
        await refresh();
        if (isAway || isWaitedFor) log.info({ what: name }, 'what operators set can be asked for again');
        [heardAt, isAway, isWaitedFor] = [askedAt, false, false];
        return undefined;
      } catch (error) {
        hasFailed = true;
        if (heardAt === undefined) {
          log.debug({ err: error, what: name }, 'what operators set is not known yet');
          return new Date(now() + firstAgainMs);
        }
        if (!isAway)
          log.warn({ err: error, what: name }, 'what operators set cannot be asked for; the last answer holds');
        isAway = true;
        return new Date(now() + againMs);
      }
    },
  });
  const ask = () => asking.at(clock.now());
  ask();
  onStop(name, bus.subscribe(subject, ask));
  // What was told meanwhile has gone by.
  onStop(`${name} after an outage`, bus.onReconnect(ask));
  return {
    isKnown() {
      if (heardAt !== undefined && now() - heardAt < heldMs) return true;
      if (hasFailed && !isWaitedFor) {
        log.warn({ what: name }, 'what operators set is not known: nothing that depends on it goes out');
        isWaitedFor = true;
      }
      return false;
    },
  };
}

/** @throws AppError unavailable 'service_unavailable', while what this goes by is not known */
export function mustBeKnown(followed: Followed): void {
  if (followed.isKnown()) return;
  throw new AppError('unavailable', 'service_unavailable', 'A part of the system cannot be reached right now.', {
    reason: 'what operators set is not known',
    retryAfterMs: againMs,
  });
}

/** @throws AppError forbidden 'switched_off', where an operator has switched off what this is about */
export function mustBeOn<Name extends string>(
  settings: Pick<Settings<{ readonly [N in Name]?: unknown }>, 'current'>,
  name: Name,
): void {
  if (settings.current()[name] !== false) return;
  throw new AppError('forbidden', 'switched_off', 'The operators have switched this off.', {
    details: { feature: name },
  });
}
