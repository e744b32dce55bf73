import type { AdminOrder, AdminSubscription, BillingAuditRecord, PaymentNotification } from '@nolo/api';
import { routes } from '@nolo/api';
import { paymentGatewayNames } from '@nolo/rules';
import { useState, type ReactNode } from 'react';
import { call } from '../../api/httpClient.ts';
import { formatExactTime } from '../../i18n/dates.ts';
import { useLocale } from '../../i18n/locale.ts';
import { Badge, type BadgeTone } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useAction } from '../../ui/useAction.ts';
import { formatMoneyText, toMinorUnits } from '../model/money.ts';
import { useBillingDateFormatter } from '../useBillingDateFormatter.ts';
import { useItemName } from '../useItemName.ts';
import { useBillingAdminActionOptions } from './adminQueries.ts';
import { GivePlanDialog } from './GivePlanDialog.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { billingTexts } from '../billingTexts.ts';
import { billingAdminTexts } from './billingAdminTexts.ts';

interface RowProps {
  title: ReactNode;
  badge: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

function Row({ title, badge, action, children }: RowProps) {
  return (
    <li className="rounded-card border border-line bg-raised p-3 text-13">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="tabular min-w-40 flex-1 text-14 font-medium">{title}</p>
        {badge}
        {action}
      </div>
      <div className="mt-1 flex flex-col gap-0.5 text-muted">{children}</div>
    </li>
  );
}

/** Id that may break across lines. */
function Id({ children }: { children: string }) {
  return <span className="break-all">{children}</span>;
}

/** Isolates an id within a sentence, because ids read from left to right in every language. */
const isolated = (id: string): string => `\u2066${id}\u2069`;

function useMoments(): (at: string) => string {
  const locale = useLocale();
  return (at) => formatExactTime(Date.parse(at), locale);
}

const orderTones: Partial<Record<AdminOrder['state'], BadgeTone>> = {
  paid: 'accent',
  failed: 'danger',
  disputed: 'warning',
};

export function OrderRow({ order }: { order: AdminOrder }) {
  const { t } = useTexts(billingTexts, billingAdminTexts);
  const locale = useLocale();
  const moment = useMoments();
  const name = useItemName()(order.item);
  const [refunding, setRefunding] = useState(false);
  const paid = order.state === 'paid' || order.state === 'disputed';
  return (
    <Row
      title={`${order.item === 'business' ? t('billing:seatsOf', { name, count: order.seats }) : name} · ${formatMoneyText(order.amountMinor, order.currency, locale)} · ${paymentGatewayNames[order.gateway]}`}
      badge={<Badge tone={orderTones[order.state] ?? 'neutral'}>{t(`billing:orderStates.${order.state}`)}</Badge>}
      action={
        paid && (
          <Button
            kind="secondary"
            size="small"
            aria-label={t('billingAdmin:refundNamed', { id: order.id })}
            onClick={() => setRefunding(true)}
          >
            {t('billingAdmin:refund')}
          </Button>
        )
      }
    >
      <p>
        {moment(order.paidAt ?? order.createdAt)}
        {order.receiptNumber !== null && ` · ${order.receiptNumber}`}
        {order.reason !== null && ` · ${order.reason}`}
      </p>
      {order.refundedMinor > 0 && (
        <p>{t('billing:refunded', { amount: formatMoneyText(order.refundedMinor, order.currency, locale) })}</p>
      )}
      {order.creditMinor > 0 && (
        <p>{t('billingAdmin:credit', { amount: formatMoneyText(order.creditMinor, order.currency, locale) })}</p>
      )}
      {order.leftovers.map(({ amountMinor, currency }) => (
        <p key={currency}>{t('billingAdmin:leftover', { amount: formatMoneyText(amountMinor, currency, locale) })}</p>
      ))}
      <Id>{t('billingAdmin:order', { id: isolated(order.id) })}</Id>
      <Id>{t('billingAdmin:by', { id: isolated(order.userId) })}</Id>
      {refunding && <RefundDialog order={order} onClose={() => setRefunding(false)} />}
    </Row>
  );
}

/** Refunds the remaining amount of an order, or a part of it, with a reason for the audit. */
function RefundDialog({ order, onClose }: { order: AdminOrder; onClose: () => void }) {
  const { t } = useTexts(billingAdminTexts);
  const locale = useLocale();
  // Retrying with the same id after a lost answer repeats the same refund.
  const [id] = useState(() => crypto.randomUUID());
  const left = order.amountMinor - order.refundedMinor;
  const leftText = formatMoneyText(left, order.currency, locale);
  const refund = useAction(
    (body: { id: string; amountMinor: number; reason: string }) =>
      call(routes.refundOrder, { params: { id: order.id }, body, timeoutMs: 30_000 }),
    useBillingAdminActionOptions(t('billingAdmin:refundDone')),
  );
  const [amount, setAmount] = useState((left / 100).toFixed(2));
  const [reason, setReason] = useState('');
  const [hasSubmitted, setHasSubmitted] = useState(false);
  const amountMinor = toMinorUnits(amount);
  const amountWrong = amountMinor === undefined || amountMinor < 1 || amountMinor > left;
  const reasonMissing = reason.trim() === '';

  const give = async () => {
    setHasSubmitted(true);
    if (reasonMissing || amountWrong) return;
    if (await refund.run({ id, amountMinor, reason: reason.trim() })) onClose();
  };

  return (
    <FormDialog
      role="alert"
      size="small"
      title={t('billingAdmin:refundTitle')}
      description={t('billingAdmin:refundText', { amount: leftText })}
      danger
      waits
      submitLabel={t('billingAdmin:refund')}
      onClose={onClose}
      onSubmit={give}
    >
      <TextField
        label={t('billingAdmin:refundAmount', { currency: order.currency })}
        inputMode="decimal"
        error={hasSubmitted && amountWrong ? t('billingAdmin:refundWrong', { amount: leftText }) : null}
        value={amount}
        onChange={(event) => setAmount(event.target.value)}
      />
      <TextField
        label={t('billingAdmin:reason')}
        hint={t('billingAdmin:reasonHint')}
        error={hasSubmitted && reasonMissing ? t('billingAdmin:reasonMissing') : null}
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </FormDialog>
  );
}

export function SubscriptionRow({ userId, subscription }: AdminSubscription) {
  const { t } = useTexts(billingTexts, billingAdminTexts);
  const date = useBillingDateFormatter();
  const [giving, setGiving] = useState(false);
  const { plan, status, source, periodEndsAt, seats } = subscription;
  return (
    <Row
      title={`${t(`billing:plans.${plan}`)} · ${t(`billingAdmin:sources.${source}`)}`}
      badge={<Badge>{t(`billingAdmin:subscriptionStates.${status}`)}</Badge>}
      action={
        <Button
          kind="secondary"
          size="small"
          aria-label={t('billingAdmin:giveNamed', { id: userId })}
          onClick={() => setGiving(true)}
        >
          {t('billingAdmin:give')}
        </Button>
      }
    >
      {periodEndsAt !== null && <p>{t('billingAdmin:periodEnds', { date: date(periodEndsAt) })}</p>}
      {seats !== null && <p>{t('billing:seats', { count: seats.bought, taken: seats.taken })}</p>}
      <Id>{isolated(userId)}</Id>
      {giving && <GivePlanDialog userId={userId} onClose={() => setGiving(false)} />}
    </Row>
  );
}

const notificationTones: Partial<Record<PaymentNotification['state'], BadgeTone>> = {
  done: 'accent',
  refused: 'warning',
  failed: 'danger',
};

export function NotificationRow({ notification }: { notification: PaymentNotification }) {
  const { t } = useTexts(billingAdminTexts);
  const moment = useMoments();
  const retry = useAction(routes.retryNotification, useBillingAdminActionOptions(t('billingAdmin:retried')));
  const { id, gateway, state, reason, orderId, body, attempts } = notification;
  return (
    <Row
      title={`${paymentGatewayNames[gateway as keyof typeof paymentGatewayNames] ?? gateway} · ${moment(notification.receivedAt)}`}
      badge={
        <Badge tone={notificationTones[state] ?? 'neutral'}>{t(`billingAdmin:notificationStates.${state}`)}</Badge>
      }
      action={
        state !== 'done' && (
          <Button
            kind="secondary"
            size="small"
            busy={retry.busy}
            aria-label={t('billingAdmin:retryNamed', { id })}
            onClick={() => void retry.run({ params: { id } })}
          >
            {t('billingAdmin:retry')}
          </Button>
        )
      }
    >
      <p>
        {t('billingAdmin:attempts', { count: attempts })}
        {reason !== null && ` · ${reason}`}
      </p>
      {orderId !== null && <Id>{t('billingAdmin:order', { id: isolated(orderId) })}</Id>}
      <Raw label={t('billingAdmin:body')} text={body} />
    </Row>
  );
}

export function AuditRow({ record }: { record: BillingAuditRecord }) {
  const { t } = useTexts(billingAdminTexts);
  const moment = useMoments();
  return (
    <Row
      title={`${record.action} · ${moment(record.at)}`}
      badge={
        <Badge tone={record.allowed ? 'neutral' : 'danger'}>
          {t(record.allowed ? 'billingAdmin:allowed' : 'billingAdmin:notAllowed')}
        </Badge>
      }
    >
      <Id>{t('billingAdmin:by', { id: isolated(record.operatorId) })}</Id>
      {record.subject !== null && <Id>{t('billingAdmin:about', { subject: isolated(record.subject) })}</Id>}
      <Raw label={t('billingAdmin:details')} text={JSON.stringify(record.details, null, 2)} />
    </Row>
  );
}

function Raw({ label, text }: { label: string; text: string }) {
  return (
    <details>
      <summary className="tap w-fit cursor-pointer rounded-control py-1 font-medium text-accent-text">{label}</summary>
      <pre
        dir="ltr"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by keyboard
        tabIndex={0}
        aria-label={label}
        className="mt-1 max-h-60 overflow-auto rounded-control bg-sunken p-2 font-mono text-12 break-all whitespace-pre-wrap text-ink"
      >
        {text}
      </pre>
    </details>
  );
}
