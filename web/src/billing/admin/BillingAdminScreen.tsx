import { routes, type BillingAuditRecord } from '@nolo/api';
import { Download, Inbox } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import { callPage } from '../../api/httpClient.ts';
import { saveFile } from '../../device/saveFile.ts';
import { OperatorsOnly } from '../../shell/OperatorsOnly.tsx';
import { useDocumentTitle } from '../../shell/routeHandle.ts';
import { Button } from '../../ui/Button.tsx';
import { QueryPlaceholder } from '../../ui/QueryPlaceholder.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { Select } from '../../ui/Select.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { toast } from '../../ui/toasts.ts';
import { useAction } from '../../ui/useAction.ts';
import { createAuditFile, auditFormats, type AuditFormat } from '../model/auditFile.ts';
import { useBilling } from '../../session/plan.ts';
import {
  useBillingAdminActionOptions,
  billingAdminViews,
  type BillingAdminView,
  useAdminList,
  type BillingAdminFilter,
  type BillingAdminRow,
} from './adminQueries.ts';
import { GivePlanDialog } from './GivePlanDialog.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PagedRows } from '../../ui/PagedRows.tsx';
import { AuditRow, NotificationRow, OrderRow, SubscriptionRow } from './adminRows.tsx';
import { billingTexts } from '../billingTexts.ts';
import { billingAdminTexts } from './billingAdminTexts.ts';

const orderStates = [
  'created',
  'redirected',
  'paid',
  'cancelled',
  'expired',
  'failed',
  'refunded',
  'disputed',
] as const;
const subscriptionStates = ['active', 'ending', 'grace', 'ended'] as const;
const notificationStates = ['received', 'done', 'refused', 'waiting', 'failed'] as const;
const isId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Page `/admin/billing` for operators; the server decides who is one, and records their actions. */
export function BillingAdminScreen() {
  const { t } = useTexts(billingTexts, billingAdminTexts);
  useDocumentTitle(t('billingAdmin:title'));
  const query = useBilling();
  if (query.data === undefined) {
    return (
      <QueryPlaceholder
        className="pt-16"
        query={query}
        failed={t('billing:loadFailed')}
        loading={t('billingAdmin:loading')}
      />
    );
  }
  if (query.data.operator) return <Lists />;
  return <OperatorsOnly title={t('billingAdmin:refused')} text={t('billingAdmin:refusedText')} />;
}

function Lists() {
  const { t } = useTexts(billingAdminTexts);
  const [view, setView] = useState<BillingAdminView>('orders');
  const [params] = useSearchParams();
  const [userId, setUserId] = useState(params.get('account') ?? '');
  const [state, setState] = useState('');
  const [giving, setGiving] = useState(false);
  const reconcile = useAction(routes.reconcileMeters, useBillingAdminActionOptions(t('billingAdmin:reconciling')));
  const typed = userId.trim();
  const about = isId.test(typed) ? typed : '';
  return (
    <>
      <Segmented<BillingAdminView>
        label={t('billingAdmin:views')}
        className="max-sm:grid max-sm:grid-cols-2"
        value={view}
        onValueChange={(next) => {
          setView(next);
          setState('');
        }}
        options={billingAdminViews.map((value) => ({ value, label: t(`billingAdmin:view.${value}`) }))}
      />
      <div className="flex flex-wrap items-start gap-3">
        <TextField
          className="min-w-60 flex-1"
          label={t('billingAdmin:account')}
          hint={t('billingAdmin:accountHint')}
          autoComplete="off"
          spellCheck={false}
          dir="ltr"
          value={userId}
          onChange={(event) => setUserId(event.target.value)}
        />
        <StateSelect view={view} value={state} onChange={setState} />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button kind="secondary" size="small" onClick={() => setGiving(true)}>
          {t('billingAdmin:give')}
        </Button>
        <Button kind="secondary" size="small" onClick={() => void reconcile.run({})}>
          {t('billingAdmin:reconcile')}
        </Button>
        {view === 'audit' && <AuditExport userId={about} />}
      </div>
      <AdminList key={view} view={view} filter={{ userId: about, state }} />
      {giving && <GivePlanDialog {...(about !== '' && { userId: about })} onClose={() => setGiving(false)} />}
    </>
  );
}

