import type { Bus } from './bus.ts';
import type { Clock } from './clock.ts';
import { AppError } from './errors.ts';
import type { Ground } from './service.ts';

/** To everybody, from whoever keeps them: what operators set has changed. */
export const settingsChanged = 'installation.settings';

/** What operators set while the installation runs, as this process knows it. */
export interface Settings<Values> {
  /** What is set now; nothing is asked for it. Nothing is, until it is known. */
  current(): Values;
  /** False until it was heard once since this process began: what cannot be taken back waits for that. */
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
/** Where whoever keeps them is not there yet. */
const againMs = 1_000;

/**
 * Follows what operators set: asked for at the start, at every word of a change, and every minute, for a word may be lost.
 * Where nobody can be asked, what was heard last holds.
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

/** Asks again and again, as above. */
export function follow(
  { bus, clock, log, onStop, repeat }: SettingsGround,
  { name, subject }: { name: string; subject: string },
  refresh: () => Promise<void>,
): { isKnown(): boolean } {
  let isKnown = false;
  const asking = repeat({
    name,
    everyMs,
    everywhere: true,
    async run() {
      try {
        await refresh();
        isKnown = true;
        return undefined;
      } catch (error) {
        if (isKnown) throw error;
        log.debug({ err: error }, 'what operators set is not known yet');
        return new Date(clock.now().getTime() + againMs);
      }
    },
  });
  const ask = () => asking.at(clock.now());
  ask();
  onStop(name, bus.subscribe(subject, ask));
  // What was told meanwhile has gone by.
  onStop(`${name} after an outage`, bus.onReconnect(ask));
  return { isKnown: () => isKnown };
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
