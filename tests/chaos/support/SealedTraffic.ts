import type { Message } from '@nolo/api';
import type { Chats } from '@nolo/client';
import { openingOf } from '@nolo/client/chat/rowOpening';
import { converse, eventually, openToGroups, signUpByPhone, TestUser } from '@nolo/testing';
import { must } from '../../support/authorization/authorizationCast.ts';
import type { ChaosHistory } from '../../support/clients/ChaosHistory.ts';
import { linkDevice, type SealedDevice, startFirstDevice } from '../../support/clients/sealedDevices.ts';
import { openGatewayClient } from './openGatewayClient.ts';
import { startSealedGuest, type SealedGuest } from './SealedGuest.ts';

interface Options {
  /** Gateway addresses behind the connections that break. */
  urls: readonly string[];
  /** Direct gateway addresses, for the checker's requests. */
  gateways: readonly string[];
  /** Number of people. Every second one has two devices. */
  size: number;
  history: ChaosHistory;
  random: () => number;
}

export interface SealedReport {
  sent: number;
  /** Messages found once, at one place, and open with their last text on every device of every member. */
  verified: number;
  /** Edits and deletions, and reactions. */
  amended: number;
  reacted: number;
  /** Times that a member was added or removed. */
  moved: number;
  /** Newest epoch of the group. */
  epochs: number;
  /** Rows that were opened and compared, over all devices, and those that stayed closed or were refused. */
  opened: number;
  unopenable: number;
}

export interface SealedTraffic {
  report(): SealedReport;
  talk(): void;
  /** Stops, and waits until everything is acknowledged and every device is connected. */
  fallSilent(): Promise<void>;
  /** Compares what the server stores and what every device opened with what was written, and forgets it. */
  compare(): Promise<void>;
  /** Ends every program, and starts it again on what it stored. */
  reopen(): Promise<void>;
  stop(): void;
}

/** Message that a device wrote. */
interface Written {
  readonly by: string;
  /** Null if its deletion was begun. */
  content: string | null;
  readonly reactions: Map<string, string>;
  /** True if its author may still change it; others react to those that stay. */
  readonly changes: boolean;
}

/** Device with its conversations. */
interface Writer {
  readonly name: string;
  readonly device: SealedDevice;
  readonly conversations: string[];
  sent: number;
}

/** Interval of messages of a device. Two devices of one account stay below its limit of 600 messages a minute. */
const talkEveryMs = 220;
const maxPending = 2;
const amendEvery = 9;
const reactEvery = 7;
const retryMs = 500;
const pageSize = 100;
const emojis = ['👍', '❤️', '😂'];
/** Longest time after which a device must have opened everything that the server has. */
const openWithinMs = 30_000;

/** Returns true if an action that failed may succeed later. */
function mayRepeat(error: unknown): boolean {
  const { status, code = '' } = error as { status?: number; code?: string };
  if (status === undefined || status === 0 || status === 429 || status === 502 || status >= 503) return true;
  // Either another device began an epoch, or an earlier attempt without an answer has changed the message.
  return code === 'epoch_stale' || code === 'edit_conflict';
}

async function startPeople({ urls, gateways, size }: Options): Promise<Writer[][]> {
  const people: Writer[][] = [];
  for (let index = 0; index < size; index += 1) {
    const place = index % urls.length;
    const { id, phone, api } = await eventually(() => signUpByPhone(gateways[place]!));
    const user = new TestUser({ baseUrl: urls[place]!, id, phone, token: api.token ?? '' });
    const laptop = await startFirstDevice(user);
    const devices = index % 2 === 0 ? [laptop, await linkDevice(laptop)] : [laptop];
    people.push(
      devices.map((device, at) => ({ name: `sealed${index}${'ab'[at]}`, device, conversations: [], sent: 0 })),
    );
  }
  return people;
}

/**
 * Starts people with keys in a ring, each in a sealed conversation with the next, and a sealed group of all of them,
 * whose first member adds and removes a guest. In the end, every device must show every message once, in one order,
 * open, and with its last text.
 */