interface StateSelectProps {
  view: BillingAdminView;
  value: string;
  onChange: (state: string) => void;
}

function StateSelect({ view, value, onChange }: StateSelectProps) {
  const { t } = useTexts(billingTexts, billingAdminTexts);
  if (view === 'audit') return null;
  const states =
    view === 'orders'
      ? [
          ...orderStates.map((one) => ({ value: one, label: t(`billing:orderStates.${one}`) })),
          { value: 'leftover', label: t('billingAdmin:leftovers') },
        ]
      : view === 'subscriptions'
        ? subscriptionStates.map((one) => ({ value: one, label: t(`billingAdmin:subscriptionStates.${one}`) }))
        : notificationStates.map((one) => ({ value: one, label: t(`billingAdmin:notificationStates.${one}`) }));
  return (
    <Select<string>
      className="w-44"
      label={t('billingAdmin:state')}
      value={value}
      onValueChange={onChange}
      options={[{ value: '', label: t('billingAdmin:allStates') }, ...states]}
    />
  );
}

/** Records per request, and at most in a file. */
const recordsPerPage = 100;
const maxRecords = 10_000;

/** Returns the latest audit records, of one user or of all, and true if older ones were cut. */
async function gather(userId: string): Promise<{ records: BillingAuditRecord[]; isCut: boolean }> {
  const records: BillingAuditRecord[] = [];
  let cursor: string | null = null;
  do {
    const query = { limit: recordsPerPage, ...(userId !== '' && { userId }), ...(cursor !== null && { cursor }) };
    // Each page begins where the previous one ended.
    const page: { items: BillingAuditRecord[]; nextCursor: string | null } = await callPage(routes.findAudit, {
      query,
    });
    records.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null && records.length < maxRecords);
  return { records, isCut: cursor !== null };
}

/** Downloads the audit as a file, filtered like the list: of one account if given. */
function AuditExport({ userId }: { userId: string }) {
  const { t } = useTexts(billingAdminTexts);
  const { run, busy, running } = useAction(
    async (format: AuditFormat) => {
      const { records, isCut } = await gather(userId);
      saveFile(createAuditFile(records, format), `nolo-billing-audit.${format}`);
      if (isCut) toast({ kind: 'info', title: t('billingAdmin:exportCut', { count: records.length }) });
    },
    { failure: t('billingAdmin:exportFailed') },
  );
  return auditFormats.map((format) => (
    <Button
      key={format}
      kind="secondary"
      size="small"
      icon={<Download />}
      busy={running === format}
      disabled={busy}
      onClick={() => void run(format)}
    >
      {t('billingAdmin:exportAs', { format: format.toUpperCase() })}
    </Button>
  ));
}

const rows: { [V in BillingAdminView]: (row: BillingAdminRow<V>) => ReactNode } = {
  orders: (order) => <OrderRow key={order.id} order={order} />,
  subscriptions: (one) => <SubscriptionRow key={one.userId} {...one} />,
  notifications: (one) => <NotificationRow key={one.id} notification={one} />,
  audit: (one) => <AuditRow key={one.id} record={one} />,
};

interface AdminListProps<V extends BillingAdminView> {
  view: V;
  filter: BillingAdminFilter;
}

/** Rows of one operator list. */
function AdminList<V extends BillingAdminView>({ view, filter }: AdminListProps<V>) {
  const { t } = useTexts(billingAdminTexts);
  return (
    <PagedRows
      list={useAdminList(view, filter)}
      words={{
        failed: t('billingAdmin:loadFailed'),
        loading: t('billingAdmin:loading'),
        more: t('billingAdmin:more'),
      }}
      empty={<EmptyState icon={<Inbox />} title={t('billingAdmin:nothing')} />}
      className="flex flex-col gap-2"
      placeholder={{ className: '' }}
      moreButton={{ className: 'self-center' }}
    >
      {rows[view]}
    </PagedRows>
  );
}
