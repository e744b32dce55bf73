import type { Log } from '@nolo/kit/log';
import type { PaymentGatewayId } from '@nolo/rules';
import type { z } from 'zod';
import { GatewayError } from '../domain/gateway.ts';

export interface GatewayHttpCall {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
  /** True if the call moves money: without an answer, or with a server error, it may have succeeded. */
  readonly commits?: boolean;
}

export interface GatewayHttpReply {
  readonly status: number;
  readonly text: string;
  /** Body parsed as JSON. Undefined if it is not JSON. */
  readonly body: unknown;
}

export interface GatewayHttpClient {
  /** Sends a call. @throws GatewayError for a timeout, a server error, or too many calls */
  send(call: GatewayHttpCall): Promise<GatewayHttpReply>;
}

interface Options {
  readonly gateway: PaymentGatewayId;
  readonly log: Log;
  readonly timeoutMs?: number | undefined;
}

const maxReplyBytes = 8 * 1024 * 1024;

/** Errors after which certainly nothing reached the gateway. */
const neverSent: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

export function createGatewayHttpClient({ gateway, log, timeoutMs = 15_000 }: Options): GatewayHttpClient {
  return {
    async send(call) {
      try {
        const reply = await exchange(call, timeoutMs);
        if (reply.status < 500 && reply.status !== 429 && reply.status !== 408) return reply;
        const mayBeDone = call.commits === true && reply.status !== 429;
        throw new GatewayError(`HTTP_${reply.status}`, { retryable: true, mayBeDone });
      } catch (error) {
        const wrong = error instanceof GatewayError ? error : unreachable(error, call);
        const { pathname } = new URL(call.url);
        log.warn({ gateway, path: pathname, issue: wrong.issue }, 'payment gateway call failed');
        throw wrong;
      }
    },
  };
}

async function exchange(
  { method, url, headers, body, signal }: GatewayHttpCall,
  timeoutMs: number,
): Promise<GatewayHttpReply> {
  const limit = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, {
    method,
    headers: { ...headers },
    body: body ?? null,
    // Secrets are sent only to the address that the operator configured.
    redirect: 'error',
    signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
  });
  const text = await readText(response);
  return { status: response.status, text, body: parse(text) };
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxReplyBytes) throw new Error('endless_reply');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Creates an error with only the code of the network failure; its message may contain addresses. */
function unreachable(error: unknown, { commits }: GatewayHttpCall): GatewayError {
  const { name, cause } = error as { name?: string; cause?: { code?: string } };
  const code = cause?.code ?? name ?? 'unknown';
  return new GatewayError(code, { retryable: true, mayBeDone: commits === true && !neverSent.has(code) });
}

/** Parses a gateway's body. @throws GatewayError if a successful reply cannot be parsed */
export function parseReplyBody<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
  commits = false,
): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new GatewayError('unreadable_reply', { retryable: true, mayBeDone: commits, cause: parsed.error });
}
