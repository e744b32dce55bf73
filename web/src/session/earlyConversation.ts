import type { Conversation, Message } from '@nolo/api';

/** Timeout in milliseconds. A server that hangs counts as unavailable. */
const answerTimeoutMs = 15_000;
/**
 * Page size that chats use with few unread messages. With more than half of it unread, they request more themselves.
 */
const pageSize = 50;

interface EarlyMessagePage {
  readonly items: Message[];
  /** Response headers, one of which shows whether there are older messages. The contract is not loaded this early. */
  readonly headers: Headers;
  /** Change of the conversation up to which the page is complete. */
  readonly asOf: number;
}

export interface EarlyConversation {
  readonly conversation: Conversation;
  /** Undefined if so much is unread that a larger page is needed, or if the request failed. */
  readonly page: EarlyMessagePage | undefined;
}

interface EarlyRequests {
  readonly row: Promise<Conversation | undefined>;
  readonly page: Promise<EarlyMessagePage | undefined>;
}

/** Responses not taken yet. */
let pendingEarly: { id: string; row?: EarlyRequests['row']; page?: EarlyRequests['page'] } | undefined;

/** Resolves to undefined on failure: the actual caller then retries and gets the error. */
async function get(path: string): Promise<Response | undefined> {
  try {
    const answer = await fetch(path, { credentials: 'include', signal: AbortSignal.timeout(answerTimeoutMs) });
    return answer.ok ? answer : undefined;
  } catch {
    return undefined;
  }
}

async function readRow(path: string): Promise<Conversation | undefined> {
  return (await (await get(`${path}?early&content=sealed`))?.json()) as Conversation | undefined;
}

async function readPage(path: string, row: Promise<Conversation | undefined>): Promise<EarlyMessagePage | undefined> {
  const answer = await get(`${path}/messages?limit=${pageSize}&early&content=sealed`);
  const items = ((await answer?.json()) ?? []) as Message[];
  const conversation = await row;
  if (!answer || items.length === 0 || !conversation || conversation.unreadCount > pageSize / 2) return undefined;
  // Changes are sequential: if the last of these is included, so are all before it.
  return { items, headers: answer.headers, asOf: Math.max(...items.map(({ changeSeq }) => changeSeq)) };
}

/**
 * Requests an address's conversation and its newest messages before the app's files, after which they would arrive
 * last. The server announces the same URLs with the document (services/gateway/src/http/staticWeb.ts), so that the
 * responses are already on their way. `early` keeps unused ones from answering other requests. Used only if the device
 * stores no chats, because stored ones are faster.
 */
export function requestConversationEarly(id: string): EarlyRequests {
  const path = `/api/conversations/${id}`;
  const row = readRow(path).catch(() => undefined);
  const page = readPage(path, row).catch(() => undefined);
  pendingEarly = { id, row, page };
  return { row, page };
}

/** Returns the row once. A later request, for example after losing membership, needs the current state. */
export async function takeEarlyConversation(id: string): Promise<Conversation | undefined> {
  if (pendingEarly?.id !== id) return undefined;
  const { row } = pendingEarly;
  delete pendingEarly.row;
  return await row;
}

/** Returns the page once. */
export async function takeEarlyMessagePage(id: string): Promise<EarlyMessagePage | undefined> {
  if (pendingEarly?.id !== id) return undefined;
  const { page } = pendingEarly;
  pendingEarly = undefined;
  return await page;
}

export function dropEarlyConversation(): void {
  pendingEarly = undefined;
}
