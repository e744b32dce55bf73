import { setTimeout as delay } from 'node:timers/promises';
import { raw, Router, type Request } from 'express';
import type { PaymentDesk } from './PaymentDesk.ts';
import type { GatewayName, Step } from './switches.ts';

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Strings are sent as they are, anything else as JSON. */
  readonly body?: unknown;
}

export interface Asked {
  readonly request: Request;
  /** Path parameter `id`. */
  readonly id: string;
  readonly query: URLSearchParams;
  readonly text: string;
  /** JSON body; an empty object if the body is not JSON. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** Refusal that a call throws. */
export class GatewayRefusal extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super(`refused with ${answer.status ?? 200}`);
    this.answer = answer;
  }
}

/** Slow answers must not delay stopping the simulators. */
const unwaited = { ref: false };

interface Options {
  readonly desk: PaymentDesk;
  readonly name: GatewayName;
  /** Errors that can be requested by name, as in the gateway's documentation. */
  readonly errors: Readonly<Record<string, Answer>>;
}

/** Creates the router of one gateway. Each call has a step, by which switches and prepared answers find it. */
export function createGatewayRouter({ desk, name, errors }: Options) {
  const router = Router();
  router.use(raw({ type: () => true, limit: '1mb' }));

  const on = (
    method: 'get' | 'post',
    path: string,
    step: Step,
    handle: (asked: Asked) => Answer | Promise<Answer>,
  ): void => {
    router[method](path, async (request, response) => {
      const told = desk.next(name, step);
      const { condition, slowMs } = desk.switchesOf(name);
      if (told?.delayMs !== undefined) await delay(told.delayMs, undefined, unwaited);
      else if (condition === 'slow') await delay(slowMs, undefined, unwaited);
      if (told?.cut === true) return void request.socket.destroy();
      const wrong =
        told?.error ?? (condition === 'outage' ? 'outage' : condition === 'rate_limited' ? 'rate_limited' : undefined);
      const answer = wrong === undefined ? await answerOf(request, handle) : errors[wrong];
      if (told?.lost === true) return void request.socket.destroy();
      const { status = 200, headers = {}, body } = answer ?? { status: 500, body: `unknown error ${wrong}` };
      response.status(status).set(headers);
      if (typeof body === 'string') response.send(body);
      else if (body === undefined) response.end();
      else response.json(body);
    });
  };
  return { router, on };
}

async function answerOf(request: Request, handle: (asked: Asked) => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await handle(read(request));
  } catch (error) {
    if (error instanceof GatewayRefusal) return error.answer;
    throw error;
  }
}

function read(request: Request): Asked {
  const text = textOf(request);
  const query = new URL(request.url, 'http://simulator').searchParams;
  return { request, query, text, json: parse(text), id: String(request.params['id'] ?? '') };
}

export const textOf = (request: Request): string => (request.body instanceof Buffer ? request.body.toString() : '');

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
