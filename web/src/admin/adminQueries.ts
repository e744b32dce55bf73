import type {
  AdminAccount,
  AdminAnnouncement,
  AdminReport,
  AdminSetting,
  AuditLogVerification,
  RouteBodyInput,
  OperatorAuditEntry,
  WorkQueue,
} from '@nolo/api';
import { routes } from '@nolo/api';
import type { ReportState } from '@nolo/rules';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { serverNow } from '../api/serverClock.ts';
import { ProofDeclined, withProof } from '../api/proof.ts';
import { call, callPage } from '../api/httpClient.ts';
import { explainFailure } from '../i18n/explainFailure.ts';
import { showFailure } from '../ui/failures.ts';
import { useOperatorWords } from './useOperatorWords.ts';

export const adminQueryKey = ['admin'];
const workKey = [...adminQueryKey, 'work'];
const announcementsKey = [...adminQueryKey, 'announcements'];
const roomsKey = [...adminQueryKey, 'rooms'];
const settingsKey = [...adminQueryKey, 'settings'];
const actsPerPage = 50;
const reportsPerPage = 20;
/** Maximum entries in a file that a browser creates. */
const maxExportedActs = 10_000;
const verifyMs = 30_000;

/** Checks access; the error says why it is refused. */
export function useAdminAccess() {
  return useQuery({
    queryKey: [...adminQueryKey, 'admission'],
    queryFn: ({ signal }) => call(routes.openAdmin, { signal }),
    retry: false,
    staleTime: Infinity,
  });
}

/** Returns the recent state of the installation. */
export function useInstallationState() {
  return useQuery({
    queryKey: [...adminQueryKey, 'state'],
    queryFn: ({ signal }) => withProof(() => call(routes.getAdminState, { signal })),
    staleTime: 0,
  });
}

export function useWorkQueues() {
  return useQuery({
    queryKey: [...workKey, 'queues'],
    queryFn: ({ signal }) => withProof(() => call(routes.getAdminWork, { signal })),
    staleTime: 0,
  });
}

