import { randomUUID } from 'node:crypto';
import type { Message, ServerFrame } from '@nolo/api';
import { type Answer, eventually, openToGroups, signUpByPhone, type TestUser } from '@nolo/testing';
import { must } from '../../support/authorization/authorizationCast.ts';
import type { ChaosHistory } from '../../support/clients/ChaosHistory.ts';
import { openGatewayClient } from './openGatewayClient.ts';
import { keepSocketListening } from './keepSocketListening.ts';

interface Options {
  urls: readonly string[];
  gateways: readonly string[];
  history: ChaosHistory;
  random: () => number;
  signal: AbortSignal;
}

/** Member who joins and leaves, one step after another. */
interface Guest {
  readonly user: TestUser;
  in: boolean;
  /** Joins or leaves without an answer. Each may still happen, after later requests. */
  readonly unanswered: { in: boolean; out: boolean };
  /** Moment of this run since when the guest is out beyond doubt. */
  outSince: number | undefined;
}

export interface GroupTraffic {
  /** Returns the number of acknowledged joins and leaves. */
  changes(): number;
  talk(): void;
  fallSilent(): Promise<void>;
  /** Compares members and messages with what was acknowledged. */
  compare(): Promise<void>;
}

const guests = 5;
/** Pause between two steps of one guest, long enough for the daily limits. */
const stepMs = 1_500;
/** Longest wait that a limit may ask for. A step that a daily limit refuses is left out. */
const maxWaitSeconds = 60;
const pageSize = 100;

/**
 * Creates a small group whose members come and go while everything breaks. In the end, each guest must be in or out as
 * acknowledged. Members can write, and guests who are out cannot even see that the group exists. The message numbers
 * have no gaps, even when members change in between.
 */
