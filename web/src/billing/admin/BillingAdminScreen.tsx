import { ShieldX } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useSelf } from '../../session/self.ts';
import { useDocumentTitle } from '../../shell/routeHandle.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { Select } from '../../ui/Select.tsx';
import { SkeletonRows } from '../../ui/Skeleton.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useBilling } from '../../session/plan.ts';
import { AdminList } from './AdminList.tsx';
import { AuditExport } from './AuditExport.tsx';
import type { BillingAdminView } from './adminQueries.ts';
import { useBillingAdminActions, billingAdminViews } from './adminQueries.ts';
import { GivePlanDialog } from './GivePlanDialog.tsx';
import { useAdminWords } from './useAdminWords.ts';

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
  const { t } = useAdminWords();
  useDocumentTitle(t('billingAdmin.title'));
  const { data: billing, isError, isFetching, refetch } = useBilling();
  if (billing === undefined) {
    return isError ? (
      <ErrorState
        className="pt-16"
        title={t('billing.loadFailed')}
        retrying={isFetching}
        onRetry={() => void refetch()}
      />
    ) : (
      <SkeletonRows label={t('billingAdmin.loading')} />
    );
  }
  return billing.operator ? <Lists /> : <Refused />;
}

/** Shows the account's id, for the installation's owner, who may grant access. */
function Refused() {
  const { t } = useAdminWords();
  const { id } = useSelf();
  return (
    <EmptyState
      className="pt-16"
      icon={<ShieldX />}
      title={t('billingAdmin.refused')}
      description={t('billingAdmin.refusedText')}
      action={
        <code dir="ltr" className="rounded-control bg-sunken px-3 py-2 font-mono text-13 break-all select-all">
          {id}
        </code>
      }
    />
  );
}

function Lists() {
  const { t } = useAdminWords();
  const [view, setView] = useState<BillingAdminView>('orders');
  const [params] = useSearchParams();
  const [userId, setUserId] = useState(params.get('account') ?? '');
  const [state, setState] = useState('');
  const [giving, setGiving] = useState(false);
  const { reconcile } = useBillingAdminActions();
  const typed = userId.trim();
  const about = isId.test(typed) ? typed : '';
  return (
    <>
      <Segmented<BillingAdminView>
        label={t('billingAdmin.views')}
        className="max-sm:grid max-sm:grid-cols-2"
        value={view}
        onValueChange={(next) => {
          setView(next);
          setState('');
        }}
        options={billingAdminViews.map((value) => ({ value, label: t(`billingAdmin.view.${value}`) }))}
      />
      <div className="flex flex-wrap items-start gap-3">
        <TextField
          className="min-w-60 flex-1"
          label={t('billingAdmin.account')}
          hint={t('billingAdmin.accountHint')}
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
          {t('billingAdmin.give')}
        </Button>
        <Button kind="secondary" size="small" onClick={() => void reconcile()}>
          {t('billingAdmin.reconcile')}
        </Button>
        {view === 'audit' && <AuditExport userId={about} />}
      </div>
      <AdminList key={view} view={view} filter={{ userId: about, state }} />
      {giving && <GivePlanDialog {...(about !== '' && { userId: about })} onClose={() => setGiving(false)} />}
    </>
  );
}

function StateSelect({
  view,
  value,
  onChange,
}: {
  view: BillingAdminView;
  value: string;
  onChange: (state: string) => void;
}) {
  const { t } = useAdminWords();
  if (view === 'audit') return null;
  const states =
    view === 'orders'
      ? [
          ...orderStates.map((one) => ({ value: one, label: t(`billing.orderStates.${one}`) })),
          { value: 'leftover', label: t('billingAdmin.leftovers') },
        ]
      : view === 'subscriptions'
        ? subscriptionStates.map((one) => ({ value: one, label: t(`billingAdmin.subscriptionStates.${one}`) }))
        : notificationStates.map((one) => ({ value: one, label: t(`billingAdmin.notificationStates.${one}`) }));
  return (
    <Select<string>
      className="w-44"
      label={t('billingAdmin.state')}
      value={value}
      onValueChange={onChange}
      options={[{ value: '', label: t('billingAdmin.allStates') }, ...states]}
    />
  );
}
