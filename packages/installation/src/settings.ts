import type { Bus } from '@nolo/kit/bus';
import type { Clock } from '@nolo/kit/clock';
import { AppError } from '@nolo/kit/errors';
import type { ServiceContext } from '@nolo/kit/service';

/** Event from the service that owns the settings to all services: the settings changed. */
export const settingsChangedSubject = 'installation.settings';

/** Run-time settings by operators, as this process knows them. */
export interface FollowedSettings<Values> {
  /** Returns the last known values without a query. No setting is set before the first answer. */
  current(): Values;
  /** Returns false if actions that send data or cannot be undone must wait; see `FollowedSource`. */
  isKnown(): boolean;
  onChange(listener: (now: Values) => void): void;
}

export interface FollowOperatorSettingsOptions<Values> {
  /** Call to identity, which owns the settings. */
  list: () => Promise<{ settings: readonly { name?: string | undefined; value?: string | undefined }[] }>;
  read: (rows: readonly { name?: string | undefined; value?: string | undefined }[]) => Values;
}

export interface SettingsContext extends Pick<ServiceContext<unknown>, 'onStop' | 'repeat' | 'log'> {
  bus: Pick<Bus, 'subscribe' | 'onReconnect'>;
  clock: Clock;
}

const everyMs = 60_000;
/** Pauses after a failed query: before the first answer, and later. */
const firstRetryMs = 1_000;
const retryMs = 5_000;
/** Time for which an answer is used while identity is unavailable. */
const maxStaleMs = 15 * 60_000;

/**
 * Follows the settings. Queries them at startup, at every change event, and every minute, because an event may be lost.
 * While identity is unavailable, the last answer is used for a quarter of an hour; then the settings are unknown.
 */
export function followOperatorSettings<Values extends object>(
  context: SettingsContext,
  { list, read }: FollowOperatorSettingsOptions<Values>,
): FollowedSettings<Values> {
  let known = read([]);
  const listeners: ((now: Values) => void)[] = [];
  const { isKnown } = followSource(context, { name: 'settings', subject: settingsChangedSubject }, async () => {
    const fresh = read((await list()).settings);
    const isSame = JSON.stringify(fresh) === JSON.stringify(known);
    known = fresh;
    if (!isSame) for (const listener of listeners) listener(fresh);
  });
  return { current: () => known, isKnown, onChange: (listener) => void listeners.push(listener) };
}

export interface FollowedSource {
  /**
   * Returns false before the first answer, and again after a quarter of an hour without one. Actions that cannot be
   * undone then wait, because the value may have changed; the first wait is logged.
   */
  isKnown(): boolean;
}

/** Queries periodically, as described above. */
export function followSource(
  { bus, clock, log, onStop, repeat }: SettingsContext,
  { name, subject }: { name: string; subject: string },
  refresh: () => Promise<void>,
): FollowedSource {
  let refreshedAt: number | undefined;
  /** False during the first query: a starting process has missed nothing. */
  let hasFailed = false;
  let isAway = false;
  let isWaitedFor = false;
  const now = () => clock.now().getTime();
  const polling = repeat({
    name,
    everyMs,
    everywhere: true,
    async run() {
      try {
        const requestedAt = now();
        await refresh();
        if (isAway || isWaitedFor) log.info({ what: name }, 'operator settings readable again');
        [refreshedAt, isAway, isWaitedFor] = [requestedAt, false, false];
        return undefined;
      } catch (error) {
        hasFailed = true;
        if (refreshedAt === undefined) {
          log.debug({ err: error, what: name }, 'operator settings not known yet');
          return new Date(now() + firstRetryMs);
        }
        if (!isAway) log.warn({ err: error, what: name }, 'reading operator settings failed; using the last answer');
        isAway = true;
        return new Date(now() + retryMs);
      }
    },
  });
  const poll = () => polling.at(clock.now());
  poll();
  onStop(name, bus.subscribe(subject, poll));
  // Events published during the outage are lost.
  onStop(`${name} after an outage`, bus.onReconnect(poll));
  return {
    isKnown() {
      if (refreshedAt !== undefined && now() - refreshedAt < maxStaleMs) return true;
      if (hasFailed && !isWaitedFor) {
        log.warn({ what: name }, 'operator settings unknown; holding back everything that depends on them');
        isWaitedFor = true;
      }
      return false;
    },
  };
}

/** @throws AppError unavailable 'service_unavailable' while the followed value is not known */
export function requireKnownSettings(followed: FollowedSource): void {
  if (followed.isKnown()) return;
  throw new AppError('unavailable', 'service_unavailable', 'A part of the system cannot be reached right now.', {
    reason: 'operator settings are unknown',
    retryAfterMs: retryMs,
  });
}

/** @throws AppError forbidden 'switched_off' if an operator has switched the feature off */
export function requireSwitchedOn<Name extends string>(
  settings: Pick<FollowedSettings<{ readonly [N in Name]?: unknown }>, 'current'>,
  name: Name,
): void {
  if (settings.current()[name] !== false) return;
  throw new AppError('forbidden', 'switched_off', 'The operators have turned this feature off.', {
    details: { feature: name },
  });
}
