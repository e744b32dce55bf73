import type { Clock } from '@nolo/kit/clock';
import type { UserId } from '@nolo/kit/ids';
import type { LastSeenStore, PeopleReader } from './peoplePorts.ts';
import type { AccountStore, OnlineUsers, DueUserQueue, IdentityFrameSender } from './ports.ts';
import { isVisibleTo, computeShownPresence, type ShownPresence } from './presence.ts';

/**
 * Grace period before a departure. A reload closes the last socket and opens a new one within moments, and watchers
 * should not see that.
 */
export const departureGraceMs = 3000;

/** Minimum interval between announcements of one user's changes. Changes in between are combined. */
export const minBroadcastIntervalMs = 2000;

/** Maximum watchers notified of a change. The rest see it when they next load the list. */
const maxNotifiedWatchers = 5000;

export interface PresenceBroadcaster {
  /**
   * Publishes a user's current presence to everyone who may see it. `includeHidden` also shows the user as offline to
   * those who may not, for use after permission is revoked.
   */
  presence(userId: UserId, options?: { includeHidden?: boolean }): Promise<void>;
  /** Publishes after a change of presence or status message, which users may make as often as they like. */
  changed(userId: UserId): Promise<void>;
  /** Notifies one viewer after a block changed. */
  presenceTo(viewerId: UserId, userId: UserId): Promise<void>;
  /** Handles a gateway's report that the user's first socket opened. */
  arrived(userId: UserId): Promise<void>;
  /** Handles a gateway's report that the user's last socket closed. */
  left(userId: UserId): Promise<void>;
  /** Announces departures whose grace period ended, and collected changes. */
  broadcastDue(): Promise<void>;
  /** Returns when the next announcement is due. */
  nextDue(): Promise<Date | undefined>;
}

export interface PresenceBroadcasterOptions {
  accounts: AccountStore;
  people: PeopleReader;
  connections: OnlineUsers;
  lastSeen: Pick<LastSeenStore, 'recordLastSeen'>;
  /** Users whose last socket just closed and who may return at once. */
  departures: DueUserQueue;
  /** Users whose watchers were just notified, so further changes wait. */
  broadcasts: DueUserQueue;
  changes: DueUserQueue;
  frames: IdentityFrameSender;
  /** Allocated before a presence is read, so the newest read has the highest version regardless of arrival order. */
  nextVersion: () => Promise<number>;
  clock: Clock;
}

/**
 * Treats users within the grace period as online. Returning within it is not announced, so anyone who saw them offline
 * meanwhile would keep seeing that.
 */
export function withDepartureGrace(
  connections: OnlineUsers,
  departures: Pick<DueUserQueue, 'filterScheduled'>,
): OnlineUsers {
  return {
    async online(userIds) {
      const [connected, leaving] = await Promise.all([
        connections.online(userIds),
        departures.filterScheduled(userIds),
      ]);
      return new Set([...connected, ...leaving]);
    },
  };
}

