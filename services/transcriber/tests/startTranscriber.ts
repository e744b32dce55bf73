import { createAppError } from '@nolo/kit/errors';
import { createLog } from '@nolo/kit/log';
import { createClient, serveRpc, type RpcService } from '@nolo/kit/rpc';
import { IdentityServiceDefinition } from '@nolo/proto/identity';
import { TranscriberServiceDefinition, type TranscribeVoiceRequest } from '@nolo/proto/transcriber';
import { createTestEnvironment, createFakeClock, startTestBilling, startTestEvents } from '@nolo/testing';
import { aSelf } from '@nolo/testing/protos';
import { createSimulators } from '../../../simulators/src/app.ts';
import { configSchema as simulatorsSchema } from '../../../simulators/src/config.ts';
import { loadConfig } from '@nolo/kit/config';
import { createTranscriberApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';

const rpcSecret = 'the-secret-of-the-tests';
const apiKey = 'the-key-of-the-transcription-server';

/** Starts a fake identity that only knows whether users want transcription. */
async function startIdentity(consents: ReadonlyMap<string, boolean>, events: RpcService) {
  const getSelf = async ({ actorId }: { actorId: string }) => {
    const transcribeVoiceNotes = consents.get(actorId);
    if (transcribeVoiceNotes === undefined) throw createAppError('not_found', 'user_not_found', 'User not found.');
    return aSelf({ id: actorId, transcribeVoiceNotes });
  };
  const absent = () => Promise.reject(createAppError('invalid', 'invalid_request', 'Unexpected call.'));
  const handlers = Object.fromEntries(Object.keys(IdentityServiceDefinition.methods).map((name) => [name, absent]));
  const { port, stop } = await serveRpc({
    listen: { host: '127.0.0.1', port: 0 },
    secret: rpcSecret,
    log: createLog({ service: 'identity', level: 'silent' }),
    services: [{ definition: IdentityServiceDefinition, handlers: { ...handlers, getSelf } }, events],
  });
  return { address: `127.0.0.1:${port}`, stop };
}

export interface TestTranscriberOptions {
  /** Environment with the engine and other settings. Uses the simulated server unless it names an engine. */
  env?: Record<string, string>;
  /** True if plans are sold. */
  plans?: boolean;
  /** Receives the service's log lines. */
  lines?: string[];
}

/** Starts the service on real servers, with a simulated transcription server. */
export async function startTranscriber({ env = {}, plans = false, lines }: TestTranscriberOptions = {}) {
  const environment = await createTestEnvironment(['transcriber']);
  const consents = new Map<string, boolean>();
  const events = await startTestEvents(environment, rpcSecret);
  const identity = await startIdentity(consents, events.service);
  const silent = createLog({ service: 'transcriber', level: 'silent' });
  const simulators = createSimulators({
    config: loadConfig(simulatorsSchema, {
      OIDC_CLIENT_SECRET: 'a-secret-for-the-tests',
      OIDC_REDIRECT_URIS: 'http://localhost/api/callback',
      TRANSCRIBE_API_KEY: apiKey,
    }),
    log: silent,
  });
  const { url: simulatorsUrl } = await simulators.start();
  const clock = createFakeClock();
  const billing = await startTestBilling(environment, rpcSecret, () => clock.now());
  const local = ['TRANSCRIBE_COMMAND', 'TRANSCRIBE_MODEL_DIR', 'TRANSCRIBE_URL'].some((name) => name in env);
  const config = readConfig({
    PATH: process.env['PATH'],
    ...environment.variablesFor('transcriber'),
    RPC_LISTEN: '127.0.0.1:0',
    RPC_SECRET: rpcSecret,
    IDENTITY_ADDR: identity.address,
    ...(plans ? { BILLING_ADDR: billing.address } : {}),
    ...(local ? {} : { TRANSCRIBE_URL: `${simulatorsUrl}/v1/audio/transcriptions`, TRANSCRIBE_API_KEY: apiKey }),
    ...env,
  });
  const log = lines
    ? createLog({ service: 'transcriber', level: 'debug', destination: { write: (line) => void lines.push(line) } })
    : silent;
  const app = createTranscriberApp({ config, log, clock, longestPauseMs: 50 });
  const stopAround = async () => {
    await simulators.stop();
    await identity.stop();
    await billing.stop();
    await events.stop();
    await environment.drop();
  };
  const ports = await app.start().catch(async (error: unknown) => {
    await stopAround();
    throw error;
  });
  const client = createClient(TranscriberServiceDefinition, `127.0.0.1:${ports.rpc}`, { secret: rpcSecret });

  return {
    environment,
    publishEvent: events.publishEvent,
    billing,
    clock,
    client,
    /** Users and whether they want transcription. Other ids have no account. */
    consents,
    metrics: async () => (await fetch(`http://127.0.0.1:${ports.metrics}/metrics`)).text(),
    /** Creates a user who wants transcription. */
    speaker: () => {
      const id = crypto.randomUUID();
      consents.set(id, true);
      return id;
    },
    transcribe: async (actorId: string, bytes: Uint8Array, signal?: AbortSignal) => {
      const { transcription } = await client.transcribeVoice(messagesFor(actorId, bytes), signal ? { signal } : {});
      return transcription;
    },
    used: async (actorId: string) => (await client.getUsage({ actorId })).usedSeconds,
    /** Sets the next responses of the simulated server. */
    prepare: async (...answers: object[]) => {
      await fetch(`${simulatorsUrl}/transcription/answers`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(answers),
      });
    },
    /** Returns the requests that the simulated server received. */
    recordedRequests: async () => {
      const reply = await fetch(`${simulatorsUrl}/transcription/requests`);
      return ((await reply.json()) as { requests: Record<string, unknown>[] }).requests;
    },
    stopApp: () => app.stop(),
    stop: async () => {
      client.close();
      await app.stop();
      await stopAround();
    },
  };
}

export type TestTranscriber = Awaited<ReturnType<typeof startTranscriber>>;

export function* messagesFor(actorId: string, bytes: Uint8Array): Generator<TranscribeVoiceRequest> {
  yield { part: { $case: 'header', value: { actorId } } };
  const part = 64 * 1024;
  for (let at = 0; at < bytes.length; at += part) {
    yield { part: { $case: 'chunk', value: Buffer.from(bytes.subarray(at, at + part)) } };
  }
}

/** Returns the error of a refused call. */
export async function expectRpcError(
  call: Promise<unknown>,
): Promise<{ kind: string; code: string; details?: object }> {
  return await call.then(
    (answer) => {
      throw new Error(`The call succeeded unexpectedly: ${JSON.stringify(answer)}`);
    },
    (error: { kind: string; code: string; details?: object }) => error,
  );
}
