import { routes, type Order } from '@nolo/api';
import { paymentGatewayNames } from '@nolo/rules';
import { CircleCheck, CircleX, Clock3, SearchX, Undo2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { ApiError, call } from '../api/httpClient.ts';
import { useDocumentTitle } from '../shell/routeHandle.ts';
import { Button, buttonClasses } from '../ui/Button.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import { useBilling } from '../session/plan.ts';
import { isPlan } from './model/total.ts';
import { PurchaseDialog } from './PurchaseDialog.tsx';
import { useItemName } from './useItemName.ts';
import { useOrderWait, type OrderWait } from './useOrderWait.ts';
import { useTexts } from '../i18n/texts.ts';
import { billingTexts } from './billingTexts.ts';

/** Returns the order id in the address to which the gateway redirects. */
function useOrderId(): string {
  const [search] = useSearchParams();
  return search.get('order') ?? '';
}

/**
 * Page `/payment/success`: waits until the order is paid, according to the gateway's notification to the server, never
 * to an address.
 */
export function PaymentSuccess() {
  const { t } = useTexts(billingTexts);
  useDocumentTitle(t('billing:success.title'));
  const id = useOrderId();
  const wait = useOrderWait(id);
  return <Outcome id={id} wait={wait} />;
}

/** Page `/payment/cancel`: cancels the order, unless it was paid after all. */
export function PaymentCancel() {
  const { t } = useTexts(billingTexts);
  useDocumentTitle(t('billing:cancelPage.title'));
  const id = useOrderId();
  const wait = useOrderWait(id, (orderId, signal) => call(routes.cancelOrder, { params: { id: orderId }, signal }));
  return <Outcome id={id} wait={wait} cancelled />;
}

function Outcome({ id, wait, cancelled = false }: { id: string; wait: OrderWait; cancelled?: boolean }) {
  const { t } = useTexts(billingTexts);
  const { order, progress, error } = wait;
  if (id === '' || (error instanceof ApiError && !error.passing)) {
    return (
      <Page icon={<SearchX />} title={t('billing:success.unknown')} text={t('billing:success.unknownText')}>
        <ToPlan />
      </Page>
    );
  }
  if (order === undefined) {
    const failed = Boolean(error);
    return (
      <Page
        icon={failed ? <CircleX /> : <Spinner className="size-7" />}
        title={failed ? t('billing:success.loadFailed') : t('billing:success.waiting')}
        text={failed ? t('errors.network') : ''}
      >
        <ToPlan kind="secondary" />
      </Page>
    );
  }
  switch (progress) {
    case 'paid':
      return <Paid order={order} />;
    case 'over':
      return <Over order={order} cancelled={cancelled} />;
    case 'returned':
      return (
        <Page
          icon={<Undo2 />}
          title={t(order.state === 'disputed' ? 'billing:success.disputed' : 'billing:success.returned')}
          text={t(order.state === 'disputed' ? 'billing:success.disputedText' : 'billing:success.returnedText')}
        >
          <ToPlan />
        </Page>
      );
    default:
      return <Waiting order={order} wait={wait} />;
  }
}

function Waiting({ order, wait }: { order: Order; wait: OrderWait }) {
  const { t } = useTexts(billingTexts);
  const gateway = paymentGatewayNames[order.gateway];
  return (
    <Page
      icon={wait.long ? <Clock3 /> : <Spinner className="size-7" />}
      title={t(wait.long ? 'billing:success.long' : 'billing:success.waiting')}
      text={t(wait.long ? 'billing:success.longText' : 'billing:success.waitingText', { gateway })}
    >
      {wait.long && (
        <>
          <Button kind="secondary" busy={wait.isRefreshing} onClick={wait.refresh}>
            {t('billing:success.ask', { gateway })}
          </Button>
          <ToPlan />
        </>
      )}
    </Page>
  );
}

function Paid({ order }: { order: Order }) {
  const { t } = useTexts(billingTexts);
  const name = useItemName()(order.item);
  return (
    <Page
      icon={<CircleCheck />}
      title={t('billing:success.paid')}
      text={t(isPlan(order.item) ? 'billing:success.paidPlan' : 'billing:success.paidAddOn', { name })}
    >
      <Link to="/" className={buttonClasses({ kind: 'secondary' })}>
        {t('billing:success.goOn')}
      </Link>
      {order.item === 'business' && order.seats > 1 ? (
        <Link to="/team" className={buttonClasses()}>
          {t('billing:team')}
        </Link>
      ) : (
        <ToPlan />
      )}
    </Page>
  );
}

/** Shows that nothing was charged, and offers the same again. */
function Over({ order, cancelled }: { order: Order; cancelled: boolean }) {
  const { t } = useTexts(billingTexts);
  const { data: billing } = useBilling();
  const [isRetrying, setIsRetrying] = useState(false);
  return (
    <Page
      icon={<CircleX />}
      title={t(cancelled ? 'billing:cancelPage.title' : 'billing:success.over')}
      text={t(cancelled ? 'billing:cancelPage.text' : 'billing:success.overText')}
    >
      <ToPlan kind="secondary" />
      {billing && <Button onClick={() => setIsRetrying(true)}>{t('billing:cancelPage.again')}</Button>}
      {isRetrying && billing && (
        <PurchaseDialog item={order.item} seats={order.seats} billing={billing} onClose={() => setIsRetrying(false)} />
      )}
    </Page>
  );
}

function ToPlan({ kind = 'primary' }: { kind?: 'primary' | 'secondary' }) {
  const { t } = useTexts(billingTexts);
  return (
    <Link to="/settings/plan" className={buttonClasses({ kind })}>
      {t('billing:success.toPlan')}
    </Link>
  );
}

/** Page with one message and the next actions. */
function Page({ icon, title, text, children }: { icon: ReactNode; title: string; text: string; children: ReactNode }) {
  return (
    <div className="grid min-h-0 flex-1 place-items-center overflow-y-auto bg-page px-6 py-10">
      <div className="flex w-full max-w-100 flex-col items-center text-center text-balance">
        <span
          aria-hidden="true"
          className="mb-5 flex size-16 items-center justify-center rounded-full bg-accent-subtle text-accent-text [&_svg]:size-7"
        >
          {icon}
        </span>
        <div role="status">
          <h1 className="text-24 font-semibold tracking-tight">{title}</h1>
          <p className="mt-2 min-h-5 text-14 text-muted">{text}</p>
        </div>
        <div className="mt-6 flex min-h-10 flex-wrap justify-center gap-2">{children}</div>
      </div>
    </div>
  );
}
