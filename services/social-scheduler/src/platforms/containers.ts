import { z } from 'zod';
import { untilReady, type Http } from './http.ts';
import { PlatformError } from '../domain/PlatformError.ts';
import type { Attempt, Hidden } from '../domain/platform.ts';

/**
 * Instagram and Threads publish in two steps: a container is made, which fetches its media, and then published. A container
 * is published once, so an attempt that goes on with one cannot publish twice.
 */
export interface Containers {
  readonly http: Http;
  /** Graph address with version. */
  readonly graph: string;
  /** Under which the account makes containers, and publishes them. */
  readonly path: { readonly make: string; readonly publish: string };
  /** Name of the field that holds a container's state. */
  readonly statusField: 'status_code' | 'status';
}

const made = z.object({ id: z.string() });
const status = z.object({
  status: z.string().optional(),
  status_code: z.string().optional(),
  error_message: z.string().optional(),
});

/** Looking once a minute is what the documentation asks for; images are ready sooner. */
const lookAgainMs = 2_000;

type Authorised = { token: Hidden; signal: AbortSignal };

export async function makeContainer(
  { http, graph, path }: Containers,
  account: string,
  json: object,
  { token, signal }: Authorised,
): Promise<string> {
  const { id } = await http.read(`${graph}/${account}/${path.make}`, made, { method: 'POST', json, token, signal });
  return id;
}

export async function stateOf(
  { http, graph, statusField }: Containers,
  id: string,
  { token, signal }: Authorised,
): Promise<{ state: string; fault: string | undefined }> {
  const fields = statusField === 'status' ? 'status,error_message' : 'status_code';
  const reply = await http.read(`${graph}/${id}`, status, { query: { fields }, token, signal });
  return { state: reply[statusField] ?? 'IN_PROGRESS', fault: reply.error_message };
}

/** @throws PlatformError media_processing, media_refused */
export async function untilFinished(
  containers: Containers,
  id: string,
  authorised: Authorised,
): Promise<'FINISHED' | 'PUBLISHED'> {
  let last = '';
  await untilReady(
    async () => {
      const { state, fault } = await stateOf(containers, id, authorised);
      last = state;
      if (state === 'FINISHED' || state === 'PUBLISHED') return { ready: true };
      if (state === 'ERROR') throw new PlatformError('media_refused', { code: fault ?? 'ERROR' });
      if (state === 'EXPIRED') throw new PlatformError('platform_down', { code: 'EXPIRED' });
      return { ready: false, waitMs: lookAgainMs };
    },
    { clock: containers.http.clock, signal: authorised.signal },
  );
  return last === 'PUBLISHED' ? 'PUBLISHED' : 'FINISHED';
}

/** Goes on with the container of an earlier attempt where that is still good, else makes one, and keeps it. */
export async function readyContainer(
  containers: Containers,
  attempt: Attempt,
  token: Hidden,
  make: () => Promise<string>,
): Promise<{ id: string; published: boolean }> {
  const authorised = { token, signal: attempt.signal };
  let id = attempt.kept;
  if (id !== undefined) {
    const { state } = await stateOf(containers, id, authorised);
    if (state === 'PUBLISHED') return { id, published: true };
    if (state === 'EXPIRED') id = undefined;
  }
  if (id === undefined) {
    id = await make();
    await attempt.keep(id);
  }
  return { id, published: (await untilFinished(containers, id, authorised)) === 'PUBLISHED' };
}

export async function publishContainer(
  { http, graph, path }: Containers,
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
