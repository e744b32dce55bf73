import { z } from 'zod';
import { waitUntilMediaReady, type PlatformHttpClient } from './http.ts';
import { PlatformError } from '../domain/PlatformError.ts';
import type {
  HiddenSecret,
  Platform,
  PlatformConnection,
  PlatformPost,
  PublishAttempt,
  PublishedPost,
} from '../domain/platform.ts';

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

export type Authorised = { token: HiddenSecret; signal: AbortSignal };

export async function createMediaContainer(
  { http, graph, path }: MediaContainerApi,
  account: string,
  json: object,
  { token, signal }: Authorised,
): Promise<string> {
  const { id } = await http.read(`${graph}/${account}/${path.make}`, made, { method: 'POST', json, token, signal });
  return id;
}

async function readMediaContainerState(
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
async function prepareMediaContainer(
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

async function publishMediaContainer(
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

interface ContainerPublishing {
  /** Creates the container of a post. */
  make(account: string, post: PlatformPost, authorised: Authorised): Promise<string>;
  /** Finds the post of a published container, which does not report it. */
  lookUp(
    connection: PlatformConnection,
    post: PlatformPost,
    attempt: Pick<PublishAttempt, 'since' | 'signal'>,
  ): Promise<PublishedPost | undefined>;
  /** Returns the address of a new post, if the platform reports it. */
  addressOf?(id: string, authorised: Authorised): Promise<string | undefined>;
}

/** Publishes posts through containers, and finds them. */
export function createContainerPublishing(
  containers: MediaContainerApi,
  { make, lookUp, addressOf }: ContainerPublishing,
): Pick<Platform, 'publish' | 'find'> {
  return {
    async publish(connection, post, attempt) {
      const { account, tokens } = connection;
      const authorised = { token: tokens.access, signal: attempt.signal };
      const { id: container, published } = await prepareMediaContainer(containers, attempt, tokens.access, () =>
        make(account.id, post, authorised),
      );
      if (published) return (await lookUp(connection, post, attempt)) ?? { id: container };
      await attempt.committing();
      const id = await publishMediaContainer(containers, account.id, container, authorised);
      return { id, address: await addressOf?.(id, authorised) };
    },
    async find(connection, post, { kept, since, signal }) {
      if (kept === undefined) return { state: 'absent' };
      const { state } = await readMediaContainerState(containers, kept, { token: connection.tokens.access, signal });
      if (state !== 'PUBLISHED') return { state: 'absent' };
      return { state: 'published', post: (await lookUp(connection, post, { since, signal })) ?? { id: kept } };
    },
  };
}