export async function startGroupTraffic({ urls, gateways, history, random, signal }: Options): Promise<GroupTraffic> {
  const [owner, ...others] = (await Promise.all(
    Array.from({ length: guests + 1 }, (_, index) => signUpByPhone(gateways[index % gateways.length] ?? '')),
  )) as [TestUser, ...TestUser[]];
  await openToGroups(...others);
  const created = await owner.api.post('/api/groups', { name: 'Comings', memberIds: others.map(({ id }) => id) });
  const id = must(created, 'A group').body.id as string;
  const group = `/api/group-chats/${id}`;
  const cast = others.map((user): Guest => ({
    user,
    in: true,
    unanswered: { in: false, out: false },
    outSince: undefined,
  }));
  const gatewayClients = urls.map((url) => openGatewayClient(url));
  const direct = openGatewayClient(gateways[0] ?? '');
  signal.addEventListener('abort', () => [...gatewayClients, direct].forEach((gatewayClient) => gatewayClient.close()));
  /** Messages acknowledged and not compared yet, by id. */
  const acknowledgedMessages = new Map<string, { content: string; seq: number }>();
  /** Contents whose first attempt got no answer, and whose next one came when their sender was out. */
  const perhapsStored = new Set<string>();
  /** Moments of the first attempt to send each message, by content. */
  const begunAt = new Map<string, number>();
  let moments = 0;
  let base = 0;
  let changes = 0;
  let systemMessageCount = 0;
  let talking = false;
  const running = new Set<Promise<void>>();

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms * (0.5 + random()));
      signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
    });

  /** Repeats the request until an answer shows what happened. */
  const insist = async (
    { api }: TestUser,
    method: string,
    path: string,
    body?: unknown,
    onUnknown: () => void = () => undefined,
  ): Promise<Answer | undefined> => {
    for (let failures = Math.floor(random() * gatewayClients.length); !signal.aborted; failures += 1) {
      const gatewayClient = gatewayClients[failures % gatewayClients.length];
      const reply = await gatewayClient?.send(api.token ?? '', method, path, body).catch(() => undefined);
      const status = reply?.status ?? 0;
      if (reply && status >= 200 && status < 500 && status !== 429) return reply;
      if (status === 500) history.violation(`${method} ${path} was answered with 500 ${JSON.stringify(reply?.body)}`);
      if (status !== 429) onUnknown();
      else if (Number(reply?.headers['retry-after']) > maxWaitSeconds) return undefined;
      await pause(150);
    }
    return undefined;
  };

  const name = ({ user }: Guest) => `guest ${user.id.slice(-4)}`;

  for (const guest of cast) {
    const onFrame = (frame: ServerFrame) => {
      if (frame.type !== 'new_message' || frame.data.conversationId !== id || guest.outSince === undefined) return;
      // A message sent while the guest was in may still be in transit.
      if ((begunAt.get(frame.data.content) ?? 0) <= guest.outSince) return;
      history.violation(`${name(guest)} is out of the group, but received "${frame.data.content}"`);
    };
    keepSocketListening({ gatewayClients, token: guest.user.api.token ?? '', signal, onFrame });
  }

  const sendMessage = async (guest: Guest) => {
    const content = `${name(guest)} ${randomUUID()}`;
    begunAt.set(content, (moments += 1));
    const clientMessageId = randomUUID();
    const body = { conversationId: id, content, clientMessageId };
    let isUnanswered = false;
    const reply = await insist(guest.user, 'POST', '/api/messages', body, () => (isUnanswered = true));
    if (!reply) return;
    const isIn = reply.status === 201;
    // A late join or leave between two attempts: the first one may have stored the message.
    if (!isIn && isUnanswered && (guest.unanswered.in || guest.unanswered.out)) perhapsStored.add(content);
    if (isIn) acknowledgedMessages.set((reply.body as Message).id, { content, seq: (reply.body as Message).seq });
    if (isIn === guest.in) return;
    // An earlier unanswered join or leave may have taken effect since.
    guest.outSince = undefined;
    if (guest.unanswered[isIn ? 'in' : 'out']) guest.in = isIn;
    else history.violation(`${name(guest)} is ${guest.in ? 'in' : 'out'} but was answered with ${reply.status}`);
  };

  const move = async (guest: Guest) => {
    const goes = guest.in;
    const itself = random() < 0.5;
    const unknown = () => (guest.unanswered[goes ? 'out' : 'in'] = true);
    if (!goes) guest.outSince = undefined;
    const reply = goes
      ? itself
        ? await insist(guest.user, 'POST', `${group}/leave`, undefined, unknown)
        : await insist(owner, 'DELETE', `${group}/members/${guest.user.id}`, undefined, unknown)
      : await insist(owner, 'POST', `${group}/members`, { userIds: [guest.user.id] }, unknown);
    if (!reply) return;
    // An unanswered attempt has already removed the guest.
    const done = reply.status < 300 || (goes && reply.status === 404 && guest.unanswered.out);
    if (!done)
      history.violation(
        `${name(guest)} could not ${goes ? 'leave' : 'join'}: ${reply.status} ${JSON.stringify(reply.body)}`,
      );
    guest.in = !goes;
    if (goes && !guest.unanswered.in) guest.outSince = moments += 1;
    changes += 1;
    systemMessageCount += 1;
  };

  const live = async (guest: Guest) => {
    while (talking && !signal.aborted) {
      await (random() < 0.6 ? sendMessage(guest) : move(guest));
      await pause(stepMs);
    }
  };

  const get = async <T>(user: TestUser, path: string, wanted = 200): Promise<T> =>
    eventually(async () => {
      const reply = await direct.send(user.api.token ?? '', 'GET', path);
      if (reply.status !== wanted) throw new Error(`${path} was answered with ${reply.status}`);
      return { body: reply.body as T };
    }).then(({ body }) => body);

  return {
    changes: () => changes,
    talk() {
      if (talking) return;
      talking = true;
      for (const guest of cast) {
        const life = live(guest)
          .catch((error: unknown) => {
            if (!signal.aborted) history.violation(`${name(guest)}: ${String(error)}`);
          })
          .finally(() => running.delete(life));
        running.add(life);
      }
    },
    async fallSilent() {
      talking = false;
      await Promise.all(running);
    },
    async compare() {
      const listed = await get<{ userId: string }[]>(owner, `${group}/members?limit=${pageSize}`);
      for (const guest of cast) {
        const isIn = listed.some(({ userId }) => userId === guest.user.id);
        if (isIn !== guest.in && !guest.unanswered[isIn ? 'in' : 'out']) {
          history.violation(
            `${name(guest)} ends ${isIn ? 'in' : 'out'} of the group but was notified otherwise`,
            'lost',
          );
        }
        guest.in = isIn;
        guest.outSince = isIn ? undefined : (moments += 1);
        guest.unanswered.in = false;
        guest.unanswered.out = false;
        // Guests who are out get the answer that the group does not exist.
        await get(guest.user, `/api/conversations/${id}/messages?limit=1`, isIn ? 200 : 404);
      }
      const stored: Message[] = [];
      for (let more = true; more;) {
        const after = stored.at(-1)?.seq ?? base;
        const page = await get<Message[]>(owner, `/api/conversations/${id}/messages?after=${after}&limit=${pageSize}`);
        stored.push(...page);
        more = page.length === pageSize;
      }
      history.shows('the group', id, stored);
      if (stored[0] && stored[0].seq !== base + 1)
        history.violation(`the group continues at ${stored[0].seq}`, 'order');
      for (const message of stored.filter(({ messageType }) => messageType !== 'system')) {
        const known = acknowledgedMessages.get(message.id);
        if (!known && perhapsStored.has(message.content)) continue;
        if (!known)
          history.violation(
            `"${message.content}" is in the group, but its sender received no acknowledgement`,
            'double',
          );
        else if (known.content !== message.content || known.seq !== message.seq) {
          history.violation(`"${known.content}" has become another message`, 'order');
        }
        acknowledgedMessages.delete(message.id);
      }
      for (const { content } of acknowledgedMessages.values())
        history.violation(`"${content}" was sent to the group and is lost`, 'lost');
      acknowledgedMessages.clear();
      perhapsStored.clear();
      const storedSystemMessageCount = stored.filter(({ messageType }) => messageType === 'system').length;
      if (storedSystemMessageCount < systemMessageCount)
        history.violation(
          `${systemMessageCount} joins and leaves, but only ${storedSystemMessageCount} system messages`,
          'lost',
        );
      systemMessageCount = 0;
      begunAt.clear();
      base = stored.at(-1)?.seq ?? base;
    },
  };
}
