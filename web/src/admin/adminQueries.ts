import { routes, type OperatorAuditEntry, type Route } from '@nolo/api';
import { useQuery, type QueryKey } from '@tanstack/react-query';
import { withProof } from '../api/proof.ts';
import { call, callPage } from '../api/httpClient.ts';
import { useTexts } from '../i18n/texts.ts';
import { adminTexts } from './adminTexts.ts';

const adminKey = (...of: readonly string[]): QueryKey => ['admin', ...of];

export const adminKeys = {
  access: adminKey('admission'),
  acts: adminKey('acts'),
  announcements: adminKey('announcements'),
  barredHosts: adminKey('barred hosts'),
  invitations: adminKey('mail invitations'),
  reports: adminKey('reports'),
  rooms: adminKey('rooms'),
  settings: adminKey('settings'),
  state: adminKey('state'),
  work: adminKey('work'),
};

/** Queries a route for operators, anew whenever its page opens. */
export const useAdminQuery = <R extends Route>(route: R, queryKey: QueryKey) =>
  useQuery({ queryKey, queryFn: ({ signal }) => withProof(() => call(route, { signal })), staleTime: 0 });

/** Returns options of an action of operators: the title of its failure, and what it changes besides the audit. */
export function useOperatorActionOptions(...changed: QueryKey[]) {
  const { t } = useTexts(adminTexts);
  return { failure: t('admin:changeFailed'), invalidates: [adminKeys.acts, ...changed] };
}

/** Maximum entries in a file that a browser creates. */
const maxExportedActs = 10_000;

/** Returns the latest entries, oldest first as on the command line, and true if older ones were cut. */
export async function loadRecentOperatorActs(userId: string): Promise<{ acts: OperatorAuditEntry[]; isCut: boolean }> {
  const acts: OperatorAuditEntry[] = [];
  let cursor: string | null = null;
  do {
    const query = { limit: 100, ...(userId !== '' && { userId }), ...(cursor !== null && { cursor }) };
    // Each page begins where the previous one ended.
    const page: { items: OperatorAuditEntry[]; nextCursor: string | null } = await callPage(routes.listOperatorActs, {
      query,
    });
    acts.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null && acts.length < maxExportedActs);
  return { acts: acts.toReversed(), isCut: cursor !== null };
}
