import { Agent, request, type IncomingHttpHeaders } from 'node:http';

/** Parsed JSON of whatever shape; who calls knows the route. */
export interface Answer {
  status: number;
  body: unknown;
  headers: IncomingHttpHeaders;
  /** Of the body. */
  bytes: number;
  /** From the first byte sent to the last one read. */
  ms: number;
}

/** One device with one connection that is kept open. Plain node:http, because it costs the machine less than fetch. */
export class Caller {
  readonly address: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #url: URL;
  readonly #token: string;

  constructor(url: string, token: string) {
    this.address = url;
    this.#url = new URL(url);
    this.#token = token;
  }

  /** @throws Error where the answer is no success. */
  async call(method: string, path: string, body?: unknown): Promise<Answer> {
    const began = performance.now();
    const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const { status, content, headers } = await new Promise<{
      status: number;
      content: Buffer;
      headers: IncomingHttpHeaders;
    }>((resolve, reject) => {
      const call = request(
        {
          agent: this.#agent,
          host: this.#url.hostname,
          port: this.#url.port,
          method,
          path,
          headers: {
            authorization: `Bearer ${this.#token}`,
            ...(payload && { 'content-type': 'application/json', 'content-length': payload.length }),
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.once('error', reject);
          response.once('end', () => {
            resolve({
              status: response.statusCode ?? 0,
              content: Buffer.concat(chunks),
              headers: response.headers,
            });
          });
        },
      );
      call.once('error', reject);
      call.end(payload);
    });
    const text = content.toString();
    if (status < 200 || status > 299) throw new Error(`${method} ${path} was answered with ${status}: ${text}`);
    const parsed: unknown = text === '' ? undefined : JSON.parse(text);
    return { status, headers, body: parsed, bytes: content.length, ms: performance.now() - began };
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** The conversation of two people who have accepted each other; otherwise what the first writes is a request (decision 39). */
export async function converse(one: Caller, other: Caller, otherUserId: string): Promise<string> {
  const { body } = await one.call('POST', '/api/conversations', { otherUserId });
  const { id } = body as { id: string };
  await other.call('PATCH', `/api/conversations/${id}/settings`, { accepted: true });
  return id;
}
