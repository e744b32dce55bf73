import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import type { WebSocket } from 'ws';
import { openGatewaySocket, type GatewaySocketOptions } from './openGatewaySocket.ts';

/** Parsed JSON of any shape; the caller knows the route. */
export interface HeadlessReply {
  status: number;
  body: unknown;
  headers: IncomingHttpHeaders;
  /** Bytes of the body. */
  bytes: number;
  /** Milliseconds from the first byte sent to the last one read. */
  ms: number;
}

/** Connection pool to one gateway. Uses node:http, because it costs the machine less than fetch. */
export class GatewayClient {
  readonly url: string;
  readonly #to: URL;
  readonly #agent: Agent;
  readonly #answerWithinMs: number | undefined;

  constructor(url: string, options: { connections: number; answerWithinMs?: number }) {
    const { connections, answerWithinMs } = options;
    this.url = url;
    this.#to = new URL(url);
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections, maxFreeSockets: connections });
    this.#answerWithinMs = answerWithinMs;
  }

  /** Returns answers of any status. Rejects if no complete answer arrived in time, and the outcome is unknown. */
  async send(token: string, method: string, path: string, body?: unknown): Promise<HeadlessReply> {
    const began = performance.now();
    const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const within = this.#answerWithinMs;
    const { status, headers, content } = await new Promise<
      Pick<HeadlessReply, 'status' | 'headers'> & { content: Buffer }
    >((resolve, reject) => {
      const call = request(
        {
          agent: this.#agent,
          host: this.#to.hostname,
          port: this.#to.port,
          method,
          path,
          headers: {
            authorization: `Bearer ${token}`,
            ...(payload && { 'content-type': 'application/json', 'content-length': payload.length }),
          },
          ...(within !== undefined && { signal: AbortSignal.timeout(within) }),
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.once('error', reject);
          response.once('end', () => {
            const { statusCode: status = 0, headers } = response;
            resolve({ status, headers, content: Buffer.concat(chunks) });
          });
        },
      );
      call.once('error', reject);
      call.end(payload);
    });
    const text = content.toString();
    // Truncated JSON fails to parse.
    const parsed: unknown = text === '' ? undefined : JSON.parse(text);
    return { status, headers, body: parsed, bytes: content.length, ms: performance.now() - began };
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Signed-in device without a screen. */
export class HeadlessDevice {
  readonly gatewayClient: GatewayClient;
  readonly token: string;

  /** Uses a dedicated connection if given an address. */
  constructor(gatewayClient: GatewayClient | string, token: string) {
    this.gatewayClient =
      typeof gatewayClient === 'string' ? new GatewayClient(gatewayClient, { connections: 1 }) : gatewayClient;
    this.token = token;
  }

  /** @throws Error if the answer is not a success. */
  async call(method: string, path: string, body?: unknown): Promise<HeadlessReply> {
    const answer = await this.gatewayClient.send(this.token, method, path, body);
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw new Error(`${method} ${path} returned ${answer.status}: ${JSON.stringify(answer.body)}`);
  }

  post(path: string, body?: unknown): Promise<HeadlessReply> {
    return this.gatewayClient.send(this.token, 'POST', path, body);
  }

  patch(path: string, body?: unknown): Promise<HeadlessReply> {
    return this.gatewayClient.send(this.token, 'PATCH', path, body);
  }

  dial(options?: GatewaySocketOptions): WebSocket {
    return openGatewaySocket(this.gatewayClient.url, this.token, options);
  }

  close(): void {
    this.gatewayClient.close();
  }
}
