import { setTimeout as delay } from 'node:timers/promises';
import { raw, Router, type Request } from 'express';
import type { PaymentSimulation } from './PaymentSimulation.ts';
import type { GatewayName, PaymentStep } from './switches.ts';

export interface GatewayAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Strings are sent as they are, anything else as JSON. */
  readonly body?: unknown;
}

export interface GatewayCall {
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
  readonly answer: GatewayAnswer;

  constructor(answer: GatewayAnswer) {
    super(`refused with ${answer.status ?? 200}`);
    this.answer = answer;
  }
}

/** Slow answers must not delay stopping the simulators. */
const unwaited = { ref: false };

interface Options {
  readonly simulation: PaymentSimulation;
  readonly name: GatewayName;
  /** Errors that can be requested by name, as in the gateway's documentation. */
  readonly errors: Readonly<Record<string, GatewayAnswer>>;
}

/** Creates the router of one gateway. Each call has a step, by which switches and prepared answers find it. */
export function createGatewayRouter({ simulation, name, errors }: Options) {
  const router = Router();
  router.use(raw({ type: () => true, limit: '1mb' }));

  const on = (
    method: 'get' | 'post',
    path: string,
    step: PaymentStep,
    handle: (call: GatewayCall) => GatewayAnswer | Promise<GatewayAnswer>,
  ): void => {
    router[method](path, async (request, response) => {
      const activeSwitch = simulation.next(name, step);
      const { condition, slowMs } = simulation.switchesOf(name);
      if (activeSwitch?.delayMs !== undefined) await delay(activeSwitch.delayMs, undefined, unwaited);
      else if (condition === 'slow') await delay(slowMs, undefined, unwaited);
      if (activeSwitch?.cut === true) return void request.socket.destroy();
      const wrong =
        activeSwitch?.error ??
        (condition === 'outage' ? 'outage' : condition === 'rate_limited' ? 'rate_limited' : undefined);
      const answer = wrong === undefined ? await answerOf(request, handle) : errors[wrong];
      if (activeSwitch?.lost === true) return void request.socket.destroy();
      const { status = 200, headers = {}, body } = answer ?? { status: 500, body: `unknown error ${wrong}` };
      response.status(status).set(headers);
      if (typeof body === 'string') response.send(body);
      else if (body === undefined) response.end();
      else response.json(body);
    });
  };
  return { router, on };
}

async function answerOf(
  request: Request,
  handle: (call: GatewayCall) => GatewayAnswer | Promise<GatewayAnswer>,
): Promise<GatewayAnswer> {
  try {
    return await handle(read(request));
  } catch (error) {
    if (error instanceof GatewayRefusal) return error.answer;
    throw error;
  }
}

function read(request: Request): GatewayCall {
  const text = toGatewayText(request);
  const query = new URL(request.url, 'http://simulator').searchParams;
  return { request, query, text, json: parse(text), id: String(request.params['id'] ?? '') };
}

export const toGatewayText = (request: Request): string =>
  request.body instanceof Buffer ? request.body.toString() : '';

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
