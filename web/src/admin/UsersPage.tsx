import { routes, type AdminAccount } from '@nolo/api';
import { limits } from '@nolo/rules';
import { UserSearch } from 'lucide-react';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { call } from '../api/httpClient.ts';
import { serverNow } from '../api/serverClock.ts';
import { useLocale } from '../i18n/locale.ts';
import { useArePlansSold } from '../session/useArePlansSold.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button, buttonClasses } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Select } from '../ui/Select.tsx';
import { TextField } from '../ui/TextField.tsx';
import { useAction } from '../ui/useAction.ts';
import { useOperatorActionOptions } from './adminQueries.ts';
import { formatMoment } from './formatMoment.ts';
import { ReasonDialog } from './ReasonDialog.tsx';
import { useTexts } from '../i18n/texts.ts';
import { adminTexts } from './adminTexts.ts';

const accountRoutes = {
  suspend: routes.suspendAccount,
  lift: routes.liftSuspension,
  signOut: routes.signOutAccount,
  erase: routes.eraseAccount,
  reopen: routes.reopenAccount,
};
type AccountAction = keyof typeof accountRoutes;

const spans = ['1', '7', '30', 'lifted'] as const;
type Span = (typeof spans)[number];

/** Accounts, found by exact values. Searches only on request, because each one is recorded. */
export function UsersPage() {
  const { t } = useTexts(adminTexts);
  const [params] = useSearchParams();
  const [typed, setTyped] = useState(params.get('account') ?? '');
  const [missing, setMissing] = useState(false);
  const [found, setFound] = useState<AdminAccount[] | null>(null);
  const find = useAction(routes.findAccounts, { ...useOperatorActionOptions(), onDone: setFound });

  const search = (event: FormEvent) => {
    event.preventDefault();
    const q = typed.trim();
    setMissing(q === '');
    if (q !== '' && !find.busy) void find.run({ query: { q } });
  };
  const replace = (id: string, now: AdminAccount | null) => {
    setFound((before) => (before ?? []).flatMap((one) => (one.id !== id ? one : (now ?? []))));
  };

  return (
    <>
      <form className="flex flex-wrap items-start gap-3" noValidate onSubmit={search}>
        <TextField
          className="min-w-60 flex-1"
          label={t('admin:find')}
          hint={t('admin:findHint')}
          error={missing ? t('admin:findMissing') : null}
          autoComplete="off"
          spellCheck={false}
          dir="ltr"
          maxLength={limits.searchQueryLength}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit" busy={find.busy} className="mt-6">
          {t('admin:findButton')}
        </Button>
      </form>
      <div role="status" className="flex flex-col gap-4">
        {found?.map((account) => (
          <AccountCard key={account.id} account={account} onChange={(now) => replace(account.id, now)} />
        ))}
        {found?.length === 0 && (
          <EmptyState icon={<UserSearch />} title={t('admin:nobody')} description={t('admin:nobodyText')} />
        )}
      </div>
    </>
  );
}

interface AccountCardProps {
  account: AdminAccount;
  /** Called with the account's new state; null if it is gone. */
  onChange: (now: AdminAccount | null) => void;
}

/** Facts about an account, and the actions on it. */
function AccountCard({ account, onChange }: AccountCardProps) {
  const { t } = useTexts(adminTexts);
  const sells = useArePlansSold();
  const [action, setAction] = useState<AccountAction | null>(null);
  const { suspension, operator, deletesAt } = account;
  const name = account.name ?? t('admin:noName');
  const actions = [
    suspension ? ('lift' as const) : !operator && ('suspend' as const),
    account.devices > 0 && ('signOut' as const),
    deletesAt !== null && ('reopen' as const),
    !operator && deletesAt === null && ('erase' as const),
  ].filter((one) => one !== false);
  return (
    <Card title={<bdi>{name}</bdi>} action={<Standing account={account} />}>
      <Facts account={account} />
      {suspension && <Kept suspension={suspension} />}
      {operator && <p className="mt-3 text-13 text-muted">{t('admin:operatorText')}</p>}
      <div className="mt-4 flex flex-wrap gap-2">
        {actions.map((one) => (
          <Button key={one} kind={one === 'erase' ? 'danger' : 'secondary'} size="small" onClick={() => setAction(one)}>
            {t(`admin:${one}`)}
          </Button>
        ))}
        <Link to={`/admin/audit?account=${account.id}`} className={buttonClasses({ kind: 'quiet', size: 'small' })}>
          {t('admin:history')}
        </Link>
        {sells && (
          <Link to={`/admin/billing?account=${account.id}`} className={buttonClasses({ kind: 'quiet', size: 'small' })}>
            {t('admin:plan')}
          </Link>
        )}
      </div>
      {action && (
        <AccountActionDialog
          action={action}
          account={account}
          name={name}
          onClose={() => setAction(null)}
          onDone={(now) => {
            setAction(null);
            onChange(now);
          }}
        />
      )}
    </Card>
  );
}

