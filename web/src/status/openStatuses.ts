import { routes, type StatusUpdate } from '@nolo/api';
import { allReady } from '@nolo/client/content/codec';
import type { Content } from '@nolo/client/content/content';
import { hashKey, type QueryClient } from '@tanstack/react-query';
import type { i18n } from 'i18next';
import { toSendFailure } from '../chat/storage/chatApi.ts';
import { call } from '../api/httpClient.ts';
import { queryKeys } from '../api/queries.ts';
import { browserTimers } from '../api/timers.ts';
import { createUploadTransport } from '../api/uploadTransport.ts';
import type { AccountDatabase } from '../chat/storage/accountDatabase.ts';
import { deviceContentOf } from '../chat/storage/deviceContent.ts';
import { runExclusively } from '../device/runExclusively.ts';
import type { ChatEngine } from '@nolo/client/chat/chatEngine';
import { toast } from '../ui/toasts.ts';
import type { UnsentStatus } from './model/statusDelivery.ts';
import { createStatusOutbox, type StatusOutbox } from './model/statusOutbox.ts';
import { getTranslate } from '../i18n/texts.ts';
import { statusTexts } from './statusTexts.ts';
import type { StatusPages } from './statusQueries.ts';

/** Seals or opens the status updates of a list for the device. */
async function mapStatuses(list: StatusPages, change: (status: StatusUpdate) => unknown): Promise<StatusPages> {
  const pages = await Promise.all(
    list.pages.map(async (page) => ({ ...page, items: (await allReady(page.items.map(change))) as StatusUpdate[] })),
  );
  return { ...list, pages };
}

/** Unsent status update on the device. */
type StoredStatus = Omit<UnsentStatus, 'body'> & { readonly sealed: string };

const unsentContext = { kind: 'unsent', encryption: 'none' } as const;

const sealUnsent = async ({ codec }: Content, { body, name, ...status }: UnsentStatus): Promise<StoredStatus> => ({
  ...status,
  sealed: await codec.seal({ body, name }, unsentContext),
});

/** Opens an unsent status update. Data of previous releases is open already. */
async function openUnsent({ codec }: Content, stored: StoredStatus | UnsentStatus): Promise<UnsentStatus> {
  if (!('sealed' in stored)) return stored;
  const { sealed, ...status } = stored;
  const { body, name } = (await codec.open(sealed, unsentContext)) as Pick<UnsentStatus, 'body' | 'name'>;
  return { ...status, body, ...(name !== undefined && { name }) };
}

/** Shows stored status updates until the server's list arrives, and stores that list. */
async function keepStatuses(database: AccountDatabase, queryClient: QueryClient): Promise<void> {
  const content = deviceContentOf(database);
  const hash = hashKey(queryKeys.statuses);
  queryClient.getQueryCache().subscribe((event) => {
    if (event.query.queryHash !== hash || event.type !== 'updated' || event.action.type !== 'success') return;
    const list = event.query.state.data as StatusPages | undefined;
    if (list === undefined) return;
    mapStatuses(list, content.sealStatus)
      .then((sealed) => database.putStatuses(sealed))
      .catch(() => {});
  });
  const stored = (await database.readStatuses()) as StatusPages | undefined;
  const kept = stored && (await mapStatuses(stored, content.openStatus));
  if (kept === undefined || queryClient.getQueryData(queryKeys.statuses) !== undefined) return;
  queryClient.setQueryData(queryKeys.statuses, kept, { updatedAt: 1 });
}

interface StatusOutboxDependencies {
  database: AccountDatabase;
  engine: ChatEngine;
  queryClient: QueryClient;
  i18n: i18n;
}

const opened = new WeakMap<AccountDatabase, StatusOutbox>();

/**
 * Returns the outbox of an account's status updates, which resumes its queue on first use. Callers must have loaded the
 * texts of status updates.
 */
export function openStatusOutbox(dependencies: StatusOutboxDependencies): StatusOutbox {
  const known = opened.get(dependencies.database) ?? openStatuses(dependencies);
  opened.set(dependencies.database, known);
  return known;
}

function openStatuses({ database, engine, queryClient, i18n }: StatusOutboxDependencies): StatusOutbox {
  const content = deviceContentOf(database);
  const refresh = () => void queryClient.invalidateQueries({ queryKey: queryKeys.statuses });
  const outbox = createStatusOutbox({
    device: {
      // The outbox is the only writer of this store.
      listStatuses: async () =>
        Promise.all(
          ((await database.listUnsentStatuses()) as (StoredStatus | UnsentStatus)[]).map((stored) =>
            openUnsent(content, stored),
          ),
        ),
      putStatus: async (status) => database.putUnsentStatus(await sealUnsent(content, status)),
      removeStatus: (id) => database.removeUnsentStatus(id),
    },
    transport: createUploadTransport(),
    post: (body) => call(routes.postStatus, { body }),
    failureOf: toSendFailure,
    exclusively: runExclusively,
    timers: browserTimers,
    onPosted({ body }) {
      refresh();
      const some = body.audience !== undefined && body.audience.mode !== 'contacts';
      const description = getTranslate(i18n, statusTexts)(some ? 'status:postedSome' : 'status:postedText');
      toast({ kind: 'success', title: getTranslate(i18n, statusTexts)('status:posted'), description });
    },
    onRefused(_, { message }) {
      toast({
        kind: 'error',
        title: getTranslate(i18n, statusTexts)('status:failed'),
        ...(message !== '' && { description: message }),
      });
    },
  });
  keepStatuses(database, queryClient).catch(() => {});
  void outbox.resume();
  let previousConnection = engine.store.getState().connection;
  engine.store.subscribe(({ connection }) => {
    if (connection === previousConnection) return;
    previousConnection = connection;
    if (connection === 'open') outbox.flush();
  });
  return outbox;
}
