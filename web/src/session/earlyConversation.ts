import type { Conversation, Message } from '@nolo/api';

/** A server that hangs is as good as none. */
const answerTimeoutMs = 15_000;
/** As many as the chats ask for where little is unread; beyond half of them they ask for more, by themselves. */
const pageSize = 50;

export interface EarlyPage {
  readonly items: Message[];
  /** Of the answer, one of which says whether there are older ones: the contract is not here that early. */
  readonly headers: Headers;
  /** Everything up to this change of the conversation's is in the page. */
  readonly asOf: number;
}

export interface EarlyConversation {
  readonly conversation: Conversation;
  /** Undefined where so much is unread that another page is needed, or it did not come. */
  readonly page: EarlyPage | undefined;
}

interface Asked {
  readonly row: Promise<Conversation | undefined>;
  readonly page: Promise<EarlyPage | undefined>;
}

/** What nobody has taken yet. */
let asked: { id: string; row?: Asked['row']; page?: Asked['page'] } | undefined;

/** Undefined where there is no good answer: whoever needs it asks again, and hears what is wrong. */
async function get(path: string): Promise<Response | undefined> {
  try {
    const answer = await fetch(path, { credentials: 'include', signal: AbortSignal.timeout(answerTimeoutMs) });
    return answer.ok ? answer : undefined;
  } catch {
    return undefined;
  }
}

async function readRow(path: string): Promise<Conversation | undefined> {
  return (await (await get(`${path}?early`))?.json()) as Conversation | undefined;
}

async function readPage(path: string, row: Promise<Conversation | undefined>): Promise<EarlyPage | undefined> {
  const answer = await get(`${path}/messages?limit=${pageSize}&early`);
  const items = ((await answer?.json()) ?? []) as Message[];
  const conversation = await row;
  if (!answer || items.length === 0 || !conversation || conversation.unreadCount > pageSize / 2) return undefined;
  // Changes are made one after another: where the last of these is, all before it are.
  return { items, headers: answer.headers, asOf: Math.max(...items.map(({ changeSeq }) => changeSeq)) };
}

/**
 * Asks for an address's conversation and its newest messages before the app is asked for: behind its files they came last.
 * The server names the same addresses beside the document (services/gateway/src/http/staticWeb.ts), so that the answers
 * are on their way already; `early` keeps what nobody takes of them from being the answer to anything else.
 * Only where the device keeps nothing of anybody's chats, for what it keeps is there sooner.
 */
export function askConversationEarly(id: string): Asked {
  const path = `/api/conversations/${id}`;
  const row = readRow(path).catch(() => undefined);
  const page = readPage(path, row).catch(() => undefined);
  asked = { id, row, page };
  return { row, page };
}

/** The row, once: whoever asks again, for instance since one is no member any more, wants to know how it is now. */
export async function takeEarlyConversation(id: string): Promise<Conversation | undefined> {
  if (asked?.id !== id) return undefined;
  const { row } = asked;
  delete asked.row;
  return await row;
}

/** The page, once. */
export async function takeEarlyPage(id: string): Promise<EarlyPage | undefined> {
  if (asked?.id !== id) return undefined;
  const { page } = asked;
  asked = undefined;
  return await page;
}

export function forgetEarly(): void {
  asked = undefined;
}