function Standing({ account: { suspension, operator, deletesAt } }: { account: AdminAccount }) {
  const { t } = useTexts(adminTexts);
  const locale = useLocale();
  if (operator) return <Badge tone="accent">{t('admin:isOperator')}</Badge>;
  if (deletesAt !== null) {
    return <Badge tone="danger">{t('admin:deletesAt', { date: formatMoment(deletesAt, locale) })}</Badge>;
  }
  if (!suspension) return null;
  const { until } = suspension;
  return (
    <Badge tone="danger">
      {until ? t('admin:suspendedUntil', { date: formatMoment(until, locale) }) : t('admin:suspended')}
    </Badge>
  );
}

function Kept({ suspension }: { suspension: NonNullable<AdminAccount['suspension']> }) {
  const { t } = useTexts(adminTexts);
  const locale = useLocale();
  const date = formatMoment(suspension.since, locale);
  return (
    <p className="mt-3 rounded-control bg-danger-subtle px-3 py-2 text-13 wrap-anywhere text-danger-text">
      {t('admin:suspendedBecause', { date, reason: suspension.reason })}
    </p>
  );
}

function Facts({ account }: { account: AdminAccount }) {
  const { t } = useTexts(adminTexts);
  const locale = useLocale();
  const moment = (at: string) => formatMoment(at, locale);
  const { devices, lastUsedAt } = account;
  const used =
    lastUsedAt === null ? t('admin:none') : t('admin:devicesUsed', { count: devices, date: moment(lastUsedAt) });
  return (
    <dl className="grid grid-cols-1 gap-x-4 gap-y-1 text-13 sm:grid-cols-[auto_1fr]">
      <Fact label={t('admin:number')}>{account.phoneNumber}</Fact>
      <Fact label={t('admin:mail')}>{account.email}</Fact>
      <Fact label={t('admin:username')}>{account.username === null ? null : `@${account.username}`}</Fact>
      <Fact label={t('admin:id')}>{account.id}</Fact>
      <Fact label={t('admin:since')} isText>
        {moment(account.createdAt)}
      </Fact>
      <Fact label={t('admin:devices')} isText>
        {used}
      </Fact>
    </dl>
  );
}

/** @param isText true for text, false for names or numbers that read from left to right everywhere */
function Fact({ label, isText = false, children }: { label: string; isText?: boolean; children: ReactNode }) {
  if (children === null) return null;
  return (
    <>
      <dt className="text-muted max-sm:mt-1">{label}</dt>
      <dd className="tabular min-w-0 wrap-anywhere select-text">
        {isText ? children : <bdi dir="ltr">{children}</bdi>}
      </dd>
    </>
  );
}

interface AccountActionDialogProps {
  action: AccountAction;
  account: AdminAccount;
  name: string;
  onClose: () => void;
  /** Called with the account's new state; null if it is gone. */
  onDone: (now: AdminAccount | null) => void;
}

/** Asks for the reason for an action on an account, and performs it. */
function AccountActionDialog({ action, account, name, onClose, onDone }: AccountActionDialogProps) {
  const { t } = useTexts(adminTexts);
  const [span, setSpan] = useState<Span>('7');
  const suspends = action === 'suspend';
  const change = useAction((reason: string) => {
    const until = suspends &&
      span !== 'lifted' && { until: new Date(serverNow() + Number(span) * 86_400_000).toISOString() };
    return call(accountRoutes[action], { params: { id: account.id }, body: { reason, ...until } });
  }, useOperatorActionOptions());

  return (
    <ReasonDialog
      role="alert"
      title={t(`admin:${action}Title`, { name })}
      description={t(`admin:${action}Text`)}
      danger={action !== 'lift' && action !== 'reopen'}
      submitLabel={t(`admin:${action}`)}
      done={t(`admin:${action}Done`)}
      {...(suspends && { field: { hint: t('admin:reasonRead') } })}
      onClose={onClose}
      onSubmit={async (reason) => {
        const done = await change.run(reason);
        if (done) onDone(done.result ?? null);
        return done;
      }}
      below={
        suspends && (
          <Select<Span>
            label={t('admin:until')}
            value={span}
            onValueChange={setSpan}
            options={spans.map((value) => ({
              value,
              label: value === 'lifted' ? t('admin:untilLifted') : t('admin:untilDays', { count: Number(value) }),
            }))}
          />
        )
      }
    />
  );
}
