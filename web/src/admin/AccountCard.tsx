import type { AdminAccount } from '@nolo/api';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useLocale } from '../i18n/locale.ts';
import { useArePlansSold } from '../session/useArePlansSold.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button, buttonClasses } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import type { AccountAction } from './adminQueries.ts';
import { AccountActionDialog } from './AccountActionDialog.tsx';
import { formatMoment } from './formatMoment.ts';
import { useOperatorWords } from './useOperatorWords.ts';

interface AccountCardProps {
  account: AdminAccount;
  /** Called with the account's new state; null if it is gone. */
  onChange: (now: AdminAccount | null) => void;
}

/** Facts about an account, and the actions on it. */
export function AccountCard({ account, onChange }: AccountCardProps) {
  const { t } = useOperatorWords();
  const sells = useArePlansSold();
  const [action, setAction] = useState<AccountAction | null>(null);
  const { suspension, operator, deletesAt } = account;
  const name = account.name ?? t('admin.noName');
  return (
    <Card title={<bdi>{name}</bdi>} action={<Standing account={account} />}>
      <Facts account={account} />
      {suspension && <Kept suspension={suspension} />}
      {operator && <p className="mt-3 text-13 text-muted">{t('admin.operatorText')}</p>}
      <div className="mt-4 flex flex-wrap gap-2">
        {suspension ? (
          <Button kind="secondary" size="small" onClick={() => setAction('lift')}>
            {t('admin.lift')}
          </Button>
        ) : (
          !operator && (
            <Button kind="secondary" size="small" onClick={() => setAction('suspend')}>
              {t('admin.suspend')}
            </Button>
          )
        )}
        {account.devices > 0 && (
          <Button kind="secondary" size="small" onClick={() => setAction('signOut')}>
            {t('admin.signOut')}
          </Button>
        )}
        {deletesAt !== null && (
          <Button kind="secondary" size="small" onClick={() => setAction('reopen')}>
            {t('admin.reopen')}
          </Button>
        )}
        {!operator && deletesAt === null && (
          <Button kind="danger" size="small" onClick={() => setAction('erase')}>
            {t('admin.erase')}
          </Button>
        )}
        <Link to={`/admin/audit?account=${account.id}`} className={buttonClasses({ kind: 'quiet', size: 'small' })}>
          {t('admin.history')}
        </Link>
        {sells && (
          <Link to={`/admin/billing?account=${account.id}`} className={buttonClasses({ kind: 'quiet', size: 'small' })}>
            {t('admin.plan')}
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
  const { t } = useOperatorWords();
  const locale = useLocale();
  if (operator) return <Badge tone="accent">{t('admin.isOperator')}</Badge>;
  if (deletesAt !== null) {
    return <Badge tone="danger">{t('admin.deletesAt', { date: formatMoment(deletesAt, locale) })}</Badge>;
  }
  if (!suspension) return null;
  const { until } = suspension;
  return (
    <Badge tone="danger">
      {until ? t('admin.suspendedUntil', { date: formatMoment(until, locale) }) : t('admin.suspended')}
    </Badge>
  );
}

function Kept({ suspension }: { suspension: NonNullable<AdminAccount['suspension']> }) {
  const { t } = useOperatorWords();
  const locale = useLocale();
  const date = formatMoment(suspension.since, locale);
  return (
    <p className="mt-3 rounded-control bg-danger-subtle px-3 py-2 text-13 wrap-anywhere text-danger-text">
      {t('admin.suspendedBecause', { date, reason: suspension.reason })}
    </p>
  );
}

function Facts({ account }: { account: AdminAccount }) {
  const { t } = useOperatorWords();
  const locale = useLocale();
  const moment = (at: string) => formatMoment(at, locale);
  const { devices, lastUsedAt } = account;
  const used =
    lastUsedAt === null ? t('admin.none') : t('admin.devicesUsed', { count: devices, date: moment(lastUsedAt) });
  return (
    <dl className="grid grid-cols-1 gap-x-4 gap-y-1 text-13 sm:grid-cols-[auto_1fr]">
      <Fact label={t('admin.number')}>{account.phoneNumber}</Fact>
      <Fact label={t('admin.mail')}>{account.email}</Fact>
      <Fact label={t('admin.username')}>{account.username === null ? null : `@${account.username}`}</Fact>
      <Fact label={t('admin.id')}>{account.id}</Fact>
      <Fact label={t('admin.since')} isText>
        {moment(account.createdAt)}
      </Fact>
      <Fact label={t('admin.devices')} isText>
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