export function createPresenceBroadcaster(options: PresenceBroadcasterOptions): PresenceBroadcaster {
  const { accounts, people, lastSeen, departures, broadcasts, changes, frames, nextVersion, clock } = options;
  const connections = withDepartureGrace(options.connections, departures);

  const isOnline = async (userId: UserId) => (await connections.online([userId])).has(userId);

  const send = async (recipients: UserId[], userId: UserId, shown: ShownPresence, version: number) => {
    if (recipients.length === 0) return;
    const { lastSeenAt, ...rest } = shown;
    const seen = lastSeenAt && { lastSeenAt: lastSeenAt.toISOString() };
    await frames.send(recipients, { type: 'presence', data: { userId, ...rest, ...seen, version } });
  };

  const presence: PresenceBroadcaster['presence'] = async (userId, { includeHidden = false } = {}) => {
    const version = await nextVersion();
    const [account, watchers, connected] = await Promise.all([
      accounts.find(userId),
      people.watchers(userId, maxNotifiedWatchers),
      isOnline(userId),
    ]);
    if (!account) return;
    // Groups watchers by what they may see, so each variant is sent once.
    const broadcasts = new Map<string, { shown: ShownPresence; recipients: UserId[] }>();
    for (const watcher of watchers) {
      const shown = computeShownPresence(account, connected, { ...watcher, isSelf: false });
      const sees =
        isVisibleTo(account.presenceVisibility, { ...watcher, isSelf: false }) || shown.lastSeenAt !== undefined;
      // A blocked watcher has not seen anything since, and a frame now would reveal the change.
      if (!sees && (watcher.blocksViewer || !includeHidden)) continue;
      const key = JSON.stringify(shown);
      const alike = broadcasts.get(key);
      if (alike) alike.recipients.push(watcher.userId);
      else broadcasts.set(key, { shown, recipients: [watcher.userId] });
    }
    for (const { shown, recipients } of broadcasts.values()) await send(recipients, userId, shown, version);
  };

  const announceDeparture = async (userId: UserId) => {
    if (await isOnline(userId)) return;
    await lastSeen.recordLastSeen(userId, clock.now());
    await presence(userId);
    // A user who connected in between was announced earlier and would otherwise stay offline to others.
    if (await isOnline(userId)) await presence(userId);
  };

  const left: PresenceBroadcaster['left'] = (userId) =>
    departures.recordLastSeen(userId, new Date(clock.now().getTime() + departureGraceMs));

  /** Processes due users in batches of a hundred and puts back those that were not processed. */
  const workOff = async (
    due: DueUserQueue,
    work: (userId: UserId) => Promise<void>,
    putBack: (userId: UserId) => Promise<unknown>,
  ) => {
    for (;;) {
      const users = await due.take(clock.now(), 100);
      for (const [index, userId] of users.entries()) {
        try {
          await work(userId);
        } catch (error) {
          for (const remaining of users.slice(index)) await putBack(remaining);
          throw error;
        }
      }
      if (users.length < 100) return;
    }
  };

  const gather = (userId: UserId) =>
    changes.scheduleIfAbsent(userId, new Date(clock.now().getTime() + minBroadcastIntervalMs));

  return {
    presence,

    async changed(userId) {
      if (await broadcasts.scheduleIfAbsent(userId, new Date(clock.now().getTime() + minBroadcastIntervalMs)))
        await presence(userId);
      else await gather(userId);
    },

    async presenceTo(viewerId, userId) {
      const version = await nextVersion();
      const [[person], connected] = await Promise.all([people.acquaintances(viewerId, [userId]), isOnline(userId)]);
      if (!person) return;
      const standing = { ...person, isSelf: false };
      const unblocked = computeShownPresence(person, connected, { ...standing, blocksViewer: false });
      // If nothing is visible either way, a frame would only reveal that something changed.
      const nothing = unblocked.presenceStatus === 'offline' && unblocked.statusMessage === '';
      if (nothing && unblocked.lastSeenAt === undefined) return;
      await send([viewerId], userId, computeShownPresence(person, connected, standing), version);
    },

    async arrived(userId) {
      if (!(await departures.cancel(userId))) await presence(userId);
      // A return within the grace period needs no announcement, because the departure was not announced. Reports may
      // arrive out of order, in which case this canceled a later departure.
      else if (!(await isOnline(userId))) await left(userId);
    },

    left,

    async nextDue() {
      const all = await Promise.all([broadcasts.next(), changes.next(), departures.next()]);
      return all.filter((due) => due !== undefined).toSorted((a, b) => a.getTime() - b.getTime())[0];
    },

    async broadcastDue() {
      await workOff(
        broadcasts,
        async () => undefined,
        async () => undefined,
      );
      await workOff(changes, presence, gather);
      // A user who was removed but not announced would stay online to others forever.
      await workOff(departures, announceDeparture, left);
    },
  };
}