/** Lists the set-aside work of a queue, oldest first. */
export function useSetAsideWork({ part, kind, queue }: WorkQueue) {
  return useInfiniteQuery({
    queryKey: [...workKey, 'set aside', part, kind, queue],
    queryFn: ({ pageParam, signal }) =>
      withProof(() =>
        callPage(routes.listSetAsideWork, {
          query: { part, kind, queue, ...(pageParam && { cursor: pageParam }) },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  });
}

/** @returns true if it was done; errors are shown by the hook */
export function useSetAsideWorkActions() {
  const attempt = useActionRunner();
  const queryClient = useQueryClient();
  const attemptAndRefresh = async (action: () => Promise<unknown>): Promise<boolean> => {
    const done = await attempt(async () => {
      await action();
      return true;
    });
    await queryClient.invalidateQueries({ queryKey: workKey });
    return done ?? false;
  };
  return {
    retry: ({ part, kind, queue }: WorkQueue, id: string): Promise<boolean> =>
      attemptAndRefresh(() => call(routes.retrySetAsideWork, { body: { part, kind, queue, id } })),
    discard: ({ part, kind, queue }: WorkQueue, id: string, reason: string): Promise<boolean> =>
      attemptAndRefresh(() => call(routes.discardSetAsideWork, { body: { part, kind, queue, id, reason } })),
  };
}

/** Lists occupied rooms, page by page. */
export function useLiveRooms() {
  return useInfiniteQuery({
    queryKey: roomsKey,
    queryFn: ({ pageParam, signal }) =>
      withProof(() => callPage(routes.listLiveRooms, { query: { ...(pageParam && { cursor: pageParam }) }, signal })),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  });
}

/** @returns true if it was done; errors are shown by the hook */
export function useLiveRoomActions() {
  const attempt = useActionRunner();
  const queryClient = useQueryClient();
  return {
    async end(id: string, reason: string): Promise<boolean> {
      const done = await attempt(async () => {
        await call(routes.endLiveRoom, { params: { id }, body: { reason } });
        return true;
      });
      await queryClient.invalidateQueries({ queryKey: roomsKey });
      return done ?? false;
    },
  };
}

/** Lists announcements, latest first. */
export function useAnnouncementList() {
  return useInfiniteQuery({
    queryKey: announcementsKey,
    queryFn: ({ pageParam, signal }) =>
      withProof(() =>
        callPage(routes.listAnnouncements, { query: { ...(pageParam && { cursor: pageParam }) }, signal }),
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  });
}

type AnnouncementDraft = Pick<AdminAnnouncement, 'severity' | 'until'> & { texts: { en: string; de?: string } };

/** Announcement actions; each shows its own error and then returns undefined. */
export function useAnnouncementActions() {
  const attempt = useActionRunner();
  const queryClient = useQueryClient();
  const attemptAndRefresh = async <T>(action: () => Promise<T>): Promise<T | undefined> => {
    const done = await attempt(action);
    await queryClient.invalidateQueries({ queryKey: announcementsKey });
    return done;
  };
  return {
    make: (body: AnnouncementDraft): Promise<AdminAnnouncement | undefined> =>
      attemptAndRefresh(() => call(routes.makeAnnouncement, { body })),
    end: (id: string): Promise<AdminAnnouncement | undefined> =>
      attemptAndRefresh(() => call(routes.endAnnouncement, { params: { id } })),
  };
}

/** Returns the settings that operators change while the installation runs. */
export function useInstallationSettings() {
  return useQuery({
    queryKey: settingsKey,
    queryFn: ({ signal }) => withProof(() => call(routes.listSettings, { signal })),
    staleTime: 0,
  });
}

/** @returns true if it was done; errors are shown by the hook */
export function useInstallationSettingActions() {
  const attempt = useActionRunner();
  const queryClient = useQueryClient();
  return {
    /** @param value null restores the configured value */
    async change(name: AdminSetting['name'], value: string | null): Promise<boolean> {
      const all = await attempt(() => call(routes.changeSetting, { params: { name }, body: { value } }));
      if (all) queryClient.setQueryData(settingsKey, all);
      return all !== undefined;
    },
  };
}

/** Lists operators' actions, page by page; of one account if given. */
export function useOperatorActs(userId: string) {
  return useInfiniteQuery({
    queryKey: [...adminQueryKey, 'acts', userId],
    queryFn: ({ pageParam, signal }) =>
      withProof(() =>
        callPage(routes.listOperatorActs, {
          query: { limit: actsPerPage, ...(userId !== '' && { userId }), ...(pageParam && { cursor: pageParam }) },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  });
}

/** Lists user reports, page by page. */
export function useReports(state: ReportState) {
  return useInfiniteQuery({
    queryKey: [...adminQueryKey, 'reports', state],
    queryFn: ({ pageParam, signal }) =>
      withProof(() =>
        callPage(routes.listReports, {
          query: { state, limit: reportsPerPage, ...(pageParam && { cursor: pageParam }) },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  });
}

/** Returns the latest entries, oldest first as on the command line, and true if older ones were cut. */
export async function loadRecentOperatorActs(userId: string): Promise<{ acts: OperatorAuditEntry[]; isCut: boolean }> {
  const acts: OperatorAuditEntry[] = [];
  let cursor: string | null = null;
  do {
    const query = { limit: 100, ...(userId !== '' && { userId }), ...(cursor !== null && { cursor }) };
    // Each page begins where the previous one ended.
    const page: { items: OperatorAuditEntry[]; nextCursor: string | null } = await withProof(() =>
      callPage(routes.listOperatorActs, { query }),
    );
    acts.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null && acts.length < maxExportedActs);
  return { acts: acts.toReversed(), isCut: cursor !== null };
}

export type AccountAction = 'suspend' | 'lift' | 'signOut' | 'erase' | 'reopen';

/** Runs an action. If it fails, shows the error and returns undefined. */
export function useActionRunner() {
  const { t, i18n } = useOperatorWords();
  const queryClient = useQueryClient();
  return async <T>(action: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await withProof(action);
    } catch (error) {
      if (!(error instanceof ProofDeclined)) {
        showFailure({ title: t('admin.changeFailed'), description: explainFailure(i18n, error) });
      }
      return undefined;
    } finally {
      void queryClient.invalidateQueries({ queryKey: [...adminQueryKey, 'acts'] });
    }
  };
}

/** Actions of operators. Each reports its result and returns it; undefined if it failed. */
export function useOperatorActions() {
  const attempt = useActionRunner();
  const queryClient = useQueryClient();

  return {
    find: (q: string): Promise<AdminAccount[] | undefined> =>
      attempt(() => call(routes.findAccounts, { query: { q } })),
    changeReport: async (
      id: string,
      body: RouteBodyInput<typeof routes.changeReport>,
    ): Promise<AdminReport | undefined> => {
      const report = await attempt(() => call(routes.changeReport, { params: { id }, body }));
      void queryClient.invalidateQueries({ queryKey: [...adminQueryKey, 'reports'] });
      return report;
    },
    seePicture: (id: string) => attempt(() => call(routes.getReportPicture, { params: { id } })),
    verify: (): Promise<AuditLogVerification | undefined> =>
      attempt(() => call(routes.verifyOperatorActs, { timeoutMs: verifyMs })),
    /** @returns the account's new state; null if it is gone */
    change: (
      action: AccountAction,
      id: string,
      reason: string,
      days: number | null,
    ): Promise<AdminAccount | null | undefined> => {
      const [params, body] = [{ id }, { reason }];
      const until = days === null ? {} : { until: new Date(serverNow() + days * 86_400_000).toISOString() };
      switch (action) {
        case 'suspend':
          return attempt(() => call(routes.suspendAccount, { params, body: { ...body, ...until } }));
        case 'lift':
          return attempt(() => call(routes.liftSuspension, { params, body }));
        case 'signOut':
          return attempt(() => call(routes.signOutAccount, { params, body }));
        case 'reopen':
          return attempt(() => call(routes.reopenAccount, { params, body }));
        case 'erase':
          return attempt(async () => {
            await call(routes.eraseAccount, { params, body });
            return null;
          });
      }
    },
  };
}
