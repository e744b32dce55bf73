import { Agent, request } from 'node:http';

export interface Reply {
  status: number;
  /** Parsed JSON of whatever shape; who asks knows the route. */
  body: unknown;
}

/**
 * One address of the server with the connections that are kept open to it. Plain node:http, because it costs the
 * machine less than fetch.
 */
export class Door {
  readonly url: string;
  readonly #to: URL;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 48, maxFreeSockets: 48 });

  constructor(url: string) {
    this.url = url;
    this.#to = new URL(url);
  }

  /** Answers with whatever status; rejects where no whole answer came in time, and nobody knows what happened. */
  ask(token: string, method: string, path: string, body?: unknown): Promise<Reply> {
    const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    return new Promise((resolve, reject) => {
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
          signal: AbortSignal.timeout(answerWithinMs),
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.once('error', reject);
          response.once('end', () => {
            const answer = parse(Buffer.concat(chunks).toString());
            if (answer) resolve({ status: response.statusCode ?? 0, body: answer.body });
            else reject(new Error('The answer broke off.'));
          });
        },
      );
      call.once('error', reject);
      call.end(payload);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Less than a person waits, so that a dead line is noticed soon. */
const answerWithinMs = 6_000;

/** Undefined where it is no JSON, as half an answer is none. */
function parse(text: string): { body: unknown } | undefined {
  try {
    return { body: text === '' ? undefined : JSON.parse(text) };
  } catch {
    return undefined;
  }
}
