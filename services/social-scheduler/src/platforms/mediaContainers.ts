import { z } from 'zod';
import { waitUntilMediaReady, type PlatformHttpClient } from './http.ts';
import { PlatformError } from '../domain/PlatformError.ts';
import type { PublishAttempt, HiddenSecret } from '../domain/platform.ts';

/**
 * Two-step publishing of Instagram and Threads: create a container, which fetches its media, then publish it. A
 * container can be published once, so an attempt that continues with one cannot publish twice.
 */
export interface MediaContainerApi {
  readonly http: PlatformHttpClient;
  /** Graph address with version. */
  readonly graph: string;
  /** Paths below the account for creating and publishing containers. */
  readonly path: { readonly make: string; readonly publish: string };
  /** Name of the field with a container's state. */
  readonly statusField: 'status_code' | 'status';
}

const made = z.object({ id: z.string() });
const status = z.object({
  status: z.string().optional(),
  status_code: z.string().optional(),
  error_message: z.string().optional(),
});

/** Polling interval. The documentation recommends once a minute, but images are ready sooner. */
const pollIntervalMs = 2_000;

type Authorised = { token: HiddenSecret; signal: AbortSignal };

export async function createMediaContainer(
  { http, graph, path }: MediaContainerApi,
  account: string,
  json: object,
  { token, signal }: Authorised,
): Promise<string> {
  const { id } = await http.read(`${graph}/${account}/${path.make}`, made, { method: 'POST', json, token, signal });
  return id;
}

export async function readMediaContainerState(
  { http, graph, statusField }: MediaContainerApi,
  id: string,
  { token, signal }: Authorised,
): Promise<{ state: string; fault: string | undefined }> {
  const fields = statusField === 'status' ? 'status,error_message' : 'status_code';
  const reply = await http.read(`${graph}/${id}`, status, { query: { fields }, token, signal });
  return { state: reply[statusField] ?? 'IN_PROGRESS', fault: reply.error_message };
}

/** @throws PlatformError media_processing, media_refused */
export async function waitUntilMediaContainerFinished(
  containers: MediaContainerApi,
  id: string,
  authorised: Authorised,
): Promise<'FINISHED' | 'PUBLISHED'> {
  let last = '';
  await waitUntilMediaReady(
    async () => {
      const { state, fault } = await readMediaContainerState(containers, id, authorised);
      last = state;
      if (state === 'FINISHED' || state === 'PUBLISHED') return { ready: true };
      if (state === 'ERROR') throw new PlatformError('media_refused', { code: fault ?? 'ERROR' });
      if (state === 'EXPIRED') throw new PlatformError('platform_down', { code: 'EXPIRED' });
      return { ready: false, waitMs: pollIntervalMs };
    },
    { clock: containers.http.clock, signal: authorised.signal },
  );
  return last === 'PUBLISHED' ? 'PUBLISHED' : 'FINISHED';
}

/** Continues with an earlier attempt's container if it is still valid, or creates and saves a new one. */
export async function prepareMediaContainer(
  containers: MediaContainerApi,
  attempt: PublishAttempt,
  token: HiddenSecret,
  make: () => Promise<string>,
): Promise<{ id: string; published: boolean }> {
  const authorised = { token, signal: attempt.signal };
  let id = attempt.kept;
  if (id !== undefined) {
    const { state } = await readMediaContainerState(containers, id, authorised);
    if (state === 'PUBLISHED') return { id, published: true };
    if (state === 'EXPIRED') id = undefined;
  }
  if (id === undefined) {
    id = await make();
    await attempt.keep(id);
  }
  return { id, published: (await waitUntilMediaContainerFinished(containers, id, authorised)) === 'PUBLISHED' };
}

export async function publishMediaContainer(
  { http, graph, path }: MediaContainerApi,
  account: string,
  container: string,
  { token, signal }: Authorised,
): Promise<string> {
  const json = { creation_id: container };
  const { id } = await http.read(`${graph}/${account}/${path.publish}`, made, {
    method: 'POST',
    json,
    token,
    signal,
    commits: true,
  });
  return id;
}
