import type { Clock } from '@nolo/kit/clock';
import type { UserId } from '@nolo/kit/ids';
import type { LastSeen, People } from './peoplePorts.ts';
import type { Accounts, Connections, DueUsers, Frames } from './ports.ts';
import { mayBeSeen, shownPresence, type ShownPresence } from './presence.ts';

/** A reload closes the last socket and opens the first within moments; watchers are spared the flicker. */
export const graceMs = 3000;

/** Between two words of one person's changes; what else changes meanwhile is told together. */
export const paceMs = 2000;

/** A person known by more hears of fewer: the rest see the change when they next load the list. */
const mostWatchers = 5000;

export interface Announcements {
  /**
   * Tells those who may see it what the person's presence is now. `includeHidden` also tells those who may
   * not see it that the person is offline, as is right after permission was taken away.
   */
  presence(userId: UserId, options?: { includeHidden?: boolean }): Promise<void>;
  /** The same after somebody changed their presence or status message, which they may do as often as they like. */
  changed(userId: UserId): Promise<void>;
  /** Tells one viewer, after a block changed. */
  presenceTo(viewerId: UserId, userId: UserId): Promise<void>;
  /** A gateway saw the person's first socket open. */
  arrived(userId: UserId): Promise<void>;
  /** A gateway saw the person's last socket close. */
  left(userId: UserId): Promise<void>;
  /** Announces departures whose grace is over, and changes that were gathered. */
  announceDue(): Promise<void>;
  /** When there is something to announce next. */
  nextDue(): Promise<Date | undefined>;
}

export interface AnnouncementsOptions {
  accounts: Accounts;
  people: People;
  connections: Connections;
  lastSeen: Pick<LastSeen, 'note'>;
  /** People whose last socket closed a moment ago, and who may be back in the next. */
  departures: DueUsers;
  /** People of whose changes watchers were told a moment ago, and of whom there is more to tell. */
  told: DueUsers;
  changes: DueUsers;
  frames: Frames;
  /** Asked before a presence is read: what is read last then has the highest version, whichever frame arrives last. */
  nextVersion: () => Promise<number>;
  clock: Clock;
}

/**
 * Who left a moment ago is still there to everybody: nobody is told of it when they are back within the grace, and whoever
 * had seen them offline meanwhile would go on to.
 */
export function withGrace(connections: Connections, departures: Pick<DueUsers, 'noted'>): Connections {
  return {
    async online(userIds) {
      const [connected, leaving] = await Promise.all([connections.online(userIds), departures.noted(userIds)]);
      return new Set([...connected, ...leaving]);
    },
  };
}

export function createAnnouncements(options: AnnouncementsOptions): Announcements {
  const { accounts, people, lastSeen, departures, told, changes, frames, nextVersion, clock } = options;
  const connections = withGrace(options.connections, departures);

  const isOnline = async (userId: UserId) => (await connections.online([userId])).has(userId);

  const send = async (recipients: UserId[], userId: UserId, shown: ShownPresence, version: number) => {
    if (recipients.length === 0) return;
    const { lastSeenAt, ...rest } = shown;
    const seen = lastSeenAt && { lastSeenAt: lastSeenAt.toISOString() };
    await frames.send(recipients, { type: 'presence', data: { userId, ...rest, ...seen, version } });
  };

  const presence: Announcements['presence'] = async (userId, { includeHidden = false } = {}) => {
    const version = await nextVersion();
    const [account, watchers, connected] = await Promise.all([
      accounts.find(userId),
      people.watchers(userId, mostWatchers),
      isOnline(userId),
    ]);
    if (!account) return;
    // Of the few ways in which somebody may be seen, each is told once.
    const told = new Map<string, { shown: ShownPresence; recipients: UserId[] }>();
    for (const watcher of watchers) {
      const shown = shownPresence(account, connected, { ...watcher, isSelf: false });
      const sees =
        mayBeSeen(account.presenceVisibility, { ...watcher, isSelf: false }) || shown.lastSeenAt !== undefined;
      // Whoever is blocked has seen nothing since, and a word now would tell them of the change.
      if (!sees && (watcher.blocksViewer || !includeHidden)) continue;
      const key = JSON.stringify(shown);
      const alike = told.get(key);
      if (alike) alike.recipients.push(watcher.userId);
      else told.set(key, { shown, recipients: [watcher.userId] });
    }
    for (const { shown, recipients } of told.values()) await send(recipients, userId, shown, version);
  };

  const announceDeparture = async (userId: UserId) => {
    if (await isOnline(userId)) return;
    await lastSeen.note(userId, clock.now());
    await presence(userId);
    // Whoever connected in between was announced before this and would stay offline to others.
    if (await isOnline(userId)) await presence(userId);
  };

  const left: Announcements['left'] = (userId) => departures.note(userId, new Date(clock.now().getTime() + graceMs));

  /** Takes out whoever is due, a hundred at a time, and puts back those whom the work did not come to. */
  const workOff = async (
    due: DueUsers,
    work: (userId: UserId) => Promise<void>,
    putBack: (userId: UserId) => Promise<unknown>,
  ) => {
    for (;;) {
      const users = await due.take(clock.now(), 100);
      for (const [index, userId] of users.entries()) {
        try {
          await work(userId);
        } catch (error) {
          for (const untold of users.slice(index)) await putBack(untold);
          throw error;
        }
      }
      if (users.length < 100) return;
    }
  };

  const gather = (userId: UserId) => changes.noteFirst(userId, new Date(clock.now().getTime() + paceMs));

  return {
    presence,

    async changed(userId) {
      if (await told.noteFirst(userId, new Date(clock.now().getTime() + paceMs))) await presence(userId);
      else await gather(userId);
    },

    async presenceTo(viewerId, userId) {
      const version = await nextVersion();
      const [[person], connected] = await Promise.all([people.acquaintances(viewerId, [userId]), isOnline(userId)]);
      if (!person) return;
      const standing = { ...person, isSelf: false };
      const unblocked = shownPresence(person, connected, { ...standing, blocksViewer: false });
      // Where there is nothing to see either way, a frame could only tell that something was done.
      const nothing = unblocked.presenceStatus === 'offline' && unblocked.statusMessage === '';
      if (nothing && unblocked.lastSeenAt === undefined) return;
      await send([viewerId], userId, shownPresence(person, connected, standing), version);
    },

    async arrived(userId) {
      if (!(await departures.cancel(userId))) await presence(userId);
      // Back within the grace, nobody has been told that they left. But reports may overtake each other, and then this
      // cancelled the departure that followed it.
      else if (!(await isOnline(userId))) await left(userId);
    },

    left,

    async nextDue() {
      const all = await Promise.all([told.next(), changes.next(), departures.next()]);
      return all.filter((due) => due !== undefined).toSorted((a, b) => a.getTime() - b.getTime())[0];
    },

    async announceDue() {
      await workOff(
        told,
        async () => undefined,
        async () => undefined,
      );
      await workOff(changes, presence, gather);
      // Whoever was taken out but not told of would stay online for ever to others.
      await workOff(departures, announceDeparture, left);
    },
  };
}