export async function startSealedTraffic(options: Options): Promise<SealedTraffic> {
  const { gateways, history, random } = options;
  const people = await startPeople(options);
  const writers = people.flat();
  const [owner, ...others] = people.map(([first]) => first!.device);
  const direct = openGatewayClient(gateways[0]!);
  const conversations: { id: string; writers: Writer[] }[] = [];
  const join = async (id: string, members: Writer[]) => {
    conversations.push({ id, writers: members });
    for (const { device, conversations: own } of members) {
      own.push(id);
      await eventually(() => device.chats.open(id).then(() => true));
    }
  };
  for (const [index, [first]] of people.entries()) {
    const next = people[(index + 1) % people.length]!;
    const { id } = await converse(first!.device.user, next[0]!.device.user);
    await join(id as string, [...people[index]!, ...next]);
  }
  await openToGroups(...others.map(({ user }) => user));
  const memberIds = others.map(({ user }) => user.id);
  const made = await owner!.user.api.post('/api/groups', { name: 'Sealed', memberIds });
  const group = must(made, 'A sealed group').body.id as string;
  await join(group, writers);
  const guest: SealedGuest = await startSealedGuest({ ...options, owner: owner!, group });

  const report = { sent: 0, verified: 0, amended: 0, reacted: 0, opened: 0, unopenable: 0 };
  const written = new Map<string, Written>();
  const verifiedUpTo = new Map<string, number>();
  /** Actions without an answer, and why each was repeated last. */
  const acting = new Map<string, string>();
  let turn: NodeJS.Timeout | undefined;
  let stopped = false;

  const timelineOf = ({ device }: Writer, id: string) => device.chats.store.getState().timelines[id];
  const pendingIn = (writer: Writer, id: string) => timelineOf(writer, id)?.pending.length ?? 0;

  /** Repeats an action until it is answered. */
  const insist = async (what: string, action: () => Promise<unknown>): Promise<void> => {
    acting.set(what, 'not answered yet');
    try {
      while (!stopped) {
        try {
          await action();
          return;
        } catch (error) {
          if (!mayRepeat(error)) throw error;
          acting.set(what, String(error));
          await new Promise((resolve) => setTimeout(resolve, retryMs));
        }
      }
    } catch (error) {
      history.violation(`${what}: ${String(error)}`);
    } finally {
      acting.delete(what);
    }
  };

  /** Returns a message that is not compared yet, by this person or by others. */
  const pick = (writer: Writer, id: string, isOwn: boolean): (Message & { known: Written }) | undefined => {
    const { messages = [] } = timelineOf(writer, id) ?? {};
    const fitting = messages.slice(-20).flatMap((message) => {
      const known = written.get(message.clientMessageId ?? '');
      if (!known || openingOf(message)?.state !== 'open') return [];
      const isOurs = known.changes && known.by === writer.name && known.content === message.content;
      return (isOwn ? isOurs : !known.changes) ? [{ ...message, known }] : [];
    });
    return fitting[Math.floor(random() * fitting.length)];
  };

  const amend = (writer: Writer, id: string): void => {
    const message = pick(writer, id, true);
    if (!message) return;
    const { known } = message;
    const { chats } = writer.device;
    known.content = random() < 0.3 ? null : `${message.content}, or rather ${writer.sent}`;
    const text = known.content;
    void insist(`${writer.name} could not change "${message.content}"`, () =>
      text === null ? chats.remove(message.id) : chats.edit(message.id, text),
    ).then(() => (report.amended += 1));
  };

  const react = (writer: Writer, id: string): void => {
    const message = pick(writer, id, false);
    const userId = writer.device.user.id;
    if (!message || message.senderId === userId || message.known.reactions.has(userId)) return;
    const emoji = emojis[Math.floor(random() * emojis.length)]!;
    message.known.reactions.set(userId, emoji);
    void insist(`${writer.name} could not react to "${message.content}"`, () =>
      writer.device.actions.react(message.id, emoji),
    ).then(() => (report.reacted += 1));
  };

  const act = (writer: Writer): void => {
    const id = writer.conversations[writer.sent % writer.conversations.length]!;
    if (pendingIn(writer, id) >= maxPending) return;
    writer.sent += 1;
    report.sent += 1;
    const content = `${writer.name} ${writer.sent}`;
    const changes = writer.sent % 3 === 0;
    written.set(writer.device.chats.send(id, content), { by: writer.name, content, reactions: new Map(), changes });
    if (writer.sent % amendEvery === 0) amend(writer, id);
    if (writer.sent % reactEvery === 0) react(writer, id);
  };

  const readStored = async (id: string, { device }: Writer): Promise<Message[]> => {
    const stored: Message[] = [];
    for (;;) {
      const after = stored.at(-1)?.seq ?? verifiedUpTo.get(id) ?? 0;
      const path = `/api/conversations/${id}/messages?after=${after}&limit=${pageSize}`;
      const page = await eventually(async () => {
        const reply = await direct.send(device.user.api.token ?? '', 'GET', path);
        return reply.status === 200 && (reply.body as Message[]);
      });
      stored.push(...page);
      if (page.length < pageSize) return stored;
    }
  };

  const checkStored = (id: string, stored: readonly Message[]): void => {
    const base = verifiedUpTo.get(id) ?? 0;
    const seen = new Set<string>();
    stored.forEach((row, index) => {
      if (row.seq !== base + index + 1)
        history.violation(`${id} stores seq ${row.seq} at ${base + index + 1}`, 'order');
      if (row.messageType === 'system') return;
      const sentId = row.clientMessageId ?? '';
      if (row.encryption !== 'epochs' || row.content !== '')
        history.violation(`seq ${row.seq} of ${id} is stored in the clear`, 'unopenable');
      if (!written.has(sentId)) history.violation(`seq ${row.seq} of ${id} was sent by nobody`, 'double');
      if (seen.has(sentId)) history.violation(`"${written.get(sentId)?.content}" is stored twice`, 'double');
      seen.add(sentId);
    });
  };

  /** Returns what is wrong with a row as a device shows it; undefined if nothing is. */
  const whatIsWrong = (row: Message, shown: Message | undefined): string | undefined => {
    if (!shown || shown.id !== row.id) return `missing, instead ${shown?.seq ?? 'the end'}`;
    const opening = openingOf(shown);
    if (row.messageType === 'system') return opening?.state === 'plain' ? undefined : `system row ${opening?.state}`;
    const { content, reactions } = written.get(row.clientMessageId ?? '') ?? { content: '?', reactions: new Map() };
    if (content === null) return opening?.state === 'deleted' ? undefined : `deleted, but ${opening?.state}`;
    if (opening?.state !== 'open') return `${JSON.stringify(opening && { ...opening, row: undefined })}`;
    if (shown.content !== content) return `"${shown.content}" instead of "${content}"`;
    if (opening.late || opening.outOfOrder) return 'marked as late or out of order';
    const has = new Map(shown.reactions.map(({ userId, emoji }) => [userId, emoji]));
    const same = has.size === reactions.size && [...reactions].every(([userId, emoji]) => has.get(userId) === emoji);
    return same ? undefined : `reactions ${JSON.stringify([...has])} instead of ${JSON.stringify([...reactions])}`;
  };

  const checkShown = async (name: string, chats: Chats, id: string, stored: readonly Message[]): Promise<void> => {
    const first = stored[0]?.seq ?? 0;
    const timeline = () => chats.store.getState().timelines[id];
    const faults = (): string[] => {
      const shown = new Map((timeline()?.messages ?? []).map((message) => [message.seq, message]));
      const wrongRows = stored.flatMap((row) => {
        const wrong = whatIsWrong(row, shown.get(row.seq));
        return wrong === undefined ? [] : [`${name} shows seq ${row.seq} of ${id}: ${wrong}`];
      });
      const gaps = chats.store.getState().gaps[id] ?? [];
      return [...wrongRows, ...gaps.map((seq) => `${name} says that something is missing before seq ${seq} of ${id}`)];
    };
    await eventually(
      async () => {
        while (timeline()?.hasOlder === true && (timeline()?.messages[0]?.seq ?? 0) > first) await chats.loadOlder(id);
        return faults().length === 0;
      },
      { timeoutMs: openWithinMs },
    ).catch(() => undefined);
    const left = faults();
    report.opened += stored.length;
    report.unopenable += left.length;
    for (const one of left) history.violation(one, 'unopenable');
  };

  const compareOne = async ({ id, writers: members }: (typeof conversations)[number]): Promise<void> => {
    const stored = await readStored(id, members[0]!);
    checkStored(id, stored);
    for (const { name, device } of members) await checkShown(name, device.chats, id, stored);
    if (id === group) await guest.check((seq) => stored.filter((row) => row.seq > seq), checkShown);
    for (const { clientMessageId } of stored) if (written.delete(clientMessageId ?? '')) report.verified += 1;
    verifiedUpTo.set(id, stored.at(-1)?.seq ?? verifiedUpTo.get(id) ?? 0);
  };

  const stop = (): void => {
    stopped = true;
    clearInterval(turn);
    guest.stop();
    direct.close();
    for (const { device } of writers) device.remove();
  };

  return {
    report: () => ({
      ...report,
      moved: guest.moved(),
      epochs: owner!.chats.store.getState().standings[group]?.epoch ?? 0,
    }),
    talk() {
      let next = 0;
      turn ??= setInterval(() => act(writers[next++ % writers.length]!), talkEveryMs / writers.length);
      guest.talk();
    },
    async fallSilent() {
      clearInterval(turn);
      turn = undefined;
      await guest.fallSilent();
      await eventually(() => {
        const waiting = writers.flatMap((writer) => {
          const { connection, timelines } = writer.device.chats.store.getState();
          const pending = writer.conversations.flatMap((id) => timelines[id]?.pending ?? []);
          if (pending.length === 0 && connection === 'open') return [];
          return [`${writer.name} is ${connection} with ${JSON.stringify(pending.slice(0, 2))}`];
        });
        waiting.push(...[...acting].map(([what, why]) => `${what}: ${why}`));
        if (waiting.length > 0) throw new Error(waiting.slice(0, 5).join('; '));
        return true;
      });
    },
    async compare() {
      for (const conversation of conversations) await compareOne(conversation);
      for (const { content } of written.values()) history.violation(`"${content}" was sent sealed and is lost`, 'lost');
      written.clear();
      for (const { device } of writers) device.requests = [];
    },
    async reopen() {
      for (const { device, conversations: own } of writers) {
        device.stop();
        await eventually(() => device.start().then(() => true));
        for (const id of own) await eventually(() => device.chats.open(id).then(() => true));
      }
    },
    stop,
  };
}
